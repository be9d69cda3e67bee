"""The Battle Builder of Dust Warfare, and results reported by the facts of the table."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as some

from shared.formats.options import apply_options
from shared.formats.packs import load, shipped_ruleset, shipped_text
from shared.rules.model import Facts, ImpossibleResult, PackRefused, Score
from shared.swiss.board import OBJECTIVES, break_points, outcome_by_points
from shared.swiss.ruleset import (
    VARIABLES,
    BuiltScenario,
    Ruleset,
    build_scenario,
    legal_sequences,
)
from shared.swiss.scoring import score_game

DUST = shipped_ruleset("dust-warfare-1.0")
BUILDER: Any = DUST.builder
EXAMPLES: dict[str, Any] = yaml.safe_load((Path(__file__).parent / "data" / "dust_examples.yaml").read_text("utf-8"))
SPENT = some.lists(some.sampled_from(VARIABLES), min_size=4, max_size=4)


def faults(ruleset: Ruleset = DUST, **facts: Any) -> list[tuple[str, str]]:
    with pytest.raises(ImpossibleResult) as refused:
        score_game(ruleset, Facts(**facts))
    assert all(fault.said and str(fault.expected) for fault in refused.value.faults)
    return [(fault.where, fault.clause) for fault in refused.value.faults]


def counts(spent: str | tuple[str, ...]) -> str:
    return "-".join(str(list(spent).count(letter)) for letter in VARIABLES)


@pytest.mark.clause("DW-EX-7", "DW-SCN-1", "DW-SCN-3", "DW-SCN-4", "DW-SCN-5", "DW-AMB-13")
@pytest.mark.parametrize(("spent", "counted", "names"), EXAMPLES["DW-EX-7"]["spending"])
def test_the_scenarios_of_the_digest(spent: str, counted: str, names: list[str]) -> None:
    built = build_scenario(BUILDER, list(spent))
    assert counts(spent) == counted
    if names:
        assert isinstance(built, BuiltScenario)
        assert [built.objective.name, built.deployment.name, built.condition.name] == names
    else:
        assert not isinstance(built, BuiltScenario)
        assert [(fault.where, fault.clause) for fault in built] == [("/spent", "DW-SCN-4")]


@pytest.mark.clause("DW-EX-7", "DW-SCN-4")
def test_seventy_eight_legal_sequences_give_twelve_scenarios() -> None:
    legal = legal_sequences(BUILDER)
    assert len(legal) == 78
    assert sorted({counts(spent) for spent in legal}) == sorted(EXAMPLES["DW-EX-7"]["outcomes"])
    assert {spent[:3] for spent in legal} == set(product(VARIABLES, repeat=3))


@pytest.mark.clause("DW-SCN-3")
@pytest.mark.parametrize("spent", [[], ["O"], ["O", "D", "C"], ["O", "D", "C", "C", "D"]])
def test_all_points_are_spent(spent: list[str]) -> None:
    built = build_scenario(BUILDER, spent)
    assert not isinstance(built, BuiltScenario)
    assert [(fault.where, fault.clause) for fault in built] == [("/spent", "DW-SCN-3")]


@given(SPENT)
def test_every_sequence_gives_a_scenario_or_faults(spent: list[str]) -> None:
    built = build_scenario(BUILDER, spent)
    assert isinstance(built, BuiltScenario) == (max(map(spent.count, VARIABLES)) <= 3)


@pytest.mark.clause("DW-EX-8", "DW-SCN-6", "DW-RES-1", "DW-AMB-22", "DW-TIME-4")
@pytest.mark.parametrize("example", EXAMPLES["DW-EX-8"]["objectives"])
def test_the_objectives_of_the_digest(example: dict[str, Any]) -> None:
    board = example["board"]
    formula = next(known.formula for known in BUILDER.objectives if known.name == board["objective"])
    points = tuple(example["points"]) if "points" in example else None
    assert OBJECTIVES[formula].decide(board, "clause") == (example["winner"], points)
    units = {"points_1": 7, "points_2": 9} if "units_1" not in board else {}
    score = score_game(DUST, Facts(board=board, **units))
    outcomes = {1: ("win", "loss"), 2: ("loss", "win"), "draw": ("draw", "draw")}[example["winner"]]
    assert (score.outcome_1, score.outcome_2) == outcomes


@pytest.mark.clause("DW-EX-8", "DW-RES-2")
def test_break_points_are_those_of_units_completely_eliminated() -> None:
    units, expected = EXAMPLES["DW-EX-8"]["units"], EXAMPLES["DW-EX-8"]["break_points"]
    assert break_points(units, "joined") == break_points(units, "separate") == expected
    score = score_game(DUST, Facts(winner=1, points_2=20, board={"units_2": units}, extra={"list_2": 300}))
    assert score.values_1["break_points"] == expected
    assert score == score_game(DUST, Facts(winner=1, points_1=expected, points_2=20))


@pytest.mark.clause("DW-AMB-21")
@pytest.mark.parametrize(
    ("unit_gone", "hero_gone", "joined", "separate"),
    [(True, True, 70, 70), (True, False, 0, 45), (False, True, 0, 25), (False, False, 0, 0)],
)
def test_a_hero_counts_with_the_unit_or_alone(unit_gone: bool, hero_gone: bool, joined: int, separate: int) -> None:
    unit = {"points": 45, "gone": unit_gone, "hero_points": 25, "hero_gone": hero_gone}
    reported = Facts(winner=1, points_2=0, board={"units_2": [unit]})
    for options, expected in (({}, joined), ({"hero_bp": "separate"}, separate)):
        assert score_game(apply_options(DUST, options), reported).values_1["break_points"] == expected


@pytest.mark.clause("DW-SCN-5", "DW-SCN-6")
def test_the_points_spent_name_the_objective() -> None:
    board = {"spent": list("COCC"), "units_1": [{"points": 30, "gone": True}], "units_2": []}
    assert score_game(DUST, Facts(board=board)) == Score(
        "loss", "win", {"match_points": 3, "break_points": 0}, {"match_points": 10, "break_points": 30}
    )
    assert faults(board=board | {"objective": "Assassination"}) == [
        ("/board/objective", "DW-SCN-6"),
    ]


@pytest.mark.clause("DW-RES-1", "DW-RES-2", "DW-SCN-6")
def test_reported_points_must_match_the_facts_of_the_table() -> None:
    board = {"objective": "Eliminate the Enemy", "units_1": [{"points": 30, "gone": True}], "units_2": []}
    assert faults(points_1=5, points_2=31, winner="draw", board=board) == [
        ("/points_1", "DW-AMB-21"),
        ("/points_2", "DW-AMB-21"),
        ("/winner", "DW-SCN-6"),
    ]
    assert score_game(DUST, Facts(points_1=0, points_2=30, winner=2, board=board)).outcome_2 == "win"


NOTED = {"objective": "Key Positions", "noted_1": ["T1", "T1"], "noted_2": "T2", "controlled_1": ["T1"]}
DEAD = {"objective": "Assassination", "target_dead_1": True, "target_dead_2": True}


@pytest.mark.clause("DW-SCN-6", "DW-RES-2", "DW-TIME-4")
@pytest.mark.parametrize(
    ("board", "where"),
    [
        ({"objective": "Last Stand"}, {"objective"}),
        (NOTED, {"noted_1", "noted_2", "controlled_2"}),
        ({"objective": "Critical Positions", "inside_1": [1, 2], "inside_2": [1, 2, 3]}, {"inside_1"}),
        ({"objective": "Critical Positions", "inside_1": [1] * 6, "inside_2": [1] * 6}, {"inside_1", "inside_2"}),
        ({"objective": "Critical Positions", "inside_1": [1] * 6, "inside_2": [1, -2]}, {"inside_1", "inside_2"}),
        ({"objective": "Assassination", "target_dead_1": True}, {"target_dead_2"}),
        (DEAD, {"target_points_1", "target_points_2"}),
        ({"objective": "Eliminate the Enemy", "units_1": []}, {"units_2"}),
        ({"spent": "OOOO"}, {"spent"}),
        ({"spent": list("OOXO")}, {"spent/2"}),
        ({"units_1": [{"points": -1, "gone": 1, "x": 1}]}, {"units_1/0/points", "units_1/0/gone", "units_1/0/x"}),
        ({"units_1": [{"points": 10, "gone": True, "hero_gone": True}, 5]}, {"units_1/0/hero_points", "units_1/1"}),
        ({"dice": 5, "noted_1": ["T1"]}, {"dice", "noted_1"}),
    ],
)
def test_impossible_tables_are_refused_with_every_fault(board: dict[str, Any], where: set[str]) -> None:
    found = faults(points_1=0, points_2=0, winner=1, board=board)
    assert {place.removeprefix("/board/") for place, _ in found} == where
    assert len(found) == len(where)
    assert all(clause for _, clause in found)


@pytest.mark.clause("DW-SCN-6")
@given(some.integers(0, 20), some.integers(0, 20))
def test_more_points_win(one: int, two: int) -> None:
    winner, _ = outcome_by_points(one, two)
    assert winner == {True: "draw", False: 1 if one > two else 2}[one == two]
    mirrored = {1: 2, 2: 1, "draw": "draw"}[winner]
    assert outcome_by_points(two, one)[0] == mirrored


def test_an_inconsistent_builder_is_refused() -> None:
    text = (
        shipped_text("dust-warfare-1.0")
        .replace("formula: targets", "formula: dice")
        .replace("  most: 3\n", "  most: 4\n", 1)
    )
    with pytest.raises(PackRefused) as refused:
        load(text, "pack.yaml")
    places = [fault.where.rpartition(":")[2] for fault in refused.value.faults]
    assert places == [
        "/builder/objectives",
        "/builder/deployment",
        "/builder/conditions",
        "/builder/objectives/3/formula",
    ]
