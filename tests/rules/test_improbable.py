"""Possible but improbable scores: above the sum of the other fleet and every objective."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from shared.formats.options import apply_options
from shared.formats.packs import shipped_ruleset
from shared.rules.model import Facts, ImpossibleResult
from shared.swiss.scoring import improbable_faults, score_game

DATA = Path(__file__).parents[1] / "data"
ARMADA = shipped_ruleset("star-wars-armada-1.1")
BANDS = [{"least": 0, "winner": 6, "loser": 5}]


def doubts(facts: Facts, ruleset=ARMADA) -> list[tuple[str, str, str]]:
    score_game(ruleset, facts)  # possible all the same
    return [(fault.where, str(fault.expected), fault.clause) for fault in improbable_faults(ruleset, facts)]


MOST = "at most 600: 300 for the other fleet and 300 for objectives"


ENDED = "an end or a winner, as the side with the lower score may have survived"


@pytest.mark.clause("AR-SCN-1", "AR-RES-5", "AR-RES-1")
@pytest.mark.parametrize(
    ("facts", "found"),
    [
        (Facts(points_1=1500, points_2=150), [("/points_1", MOST, "AR-SCN-1")]),
        (Facts(points_1=150, points_2=601), [("/points_2", MOST, "AR-SCN-1")]),
        (Facts(points_1=600, points_2=150), []),
        (Facts(points_1=1500, points_2=1500, second_player=1), [(f"/points_{n}", MOST, "AR-SCN-1") for n in (1, 2)]),
        (Facts(points_1=1500, points_2=0, end="defeated_2"), [("/points_1", MOST, "AR-SCN-1")]),
        (Facts(points_1=600, points_2=600, end="mutual", second_player=2), []),
        (Facts(points_1=345, points_2=315), [("/end", ENDED, "AR-RES-1")]),
        (Facts(points_1=345, points_2=315, end="mutual"), []),
        (Facts(points_1=345, points_2=315, winner=1), []),
        (Facts(points_1=345, points_2=315, winner=2), []),
        (Facts(points_1=345, points_2=299), []),
        (Facts(points_1=345, destroyed_2=280, objective_2=35), []),
        (Facts(points_1=345, points_2=315, objective_2=15), [("/end", ENDED, "AR-RES-1")]),
        (
            Facts(destroyed_1=200, objective_1=301, points_2=0),
            [("/objective_1", "at most 300 for objectives", "AR-SCN-1")],
        ),
        (Facts(destroyed_1=300, objective_1=300, points_2=0), []),
        (
            Facts(points_1=550, destroyed_1=250, objective_1=300, points_2=0, end="rounds", extra={"list_2": 280}),
            [],
        ),
        (
            Facts(points_1=600, points_2=0, end="rounds", extra={"list_2": 280}),
            [("/points_1", "at most 579: 279 for the other fleet and 300 for objectives", "AR-SCN-1")],
        ),
        (Facts(points_1=5000, points_2=20, conceded_by=2), [("/points_1", MOST, "AR-SCN-1")]),
        (Facts(kind="bye"), []),
        (Facts(kind="no_show", conceded_by=1), []),
    ],
)
def test_improbable_results_are_questioned(facts, found):
    assert doubts(facts) == found


@pytest.mark.clause("AR-AMB-19")
def test_larger_fleets_allow_higher_scores():
    ruleset = apply_options(ARMADA, {"fleet_limit": 400, "squadron_limit": 134, "margin_table": BANDS})
    assert doubts(Facts(points_1=800, points_2=0), ruleset) == []
    assert [where for where, _, _ in doubts(Facts(points_1=801, points_2=0), ruleset)] == ["/points_1"]


@pytest.mark.parametrize(
    ("ruleset", "facts"),
    [
        ("dust-warfare-1.0", Facts(points_1=401, points_2=0, winner=1)),
        ("dust-warfare-1.0", Facts(points_1=151, points_2=0, winner=1, extra={"list_2": 150})),
        ("fallout-factions-comp-1.0", Facts(points_1=26, points_2=0, scenario="Melee")),
        ("fallout-factions-comp-1.0", Facts(points_1=48, points_2=0, scenario="Raid")),
    ],
)
@pytest.mark.clause("DW-RES-2", "FF-AMB-7")
def test_scores_above_a_documented_maximum_are_impossible(ruleset, facts):
    with pytest.raises(ImpossibleResult):
        score_game(shipped_ruleset(ruleset), facts)


def test_an_old_ruleset_questions_nothing():
    points = msgspec.structs.replace(ARMADA.points, objective_most=None)
    assert doubts(Facts(points_1=1500, points_2=150), msgspec.structs.replace(ARMADA, points=points)) == []


def test_no_score_of_a_real_tournament_is_questioned():
    ruleset = shipped_ruleset("star-wars-armada-400")
    rows = [line.split(",") for line in (DATA / "armada-2025" / "results.csv").read_text("utf-8").splitlines()[1:]]
    played = [Facts(points_1=int(row[6]), points_2=int(row[7])) for row in rows if row[2] == "game"]
    assert len(played) > 200
    assert [facts for facts in played if improbable_faults(ruleset, facts)] == []
