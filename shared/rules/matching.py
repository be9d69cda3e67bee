"""Matching: costs of rematches, the optimal pairing of groups (AR-AMB-12), and the search for the first one in order.

The search returns the first pairing in list order that fits a given profile. Backtracking nearly always succeeds at
once. If it takes too long, each partner is tried in turn: an exact matching tells if the rest can still be paired
within the rest of the profile. This is exact and costs one matching for each trial.
Source: AR-AMB-12, FF-AMB-10, DW-AMB-8.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from itertools import accumulate, chain, islice
from typing import NamedTuple

from msgspec import Struct

from shared.rules.model import PLAYED, FactsKind, Game


class RematchCost(NamedTuple):
    """The cost of a game between two players who have met, or of a pairing as the sum of its games.

    Costs are compared from left to right: the number of rematches (AR-AMB-13, DW-AMB-23), the number of rematches of
    the previous round, and the number of earlier meetings of all rematches. The smallest number of earlier meetings
    also spreads them evenly, because it gives the smallest sum of squares after the round.
    """

    rematches: int = 0
    running: int = 0
    earlier: int = 0

    def plus(self, other: RematchCost) -> RematchCost:
        return RematchCost(self.rematches + other.rematches, self.running + other.running, self.earlier + other.earlier)

    def minus(self, other: RematchCost) -> RematchCost:
        return RematchCost(self.rematches - other.rematches, self.running - other.running, self.earlier - other.earlier)

    def covers(self, other: RematchCost) -> bool:
        """Return True if no part of another cost is larger."""
        return self.rematches >= other.rematches and self.running >= other.running and self.earlier >= other.earlier


FIRST_MEETING = RematchCost()
"""The cost of a first meeting."""

Met = Mapping[str, Mapping[str, RematchCost]]
"""Player -> opponents met so far -> the cost of another game."""


def meetings_of_pairs(games: Iterable[tuple[int, str, str]], round: int) -> dict[str, dict[str, RematchCost]]:
    """Return all meetings and their costs when `round` is paired. `games`: round and the two opponents of each game."""
    met: dict[str, dict[str, RematchCost]] = {}
    for played, one, two in games:
        for player, opponent in ((one, two), (two, one)):
            opponents = met.setdefault(player, {})
            _, running, earlier = opponents.get(opponent, FIRST_MEETING)
            opponents[opponent] = RematchCost(1, max(running, int(played == round - 1)), earlier + 1)
    return met


def meetings(
    games: Iterable[Game], round: int, played: Collection[FactsKind] = PLAYED
) -> dict[str, dict[str, RematchCost]]:
    """Return all meetings, including those with the spare player, and their costs when `round` is paired.

    `played`: kinds of facts after which the two sides count as having met.
    """
    sides = ((game.round, game.player_1, game.player_2) for game in games if game.facts.kind in played)
    return meetings_of_pairs(((number, one, two) for number, one, two in sides if two is not None), round)


def cost_of(pairs: Iterable[tuple[str, str]], met: Met) -> RematchCost:
    """Return the cost of a pairing."""
    total = FIRST_MEETING
    for one, two in pairs:
        total = total.plus(met.get(one, {}).get(two, FIRST_MEETING))
    return total


def rematch_text(cost: RematchCost) -> str:
    """Return the text about a rematch for the reason of a pairing; empty for a first meeting."""
    if not cost.rematches:
        return ""
    ordinal = {1: "second meeting", 2: "third meeting"}.get(cost.earlier, f"meeting no. {cost.earlier + 1}")
    return f"; {ordinal}; fewest possible"


Pair = tuple[str, str]
Groups = Sequence[Sequence[str]]
"""Players in list order, in groups from the top down."""

Edges = Iterable[tuple[int, int, int]]
"""Two nodes and the weight of their edge."""

Matching = Callable[[int, Edges], set[tuple[int, int]]]
"""Returns a matching of maximum weight among those of maximum size. Arguments: number of nodes, edges."""

BITS = 120
"""Bits of a single weight in rustworkx, which computes in 128 bits and adds up one weight for each pair."""

WHOLE, REACH = 300, 100
"""Up to WHOLE players, all pairs are considered. In larger fields, REACH neighbours on either side at first."""

DENSE = 1_000_000
"""Approximate number of edges in the second attempt, if the first leaves players over."""


class Profile(Struct, frozen=True):
    """The cost of a pairing: rematches, then for each group from the top the number of floats and their distance.

    A float is a pair between a group and a lower one; its distance is the number of groups between them, plus one.
    """

    again: RematchCost
    floats: tuple[tuple[int, int], ...]

    def less(self, one: int, two: int, again: RematchCost) -> Profile | None:
        """Return the profile minus a pair from groups `one` and `two`, or None if the profile does not cover the pair.

        - `one`, `two`: indexes of the groups from the top; `one` <= `two`.
        - `again`: the rematch cost of the pair.
        """
        floats = list(self.floats)
        if one != two:
            pairs, distance = floats[one]
            floats[one] = (pairs - 1, distance - (two - one))
        if not self.again.covers(again) or min(floats[one]) < 0:
            return None
        return Profile(self.again.minus(again), tuple(floats))


class OptimalPairing(Struct, frozen=True):
    """A pairing of minimum cost, and that cost. The first player of each pair comes first in the list."""

    pairs: list[Pair]
    profile: Profile


def optimal_pairing(groups: Groups, met: Met) -> OptimalPairing:
    """Return a complete pairing of an even number of players with the smallest profile.

    Profiles are compared by rematches first, then group by group from the top. They are encoded as digits of one
    integer. networkx handles integers of any size. rustworkx is twenty times as fast but optional; it is used if the
    digits fit. The smallest profile is unique, so both give the same one.
    """
    if find_spec("rustworkx") and (pairing := _pair_in_few_bits(groups, met)):
        return pairing
    return _match(groups, met, by_networkx)[0]


def _pair_in_few_bits(groups: Groups, met: Met) -> OptimalPairing | None:
    """Return the pairing by rustworkx, or None if the digits do not fit.

    At first, the groups at the bottom share the last digit. This gives the cost of the groups above. A digit with a
    known upper bound takes fewer bits, so in the next step more groups get their own digits.
    """
    pairing, exact = _match(groups, met, by_rustworkx, BITS)
    while exact < len(groups):
        known = pairing.profile.floats[:exact]
        pairing, exact = _match(groups, met, by_rustworkx, BITS, known)
        if exact == len(known):
            return None
    return pairing


def by_rustworkx(nodes: int, edges: Edges) -> set[tuple[int, int]]:
    """Return a matching, for weights whose sum fits into 128 bits."""
    from rustworkx import PyGraph, max_weight_matching

    graph: PyGraph[int, int] = PyGraph(multigraph=False)
    graph.add_nodes_from(range(nodes))
    graph.add_edges_from(list(edges))
    pairs: set[tuple[int, int]] = max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return pairs


def by_networkx(nodes: int, edges: Edges) -> set[tuple[int, int]]:
    """Return a matching, for weights of any size."""
    from networkx import Graph, max_weight_matching

    graph = Graph()
    graph.add_nodes_from(range(nodes))
    graph.add_weighted_edges_from(edges)
    pairs: set[tuple[int, int]] = max_weight_matching(graph, maxcardinality=True)
    return pairs


def _match(
    groups: Groups, met: Met, heaviest: Matching, bits: int | None = None, known: Sequence[tuple[int, int]] = ()
) -> tuple[OptimalPairing, int]:
    """Return a pairing of minimum cost, and the number of groups from the top that had their own digits."""
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
            bounds = (0, 0) if avoid else _rematch_bounds(players, met)
            rematch_weights, weights, exact = _digits(sizes, bits, known, bounds)
            weighted = _weigh(players, level, {} if avoid else met, edges, rematch_weights, weights)
            pairs = heaviest(len(players), weighted)
    ordered = sorted((min(pair), max(pair)) for pair in pairs)
    floats = [(0, 0)] * len(groups)
    for one, two in ordered:
        above, below = level[one], level[two]
        if above != below:
            count, distance = floats[above]
            floats[above] = (count + 1, distance + below - above)
    named_pairs = [(players[one], players[two]) for one, two in ordered]
    return OptimalPairing(named_pairs, Profile(cost_of(named_pairs, met), tuple(floats))), exact


def _rematch_bounds(players: Sequence[str], met: Met) -> tuple[int, int]:
    """Return the upper bounds of a pairing's cost in rematches of the previous round, and in earlier meetings."""
    pairs = len(players) // 2
    return pairs, pairs * max((again.earlier for one in players for again in met.get(one, {}).values()), default=0)


def _weigh(
    players: Sequence[str],
    level: Sequence[int],
    met: Met,
    edges: Iterable[tuple[int, int]],
    rematch_weights: RematchCost,
    weights: Sequence[tuple[int, int]],
) -> Iterator[tuple[int, int, int]]:
    """Yield each edge with its weight: the lower the cost, the heavier."""
    for one, two in sorted(edges):
        pair, step = weights[level[one]] if level[one] != level[two] else (0, 0)
        cost = pair + step * (level[two] - level[one])
        if again := met.get(players[one], {}).get(players[two]):
            cost += sum(weight * part for weight, part in zip(rematch_weights, again, strict=True))
        yield one, two, -cost


def _edges(players: Sequence[str], avoid: Met, reach: int) -> set[tuple[int, int]]:
    """Return the allowed pairs: for each player the nearest on either side who are not to be avoided."""

    def near(one: int, places: range) -> Iterator[int]:
        known = avoid.get(players[one], {})
        return islice((two for two in places if players[two] not in known), reach)

    after = {(one, two) for one in range(len(players)) for two in near(one, range(one + 1, len(players)))}
    before = {(two, one) for one in range(len(players)) for two in near(one, range(one - 1, -1, -1))}
    return after | before


def _digits(
    sizes: Sequence[int], bits: int | None, known: Sequence[tuple[int, int]], again: tuple[int, int]
) -> tuple[RematchCost, list[tuple[int, int]], int]:
    """Return the weights of rematches and of each group's floats, and the number of groups with their own digits.

    The weights of a group are those of a float and of each unit of its distance. A digit is large enough if the optimum
    does not overflow it: a pairing that is worse in a higher digit is then heavier regardless of its lower digits.

    - `known`: the optimum of the groups at the top, as far as it is known.
    - `again`: upper bounds of the two lower parts of `RematchCost`.
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
    return RematchCost(scale * earlier * running, scale * earlier, scale), weights, exact


Order = Callable[[int], Iterable[int]]
"""Number of a group's members to be paired inside it -> places of the first member's partners, in order of preference.

Places count from 0, the place of the first member. Every other member occurs once.
"""

STEPS = 20_000
"""Maximum steps of a search, in addition to ten for each player."""

SHORT = 500
"""The same for the search over the rest of a field, after a pair was fixed by a matching."""


def nearest_first(size: int) -> Iterable[int]:
    """Prefer the next in the list: neighbours play (AR-AMB-12, FF-PAIR-3, DW-PAIR-3)."""
    return range(1, size)


def fold(size: int) -> Iterable[int]:
    """Prefer the last in the group, then upwards: the first meets the last, the second the last but one."""
    return range(size - 1, 0, -1)


def slide(size: int) -> Iterable[int]:
    """Prefer the first of the lower half, then downwards, then the upper half upwards.

    Of eight, 1 meets 5 and 2 meets 6.
    """
    return chain(range(size // 2, size), range(size // 2 - 1, 0, -1))


def first_in_order(groups: Groups, best: OptimalPairing, met: Met, order: Order = nearest_first) -> list[Pair]:
    """Return the first pairing in list order with the cost of `best`, which is one such pairing.

    Exact for any field. The time grows with the fourth power of the number of players, so it is meant for the windows
    of `pairing`, of one or two hundred players.
    Source: AR-AMB-12, FF-AMB-10, DW-AMB-8.
    """
    rest_pairs = search_pairing(groups, best.profile, met, order)
    rest, profile, partner = [list(group) for group in groups], best.profile, dict(best.pairs)
    pairs: list[Pair] = []
    while rest_pairs is None:
        state = _State(rest, profile, met, order)
        first = state.first_free()
        name, group = state.players[first], state.level[first]
        for candidate in state.partners(first):
            other = state.players[candidate]
            remaining = profile.less(group, state.level[candidate], met.get(name, {}).get(other, FIRST_MEETING))
            fewer = [[player for player in members if player not in (name, other)] for members in rest]
            if remaining is None:
                continue
            if other == partner[name]:
                break
            if (optimum := optimal_pairing(fewer, met)).profile == remaining:
                partner = dict(optimum.pairs)
                break
        pairs.append((name, other))
        rest, profile = fewer, remaining or profile
        rest_pairs = search_pairing(rest, profile, met, order, SHORT)
    return pairs + rest_pairs


class _Choice(Struct, gc=False):
    """A player being paired, the current partner, and the partners not tried yet.

    Nearly every first partner stays. So the iterator is created only after the first partner has failed: a long list
    leaves thousands of choices, but hardly any iterators.
    """

    player: int
    partner: int = -1
    untried: Iterator[int] | None = None

    def next_partner(self, state: _State) -> int:
        """Return the next partner to try; -1 if none is left."""
        if self.partner < 0:
            return next(state.partners(self.player), -1)
        if self.untried is None:
            self.untried = islice(state.partners(self.player), 1, None)
        return next(self.untried, -1)


def search_pairing(
    groups: Groups, profile: Profile, met: Met, order: Order = nearest_first, steps: int = STEPS
) -> list[Pair] | None:
    """Return the first pairing in list order that fits the profile exactly; None if the step limit is reached."""
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
    """The free players, and the rest of the profile, during a search.

    `free` contains the free players of each group in list order. Players are indexes into the whole list.
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
        """Return the first free player; -1 if there is none."""
        while self.top < len(self.free) and not self.free[self.top]:
            self.top += 1
        return self.free[self.top][0] if self.top < len(self.free) else -1

    def partners(self, player: int) -> Iterator[int]:
        """Yield the possible partners of the first free player, in order; none if the profile can no longer be met.

        The caller must restore the state before it resumes the iterator.
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
        """Pair two free players. `player` is the higher one."""
        for one in (player, other):
            free = self.free[self.level[one]]
            del free[bisect_left(free, one)]
        self._count(player, other, -1)

    def undo(self, player: int, other: int) -> None:
        """Undo a pair."""
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
