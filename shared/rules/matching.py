"""The optimum of AR-AMB-12 for a set of groups, by an exact matching in whole numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib.util import find_spec
from itertools import accumulate, islice

from msgspec import Struct

from shared.rules.meetings import Again, Met, cost_of

Pair = tuple[str, str]
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
    """What a pairing costs: meetings again, then for each group from the top (pairs leading down, sum of distances)."""

    again: Again
    floats: tuple[tuple[int, int], ...]

    def less(self, one: int, two: int, again: Again) -> Profile | None:
        """What is left when a player of group `one` meets one of group `two`, not above; None where that is too much.

        one, two: places of the groups from the top, counted from 0. again: the cost of their earlier meetings.
        """
        floats = list(self.floats)
        if one != two:
            pairs, distance = floats[one]
            floats[one] = (pairs - 1, distance - (two - one))
        if not self.again.covers(again) or min(floats[one]) < 0:
            return None
        return Profile(self.again.minus(again), tuple(floats))


class Matched(Struct, frozen=True):
    """A pairing of least cost, in each pair the earlier in the list first, and that cost."""

    pairs: list[Pair]
    profile: Profile


def matched(groups: Groups, met: Met) -> Matched:
    """A complete pairing of an even number of players, of least profile: least `Again`, then from the top down.

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
    sizes = [len(group) for group in groups]
    exact = len(groups)
    pairs: set[tuple[int, int]] = set()
    edges: set[tuple[int, int]] = set()
    near, far = REACH, max(REACH, DENSE // max(1, len(players)))
    if len(players) <= WHOLE:
        near = far = len(players)
    for avoid, reach in dict.fromkeys([(True, near), (True, far), (False, near)]):
        if 2 * len(pairs) < len(players):
            edges |= _edges(players, met if avoid else {}, reach)
            again = (0, 0) if avoid else _most_again(players, met)
            most, weights, exact = _digits(sizes, bits, known, again)
            weighed = _weighed(players, level, {} if avoid else met, edges, most, weights)
            pairs = heaviest(len(players), weighed)
    ordered = sorted((min(pair), max(pair)) for pair in pairs)
    floats = [(0, 0)] * len(groups)
    for one, two in ordered:
        above, below = level[one], level[two]
        if above != below:
            count, distance = floats[above]
            floats[above] = (count + 1, distance + below - above)
    named = [(players[one], players[two]) for one, two in ordered]
    return Matched(named, Profile(cost_of(named, met), tuple(floats))), exact


def _most_again(players: Sequence[str], met: Met) -> tuple[int, int]:
    """Return the most that a pairing can cost in rematches of the round before, and in earlier meetings."""
    pairs = len(players) // 2
    return pairs, pairs * max((again.earlier for one in players for again in met.get(one, {}).values()), default=0)


def _weighed(
    players: Sequence[str],
    level: Sequence[int],
    met: Met,
    edges: Iterable[tuple[int, int]],
    most: Again,
    weights: Sequence[tuple[int, int]],
) -> Iterator[tuple[int, int, int]]:
    """Yield each edge with its weight, the heavier the less it costs. most: the weights of the parts of `Again`."""
    for one, two in sorted(edges):
        pair, step = weights[level[one]] if level[one] != level[two] else (0, 0)
        cost = pair + step * (level[two] - level[one])
        if again := met.get(players[one], {}).get(players[two]):
            cost += sum(weight * part for weight, part in zip(most, again, strict=True))
        yield one, two, -cost


def _edges(players: Sequence[str], avoid: Met, reach: int) -> set[tuple[int, int]]:
    """Who may meet whom, the earlier in the list first: the nearest on either side who are not to be avoided."""

    def near(one: int, places: range) -> Iterator[int]:
        known = avoid.get(players[one], {})
        return islice((two for two in places if players[two] not in known), reach)

    after = {(one, two) for one in range(len(players)) for two in near(one, range(one + 1, len(players)))}
    before = {(two, one) for one in range(len(players)) for two in near(one, range(one - 1, -1, -1))}
    return after | before


def _digits(
    sizes: Sequence[int], bits: int | None, known: Sequence[tuple[int, int]], again: tuple[int, int]
) -> tuple[Again, list[tuple[int, int]], int]:
    """The weights of the parts of `Again`; for each group that of a pair leading down from it and of each step it
    leads; and how many groups from the top have digits of their own.

    A digit is large enough when the optimum does not overflow it: a pairing that is worse in a higher digit is then
    heavier, whatever its lower digits hold. known: the optimum of the groups at the top, as far as it is known.
    again: the most that a pairing can cost in the two lower parts of `Again`.
    """
    count, groups = sum(sizes), len(sizes)
    radices = [(pairs + 1, distance + 1) for pairs, distance in known]
    radices += [(size + 1, size * (groups - index) + 1) for index, size in enumerate(sizes)][len(known) :]
    exact = groups
    running, earlier = again[0] + 1, again[1] + 1
    if bits is not None:
        room = bits - 2 * count.bit_length() - 2 * groups.bit_length() - (running * earlier - 1).bit_length()
        needed = accumulate((pairs * distance).bit_length() for pairs, distance in radices)
        exact = sum(needs <= room for needs in needed)
    scale = 1 if exact == groups else count * groups + 1
    weights: list[tuple[int, int]] = [(0, 1)] * groups
    for index in reversed(range(exact)):
        pairs, distance = radices[index]
        weights[index] = (scale * distance, scale)
        scale *= pairs * distance
    return Again(scale * earlier * running, scale * earlier, scale), weights, exact
