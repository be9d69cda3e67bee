"""The operator's data: refusals, missing values, and the version that a table uses."""

from __future__ import annotations

from typing import Any

import pytest

from tests.coop.story import RULESET, Night, operator_data, side
from tests.fuzz.muster import Json


def with_sides(*sides: Json, **more: Any) -> Json:
    return {**operator_data(**more), "scenarios": [{"scenario_id": "one", "name": "One", "sides": list(sides)}]}


def announce(muster, **members: Any):
    body = {"name": "Night", "ruleset": RULESET, **members}
    return muster.ask("POST", "registration", "/tournaments", body, muster.token("operator"))


@pytest.mark.clause("AB-OPS-2")
def test_placeholder_data_are_accepted_in_a_rehearsal_only(muster):
    refused = announce(muster, operator_data=operator_data())
    assert (refused.status, refused.code) == (422, "operator-data-refused")
    assert [(fault["where"], fault["clause"]) for fault in refused.faults] == [
        ("/operator_data/placeholder", "AB-OPS-2")
    ]
    assert announce(muster, operator_data=operator_data(placeholder=False)).types == [
        "TournamentAnnounced",
        "OperatorDataPinned",
    ]
    assert announce(muster, operator_data=operator_data(), rehearsal=True).status == 201


@pytest.mark.clause("AB-OPS-1", "AB-OPS-3", "AB-SET-2", "AB-ACT-3")
@pytest.mark.parametrize(
    ("data", "where", "clause"),
    [
        ({"scenarios": []}, "/scenarios", "AB-OPS-1"),
        ({}, "/scenarios", ""),
        ({"scenarios": "all"}, "/scenarios", ""),
        ({**operator_data(), "colour": "red"}, "/colour", ""),
        (with_sides(side()), "/scenarios/0/sides", "AB-SET-2"),
        (with_sides(side(), side("South", "West")), "/scenarios/0/sides/1/opposing_faction", "AB-SET-2"),
        (operator_data(power_track_spaces=1), "/scenarios/0/sides/0/power_track_spaces", "AB-OPS-1"),
        (operator_data(required_goals=5), "/scenarios/0/sides/0/required_goals", "AB-OPS-1"),
        (operator_data(required_goals="two"), "/scenarios/0/sides/0/required_goals", ""),
        (operator_data(loyal_icon="B"), "/scenarios/0/sides/0/opposing_icon", "AB-OPS-3"),
        (operator_data(loyal_faction=""), "/scenarios/0/sides/0/loyal_faction", "AB-OPS-1"),
        (
            operator_data(goal_cards=[{"card_id": "a b", "condition_key": "k"}] * 12),
            "/goal_cards/0/card_id",
            "AB-OPS-1",
        ),
        (operator_data(loyal_icon="C"), "/scenarios/0/sides/0/loyal_icon", ""),
        (operator_data(opposing_faction="North"), "/scenarios/0/sides/0/opposing_faction", "AB-SET-2"),
        (
            operator_data(further_victory_conditions=["a", "a"]),
            "/scenarios/0/sides/0/further_victory_conditions/1",
            "AB-OPS-1",
        ),
        (
            operator_data(activation_effects=[{"enemies_min": 2, "enemies_max": 1, "text": "x"}]),
            "/scenarios/0/sides/0/activation_effects/0/enemies_max",
            "AB-ACT-3",
        ),
        (
            operator_data(activation_effects=[{"enemies_min": 0, "text": "x"}, {"enemies_min": 0, "text": "y"}]),
            "/scenarios/0/sides/0/activation_effects/1/enemies_min",
            "AB-ACT-3",
        ),
        (
            operator_data(activation_effects=[{"enemies_min": 0, "text": "x", "power_advance": -1}]),
            "/scenarios/0/sides/0/activation_effects/0/power_advance",
            "AB-ACT-4",
        ),
        (operator_data(activation_cards=operator_data()["activation_cards"][:7]), "/activation_cards", "AB-SET-4"),
        (
            operator_data(activation_cards=operator_data()["activation_cards"][:7] * 2),
            "/activation_cards/7/card_id",
            "AB-OPS-1",
        ),
        (
            operator_data(activation_cards=[{"card_id": f"a{n}", "enemies": ["e1", "e1"]} for n in range(8)]),
            "/activation_cards/0/enemies",
            "AB-ACT-2",
        ),
        (
            operator_data(activation_cards=[{"card_id": f"a{n}", "enemies": [f"e{n}", "x"]} for n in range(8)]),
            "/activation_cards",
            "AB-ACT-2",
        ),
        (operator_data(goal_cards=operator_data()["goal_cards"][:11]), "/goal_cards", "AB-SET-5"),
        (
            operator_data(
                goal_cards=[{"card_id": f"g{n}", "condition_key": "k", "counted_number": 0} for n in range(12)]
            ),
            "/goal_cards/0",
            "AB-GOAL-2",
        ),
        (operator_data(table={"survivors_min": 3, "survivors_max": 2}), "/table", "AB-SET-8"),
    ],
)
def test_inconsistent_data_are_refused(new, data, where, clause):
    night = new(0, seated=False)
    before = night.heads
    refused = night.ask("POST", "registration", "/operator-data", {"data": data})
    assert (refused.status, refused.code) == (422, "operator-data-refused")
    assert (where, clause) in [(fault["where"], fault["clause"]) for fault in refused.faults], refused
    assert night.heads == before


@pytest.mark.clause("AB-OPS-1")
def test_table_needs_complete_data_and_keeps_its_version(new):
    night = new(2, data=operator_data(power_track_spaces=None, table={"survivors_min": 1, "survivors_max": 1}))
    shown = night.ask("GET", "registration", "/operator-data").body
    assert shown["version"] == 1
    assert shown["missing"] == [
        {"scenario": "fixture-one", "side": number, "missing": ["power_track_spaces"]} for number in (1, 2)
    ]
    body = {"scenario": "fixture-one", "loyal_faction": "North", "first_player": night.tables()["r1t1"][0]}
    refused = night.refused(422, "set-up-refused", "setup", body)
    assert [(fault["said"], fault["clause"]) for fault in refused.faults] == [("North", "AB-OPS-1")]
    night.do("registration", "/operator-data", {"data": operator_data()})
    night.set_up("r1t1")
    night.do("registration", "/operator-data", {"data": operator_data(power_track_spaces=20)})
    assert night.do("registration", "/operator-data", {"data": operator_data(power_track_spaces=20)}).types == []
    night.set_up("r1t2")
    assert night.state["last_space"] == 19
    night.session = "r1t1"
    assert night.state["last_space"] == 9
    assert night.ask("GET", "registration", "/operator-data").body["version"] == 3


@pytest.mark.clause("AB-OPS-1")
def test_event_may_be_announced_before_its_data_exist(muster):
    night = Night(muster, announce(muster, rehearsal=True).body["id"])
    night.do("registration", "/players/list", {"players": [{"name": "Ana"}]})
    night.seat()
    muster.copy(night.id)
    assert night.ask("GET", "registration", "/operator-data").body == {"version": 0, "data": {}, "missing": []}
    refused = night.refused(422, "set-up-refused", "setup", {"first_player": "p1"})
    assert refused.faults[0]["clause"] == "AB-OPS-1"


@pytest.mark.clause("AB-SET-2", "AB-SET-5", "AB-SET-8")
@pytest.mark.parametrize(
    ("change", "where", "clause"),
    [
        ({"scenario": "other"}, "/scenario", "AB-SET-8"),
        ({"loyal_faction": "West"}, "/loyal_faction", "AB-SET-2"),
        ({"first_player": "p9"}, "/first_player", "AB-SET-8"),
        ({"goals": ["g01", "g02", "g03"]}, "/goals", "AB-SET-5"),
        ({"goals": ["g01", "g02", "g03", "g04", "g05"]}, "/goals", "AB-SET-5"),
        ({"goals": ["g01", "g02", "g03", "g03"]}, "/goals/3", "AB-SET-5"),
        ({"goals": ["g01", "g02", "g03", "g99"]}, "/goals/3", "AB-SET-5"),
    ],
)
def test_refused_set_ups(new, change, where, clause):
    night = new(3)
    body = {"scenario": "fixture-one", "loyal_faction": "North", "first_player": "p1", **change}
    refused = night.refused(422, "set-up-refused", "setup", body)
    assert (where, clause) in [(fault["where"], fault["clause"]) for fault in refused.faults]


@pytest.mark.clause("AB-SET-8", "AB-SET-3")
def test_table_must_be_set_up_exactly_once(new):
    night = new(3)
    refused = night.refuse_move(409, "session-not-begun", {"move": "survivor_killed", "survivor": "p1"})
    assert refused.data["clause"] == "AB-SET-8"
    for what, body in (("confirmation", None), ("ending", {"outcome": "abandoned", "reason": "x"})):
        night.refused(409, "session-not-begun", what, body)
    night.set_up()
    body = {"scenario": "fixture-one", "loyal_faction": "North", "first_player": "p1"}
    night.refused(409, "session-set-up", "setup", body)
    night.move_to(9)
    night.refused(409, "session-ended", "setup", body)
    night.session = "r1t9"
    night.refused(404, "session-unknown", "setup", body)


@pytest.mark.clause("AB-SET-8")
def test_table_with_too_many_survivors_for_new_data(new):
    night = new(3)
    night.do("registration", "/operator-data", {"data": operator_data(table={"survivors_min": 1, "survivors_max": 2})})
    body = {"scenario": "fixture-one", "loyal_faction": "North", "first_player": night.tables()["r1t1"][0]}
    assert night.refused(422, "set-up-refused", "setup", body).places == ["/session"]
