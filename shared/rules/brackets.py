"""Pairing inside groups, with pair-downs: AR-AMB-12, exactly.

Among the complete pairings of the field with the fewest rematches, those are conforming that have, from the top
group down, the fewest pairs leading down out of the group, and of these the smallest sum of distances. Of the
conforming ones, the default gives the first player in the list the earliest possible partner, then the next ...

A pairing of neighbours in the list is conforming and the default at once when nobody has met, so a search in list
order that may float one player down from each odd group, and none from an even one, nearly always ends at once.
It falls apart into stretches between which nobody floats. Only where a stretch has no such pairing is the true
optimum found, by an exact matching over a window of groups (the whole field while it is small), and the search is
then held to that.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set

from msgspec import Struct

from shared.rules.matching import Profile, matched

Pair = tuple[str, str]
Met = Mapping[str, Set[str]]
Groups = Sequence[Sequence[str]]

SMALL_FIELD = 128
"""Players up to whom the window is the whole field, so that the profile is optimal for certain."""

STEPS = 20_000
"""How many steps more than ten for each player a search may take."""


def pair_in_groups(groups: Groups, met: Met) -> list[Pair]:
    """Pair an even number of players, given in groups from the top down, each in the order of its draw.

    Every player is paired. Rematches occur only where no pairing of the window is free of them.
    Source: AR-PAIR-3, AR-PAIR-4, AR-PAIR-5, AR-AMB-12, AR-AMB-13.
    """
    done: list[tuple[int, list[Pair]]] = []
    start = 0
    while start < len(groups):
        end = _stretch(groups, start)
        found = search(groups[start:end], even_profile(groups[start:end]), met)
        if found is None:
            start, end, found = _window(groups, [first for first, _ in done] + [start], end, met)
            done = [stretch for stretch in done if stretch[0] < start]
        done.append((start, found))
        start = end
    return [pair for _, pairs in done for pair in pairs]


def even_profile(groups: Groups) -> Profile:
    """The least that any pairing can do: one floats to the next group from where an odd number is left, else none."""
    floats, carried = [], 0
    for group in groups:
        carried = (len(group) - carried) % 2
        floats.append((carried, carried))
    return Profile(0, tuple(floats))


def _stretch(groups: Groups, start: int) -> int:
    """The end of the shortest run of groups from `start` on that holds an even number of players."""
    players = 0
    for index in range(start, len(groups)):
        players += len(groups[index])
        if players and players % 2 == 0:
            return index + 1
    return len(groups)


def _window(groups: Groups, starts: list[int], end: int, met: Met) -> tuple[int, int, list[Pair]]:
    """Pair a window of groups around the last stretch, which cannot be paired evenly; optimally for the window.

    starts: where each stretch so far begins. The window grows downwards, then upwards, until it is large enough
    and can be paired without a rematch. Returns its first group, its end and its pairs.
    """
    least = SMALL_FIELD
    while True:
        while end < len(groups) and _size(groups[starts[-1] : end]) < least:
            end = _stretch(groups, end)
        while len(starts) > 1 and _size(groups[starts[-1] : end]) < least:
            starts.pop()
        window = groups[starts[-1] : end]
        best = matched(window, met)
        if best.profile.rematches == 0 or len(window) == len(groups):
            return starts[-1], end, search(window, best.profile, met) or best.pairs
        least = 2 * _size(window)


def _size(groups: Groups) -> int:
    return sum(len(group) for group in groups)


class _Choice(Struct):
    """A player being paired, the partners not yet tried, and the one tried now."""

    player: int
    untried: Iterator[int]
    partner: int = -1


def search(groups: Groups, profile: Profile, met: Met) -> list[Pair] | None:
    """The first pairing in list order that keeps to the profile exactly; None if none is found in time."""
    players = [player for group in groups for player in group]
    level = [index for index, group in enumerate(groups) for _ in group]
    state = _State(players, level, profile, met, [len(group) for group in groups])
    if not players:
        return []
    stack = [_Choice(0, state.partners(0))]
    steps = STEPS + 10 * len(players)
    while stack and (steps := steps - 1) >= 0:
        top = stack[-1]
        if top.partner >= 0:
            state.undo(top.player, top.partner)
        top.partner = next(top.untried, -1)
        if top.partner < 0:
            stack.pop()
            continue
        state.do(top.player, top.partner)
        following = state.first_free(top.player + 1)
        if following is None:
            return [(players[choice.player], players[choice.partner]) for choice in stack]
        stack.append(_Choice(following, state.partners(following)))
    return None


class _State:
    """Who is still free, and what the profile still allows, while the search goes back and forth."""

    def __init__(self, players: list[str], level: list[int], profile: Profile, met: Met, free: list[int]) -> None:
        self.players, self.level, self.met = players, level, met
        self.taken = [False] * len(players)
        self.free = free
        self.floats = [pairs for pairs, _ in profile.floats]
        self.distances = [distance for _, distance in profile.floats]
        self.rematches = profile.rematches
        self.first_of = [0] * (len(free) + 1)
        for index, size in enumerate(free):
            self.first_of[index + 1] = self.first_of[index] + size

    def first_free(self, start: int) -> int | None:
        return next((index for index in range(start, len(self.players)) if not self.taken[index]), None)

    def partners(self, player: int) -> Iterator[int]:
        """Whom a player may be given, in list order; nobody where the profile can no longer be kept."""
        group = self.level[player]
        floats, distance, free = self.floats[group], self.distances[group], self.free[group]
        if group and (self.floats[group - 1] or self.distances[group - 1]):
            return
        if free < floats or (free - floats) % 2 or distance < floats:
            return
        start = self.first_of[group + 1] if free == floats else player + 1
        lowest = min(len(self.free) - 1, group + distance - (floats - 1)) if floats else group
        known = self.met.get(self.players[player], frozenset())
        for other in range(start, self.first_of[lowest + 1]):
            if not self.taken[other] and (self.rematches or self.players[other] not in known):
                yield other

    def do(self, player: int, other: int) -> None:
        self._count(player, other, -1)

    def undo(self, player: int, other: int) -> None:
        self._count(player, other, 1)

    def _count(self, player: int, other: int, step: int) -> None:
        above, below = self.level[player], self.level[other]
        self.taken[player] = self.taken[other] = step < 0
        self.free[above] += step
        self.free[below] += step
        if above != below:
            self.floats[above] += step
            self.distances[above] += step * (below - above)
        if self.players[other] in self.met.get(self.players[player], frozenset()):
            self.rematches += step


def everybody(ranked: Sequence[str], points: Mapping[str, int]) -> list[list[str]]:
    """One group of all."""
    return [list(ranked)]


def by_points(ranked: Sequence[str], points: Mapping[str, int]) -> list[list[str]]:
    """A group for each number of points present, the highest first."""
    groups: dict[int, list[str]] = {}
    for player in sorted(ranked, key=lambda player: -points[player]):
        groups.setdefault(points[player], []).append(player)
    return list(groups.values())
