"""AR-AMB-12, compared with the enumeration of all pairings."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from shared.rules import matching, pairing
from shared.rules.matching import Groups, Met, OptimalPairing, Pair, optimal_pairing, search_pairing
from shared.rules.model import Facts
from shared.rules.pairing import even_profile, pair_in_groups
from shared.swiss.scoring import score_game
from tests.examples import examples
from tests.rules.story import ARMADA, EXAMPLES, met_of, met_once, pairs_of


def every_pairing(players: Sequence[str]) -> Iterator[list[Pair]]:
    """Yield all complete pairings in the order of the draw's preference."""
    if not players:
        yield []
        return
    first, *rest = players
    for index, partner in enumerate(rest):
        for others in every_pairing(rest[:index] + rest[index + 1 :]):
            yield [(first, partner), *others]


def cost(groups: Groups, met: Met, pairs: list[Pair]) -> tuple[int, ...]:
    """Return rematches, those of the previous round, earlier meetings; then each group's floats and their distances."""
    level = {player: index for index, group in enumerate(groups) for player in group}
    distances: list[list[int]] = [[] for _ in groups]
    for one, two in pairs:
        above, below = sorted((level[one], level[two]))
        if above != below:
            distances[above].append(below - above)
    again = [met[one][two] for one, two in pairs if two in met.get(one, ())]
    parts = len(again), sum(one.running for one in again), sum(one.earlier for one in again)
    return *parts, *(digit for group in distances for digit in (len(group), sum(group)))


@some.composite
def fields(draw: some.DrawFn, sizes: Sequence[int] = (4, 6, 8)) -> tuple[list[list[str]], Met]:
    """Draw a field in groups, and the number of meetings of each pair."""
    size = draw(some.sampled_from(sizes))
    players = [f"p{index}" for index in range(size)]
    cuts = sorted(draw(some.sets(some.integers(1, size - 1), max_size=size - 1)))
    groups = [players[start:end] for start, end in pairwise([0, *cuts, size])]
    meetings = [f"{one}-{two}" for index, one in enumerate(players) for two in players[index + 1 :]]
    once = draw(some.sets(some.sampled_from(meetings), max_size=size * (size - 1) // 2))
    return groups, met_of([*once, *draw(often(meetings))], draw(often(meetings)))


def often(meetings: Sequence[str]) -> some.SearchStrategy[list[str]]:
    """Draw some meetings, each possibly several times."""
    return some.lists(some.sampled_from(meetings), max_size=len(meetings) // 2)


@pytest.mark.clause("AR-AMB-12", "AR-AMB-13", "AR-PAIR-3", "AR-PAIR-4", "AR-PAIR-5")
@settings(max_examples=examples(300), deadline=None)
@given(fields())
def test_small_fields_get_exactly_the_default_among_the_conforming_pairings(
    field: tuple[list[list[str]], Met],
) -> None:
    groups, met = field
    everything = list(every_pairing([player for group in groups for player in group]))
    best = min(cost(groups, met, pairs) for pairs in everything)
    default = next(pairs for pairs in everything if cost(groups, met, pairs) == best)
    assert pair_in_groups(groups, met) == default


@settings(max_examples=examples(200), deadline=None)
@given(fields(sizes=(6, 8, 10)))
def test_the_matching_finds_the_least_profile(field: tuple[list[list[str]], Met]) -> None:
    groups, met = field
    found = optimal_pairing(groups, met)
    everything = every_pairing([player for group in groups for player in group])
    assert cost(groups, met, found.pairs) == min(cost(groups, met, pairs) for pairs in everything)
    assert (*found.profile.again, *(digit for pair in found.profile.floats for digit in pair)) == cost(
        groups, met, found.pairs
    )


@pytest.mark.clause("AR-EX-2", "AR-AMB-11", "AR-AMB-12")
@pytest.mark.parametrize("case", [EXAMPLES["AR-EX-2"]["first"], *EXAMPLES["AR-EX-2"]["next"]])
def test_the_pairing_example_of_the_document(case: dict[str, Any]) -> None:
    points: dict[str, int] = case["points"]
    for seed in range(20):
        players = random.Random(seed).sample(sorted(points), len(points))
        groups = [[player for player in players if points[player] == value] for value in sorted(set(points.values()))]
        found = {frozenset(pair) for pair in pair_in_groups(groups[::-1], met_of(case["met"]))}
        assert found in [pairs_of(pairs) for pairs in case["pairings"]]


@pytest.mark.clause("AR-EX-2")
def test_the_corrected_totals_are_those_that_the_games_give() -> None:
    totals = EXAMPLES["AR-EX-2"]["totals"]
    for winner, loser in (("Mike", "Ally"), ("Sara", "Gideon")):
        score = score_game(ARMADA, Facts(points_1=100, points_2=70))
        for player, values in ((winner, score.values_1), (loser, score.values_2)):
            before, gain, after = totals[player]
            assert (values["tournament_points"], before + gain) == (gain, after)


@pytest.mark.clause("AR-PAIR-3", "AR-PAIR-4")
def test_without_earlier_meetings_neighbours_in_the_list_play() -> None:
    groups = [["a", "b", "c"], ["d"], ["e", "f", "g"], ["h"]]
    assert pair_in_groups(groups, {}) == [("a", "b"), ("c", "d"), ("e", "f"), ("g", "h")]


@pytest.mark.clause("AR-AMB-12")
def test_two_leaders_who_have_met_float_down_as_little_as_possible() -> None:
    groups = [["a", "b"], ["c", "d"], ["e", "f"]]
    assert pair_in_groups(groups, met_of(["a-b"])) == [("a", "c"), ("b", "d"), ("e", "f")]


@pytest.mark.clause("AR-AMB-13")
def test_rematches_occur_only_if_unavoidable_and_are_minimal() -> None:
    pairs = pair_in_groups([["a"], ["b"], ["c"], ["d"]], met_of(["a-b", "a-c", "a-d"]))
    assert pairs == [("a", "b"), ("c", "d")]


@pytest.mark.clause("AR-AMB-13", "DW-AMB-23")
@pytest.mark.parametrize(
    ("met", "last", "pairs"),
    [
        # a third meeting of a and b, or of c and d, gives way to second ones
        (["a-b", "a-b", "c-d", "a-c", "b-d", "a-d", "b-c"], [], ["ac", "bd"]),
        # no one meets the opponent of the previous round, even one met less often than the others
        (["a-c", "a-c", "b-d", "b-d", "a-d", "a-d", "b-c", "b-c"], ["a-b", "c-d"], ["ac", "bd"]),
        # but a round with fewer rematches comes first, as the documents demand
        (["a-c", "b-d", "a-d", "b-c"], ["a-b"], ["ab", "cd"]),
    ],
)
def test_unavoidable_rematches_are_spread_evenly(met: list[str], last: list[str], pairs: list[str]):
    for groups in (["abcd"], ["ab", "cd"], ["a", "b", "c", "d"]):
        assert ["".join(pair) for pair in pair_in_groups([list(group) for group in groups], met_of(met, last))] == pairs


@pytest.mark.clause("AR-PAIR-5", "AR-AMB-12")
@pytest.mark.parametrize("players", [40, 150, 600, 3000])
def test_many_rounds_of_a_large_field_have_no_rematch(players: int) -> None:
    chance = random.Random(players)
    points = {f"p{index}": 0 for index in range(players)}
    met: dict[str, set[str]] = {player: set() for player in points}
    for _ in range(9):
        order = sorted(points, key=lambda player: (-points[player], chance.random()))
        groups = [[p for p in order if points[p] == value] for value in sorted(set(points.values()), reverse=True)]
        pairs = pair_in_groups(groups, met_once(met))
        assert sorted(player for pair in pairs for player in pair) == sorted(points)
        for one, two in pairs:
            assert two not in met[one]
            met[one].add(two)
            met[two].add(one)
            won = chance.randint(5, 10)
            points[one] += won
            points[two] += 10 - won


def windows_asked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list that receives the number of players of each matched window."""
    asked: list[int] = []

    def counted(window: Groups, met: Met) -> OptimalPairing:
        asked.append(sum(len(group) for group in window))
        return optimal_pairing(window, met)

    monkeypatch.setattr(pairing, "optimal_pairing", counted)
    return asked


@settings(max_examples=examples(60), deadline=None)
@given(fields(sizes=(8, 14, 30)))
def test_rustworkx_and_networkx_give_the_same_pairing(
    field: tuple[list[list[str]], Met],
) -> None:
    """An auditor may have installed other extras than the service that paired the round."""
    groups, met = field
    with_it, pairs = optimal_pairing(groups, met).profile, pair_in_groups(groups, met)
    with mock.patch.object(matching, "find_spec", return_value=None):
        assert optimal_pairing(groups, met).profile == with_it
        assert pair_in_groups(groups, met) == pairs


def test_weights_beyond_128_bits_are_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    groups = [[f"p{group}-{place}" for place in range(3)] for group in range(20)]
    players = [player for group in groups for player in group]
    met = {player: {other for other in players if other[1:3] == player[1:3]} for player in players}
    exact = optimal_pairing(groups, met_once(met)).profile
    monkeypatch.setattr(matching, "BITS", 40)
    assert optimal_pairing(groups, met_once(met)).profile == exact


@pytest.mark.clause("AR-AMB-12", "AR-PAIR-4", "AR-PAIR-5")
def test_a_conflict_in_a_large_field_costs_one_matching_of_a_window(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    groups = [[f"p{20 * group + place}" for place in range(20)] for group in range(30)]
    groups[15:16] = [groups[15][:2], groups[15][2:]]
    asked = windows_asked(monkeypatch)
    pairs = pair_in_groups(groups, met_of(["p300-p301"]))
    assert ("p300", "p302") in pairs
    assert ("p301", "p303") in pairs
    assert len(pairs) == 300
    assert len(asked) == 1
    assert pairing.SMALL_FIELD <= asked[0] < pairing.SMALL_FIELD + 20


def test_in_a_large_field_a_player_who_met_all_neighbours_meets_a_distant_one() -> None:
    sizes = [101, 100, 100, 100, 100, 100, 1, 100, 100, 100, 100, 100, 100]
    starts = [sum(sizes[:index]) for index in range(len(sizes))]
    groups = [[f"p{start + index}" for index in range(size)] for start, size in zip(starts, sizes, strict=True)]
    alone = groups[6][0]
    known = [player for index in (0, 2, 5, 7) for player in groups[index]]
    met = {alone: set(known)} | {player: {alone} for player in known}
    pairs = pair_in_groups(groups, met_once(met))
    assert len(pairs) == 601
    assert not any(two in met.get(one, ()) for one, two in pairs)


@pytest.mark.clause("AR-AMB-12")
def test_in_a_large_group_of_two_circles_no_one_floats_unnecessarily() -> None:
    """All players have met their own circle. A hundred neighbours on either side suffice to pair across."""
    one, two = ([f"{circle}{place:03}" for place in range(199)] for circle in "ab")
    met = {player: set(circle) - {player} for circle in (one, two) for player in circle}
    met["high"], met["low"] = {*one[1:], *two}, {*one, *two[:-1]}
    for below in ("high", "low"):
        for player in met[below]:
            met[player].add(below)
    assert optimal_pairing([one + two, ["high", "low"]], met_once(met)).profile.floats == ((0, 0), (0, 0))


def test_the_even_profile_is_that_of_neighbours() -> None:
    assert even_profile([["a"], ["b", "c"], ["d"]]).floats == ((1, 1), (1, 1), (0, 0))


def test_a_search_stops_at_its_step_limit() -> None:
    players = [f"p{index:02}" for index in range(24)]
    met = {player: {other for other in players[12:] if other != player} for player in players[12:]}
    met[players[0]] = set(players[1:])
    assert search_pairing([players], even_profile([players]), met_once(met)) is None
    assert len(pair_in_groups([players], met_once(met))) == 12


def test_a_large_group_of_earlier_opponents_is_paired_with_distant_groups() -> None:
    above, below = [f"a{index}" for index in range(250)], [f"b{index}" for index in range(150)]
    met = {player: set(below) - {player} for player in below}
    pairs = pair_in_groups([above, below], met_once(met))
    assert sorted(player for pair in pairs for player in pair) == sorted(above + below)
    assert not any(two in met.get(one, ()) for one, two in pairs)


@pytest.mark.clause("AR-AMB-12", "AR-PAIR-4", "AR-PAIR-5")
def test_neighbours_are_settled_while_the_rest_can_be_paired():
    """Of four remaining players each has met one. With two fewer, a rematch could remain."""
    met = met_of({"a-b", "c-d", "e-f"})
    assert pairing._settle_top_pairs(list("abcdef"), {}) == ([("a", "b"), ("c", "d")], ["e", "f"])
    assert pairing._settle_top_pairs(list("abcdefgh"), met) == ([("a", "c"), ("b", "d")], list("efgh"))
