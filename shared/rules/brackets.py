"""Pairing inside groups, with pair-downs: AR-AMB-12, exactly.

Among the complete pairings of the field with the fewest rematches (of these, with the fewest of players who met in the
round before, and of these, with the fewest earlier meetings), those are conforming that have, from the top group down,
the fewest pairs leading down out of the group, and of these the smallest sum of distances. Of the conforming ones, the
default gives the first player in the list the partner that comes first in the policy's order
(`search`: neighbours, fold or slide), then the next ...

A pairing in that order is conforming and the default at once when nobody has met, so a search that may float one
player down from each odd group, and none from an even one, nearly always ends at once. It falls apart into stretches
between which nobody floats. Only where a stretch has no such pairing is the true optimum found, by an exact matching
over a window of groups (the whole field while it is small), and the search is then held to that.

A field that is one group needs no window: its pairs are settled from the top as long as those who are left can be
paired whatever they have met, and what remains is small.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence

from shared.rules.matching import Groups, Pair, Profile, matched
from shared.rules.meetings import NONE, Met
from shared.rules.search import Order, first_in_order, fold, near, search, slide

SMALL_FIELD = 128
"""Players up to whom the window is the whole field, so that the profile is optimal for certain."""


def pair_in_groups(groups: Groups, met: Met, order: Order = near) -> list[Pair]:
    """Pair an even number of players, given in groups from the top down, each in the order of its draw.

    Every player is paired. Rematches occur only where no pairing of the window is free of them.
    Source: AR-PAIR-3, AR-PAIR-4, AR-PAIR-5, AR-AMB-12, AR-AMB-13.
    """
    if len(groups) == 1 and order is near:
        pairs, rest = _settled(groups[0], met)
        return pairs + _pair([rest], met, order)
    return _pair(groups, met, order)


def pair_folding(groups: Groups, met: Met) -> list[Pair]:
    """The same with the highest of a group against the lowest; the lowest of an odd group is paired down.

    Source: general use ("high-low", Monrad; the draw option "fold" of debating).
    """
    return pair_in_groups(groups, met, fold)


def pair_sliding(groups: Groups, met: Met) -> list[Pair]:
    """The same with the upper half of a group against the lower half, in order; the lowest of an odd one goes down.

    Source: general use (the first pairing of a bracket in FIDE's Dutch system, without its colours and floats).
    """
    return pair_in_groups(groups, met, slide)


def _settled(players: Sequence[str], met: Met) -> tuple[list[Pair], list[str]]:
    """Pairs of neighbours that stand whatever follows, and who is left.

    While each of those who are left may meet at least half of them, they can all be paired without a rematch (by
    Dirac's theorem), so nobody above has to give way.
    """
    most = max((len(met.get(player, ())) for player in players), default=0)
    left = OrderedDict.fromkeys(players)
    pairs: list[Pair] = []
    while len(left) - 2 >= 2 * most + 2:
        first, _ = left.popitem(last=False)
        known = met.get(first, {})
        second = next(other for other in left if other not in known)
        del left[second]
        pairs.append((first, second))
    return pairs, list(left)


def _pair(groups: Groups, met: Met, order: Order) -> list[Pair]:
    done: list[tuple[int, list[Pair]]] = []
    start = 0
    while start < len(groups):
        end = _stretch(groups, start)
        found = search(groups[start:end], even_profile(groups[start:end]), met, order)
        if found is None:
            start, end, found = _window(groups, [first for first, _ in done] + [start], end, met, order)
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
    return Profile(NONE, tuple(floats))


def _stretch(groups: Groups, start: int) -> int:
    """The end of the shortest run of groups from `start` on that holds an even number of players."""
    players = 0
    for index in range(start, len(groups)):
        players += len(groups[index])
        if players and players % 2 == 0:
            return index + 1
    return len(groups)


def _window(groups: Groups, starts: list[int], end: int, met: Met, order: Order) -> tuple[int, int, list[Pair]]:
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
        if best.profile.again == NONE or len(window) == len(groups):
            return starts[-1], end, first_in_order(window, best, met, order)
        least = 2 * _size(window)


def _size(groups: Groups) -> int:
    return sum(len(group) for group in groups)


def everybody(ranked: Sequence[str], points: Mapping[str, int]) -> list[list[str]]:
    """One group of all."""
    return [list(ranked)]


def by_points(ranked: Sequence[str], points: Mapping[str, int]) -> list[list[str]]:
    """A group for each number of points present, the highest first."""
    groups: dict[int, list[str]] = {}
    for player in sorted(ranked, key=lambda player: -points[player]):
        groups.setdefault(points[player], []).append(player)
    return list(groups.values())
