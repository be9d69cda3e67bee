"""Earlier meetings: what it costs a pairing that two players meet again."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from shared.rules.model import PLAYED, FactsKind, Game


class Again(NamedTuple):
    """The cost of a game between two players who have met, and of a pairing as the sum of its games.

    Costs are compared from left to right: rematches come first, as the documents demand (AR-AMB-13, DW-AMB-23), then
    those of players who met in the round before, then the earlier meetings of all who meet again. The smallest sum of
    earlier meetings also spreads them evenly: it gives the smallest sum of squares once the round is played.
    """

    rematches: int = 0
    running: int = 0
    earlier: int = 0

    def plus(self, other: Again) -> Again:
        return Again(self.rematches + other.rematches, self.running + other.running, self.earlier + other.earlier)

    def minus(self, other: Again) -> Again:
        return Again(self.rematches - other.rematches, self.running - other.running, self.earlier - other.earlier)

    def covers(self, other: Again) -> bool:
        """Return True if no part of the other cost is larger."""
        return self.rematches >= other.rematches and self.running >= other.running and self.earlier >= other.earlier


NONE = Again()
"""The cost of a first meeting."""

Met = Mapping[str, Mapping[str, Again]]
"""Player -> opponents met so far -> the cost of a further game."""


def met_in(games: Iterable[tuple[int, str, str]], round: int) -> dict[str, dict[str, Again]]:
    """Return all meetings as they count when `round` is paired. games: the round and the two opponents of each."""
    found: dict[str, dict[str, Again]] = {}
    for played, one, two in games:
        for player, opponent in ((one, two), (two, one)):
            known = found.setdefault(player, {})
            _, running, earlier = known.get(opponent, NONE)
            known[opponent] = Again(1, max(running, int(played == round - 1)), earlier + 1)
    return found


def meetings(games: Iterable[Game], round: int, played: Collection[FactsKind] = PLAYED) -> dict[str, dict[str, Again]]:
    """Return all meetings, those with the spare player included, as they count when `round` is paired.

    played: the kinds of facts after which the two sides count as having met.
    """
    sides = ((game.round, game.player_1, game.player_2) for game in games if game.facts.kind in played)
    return met_in(((number, one, two) for number, one, two in sides if two is not None), round)


def cost_of(pairs: Iterable[tuple[str, str]], met: Met) -> Again:
    """Return the cost of a pairing."""
    total = NONE
    for one, two in pairs:
        total = total.plus(met.get(one, {}).get(two, NONE))
    return total


def meeting_again(again: Again) -> str:
    """Return the words about a rematch for the reason of its pairing; an empty text for a first meeting."""
    if not again.rematches:
        return ""
    often = {1: "second meeting", 2: "third meeting"}.get(again.earlier, f"meeting no. {again.earlier + 1}")
    return f"; {often}; fewest possible"
