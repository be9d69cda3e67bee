"""The optimum of AR-AMB-12 for a set of groups, by an exact matching in whole numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from importlib.util import find_spec
from itertools import accumulate, islice

from msgspec import Struct

Pair = tuple[str, str]
Met = Mapping[str, Set[str]]
Groups = Sequence[Sequence[str]]
"""Players in list order, in groups from the top down."""

Edges = Iterable[tuple[int, int, int]]
"""Two nodes by their numbers, and the weight of their edge."""

Matching = Callable[[int, Edges], set[tuple[int, int]]]
"""Finds, of the matchings of so many nodes with most pairs, one with most weight."""

BITS = 120
"""What a weight may take in rustworkx, which counts in 128 bits and adds up to one weight for each pair."""

WHOLE, REACH = 300, 100
"""Up to so many players everybody may meet everybody; in larger sets, so many on either side in the list at first."""

DENSE = 1_000_000
"""How many who may meet whom are considered where those at first leave somebody over."""


class Profile(Struct, frozen=True):
    """What a pairing costs: rematches, then for each group from the top (pairs leading down, sum of distances)."""

    rematches: int
    floats: tuple[tuple[int, int], ...]

    def less(self, one: int, two: int, rematch: bool) -> Profile | None:
        """What is left when a player of group `one` meets one of group `two`, not above; None where that is too much.

        one, two: places of the groups from the top, counted from 0.
        """
        floats, rematches = list(self.floats), self.rematches - rematch
        if one != two:
            pairs, distance = floats[one]
            floats[one] = (pairs - 1, distance - (two - one))
        if rematches < 0 or min(floats[one]) < 0:
            return None
        return Profile(rematches, tuple(floats))


class Matched(Struct, frozen=True):
    """A pairing of least cost, in each pair the earlier in the list first, and that cost."""

    pairs: list[Pair]
    profile: Profile


def matched(groups: Groups, met: Met) -> Matched:
    """A complete pairing of an even number of players, of least profile: fewest rematches, then from the top down.

    Costs are digits of one whole number, the top group's the highest. networkx reckons with numbers of any length.
    rustworkx is twenty times as fast and not always there; it is asked where the digits fit into what it counts in.
    The profile is the same whichever is asked, as there is one that is least.
    """
    if find_spec("rustworkx") and (found := _in_few_bits(groups, met)):
        return found
    return _matched(groups, met, by_networkx)[0]


def _in_few_bits(groups: Groups, met: Met) -> Matched | None:
    """The same by rustworkx; None where the digits do not fit.

    The groups at the bottom share the last digit at first. What the groups above them cost is then known; a digit
    that need not go beyond the known takes less room, and the next groups get digits of their own.
    """
    found, exact = _matched(groups, met, by_rustworkx, BITS)
    while exact < len(groups):
        known = found.profile.floats[:exact]
        found, exact = _matched(groups, met, by_rustworkx, BITS, known)
        if exact == len(known):
            return None
    return found


def by_rustworkx(nodes: int, edges: Edges) -> set[tuple[int, int]]:
    """A `Matching`, for weights of 128 bits altogether."""
    from rustworkx import PyGraph, max_weight_matching

    graph: PyGraph[int, int] = PyGraph(multigraph=False)
    graph.add_nodes_from(range(nodes))
    graph.add_edges_from(list(edges))
    pairs: set[tuple[int, int]] = max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return pairs


def by_networkx(nodes: int, edges: Edges) -> set[tuple[int, int]]:
    """A `Matching`, for weights of any size."""
    from networkx import Graph, max_weight_matching

    graph = Graph()
    graph.add_nodes_from(range(nodes))
    graph.add_weighted_edges_from(edges)
    pairs: set[tuple[int, int]] = max_weight_matching(graph, maxcardinality=True)
    return pairs


def _matched(
    groups: Groups, met: Met, heaviest: Matching, bits: int | None = None, known: Sequence[tuple[int, int]] = ()
) -> tuple[Matched, int]:
    """A pairing of least cost, and the number of groups from the top that had digits of their own."""
    players = [player for group in groups for player in group]
    level = [index for index, group in enumerate(groups) for _ in group]
    rematch, weights, exact = _digits([len(group) for group in groups], bits, known)

    def cost(one: int, two: int) -> int:
        pair, step = weights[level[one]] if level[one] != level[two] else (0, 0)
        again = rematch if players[two] in met.get(players[one], ()) else 0
        return pair + step * (level[two] - level[one]) + again

    pairs: set[tuple[int, int]] = set()
    edges: set[tuple[int, int]] = set()
    near, far = REACH, max(REACH, DENSE // max(1, len(players)))
    if len(players) <= WHOLE:
        near = far = len(players)
    for avoid, reach in dict.fromkeys([(True, near), (True, far), (False, near)]):
        if 2 * len(pairs) < len(players):
            edges |= _edges(players, met if avoid else {}, reach)
            pairs = heaviest(len(players), ((one, two, -cost(one, two)) for one, two in sorted(edges)))
    ordered = sorted((min(pair), max(pair)) for pair in pairs)
    floats = [(0, 0)] * len(groups)
    for one, two in ordered:
        above, below = level[one], level[two]
        if above != below:
            count, distance = floats[above]
            floats[above] = (count + 1, distance + below - above)
    named = [(players[one], players[two]) for one, two in ordered]
    rematches = sum(two in met.get(one, ()) for one, two in named)
    return Matched(named, Profile(rematches, tuple(floats))), exact


def _edges(players: Sequence[str], avoid: Met, reach: int) -> set[tuple[int, int]]:
    """Who may meet whom, the earlier in the list first: the nearest on either side who are not to be avoided."""

    def near(one: int, places: range) -> Iterator[int]:
        known = avoid.get(players[one], frozenset())
        return islice((two for two in places if players[two] not in known), reach)

    after = {(one, two) for one in range(len(players)) for two in near(one, range(one + 1, len(players)))}
    before = {(two, one) for one in range(len(players)) for two in near(one, range(one - 1, -1, -1))}
    return after | before


def _digits(
    sizes: Sequence[int], bits: int | None, known: Sequence[tuple[int, int]]
) -> tuple[int, list[tuple[int, int]], int]:
    """The weight of a rematch; for each group that of a pair leading down from it and of each step it leads; and how
    many groups from the top have digits of their own.

    A digit is large enough when the optimum does not overflow it: a pairing that is worse in a higher digit is then
    heavier, whatever its lower digits hold. known: the optimum of the groups at the top, as far as it is known.
    """
    count, groups = sum(sizes), len(sizes)
    radices = [(pairs + 1, distance + 1) for pairs, distance in known]
    radices += [(size + 1, size * (groups - index) + 1) for index, size in enumerate(sizes)][len(known) :]
    exact = groups
    if bits is not None:
        room = bits - 2 * count.bit_length() - 2 * groups.bit_length()
        needed = accumulate((pairs * distance).bit_length() for pairs, distance in radices)
        exact = sum(needs <= room for needs in needed)
    scale = 1 if exact == groups else count * groups + 1
    weights: list[tuple[int, int]] = [(0, 1)] * groups
    for index in reversed(range(exact)):
        pairs, distance = radices[index]
        weights[index] = (scale * distance, scale)
        scale *= pairs * distance
    return scale, weights, exact
