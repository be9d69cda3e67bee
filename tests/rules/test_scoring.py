"""Scores of reported games, and refused reports."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from shared.formats.options import apply_options
from shared.formats.packs import shipped_ruleset, shipped_swiss
from shared.rules.model import Facts, ImpossibleResult, Score, Side
from shared.swiss.margins import SIDES
from shared.swiss.scoring import bye_score, score_game
from tests.rules.story import ARMADA, EXAMPLES


def values(score: Score) -> tuple[str, str | None, list[int], list[int]]:
    names = ("tournament_points", "margin_of_victory")
    return (
        score.outcome_1,
        score.outcome_2,
        [score.values_1[name] for name in names],
        [score.values_2[name] for name in names],
    )


def faults(**facts: Any) -> list[tuple[str, str]]:
    """Return the places of the faults of a result, and their clauses."""
    with pytest.raises(ImpossibleResult) as refused:
        score_game(ARMADA, Facts(**facts))
    assert all(fault.said and str(fault.expected) for fault in refused.value.faults)
    return [(fault.where, fault.clause) for fault in refused.value.faults]


def won(side: int, points_1: int, points_2: int, margin: int) -> tuple[str, str, list[int], list[int]]:
    outcomes = ("win", "loss") if side == 1 else ("loss", "win")
    margins = (margin, 0) if side == 1 else (0, margin)
    return *outcomes, [points_1, margins[0]], [points_2, margins[1]]


def as_told(expected: dict[str, Any]) -> tuple[str, str, list[int], list[int]]:
    one, two = expected["points"]
    return won(expected["winner"], one, two, expected["margin"])


@pytest.mark.clause("AR-EX-1", "AR-RES-3", "AR-RES-5", "AR-RES-8", "AR-PTS-1")
def test_the_scoring_example_of_the_document() -> None:
    example = EXAMPLES["AR-EX-1"]
    from_parts = score_game(ARMADA, Facts(**example["match"]))
    one, two = example["scores"]
    assert values(from_parts) == as_told(example["expected"])
    assert from_parts == score_game(ARMADA, Facts(points_1=one, points_2=two, end="rounds"))


@pytest.mark.clause("AR-EX-3", "AR-PTS-1", "AR-PTS-2", "AR-AMB-7")
@pytest.mark.parametrize(("margin", "winner", "loser"), EXAMPLES["AR-EX-3"])
def test_the_bounds_of_the_margin_table(margin: int, winner: int, loser: int) -> None:
    score = score_game(ARMADA, Facts(points_1=margin + 7, points_2=7, end="rounds", second_player=1))
    assert values(score) == won(1, winner, loser, margin)


@pytest.mark.clause("AR-EX-4", "AR-RES-1", "AR-RES-2", "AR-RES-3", "AR-RES-4", "AR-RES-6", "AR-RES-7")
@pytest.mark.clause("AR-AMB-3", "AR-AMB-8", "AR-AMB-9", "AR-AMB-10", "AR-CON-1", "AR-CON-2")
@pytest.mark.parametrize("case", EXAMPLES["AR-EX-4"], ids=lambda case: case["case"])
def test_the_ends_of_a_game(case: dict[str, Any]) -> None:
    score = score_game(ARMADA, Facts(**case["facts"]))
    assert values(score) == as_told(case["expected"])
    if "scores" in case:
        kept = {key: value for key, value in case["facts"].items() if not key.startswith(("destroyed", "objective"))}
        one, two = case["scores"]
        assert score == score_game(ARMADA, Facts(**kept | {"points_1": one, "points_2": two}))


@pytest.mark.clause("AR-RES-7", "AR-RES-9", "AR-AMB-3")
def test_equal_scores_go_to_the_second_player() -> None:
    assert values(score_game(ARMADA, Facts(points_1=50, points_2=50, second_player=1))) == won(1, 5, 5, 0)
    assert values(score_game(ARMADA, Facts(points_1=50, points_2=50, winner=2))) == won(2, 5, 5, 0)


@pytest.mark.clause("AR-RES-2", "AR-AMB-9")
def test_a_winner_with_the_lower_score_is_the_side_whose_ships_survived() -> None:
    assert values(score_game(ARMADA, Facts(points_1=300, points_2=320, winner=1))) == won(1, 5, 5, 0)
    in_parts = Facts(destroyed_1=300, objective_1=0, destroyed_2=260, objective_2=60, winner=1)
    assert values(score_game(ARMADA, in_parts)) == won(1, 5, 5, 0)


@pytest.mark.clause("AR-RES-2", "AR-RES-6", "AR-AMB-9")
@pytest.mark.parametrize(
    "reported",
    [
        {"points_1": 200, "points_2": 100, "winner": 2},
        {"points_1": 300, "points_2": 299, "winner": 2},
        {"points_1": 100, "points_2": 400, "winner": 1},
        {"destroyed_1": 250, "objective_1": 90, "destroyed_2": 270, "objective_2": 40, "winner": 2},
        {"points_1": 340, "points_2": 310, "objective_2": 40, "winner": 2},
    ],
)
def test_a_survivor_needs_a_whole_fleet(reported: dict[str, Any]) -> None:
    """200 to 100 for side 2 would give 5 and 5 points; it is 8 and 2 for side 1, or a mistake."""
    assert faults(**reported) == [("/winner", "AR-RES-6")]


@pytest.mark.clause("AR-RES-2", "AR-RES-6")
def test_the_whole_fleet_is_that_of_the_tournament() -> None:
    bigger = shipped_swiss("star-wars-armada-400")
    assert score_game(bigger, Facts(points_1=400, points_2=410, winner=1)).outcome_1 == "win"
    with pytest.raises(ImpossibleResult):
        score_game(bigger, Facts(points_1=399, points_2=410, winner=1))


@pytest.mark.clause("AR-BYE-1", "AR-AMB-1", "AR-AMB-6")
def test_a_bye_has_constant_values() -> None:
    score = bye_score(ARMADA)
    assert score == score_game(ARMADA, Facts("bye"))
    assert (score.outcome_1, score.outcome_2, score.values_2) == ("win", None, {})
    assert score.values_1 == {"tournament_points": 8, "margin_of_victory": 61}


@pytest.mark.clause("AR-AMB-18")
def test_an_absent_player_gets_nothing_and_the_opponent_a_bye() -> None:
    assert values(score_game(ARMADA, Facts("no_show", conceded_by=2))) == won(1, 8, 0, 61)
    assert values(score_game(ARMADA, Facts("no_show", conceded_by=1))) == won(2, 0, 8, 61)
    assert values(score_game(ARMADA, Facts("double_no_show"))) == ("loss", "loss", [0, 0], [0, 0])


@pytest.mark.clause("AR-AMB-18")
def test_a_no_show_may_count_as_a_concession_instead() -> None:
    strict = apply_options(ARMADA, {"no_show": "concession"})
    assert values(score_game(strict, Facts("no_show", conceded_by=1))) == won(2, 0, 10, 300)


@pytest.mark.clause("AR-AMB-18")
def test_a_forfeit_report_must_match_the_award() -> None:
    facts = Facts("forfeit", points_1=0, points_2=61, winner=2, conceded_by=1)
    assert score_game(ARMADA, facts) == score_game(ARMADA, Facts("forfeit", conceded_by=1))
    assert faults(kind="forfeit", points_1=10, points_2=62, conceded_by=1) == [
        ("/points_1", "AR-AMB-18"),
        ("/points_2", "AR-AMB-18"),
    ]
    assert faults(kind="forfeit", winner=1, conceded_by=1) == [("/winner", "AR-AMB-18")]
    assert faults(kind="forfeit") == [("/conceded_by", "AR-AMB-18")]


IMPOSSIBLE = [
    ("a negative score", {"points_1": -1, "points_2": 0}, [("/points_1", "AR-RES-5")]),
    ("no scores at all", {}, [("/points_1", "AR-RES-5"), ("/points_2", "AR-RES-5")]),
    ("a draw", {"points_1": 9, "points_2": 9, "winner": "draw"}, [("/winner", "AR-RES-9")]),
    ("equal scores and nobody named", {"points_1": 9, "points_2": 9}, [("/second_player", "AR-RES-7")]),
    (
        "both destroyed at once and nobody named",
        {"points_1": 310, "points_2": 300, "end": "simultaneous"},
        [("/second_player", "AR-AMB-8")],
    ),
    (
        "two winners on equal scores",
        {"points_1": 9, "points_2": 9, "winner": 1, "second_player": 2},
        [("/winner", "AR-RES-7")],
    ),
    (
        "a winner with the lower score though time was called",
        {"points_1": 9, "points_2": 8, "winner": 2, "end": "time"},
        [("/winner", "AR-RES-3")],
    ),
    (
        "a winner without ships",
        {"points_1": 10, "points_2": 300, "winner": 1, "end": "defeated_1"},
        [("/winner", "AR-RES-2")],
    ),
    (
        "the conceder as winner",
        {"points_1": 10, "points_2": 300, "winner": 1, "conceded_by": 1},
        [("/winner", "AR-AMB-10")],
    ),
    (
        "less than a whole fleet for a whole fleet",
        {"points_1": 299, "points_2": 0, "end": "defeated_2"},
        [("/points_1", "AR-RES-6")],
    ),
    (
        "a part of a fleet for a whole one",
        {"points_1": 300, "destroyed_1": 280, "points_2": 0, "end": "defeated_2"},
        [("/destroyed_1", "AR-RES-6")],
    ),
    (
        "both defeated, one not wholly",
        {"points_1": 300, "points_2": 200, "end": "mutual"},
        [("/points_2", "AR-RES-6")],
    ),
    (
        "more destroyed than there is",
        {"points_1": 301, "destroyed_1": 301, "points_2": 0},
        [("/destroyed_1", "AR-SCN-1")],
    ),
    (
        "too much left over for destroyed units",
        {"points_1": 400, "objective_1": 15, "points_2": 0},
        [("/points_1", "AR-SCN-1")],
    ),
    (
        "parts that do not add up",
        {"points_1": 100, "destroyed_1": 60, "objective_1": 30, "points_2": 0},
        [("/points_1", "AR-RES-5")],
    ),
    ("less than its part", {"points_1": 50, "destroyed_1": 60, "points_2": 0}, [("/points_1", "AR-RES-5")]),
    (
        "a concession by nobody",
        {"points_1": 300, "points_2": 0, "end": "concession"},
        [("/conceded_by", "AR-AMB-10")],
    ),
    (
        "a concession in a game that went on",
        {"points_1": 30, "points_2": 0, "end": "rounds", "conceded_by": 2},
        [("/conceded_by", "AR-RES-3")],
    ),
    ("a spare player, whom the document does not have", {"kind": "spare"}, [("/kind", "AR-AMB-18")]),
    ("points of a bye", {"kind": "bye", "points_1": 61}, [("/points_1", "AR-DOC-1")]),
    ("facts of another game", {"points_1": 1, "points_2": 0, "extra": {"tokens": 1}}, [("/extra/tokens", "AR-DOC-1")]),
]


@pytest.mark.clause("AR-RES-1", "AR-RES-2", "AR-RES-3", "AR-RES-4", "AR-RES-6", "AR-RES-7", "AR-RES-9", "AR-SCN-1")
@pytest.mark.clause("AR-DOC-1", "AR-CON-1", "AR-AMB-10")
@pytest.mark.parametrize(("facts", "expected"), [case[1:] for case in IMPOSSIBLE], ids=[case[0] for case in IMPOSSIBLE])
def test_an_impossible_result_is_refused(facts: dict[str, Any], expected: list[tuple[str, str]]) -> None:
    assert faults(**facts) == expected


def test_every_fault_is_reported_together() -> None:
    where = [place for place, _ in faults(points_1=-5, destroyed_2=301, objective_2=-1, winner="draw", end="time")]
    assert where == ["/points_1", "/objective_2", "/destroyed_2", "/winner"]


@pytest.mark.clause("AR-PTS-2", "AR-PTS-3", "AR-RES-8", "AR-RES-9", "AR-AMB-5")
@given(some.integers(0, 700), some.integers(0, 700), some.sampled_from(SIDES))
def test_points_of_a_played_game_add_up_to_ten_and_only_the_winner_has_a_margin(
    one: int, two: int, second: Side
) -> None:
    score = score_game(ARMADA, Facts(points_1=one, points_2=two, end="time", second_player=second))
    assert score.values_1["tournament_points"] + score.values_2["tournament_points"] == 10
    margins = [score.values_1["margin_of_victory"], score.values_2["margin_of_victory"]]
    assert sorted(margins) == [0, abs(one - two)]
    assert {score.outcome_1, score.outcome_2} == {"win", "loss"}
    assert all(type(value) is int for side in (score.values_1, score.values_2) for value in side.values())


@given(some.integers(0, 700), some.integers(0, 700), some.sampled_from(SIDES))
def test_a_game_reported_with_swapped_sides_has_the_same_score(one: int, two: int, second: Side) -> None:
    score = score_game(ARMADA, Facts(points_1=one, points_2=two, second_player=second))
    mirrored = score_game(ARMADA, Facts(points_1=two, points_2=one, second_player=1 if second == 2 else 2))
    assert (mirrored.outcome_1, mirrored.values_1) == (score.outcome_2, score.values_2)
    assert (mirrored.outcome_2, mirrored.values_2) == (score.outcome_1, score.values_1)


@pytest.mark.clause("A4-PTS", "A4-BYE", "A4-FOR", "A4-MOV")
def test_the_400_point_edition_needs_no_code() -> None:
    edition = shipped_ruleset("star-wars-armada-400")
    rows = [(0, 6, 5), (59, 6, 5), (60, 7, 4), (139, 7, 4), (140, 8, 3), (219, 8, 3), (220, 9, 2), (299, 9, 2)]
    for margin, winner, loser in [*rows, (300, 10, 1), (400, 10, 1)]:
        assert values(score_game(edition, Facts(points_1=0, points_2=margin, winner=2))) == won(
            2, loser, winner, margin
        )
    assert bye_score(edition).values_1 == {"tournament_points": 8, "margin_of_victory": 140}
    assert values(score_game(edition, Facts("forfeit", conceded_by=1))) == won(2, 0, 8, 140)


@pytest.mark.clause("AR-RES-5", "AR-RES-6", "AR-SCN-1")
@pytest.mark.parametrize(
    ("end", "destroyed", "possible"),
    [
        (None, 286, True),
        (None, 287, False),  # the whole fleet, which counts 300
        (None, 300, True),
        ("time", 286, True),
        ("time", 287, False),
        ("time", 300, False),  # a side without ships has lost before
        ("defeated_2", 287, False),
        ("defeated_2", 300, True),
        ("defeated_1", 286, True),
        ("defeated_1", 287, False),
    ],
)
def test_destroyed_points_are_part_of_the_fleet_or_all_of_it(end: Any, destroyed: int, possible: bool) -> None:
    reported = {"destroyed_1": destroyed, "objective_1": 15, "points_2": 300, "end": end, "extra": {"list_2": 287}}
    if possible:
        score_game(ARMADA, Facts(**reported, second_player=1))
    else:
        assert [where for where, _ in faults(**reported)] == ["/destroyed_1"]
    reported |= {"destroyed_1": None, "points_1": destroyed + 15}
    if possible:
        score_game(ARMADA, Facts(**reported, second_player=1))
    else:
        assert [where for where, _ in faults(**reported)] == ["/points_1"]


@pytest.mark.clause("AR-SCN-1")
def test_fleet_totals_are_positive_and_within_the_limit() -> None:
    for total in (0, 301):
        reported = {"destroyed_1": 0, "objective_1": 0, "points_2": 20, "extra": {"list_2": total}}
        assert faults(**reported) == [("/extra/list_2", "AR-SCN-1")]
