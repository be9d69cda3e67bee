"""Elimination rounds: the first from the cut, later ones from who won; a seat given up is a walkover.

The number in a game's id is its place in the bracket: neighbours feed the same game of the next round.
"""

from __future__ import annotations

from msgspec import Struct

from services.pairing.tournament.drafts import Draft, Plan
from services.pairing.tournament.refusals import AllRoundsPlayed, RoundHasAbsentPlayers
from services.pairing.tournament.state import named, seed_of
from shared.formats.swiss.rules.elimination import first_bracket
from shared.formats.swiss.rules.ruleset import Ruleset
from shared.formats.swiss.ruleset import ruleset_of
from shared.rules.draw import make_draw
from shared.rules.model import NOBODY_WON, Draw
from shared.tournament.context import Context
from shared.tournament.events.pairing import Seat
from shared.tournament.state import Tournament

Pair = tuple[str, str]


class Bracket(Struct, frozen=True):
    """The pairs of a round in the order of the bracket; a place without a player is empty. draws: that were made."""

    pairs: list[Pair]
    draws: list[Draw]

    @property
    def survivors(self) -> list[str]:
        """Everybody who is still in it, in the order of the bracket."""
        return [player for pair in self.pairs for player in pair if player]


def bracket(state: Tournament, number: int, context: Context) -> Bracket:
    """Who meets whom in elimination round `number`.

    Raises RoundHasAbsentPlayers before the first round when somebody in the cut has left: their seat goes to the
    next in the standings (POST /cut/given-up). Raises AllRoundsPlayed when one player is left.
    Source: DW-CUT-2, DW-CUT-3, DW-AMB-4, DW-AMB-11.
    """
    ruleset, seed = ruleset_of(state.entries), seed_of(context)
    if number == state.rounds.cut_after + 1:
        return _first(state, ruleset, number, seed)
    winners = _winners(state, number - 1)
    left = [player for player in winners if player]
    if len(left) < 2:
        raise AllRoundsPlayed("The bracket has its winner.", winner=left[0] if left else "")
    if ruleset.cut.bracket == "reseed":
        left.sort(key=state.rounds.cut.index)
        return Bracket(first_bracket(ruleset, left, round=number, seed=seed), [])
    winners += [""] * (len(winners) % 2)
    return Bracket(list(zip(winners[::2], winners[1::2], strict=True)), [])


def paired(state: Tournament, bracket: Bracket) -> Plan:
    """The round that a bracket makes: whoever has no opponent goes on without a game."""
    drafts = []
    for slot, (one, two) in enumerate(bracket.pairs, start=1):
        if one and two:
            drafts.append(Draft(kind="game", player_1=one, player_2=two, reason=_reason(state, one, two), slot=slot))
        elif one or two:
            drafts.append(Draft(kind="bye", player_1=one or two, reason="walkover", table=0, slot=slot))
    method = ruleset_of(state.entries).cut.bracket
    return Plan(stage="elimination", method=method, drafts=drafts, draws=bracket.draws)


def _reason(state: Tournament, one: str, two: str) -> str:
    """Why two meet: by their numbers in the cut, as `GET /cut` shows them."""
    seeds = state.rounds.cut
    return f"bracket: number {seeds.index(one) + 1} of the cut against number {seeds.index(two) + 1}"


def _first(state: Tournament, ruleset: Ruleset, number: int, seed: str) -> Bracket:
    players = state.entries.players
    seeds = [player for player in state.rounds.cut if state.rounds.given_up.get(player) != ""]
    absent = [named(players[player]) for player in seeds if players[player].status != "active"]
    if absent:
        raise RoundHasAbsentPlayers("Some players of the cut have left; give up their seats first.", players=absent)
    if len(seeds) < 2:
        raise AllRoundsPlayed("The bracket has its winner.", winner=seeds[0] if seeds else "")
    draws = [make_draw(seed, "bracket", number, seeds)] if ruleset.cut.bracket == "random" else []
    return Bracket(first_bracket(ruleset, seeds, round=number, seed=seed), draws)


def _winners(state: Tournament, number: int) -> list[str]:
    """Who won each place of a bracket round, empty where nobody did or the winner has left since."""
    places = {place_of(seat): seat for seat in state.rounds.rounds[number].seats.values()}
    winners = []
    for place in range(1, max(places) + 1):
        seat = places.get(place)
        winner = _winner(state, number, seat) if seat else ""
        left = bool(winner) and (
            state.rounds.given_up.get(winner) == "" or state.entries.players[winner].status != "active"
        )
        winners.append("" if left else winner)
    return winners


def place_of(seat: Seat) -> int:
    """The place of a game in the bracket, from 1; neighbours feed the same game of the next round."""
    return int(seat.game.partition("g")[2].partition("-")[0])


def _winner(state: Tournament, number: int, seat: Seat) -> str:
    """Who stands higher in what scoring recorded after the round; ties were broken there. Nobody when neither came."""
    if seat.kind == "bye":
        return seat.player_1
    facts = state.results.results[seat.game].facts
    if facts.get("kind") in NOBODY_WON:
        return ""
    ranks = {row.player: row.rank for row in state.results.recorded[number].rows}
    present = [player for player in (seat.player_1, seat.player_2) if player in ranks]
    return min(present, key=ranks.__getitem__, default="")
