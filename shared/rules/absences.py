"""Who stayed away so often that the tournament is over for them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from msgspec.structs import replace

from shared.rules.game_parts import Absence
from shared.rules.model import NOBODY_WON, Entrant, Facts, FactsKind, Game, Side
from shared.rules.ruleset import Ruleset


def absence_of(ruleset: Ruleset, kind: FactsKind) -> Absence:
    """The part that says what becomes of a game of this kind, which was not played."""
    return ruleset.forfeit if kind in ("forfeit", "double_forfeit") else ruleset.no_show


def repeatedly_absent(ruleset: Ruleset, absences: Iterable[tuple[FactsKind, str]]) -> set[str]:
    """Players who stayed away from as many games as end the tournament for them.

    absences: the kind of every game that was not played, and who was not there.
    Source: AR-AMB-18, DW-AMB-17.
    """
    times: Counter[str] = Counter()
    over = set()
    for kind, player in absences:
        limit = absence_of(ruleset, kind).drop_after
        times[player] += bool(limit)
        if limit and times[player] >= limit:
            over.add(player)
    return over


def without_absent(ruleset: Ruleset, entrants: Iterable[Entrant], games: Iterable[Game]) -> list[Entrant]:
    """The entrants, those dropped who stayed away too often; whoever is in a later game plays on all the same."""
    away: list[tuple[FactsKind, str]] = []
    last_away: dict[str, int] = {}
    last: dict[str, int] = {}
    for game in sorted(games, key=lambda game: game.round):
        players = {1: game.player_1, 2: game.player_2}
        last |= dict.fromkeys(filter(None, players.values()), game.round)
        for side in absent_sides(game.facts):
            if player := players[side]:
                away.append((game.facts.kind, player))
                last_away[player] = game.round
    over = {player for player in repeatedly_absent(ruleset, away) if last[player] == last_away[player]}
    return [
        replace(entrant, status="dropped", dropped_after=last[entrant.player])
        if entrant.player in over and entrant.status == "active"
        else entrant
        for entrant in entrants
    ]


def absent_sides(facts: Facts) -> tuple[Side, ...]:
    """The sides that were not there, or gave a game away that was not played."""
    if facts.kind in NOBODY_WON:
        return 1, 2
    if facts.kind in ("forfeit", "no_show") and facts.conceded_by is not None:
        return (facts.conceded_by,)
    return ()
