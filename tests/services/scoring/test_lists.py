"""Armada results reported by their parts, checked against accepted fleets."""

from __future__ import annotations

from typing import Any

import pytest

from shared.tournament.registration import RosterAccepted, RosterSubmitted

FLEET = {"fleet_total": 287, "ships": []}


@pytest.fixture
def told(open_floor):
    """Ana against Ben, whose fleet of 287 points was accepted; Cy against Dee, whose fleet is not yet checked."""
    told = open_floor(4, rounds=3)
    told.say(
        "registration",
        RosterSubmitted(player="p2", roster=FLEET),
        RosterAccepted(player="p2"),
        RosterSubmitted(player="p4", roster=FLEET),
    )
    told.begin(1, ("p1", "p2"), ("p3", "p4"))
    return told


def parts(destroyed: int, **more: Any) -> dict[str, Any]:
    return {"destroyed_1": destroyed, "objective_1": 15, "destroyed_2": 90, "objective_2": 0} | more


@pytest.mark.clause("AR-RES-5", "AR-RES-6")
def test_destroyed_points_are_limited_by_the_list(told):
    refused = told.report("r1g1", parts(288, end="rounds"), by="p1")
    assert (refused.code, refused.places) == ("impossible-result", ["/facts/destroyed_1"])
    assert refused.body["errors"][0]["clause"] == "AR-RES-5"
    assert told.report("r1g1", parts(280, end="rounds"), by="p1").status == 201
    assert told.game("r1g1")["facts"]["extra"] == {"list_2": 287}
    assert told.report("r1g1", parts(280, end="rounds"), by="p2").types == ["ResultConfirmed"]


@pytest.mark.clause("AR-RES-6")
def test_a_destroyed_fleet_counts_in_full(told):
    whole = parts(300, end="defeated_2")
    assert told.report("r1g1", parts(287, end="defeated_2")).places == ["/facts/destroyed_1"]
    assert told.report("r1g1", {name: whole[name] for name in whole if name != "destroyed_1"}).status == 201
    told.report("r1g2", parts(300, end="defeated_2"))
    told.close(1)
    assert sorted(told.standings(1)[:2]) == ["Ana 10/225/0", "Cy 10/225/0"]


def test_an_unchecked_fleet_sets_no_limit(told):
    assert told.report("r1g2", parts(288, end="rounds")).status == 201
    assert "extra" not in told.game("r1g2")["facts"]


def test_points_do_not_require_a_list(told):
    told.report("r1g1", {"points_1": 310, "points_2": 90})
    assert "extra" not in told.game("r1g1")["facts"]


def test_only_staff_may_report_another_total(told):
    claimed = parts(288, end="rounds", extra={"list_2": 299})
    refused = told.report("r1g1", claimed, by="p1")
    assert (refused.code, refused.places) == ("impossible-result", ["/facts/extra/list_2"])
    assert told.report("r1g1", claimed).status == 201


@pytest.mark.clause("AR-RES-5")
def test_the_total_of_a_list_seen_on_paper_sets_the_limit(told):
    told.say(
        "registration",
        RosterSubmitted(player="p4", roster={"fleet_total": 287}, on_paper="printed"),
        RosterAccepted(player="p4"),
    )
    assert told.report("r1g2", parts(288, end="rounds")).places == ["/facts/destroyed_1"]
    assert told.report("r1g2", parts(286, end="rounds")).status == 201
