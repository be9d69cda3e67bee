"""Results of games during which a player was disqualified."""

from __future__ import annotations

from typing import Any

import pytest

from shared.tournament.registration import PlayerDisqualified
from tests.services.scoring.story import score


@pytest.fixture
def hall(open_floor):
    """Ana against Ben, who was disqualified during the game; Cy against Dee."""

    def begun(**more: Any):
        told = open_floor(4, **{"rounds": 3} | more)
        told.begin(1, ("p1", "p2"), ("p3", "p4"))
        told.say("registration", PlayerDisqualified(player="p2", after_round=0, reason="loaded dice"))
        return told

    return begun


@pytest.mark.clause("AR-AMB-16", "AR-DQ-1")
def test_a_disqualified_player_concedes_the_current_game(hall):
    """AR-EX-7: the opponent gets 300 and the objective, whatever the score was."""
    told = hall()
    for facts in (score(315, 130), {"points_1": 130, "points_2": 300, "conceded_by": 1}):
        refused = told.report("r1g1", facts, by="referee")
        assert (refused.code, refused.places) == ("impossible-result", ["/facts/conceded_by"])
        assert refused.body["errors"][0]["clause"] == "AR-AMB-16"
    assert told.report("r1g2", score(200, 100)).status == 201
    assert told.report("r1g1", {"conceded_by": 2, "objective_1": 15, "points_2": 130}, by="p1").status == 201
    told.confirm("r1g1")
    told.close(1)
    assert told.standings(1) == ["Ana 9/185/0", "Cy 8/100/2", "Dee 2/0/8"]


@pytest.mark.clause("AR-AMB-16")
def test_staff_rule_on_a_game_that_was_over_before_the_disqualification(hall):
    told = hall()
    assert told.report("r1g1", score(130, 100)).code == "impossible-result"
    assert told.rule("r1g1", score(130, 100), by="head_referee").status == 201


@pytest.mark.clause("AR-AMB-16")
def test_an_earlier_report_stays(open_floor):
    told = open_floor(4, rounds=3)
    told.begin(1, ("p1", "p2"), ("p3", "p4"))
    told.report("r1g1", score(130, 100), by="p1")
    told.say("registration", PlayerDisqualified(player="p2", after_round=0, reason="loaded dice"))
    assert told.confirm("r1g1").types == ["ResultConfirmed"]


@pytest.mark.clause("AR-AMB-16", "AR-AMB-18")
def test_a_disqualified_player_who_never_came_is_a_no_show(hall):
    told = hall()
    assert told.report("r1g1", {"kind": "no_show", "conceded_by": 1}).code == "impossible-result"
    assert told.report("r1g1", {"kind": "no_show", "conceded_by": 2}).status == 201


@pytest.mark.clause("DW-AMB-3", "DW-DQ-1")
def test_other_rulesets_record_a_forfeit(hall):
    told = hall(ruleset="dust-warfare-1.0")
    conceded = {"points_1": 150, "points_2": 0, "conceded_by": 2}
    assert told.report("r1g1", conceded).places == ["/facts/conceded_by"]
    assert told.report("r1g1", {"kind": "forfeit", "conceded_by": 2, "points_1": 150}, by="organiser").status == 201
