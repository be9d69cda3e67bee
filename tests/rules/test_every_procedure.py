"""Every pairing procedure compared with all pairings of 3 to 10 players; matchings of up to 16; large fields."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from shared.rules import matching
from shared.rules.matching import Groups, Met, Pair, optimal_pairing
from shared.rules.pairing import pair_in_groups
from shared.swiss import registries
from tests.examples import examples
from tests.rules.story import met_of, met_once
from tests.rules.test_brackets import cost, every_pairing, often

Field = tuple[list[list[str]], Met]


@some.composite
def awkward(draw: some.DrawFn, sizes: Sequence[int] = (4, 6, 8, 10), one_group: bool = False) -> Field:
    """Draw a field in groups in which most players have met, as after nearly as many rounds as players."""
    size = draw(some.sampled_from(sizes))
    players = [f"p{index:02}" for index in range(size)]
    cuts = [] if one_group else sorted(draw(some.sets(some.integers(1, size - 1), max_size=size - 1)))
    groups = [players[start:end] for start, end in pairwise([0, *cuts, size])]
    meetings = [f"{one}-{two}" for index, one in enumerate(players) for two in players[index + 1 :]]
    unmet = draw(some.sets(some.sampled_from(meetings), max_size=2 * size))
    once = set(meetings) - unmet if draw(some.booleans()) else unmet
    return groups, met_of([*once, *draw(often(meetings))], draw(often(meetings)))


def neighbours(free: int) -> list[int]:
    return list(range(1, free))


def folded(free: int) -> list[int]:
    return list(range(1, free))[::-1]


def slid(free: int) -> list[int]:
    lower = [place for place in range(1, free) if place >= free / 2]
    return lower + [place for place in range(1, free) if place < free / 2][::-1]


def first_of_the_best(groups: Groups, met: Met, preferred: Callable[[int], list[int]]) -> list[Pair]:
    """Return the first of the cheapest complete pairings, by the preferences of each player in turn."""
    level = {player: index for index, group in enumerate(groups) for player in group}
    everything = list(every_pairing(list(level)))
    least = min(cost(groups, met, pairs) for pairs in everything)
    best = [dict(pairs) for pairs in everything if cost(groups, met, pairs) == least]
    free, found = list(level), []
    while free:
        first, *others = free
        own = [player for player in free if level[player] == level[first]]
        leaving = sum(level[best[0][one]] > level[one] for one in best[0] if level[one] == level[first])
        leaving -= sum(level[two] > level[one] for one, two in found if level[one] == level[first])
        wanted = [own[place] for place in preferred(len(own) - leaving)] if len(own) > leaving else []
        wanted += [player for player in others if player not in wanted]
        second = next(player for player in wanted if any(pairing.get(first) == player for pairing in best))
        best = [pairing for pairing in best if pairing.get(first) == second]
        free = [player for player in free if player not in (first, second)]
        found.append((first, second))
    return found


PREFERRED = {
    "random": neighbours,
    "random_in_bracket": neighbours,
    "adjacent": neighbours,
    "fold_in_bracket": folded,
    "slide_in_bracket": slid,
}


@pytest.mark.clause("AR-AMB-12", "AR-AMB-13", "FF-AMB-10", "FF-PAIR-6")
@pytest.mark.parametrize("policy", PREFERRED)
@settings(max_examples=examples(80), deadline=None)
@given(field=awkward())
def test_small_fields_are_paired_optimally(policy: str, field: Field) -> None:
    groups, met = field
    kind = registries.PAIRING_POLICIES[policy]
    if kind.group is registries.PAIRING_POLICIES["adjacent"].group:
        groups = [[player for group in groups for player in group]]
    assert kind.pair(groups, met) == first_of_the_best(groups, met, PREFERRED[policy])


@pytest.mark.parametrize(
    "order", [(matching.nearest_first, neighbours), (matching.fold, folded), (matching.slide, slid)]
)
def test_matchings_give_the_same_pairing_as_the_search(
    order: tuple[matching.Order, Callable[[int], list[int]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = matching.search_pairing
    monkeypatch.setattr(matching, "search_pairing", lambda groups, *rest: None if any(groups) else tried(groups, *rest))

    @settings(max_examples=examples(60), deadline=None)
    @given(awkward(sizes=(4, 6, 8)))
    def same(field: Field) -> None:
        groups, met = field
        found = matching.first_in_order(groups, optimal_pairing(groups, met), met, order[0])
        assert found == first_of_the_best(groups, met, order[1])

    same()


def by_sheets(players: Sequence[str], met: Met) -> list[Pair] | None:
    """Return the pairs of the paper process with the lower sheet moving two places down; None at a dead end."""
    sheets, pairs = list(players), []
    while sheets:
        first, sheets, moved = sheets[0], sheets[1:], set[str]()
        if all(other in met.get(first, ()) for other in sheets):
            return None
        while sheets[0] in met.get(first, ()):
            if sheets[0] in moved:
                unmet = next(other for other in sheets if other not in met.get(first, ()))
                sheets = [unmet, *(other for other in sheets if other != unmet)]
            else:
                moved.add(sheets[0])
                sheets = [*sheets[1:3], sheets[0], *sheets[3:]]
        pairs.append((first, sheets[0]))
        sheets = sheets[1:]
    return pairs


@pytest.mark.clause("DW-AMB-8", "DW-PAIR-4")
@settings(max_examples=examples(100), deadline=None)
@given(awkward(one_group=True))
def test_paper_sheets_move_and_a_dead_end_takes_the_default_pairing(field: Field) -> None:
    groups, met = field
    expected = by_sheets(groups[0], met) or first_of_the_best(groups, met, neighbours)
    assert registries.PAIRING_POLICIES["paper_lower"].pair(groups, met) == expected


@pytest.mark.clause("DW-AMB-8")
@settings(max_examples=examples(100), deadline=None)
@given(awkward(one_group=True))
def test_paper_pairing_is_complete_without_avoidable_rematches(field: Field) -> None:
    groups, met = field
    fewest = cost(groups, met, first_of_the_best(groups, met, neighbours))[0]
    for policy in ("paper_lower", "paper_higher"):
        pairs = registries.PAIRING_POLICIES[policy].pair(groups, met)
        assert sorted(player for pair in pairs for player in pair) == groups[0]
        assert cost(groups, met, pairs)[0] == fewest


@settings(max_examples=examples(12), deadline=None)
@given(awkward(sizes=(12, 14, 16)))
def test_matchings_of_up_to_sixteen_players_have_minimum_cost(field: Field) -> None:
    groups, met = field
    players = [player for group in groups for player in group]
    level = {player: index for index, group in enumerate(groups) for player in group}
    nothing = (0,) * (3 + 2 * len(groups))
    least: dict[int, tuple[int, ...]] = {0: nothing}
    for free in range(1, 1 << len(players)):
        if free.bit_count() % 2:
            continue
        first = (free & -free).bit_length() - 1
        options = []
        for other in range(first + 1, len(players)):
            if free >> other & 1:
                digits = list(least[free & ~(1 << first) & ~(1 << other)])
                above, below = level[players[first]], level[players[other]]
                for place, part in enumerate(met.get(players[first], {}).get(players[other], ())):
                    digits[place] += part
                digits[3 + 2 * above] += above != below
                digits[4 + 2 * above] += below - above
                options.append(tuple(digits))
        least[free] = min(options)
    assert cost(groups, met, optimal_pairing(groups, met).pairs) == least[(1 << len(players)) - 1]


def test_fold_and_slide_of_a_bracket_of_eight_and_of_one_of_five() -> None:
    def paired(policy: str, *groups: str) -> list[str]:
        return [
            "".join(pair) for pair in registries.PAIRING_POLICIES[policy].pair([list(group) for group in groups], {})
        ]

    assert paired("fold_in_bracket", "abcdefgh") == ["ah", "bg", "cf", "de"]
    assert paired("slide_in_bracket", "abcdefgh") == ["ae", "bf", "cg", "dh"]
    assert paired("fold_in_bracket", "abcde", "fgh") == ["ad", "bc", "ef", "gh"]
    assert paired("slide_in_bracket", "abcde", "fgh") == ["ac", "bd", "ef", "gh"]


def large(size: int) -> Field:
    """Return groups by the squares of the players' numbers, where each player has met three others."""
    players = [f"p{index}" for index in range(size)]
    points = {player: (index * index) % 9 for index, player in enumerate(players)}
    groups = [[p for p in players if points[p] == value] for value in range(8, -1, -1)]
    met = {
        player: {players[index ^ 1], players[index - 9], players[(index + 9) % size]}
        for index, player in enumerate(players)
    }
    return [group for group in groups if group], met_once(met)


def least_of_any(groups: list[list[str]]) -> tuple[int, ...]:
    """Return a lower bound of the cost: one float by one group for each odd number of players so far."""
    odd = [held % 2 for held in accumulate(map(len, groups))]
    return 0, 0, 0, *(digit for one in odd for digit in (one, one))


@pytest.mark.parametrize("size", [400, 1_000])
def test_the_exact_matching_has_the_fewest_pair_downs(size: int) -> None:
    groups, met = large(size)
    assert cost(groups, met, optimal_pairing(groups, met).pairs) == least_of_any(groups)


@pytest.mark.parametrize("size", [400, 1_000, 2_000, 10_000])
@pytest.mark.parametrize("policy", ["random_in_bracket", "fold_in_bracket", "slide_in_bracket"])
def test_large_fields_have_as_few_pair_downs_as_the_exact_matching_finds(policy: str, size: int) -> None:
    groups, met = large(size)
    assert cost(groups, met, registries.PAIRING_POLICIES[policy].pair(groups, met)) == least_of_any(groups)


@pytest.mark.clause("FF-AMB-10")
@pytest.mark.parametrize("size", [40, 400, 10_000])
def test_a_conflict_at_the_bottom_of_a_long_list_changes_as_few_pairs_as_possible(size: int) -> None:
    players = [f"p{index:05}" for index in range(size)]
    knot = players[-13:]
    met = {player: set(knot) - {player} for player in knot}
    pairs = pair_in_groups([players], met_once(met))
    assert sorted(player for pair in pairs for player in pair) == players
    assert not any(two in met.get(one, ()) for one, two in pairs)
    assert pairs[: size // 2 - 13] == list(zip(players[: size - 26 : 2], players[1 : size - 26 : 2], strict=True))
