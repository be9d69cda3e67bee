"""Who is to meet whom in the next round of a campaign: what pairing decides, and an audit decides again."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from shared.formats.campaign.league import GAME, table_before
from shared.formats.campaign.rules.pairing import pair_round
from shared.formats.campaign.ruleset import campaign_of
from shared.rules.model import Pairing
from shared.tournament.rounds import Round
from shared.tournament.state import Tournament


def pairings_of(state: Tournament, number: int, apart: Iterable[Collection[str]]) -> list[Pairing]:
    """A round as the rules pair it, from the table after the one before; a bye is the last of its part. FS-RND-2.

    apart: the groups that play, in parts that are paired each for itself. Raises StepRefused where the organiser
    pairs by hand.
    """
    rules, table = campaign_of(state.entries, number), table_before(state, number)
    met, rested = met_before(state, number), had_bye(state, number)
    made: list[Pairing] = []
    for part in apart:
        made += pair_round(rules, [line for line in table if line.group in part], met, rested)
    return made


def met_before(state: Tournament, number: int) -> dict[str, set[str]]:
    """Group -> its rivals of games before a round, allies being none; a game that somebody missed was not played.

    Source: FS-RND-2, FS-RND-5.
    """
    found: dict[str, set[str]] = {}
    for round in _before(state, number):
        for seat in round.seats.values():
            result = state.results.results.get(seat.game)
            if result is not None and result.binds and result.facts["kind"] == GAME:
                for group in seat.players:
                    found.setdefault(group, set()).update(seat.rivals_of(group))
    return found


def had_bye(state: Tournament, number: int) -> set[str]:
    """Who was left over in a round before this one. FS-RND-3."""
    return {seat.player_1 for round in _before(state, number) for seat in round.seats.values() if seat.kind == "bye"}


def _before(state: Tournament, number: int) -> list[Round]:
    return [round for round in state.rounds.rounds.values() if round.number < number]
