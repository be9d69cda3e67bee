"""Matching: the cost of earlier meetings, the exact optimum of groups (AR-AMB-12), and the search that keeps to it.

The search gives the first pairing in list order that keeps to a given profile. Trying nearly always ends at once. Where
it would take too long, the matching is asked for each partner in turn whether the rest can still be paired with what is
left of the profile. That is exact, and takes one matching for each question. Source: AR-AMB-12, FF-AMB-10, DW-AMB-8.
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
    """The cost of a game between two players who have met, and of a pairing as the sum of its games.

    Costs are compared from left to right: rematches come first, as the documents demand (AR-AMB-13, DW-AMB-23), then
    those of players who met in the round before, then the earlier meetings of all who meet again. The smallest sum of
    earlier meetings also spreads them evenly: it gives the smallest sum of squares once the round is played.
    """

    rematches: int = 0
    running: int = 0
    earlier: int = 0

    def plus(self, other: RematchCost) -> RematchCost:
        return RematchCost(self.rematches + other.rematches, self.running + other.running, self.earlier + other.earlier)

    def minus(self, other: RematchCost) -> RematchCost:
        return RematchCost(self.rematches - other.rematches, self.running - other.running, self.earlier - other.earlier)

    def covers(self, other: RematchCost) -> bool:
        """Return True if no part of the other cost is larger."""
        return self.rematches >= other.rematches and self.running >= other.running and self.earlier >= other.earlier


FIRST_MEETING = RematchCost()
"""The cost of a first meeting."""

Met = Mapping[str, Mapping[str, RematchCost]]
"""Player -> opponents met so far -> the cost of a further game."""


def meetings_of_pairs(games: Iterable[tuple[int, str, str]], round: int) -> dict[str, dict[str, RematchCost]]:
    """Return all meetings as they count when `round` is paired. games: the round and the two opponents of each."""
    found: dict[str, dict[str, RematchCost]] = {}
    for played, one, two in games:
        for player, opponent in ((one, two), (two, one)):
            known = found.setdefault(player, {})
            _, running, earlier = known.get(opponent, FIRST_MEETING)
            known[opponent] = RematchCost(1, max(running, int(played == round - 1)), earlier + 1)
    return found


def meetings(
    games: Iterable[Game], round: int, played: Collection[FactsKind] = PLAYED
) -> dict[str, dict[str, RematchCost]]:
    """Return all meetings, those with the spare player included, as they count when `round` is paired.

    played: the kinds of facts after which the two sides count as having met.
    """
    sides = ((game.round, game.player_1, game.player_2) for game in games if game.facts.kind in played)
    return meetings_of_pairs(((number, one, two) for number, one, two in sides if two is not None), round)


def cost_of(pairs: Iterable[tuple[str, str]], met: Met) -> RematchCost:
    """Return the cost of a pairing."""
    total = FIRST_MEETING
    for one, two in pairs:
        total = total.plus(met.get(one, {}).get(two, FIRST_MEETING))
    return total


def rematch_text(again: RematchCost) -> str:
    """Return the words about a rematch for the reason of its pairing; an empty text for a first meeting."""
    if not again.rematches:
        return ""
    often = {1: "second meeting", 2: "third meeting"}.get(again.earlier, f"meeting no. {again.earlier + 1}")
    return f"; {often}; fewest possible"


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

    again: RematchCost
    floats: tuple[tuple[int, int], ...]

    def less(self, one: int, two: int, again: RematchCost) -> Profile | None:
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


class OptimalPairing(Struct, frozen=True):
    """A pairing of least cost, in each pair the earlier in the list first, and that cost."""

    pairs: list[Pair]
    profile: Profile


def optimal_pairing(groups: Groups, met: Met) -> OptimalPairing:
    """A complete pairing of an even number of players, of least profile: least `RematchCost`, then from the top down.

    Costs are digits of one whole number, the top group's the highest. networkx reckons with numbers of any length.
    rustworkx is twenty times as fast and not always there; it is asked where the digits fit into what it counts in.
    The profile is the same whichever is asked, as there is one that is least.
    """
    if find_spec("rustworkx") and (found := _in_few_bits(groups, met)):
        return found
    return _matched(groups, met, by_networkx)[0]


def _in_few_bits(groups: Groups, met: Met) -> OptimalPairing | None:
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
) -> tuple[OptimalPairing, int]:
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
    return OptimalPairing(named, Profile(cost_of(named, met), tuple(floats))), exact


def _most_again(players: Sequence[str], met: Met) -> tuple[int, int]:
    """Return the most that a pairing can cost in rematches of the round before, and in earlier meetings."""
    pairs = len(players) // 2
    return pairs, pairs * max((again.earlier for one in players for again in met.get(one, {}).values()), default=0)


def _weighed(
    players: Sequence[str],
    level: Sequence[int],
    met: Met,
    edges: Iterable[tuple[int, int]],
    most: RematchCost,
    weights: Sequence[tuple[int, int]],
) -> Iterator[tuple[int, int, int]]:
    """Yield each edge with its weight: the lower the cost, the heavier. most: weights of the parts of `RematchCost`."""
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
) -> tuple[RematchCost, list[tuple[int, int]], int]:
    """The weights of the parts of `RematchCost`; for each group that of a pair leading down from it and of each step it
    leads; and how many groups from the top have digits of their own.

    A digit is large enough when the optimum does not overflow it: a pairing that is worse in a higher digit is then
    heavier, whatever its lower digits hold. known: the optimum of the groups at the top, as far as it is known.
    again: the most that a pairing can cost in the two lower parts of `RematchCost`.
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
"""How many of a group are to be paired inside it -> places of the partners whom the first of them prefers, in order.

Places are counted from 0, the first player's own; each of the others is there once.
"""

STEPS = 20_000
"""How many steps more than ten for each player a search may take."""

SHORT = 500
"""The same for the rest of a field, after a pair has been asked for."""


def nearest_first(size: int) -> Iterable[int]:
    """The next in the list: neighbours play. AR-AMB-12, FF-PAIR-3, DW-PAIR-3."""
    return range(1, size)


def fold(size: int) -> Iterable[int]:
    """The last in the group, then upwards: the first meets the last, the second the last but one."""
    return range(size - 1, 0, -1)


def slide(size: int) -> Iterable[int]:
    """The first of the lower half, then downwards, then the upper half upwards: of eight, 1 meets 5 and 2 meets 6."""
    return chain(range(size // 2, size), range(size // 2 - 1, 0, -1))


def first_in_order(groups: Groups, best: OptimalPairing, met: Met, order: Order = nearest_first) -> list[Pair]:
    """The first pairing in list order among those that cost what `best` does; `best` is one of them.

    Exact whatever the field; the time grows with the number of players to the fourth, so that it is meant for the
    windows of `pairing`, of a hundred players or two.
    Source: AR-AMB-12, FF-AMB-10, DW-AMB-8.
    """
    found = search_pairing(groups, best.profile, met, order)
    rest, left, partner = [list(group) for group in groups], best.profile, dict(best.pairs)
    pairs: list[Pair] = []
    while found is None:
        state = _State(rest, left, met, order)
        first = state.first_free()
        name, group = state.players[first], state.level[first]
        for candidate in state.partners(first):
            other = state.players[candidate]
            after = left.less(group, state.level[candidate], met.get(name, {}).get(other, FIRST_MEETING))
            fewer = [[player for player in members if player not in (name, other)] for members in rest]
            if after is None:
                continue
            if other == partner[name]:
                break
            if (asked := optimal_pairing(fewer, met)).profile == after:
                partner = dict(asked.pairs)
                break
        pairs.append((name, other))
        rest, left = fewer, after or left
        found = search_pairing(rest, left, met, order, SHORT)
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


def search_pairing(
    groups: Groups, profile: Profile, met: Met, order: Order = nearest_first, steps: int = STEPS
) -> list[Pair] | None:
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
