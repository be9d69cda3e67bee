"""The first pairing in list order that keeps to a given profile: by trying, and by asking the matching.

Trying nearly always ends at once. Where it would go round for too long, each partner in turn is asked for: is there
still a pairing of the rest that keeps what is left of the profile? That is exact, and takes a matching for each ask.

Source: AR-AMB-12, FF-AMB-10, DW-AMB-8.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice

from msgspec import Struct

from shared.rules.matching import Groups, Matched, Pair, Profile, matched
from shared.rules.meetings import NONE, Met

Order = Callable[[int], Iterable[int]]
"""How many of a group are to be paired inside it -> places of the partners whom the first of them prefers, in order.

Places are counted from 0, the first player's own; each of the others is there once.
"""

STEPS = 20_000
"""How many steps more than ten for each player a search may take."""

SHORT = 500
"""The same for the rest of a field, after a pair has been asked for."""


def near(size: int) -> Iterable[int]:
    """The next in the list: neighbours play. AR-AMB-12, FF-PAIR-3, DW-PAIR-3."""
    return range(1, size)


def fold(size: int) -> Iterable[int]:
    """The last in the group, then upwards: the first meets the last, the second the last but one."""
    return range(size - 1, 0, -1)


def slide(size: int) -> Iterable[int]:
    """The first of the lower half, then downwards, then the upper half upwards: of eight, 1 meets 5 and 2 meets 6."""
    return chain(range(size // 2, size), range(size // 2 - 1, 0, -1))


def first_in_order(groups: Groups, best: Matched, met: Met, order: Order = near) -> list[Pair]:
    """The first pairing in list order among those that cost what `best` does; `best` is one of them.

    Exact whatever the field; the time grows with the number of players to the fourth, so that it is meant for the
    windows of `brackets`, of a hundred players or two.
    Source: AR-AMB-12, FF-AMB-10, DW-AMB-8.
    """
    found = search(groups, best.profile, met, order)
    rest, left, partner = [list(group) for group in groups], best.profile, dict(best.pairs)
    pairs: list[Pair] = []
    while found is None:
        state = _State(rest, left, met, order)
        first = state.first_free()
        name, group = state.players[first], state.level[first]
        for candidate in state.partners(first):
            other = state.players[candidate]
            after = left.less(group, state.level[candidate], met.get(name, {}).get(other, NONE))
            fewer = [[player for player in members if player not in (name, other)] for members in rest]
            if after is None:
                continue
            if other == partner[name]:
                break
            if (asked := matched(fewer, met)).profile == after:
                partner = dict(asked.pairs)
                break
        pairs.append((name, other))
        rest, left = fewer, after or left
        found = search(rest, left, met, order, SHORT)
    return pairs + found


class _Choice(Struct, gc=False):
    """A player being paired, the partner tried now, and the partners not yet tried, once the first has failed.

    Nearly every first partner stays, so that a long list leaves thousands of choices, but no iterators, to be kept.
    """

    player: int
    partner: int = -1
    untried: Iterator[int] | None = None

    def next_partner(self, state: _State) -> int:
        """The next partner to try; -1 when none is left."""
        if self.partner < 0:
            return next(state.partners(self.player), -1)
        if self.untried is None:
            self.untried = islice(state.partners(self.player), 1, None)
        return next(self.untried, -1)


def search(groups: Groups, profile: Profile, met: Met, order: Order = near, steps: int = STEPS) -> list[Pair] | None:
    """The first pairing in list order that keeps to the profile exactly; None if none is found in time."""
    state = _State(groups, profile, met, order)
    players = state.players
    if not players:
        return []
    stack = [_Choice(state.first_free())]
    steps += 10 * len(players)
    while stack and (steps := steps - 1) >= 0:
        top = stack[-1]
        if top.partner >= 0:
            state.undo(top.player, top.partner)
        top.partner = top.next_partner(state)
        if top.partner < 0:
            stack.pop()
            continue
        state.do(top.player, top.partner)
        if (following := state.first_free()) < 0:
            return [(players[choice.player], players[choice.partner]) for choice in stack]
        stack.append(_Choice(following))
    return None


class _State:
    """Who is still free, and what the profile still allows, while the search goes back and forth.

    free: the free players of each group, in list order; players are their places in the whole list.
    """

    def __init__(self, groups: Groups, profile: Profile, met: Met, order: Order) -> None:
        self.players = [player for group in groups for player in group]
        self.level = [index for index, group in enumerate(groups) for _ in group]
        self.met, self.order = met, order
        self.free: list[list[int]] = [[] for _ in groups]
        for player, group in enumerate(self.level):
            self.free[group].append(player)
        self.floats = [pairs for pairs, _ in profile.floats]
        self.distances = [distance for _, distance in profile.floats]
        self.again = profile.again
        self.top = 0

    def first_free(self) -> int:
        """The first in the list who is still free; -1 when nobody is."""
        while self.top < len(self.free) and not self.free[self.top]:
            self.top += 1
        return self.free[self.top][0] if self.top < len(self.free) else -1

    def partners(self, player: int) -> Iterator[int]:
        """Whom the first free player may be given, in order; nobody where the profile can no longer be kept.

        Whoever goes on with this must have put everything back as it was.
        """
        group = self.level[player]
        floats, distance, free = self.floats[group], self.distances[group], self.free[group]
        if group and (self.floats[group - 1] or self.distances[group - 1]):
            return
        inside = len(free) - floats
        if inside < 0 or inside % 2 or distance < floats:
            return
        known = self.met.get(self.players[player], {})
        own = ((group, place) for place in chain(self.order(inside), range(inside, len(free)))) if inside else ()
        lowest = min(len(self.free) - 1, group + distance - (floats - 1)) if floats else group
        below = ((under, place) for under in range(group + 1, lowest + 1) for place in range(len(self.free[under])))
        for where, place in chain(own, below):
            other = self.free[where][place]
            again = known.get(self.players[other])
            if again is None or self.again.covers(again):
                yield other

    def do(self, player: int, other: int) -> None:
        """Pair two free players, the first of them the higher."""
        for one in (player, other):
            free = self.free[self.level[one]]
            del free[bisect_left(free, one)]
        self._count(player, other, -1)

    def undo(self, player: int, other: int) -> None:
        """Take a pair apart."""
        for one in (player, other):
            insort(self.free[self.level[one]], one)
        self.top = self.level[player]
        self._count(player, other, 1)

    def _count(self, player: int, other: int, step: int) -> None:
        above, below = self.level[player], self.level[other]
        if above != below:
            self.floats[above] += step
            self.distances[above] += step * (below - above)
        if again := self.met.get(self.players[player], {}).get(self.players[other]):
            self.again = self.again.plus(again) if step > 0 else self.again.minus(again)
