"""Scenario points from board facts, and impossible points."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from shared.formats.options import apply_options
from shared.rules.model import Facts, ImpossibleResult, Score
from shared.swiss.game_parts import BoardFormula
from shared.swiss.ruleset import Ruleset
from shared.swiss.scoring import score_game
from tests.rules.factions import EXAMPLES, FACTIONS

TOKENS = {"Crossroads": [3, 3, 3, 3], "Raid": [5, 5, 5, 5], "Escalation": [5, 4, 3, 2]}


def claimed(rounds: list[Any]) -> dict[str, int]:
    """Return the claims of each game round."""
    return {
        f"round_{number}_claims_{side}": claims[side - 1] for number, claims in enumerate(rounds, 1) for side in (1, 2)
    }


def across(rating: int, crew: int) -> dict[str, int]:
    """Return the Rating of side 1 across, and that of its crew."""
    return {"rating_across_1": rating, "crew_rating_1": crew}


def points(score: Score) -> tuple[int, int]:
    return score.values_1["scenario_points"], score.values_2["scenario_points"]


def scored(scenario: str, facts: dict[str, int], ruleset: Ruleset = FACTIONS, **more: Any) -> tuple[int, int]:
    return points(score_game(ruleset, Facts(scenario=scenario, extra=facts, **more)))


def faults(scenario: str, facts: dict[str, int], **more: Any) -> list[tuple[str, str]]:
    with pytest.raises(ImpossibleResult) as refused:
        scored(scenario, facts, **more)
    return [(fault.where, fault.clause) for fault in refused.value.faults]


@pytest.mark.clause("FF-EX-7", "FF-RES-1", "FF-SCN-1", "FF-SCN-4", "FF-SCN-7", "FF-SET-2", "FF-RND-2")
@pytest.mark.clause("FF-AMB-16", "FF-AMB-17", "FF-AMB-19", "FF-AMB-26", "FF-AMB-27")
@pytest.mark.parametrize("case", EXAMPLES["FF-EX-7"], ids=lambda case: case["scenario"])
def test_the_boards_of_the_digest(case: dict[str, Any]) -> None:
    facts = claimed(case.get("claims", [])) | case.get("facts", {})
    one, two = case["points"]
    assert scored(case["scenario"], facts) == (one, two)
    assert scored(case["scenario"], facts, points_1=one, points_2=two) == (one, two)
    assert points(score_game(FACTIONS, Facts(scenario=case["scenario"], points_1=one, points_2=two))) == (one, two)


@pytest.mark.clause("FF-RES-1")
def test_points_that_differ_from_the_board_facts_are_refused() -> None:
    reported = {"tokens_1": 2, "tokens_2": 3}
    assert faults("Treasure Hunt", reported, points_1=10, points_2=10) == [("/points_2", "FF-AMB-7")]


@pytest.mark.clause("FF-RES-1", "FF-RES-4", "FF-SCN-4", "FF-SCN-7", "FF-ROS-1")
@pytest.mark.parametrize(
    ("scenario", "reported", "where"),
    [
        ("Treasure Hunt", {"tokens_1": 3, "tokens_2": 3}, ["tokens_1"]),
        ("Scavenge", {"tokens_1": 6}, ["tokens_2", "tokens_1"]),
        ("Melee", {"rating_lost_1": 251, "rating_lost_2": 0}, ["rating_lost_1"]),
        ("Melee", {"rating_lost_1": 90, "crew_rating_1": 80, "rating_lost_2": 0}, ["rating_lost_1"]),
        ("Takeover", {**across(90, 99), "whole_crew_1": 1}, ["rating_across_2", "rating_across_1"]),
        ("Takeover", {**across(90, 90), "whole_crew_1": 0, "rating_across_2": 1}, ["rating_across_1"]),
        ("Takeover", {"rating_across_1": 9, "rating_across_2": 1, "whole_crew_1": 2}, ["whole_crew_1"]),
        ("Crossroads", claimed([(0, 0), (2, 2), (0, 0), (0, 0)]), ["round_2_claims_1"]),
        ("Crossroads", claimed([(0, 0), (1, 1), (0, 0)]), ["round_4_claims_1", "round_4_claims_2"]),
        ("Escalation", claimed([(0, 0), (0, 0), (0, 0), (3, 0)]), ["round_4_claims_1"]),
        ("Escalation", claimed([(1, 0), (0, 0)]) | {"game_rounds": 1}, ["round_2_claims_1", "round_2_claims_2"]),
        ("Raid", claimed([(0, 0)] * 4) | {"game_rounds": 5}, ["game_rounds"]),
        ("Raid", {"tokens_1": 1}, ["tokens_1"]),
    ],
)  # fmt: skip
def test_impossible_board_facts_are_refused(scenario: str, reported: dict[str, int], where: list[str]) -> None:
    assert [place for place, _ in faults(scenario, reported)] == [f"/extra/{name}" for name in where]


@pytest.mark.clause("FF-RES-1", "FF-AMB-7", "FF-SCN-7")
@pytest.mark.parametrize(
    ("scenario", "one", "two"),
    [
        ("Crossroads", 5, 0),
        ("Crossroads", 30, 20),
        ("Crossroads", 15, 0),
        ("Escalation", 4, 4),
        ("Escalation", 25, 3),
        ("Escalation", 25, 5),
        ("Raid", 24, 24),
        ("Treasure Hunt", 15, 15),
        ("Scavenge", 7, 0),
        ("Takeover", 26, 0),
    ],
)
def test_impossible_scores_are_refused(scenario: str, one: int, two: int) -> None:
    assert {clause for _, clause in faults(scenario, {}, points_1=one, points_2=two)} == {"FF-AMB-7"}


@pytest.mark.clause("FF-RES-1")
@pytest.mark.parametrize("scenario", ["Treasure Hunt", "Scavenge"])
def test_exactly_the_splits_of_held_tokens_are_possible(scenario: str) -> None:
    """Five tokens of five points each, held by either side."""
    accepted = set()
    for one, two in product(range(31), repeat=2):
        try:
            accepted.add(points(score_game(FACTIONS, Facts(scenario=scenario, points_1=one, points_2=two))))
        except ImpossibleResult:
            continue
    assert accepted == {(5 * one, 5 * two) for one, two in product(range(6), repeat=2) if one + two <= 5}


@pytest.mark.clause("FF-AMB-7")
def test_an_impossible_score_gets_the_nearest_possible_ones() -> None:
    with pytest.raises(ImpossibleResult) as refused:
        score_game(FACTIONS, Facts(scenario="Crossroads", points_1=5, points_2=0))
    (fault,) = refused.value.faults
    assert str(fault.expected).endswith("the nearest are 0 to 0, 5 to 5, 10 to 0")


@pytest.mark.clause("FF-RES-1", "FF-AMB-17")
def test_possible_scores_are_those_that_some_board_gives() -> None:
    """Every end of Escalation, played out claim by claim, is compared with every accepted split."""
    splits = {(0, 1): (0, 5), (1, 0): (5, 0), (1, 1): (3, 3)}
    ends = {(0, 0)}
    for begun in range(1, 5):
        for claims in product([(1, 0), (0, 1), (1, 1)], repeat=begun):
            made = tuple(sum(splits[claim][side] for claim in claims) for side in (0, 1))
            ends.add(made)
            if begun == 4 and claims[3] == (1, 0):
                ends.add((made[0] + 5, made[1]))
            if begun == 4 and claims[3] == (0, 1):
                ends.add((made[0], made[1] + 5))
    accepted = set()
    for one, two in product(range(26), repeat=2):
        try:
            accepted.add(points(score_game(FACTIONS, Facts(scenario="Escalation", points_1=one, points_2=two))))
        except ImpossibleResult:
            continue
    assert accepted == ends


@pytest.mark.clause("FF-RES-1")
@given(some.data(), some.sampled_from(sorted(TOKENS)))
def test_points_of_any_board_are_possible_for_either_side(data: some.DataObject, scenario: str) -> None:
    rounds = []
    for tokens in TOKENS[scenario]:
        one = data.draw(some.integers(0, tokens))
        rounds.append((one, data.draw(some.integers(0, tokens - one))))
    one, two = scored(scenario, claimed(rounds))
    assert points(score_game(FACTIONS, Facts(scenario=scenario, points_1=one, points_2=two))) == (one, two)
    assert scored(scenario, claimed([(b, a) for a, b in rounds])) == (two, one)


@pytest.mark.clause("FF-AMB-16")
def test_an_interrupted_game_round_may_be_skipped() -> None:
    skip = apply_options(FACTIONS, {"interrupted_round": "skip"})
    reported = claimed([(1, 0), (1, 2), (1, 0)]) | {"game_rounds": 3, "interrupted": 1}
    assert scored("Crossroads", reported) == (15, 10)
    assert scored("Crossroads", reported, skip) == (5, 10)
    assert scored("Raid", reported, skip) == (3, 6)
    assert scored("Escalation", reported, skip) == (5, 5)


@pytest.mark.clause("FF-AMB-17")
def test_escalation_without_claims_is_a_draw_of_three_or_of_zero() -> None:
    none = apply_options(FACTIONS, {"escalation_zero_draw": "0"})
    reported = claimed([(0, 0), (2, 2), (0, 0), (1, 0)])
    assert scored("Escalation", reported) == (14, 9)
    assert scored("Escalation", reported, none) == (8, 3)
    assert points(score_game(none, Facts(scenario="Escalation", points_1=8, points_2=3))) == (8, 3)


@pytest.mark.clause("FF-AMB-17", "FF-AMB-16")
def test_an_early_end_scores_at_most_two_tokens_twice() -> None:
    assert scored("Escalation", claimed([(0, 0), (4, 0)]) | {"game_rounds": 2, "interrupted": 1}) == (8, 3)


@pytest.mark.clause("FF-AMB-14", "FF-RES-4")
def test_a_concession_takes_the_points_of_the_board_and_the_tokens_as_reached() -> None:
    reported = {"tokens_1": 4, "tokens_2": 0, "search_tokens_1": 1, "search_tokens_2": 3}
    score = score_game(FACTIONS, Facts(scenario="Scavenge", extra=reported, conceded_by=2))
    assert score.values_1 == {"tournament_points": 2, "scenario_points": 20, "search_tokens": 1}
    assert score.values_2 == {"tournament_points": 0, "scenario_points": 0, "search_tokens": 3}


@pytest.mark.clause("FF-RES-1", "FF-ROS-1")
@pytest.mark.parametrize(
    ("scenario", "fact"),
    [("Confrontation", "rating_lost"), ("Melee", "rating_lost"), ("Takeover", "rating_across")],
)
def test_rating_is_limited_to_that_of_a_crew(scenario: str, fact: str) -> None:
    whole = score_game(FACTIONS, Facts(scenario=scenario, extra={f"{fact}_1": 250, f"{fact}_2": 0}))
    assert sorted((whole.values_1["scenario_points"], whole.values_2["scenario_points"])) == [0, 25]
    with pytest.raises(ImpossibleResult) as refused:
        score_game(FACTIONS, Facts(scenario=scenario, extra={f"{fact}_1": 251, f"{fact}_2": 0}))
    assert [fault.where for fault in refused.value.faults] == [f"/extra/{fact}_1"]


def test_tokens_are_given_for_each_game_round_or_for_all():
    two, one = (BoardFormula(formula="claims", clause="X", tokens=tokens) for tokens in ([3, 5], [4]))
    assert [two.tokens_in(number) for number in (1, 2)] == [3, 5]
    assert [one.tokens_in(number) for number in (1, 2, 3)] == [4, 4, 4]
