"""Invalid input is refused with place, expectation and clause, and appends nothing."""

from __future__ import annotations

from typing import Any

import pytest

from tests.coop.story import CONDITION, GOALS, operator_data
from tests.services.story import Answer

FOUR = ["g01", "g02", "g03", "g04"]
DONE = {"move": "condition_met", "condition": CONDITION}
BANDS = [{"enemies_min": 0, "enemies_max": 1, "text": "a"}, {"enemies_min": 4, "text": "b"}]


def goal(card: str) -> dict[str, str]:
    return {"move": "goal_completed", "goal": card}


def one_fault(answer: Answer, where: str, said: str, expected: str, clause: str) -> None:
    """Check that the problem has exactly this fault, under a stable type."""
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.body["type"] == f"/problems/{answer.code}"
    found = [tuple(fault[name] for name in ("where", "said", "expected", "clause")) for fault in answer.faults]
    assert found == [(where, said, expected, clause)]


@pytest.mark.clause("AB-GOAL-1", "AB-SET-5")
def test_goal_that_is_not_revealed(new):
    night = new()
    night.set_up(goals=FOUR)
    answer = night.refuse_move(422, "impossible-move", goal("g07"))
    one_fault(answer, "/moves/0/goal", "g07", "one of g01, g02, g03, g04", "AB-GOAL-1")


@pytest.mark.clause("AB-GOAL-1", "AB-GOAL-4", "AB-EX-5")
def test_a_fifth_goal(new):
    night = new()
    night.set_up(goals=FOUR)
    night.move(*map(goal, FOUR))
    assert [event["extra"] for event in night.history("GoalCompleted") if event.get("extra")] == [True, True]
    answer = night.refuse_move(422, "impossible-move", goal("g05"))
    one_fault(answer, "/moves/0/goal", "g05", "nothing: every revealed goal is complete", "AB-GOAL-1")
    answer = night.refuse_move(422, "impossible-move", goal("g04"))
    one_fault(answer, "/moves/0/goal", "g04", "nothing: every revealed goal is complete", "AB-GOAL-1")


@pytest.mark.clause("AB-SET-5")
def test_a_fifth_goal_on_the_table(new):
    body = {"scenario": "fixture-one", "loyal_faction": "North", "first_player": "p1", "goals": [*FOUR, "g05"]}
    answer = new().refused(422, "set-up-refused", "setup", body)
    one_fault(answer, "/goals", "5", "4 goals", "AB-SET-5")


@pytest.mark.clause("AB-END-3")
@pytest.mark.parametrize(
    ("end", "event", "outcome", "cause"),
    [
        ([goal("g01"), goal("g02"), DONE], "SessionWon", "victory", "VictoryConditionMet"),
        ([{"move": "scenario_effect", "spaces": 9}], "SessionLost", "defeat", "scenario_effect"),
    ],
)
def test_move_after_the_end_is_refused(night, end: list[dict[str, Any]], event: str, outcome: str, cause: str):
    ended = night.move(*end).events[-1]
    for move in (goal("g11"), {"move": "survivor_killed", "survivor": "p1"}, {"move": "card_revealed"}):
        answer = night.refuse_move(409, "session-ended", move, by="p2")
        assert answer.body["type"] == "/problems/session-ended"
        assert answer.data == {
            "event": event,
            "outcome": outcome,
            "cause": cause,
            "position": ended["position"],
            "time": ended["time"],
            "clause": "AB-END-3",
        }


@pytest.mark.clause("AB-REP-2", "AB-EX-12")
@pytest.mark.parametrize(
    ("change", "said", "expected"),
    [
        ({"completed": FOUR[:2]}, "3", "6 to 6, after 6 spaces forward and 0 extra goals"),
        ({"completed": FOUR[:3]}, "3", "4 to 6, after 6 spaces forward and 1 extra goals"),
        ({"completed": FOUR[:3], "back": 0, "position": 7}, "7", "4 to 6, after 6 spaces forward and 1 extra goals"),
    ],
)
def test_impossible_summary(new, change: dict[str, Any], said: str, expected: str):
    night = new(options={"ab.report.detail": "summary"})
    night.set_up(goals=FOUR)
    told = {"outcome": "victory", "rounds": 7, "kills": 3, "cards": 2, "others": 1, "position": 3, **change}
    answer = night.refused(422, "impossible-move", "report", {"told": told}, by="p1")
    one_fault(answer, "/told/position", said, expected, "AB-REP-2")
    for position in (4, 5, 6):
        right = {"told": {**told, "completed": FOUR[:3], "position": position}}
        night.do("scoring", "/sessions/r1t1/report", right, "p1")
    assert night.state["position"] == 0  # as it lay on the table; what was told is told
    assert night.state["told"]["position"] == 6


@pytest.mark.clause("AB-OPS-2")
def test_placeholder_data_in_an_event_that_counts(muster, new):
    night = new(0, seated=False, rehearsal=False, data=operator_data(placeholder=False))
    before = night.heads
    answer = night.ask("POST", "registration", "/operator-data", {"data": operator_data()})
    assert (answer.status, answer.code) == (422, "operator-data-refused")
    one_fault(answer, "/placeholder", "true", "false, or an event announced as a rehearsal", "AB-OPS-2")
    assert night.heads == before
    length = muster.length
    body = {"name": "Night", "ruleset": "atomic-bonds", "operator_data": operator_data()}
    announced = muster.ask("POST", "registration", "/tournaments", body, muster.token("operator"))
    assert (announced.status, announced.code) == (422, "operator-data-refused")
    assert muster.length == length


@pytest.mark.clause("AB-OPS-1", "AB-ACT-3")
@pytest.mark.parametrize(
    ("data", "faults"),
    [
        (
            operator_data(activation_effects=BANDS),
            [
                (
                    f"/scenarios/0/sides/{side}/activation_effects/1/enemies_min",
                    "4",
                    "2, or a row for 2 to 3",
                    "AB-ACT-3",
                )
                for side in (0, 1)
            ],
        ),
        (
            operator_data(goal_cards=GOALS[:5] + GOALS[6:]),
            [("/goal_cards", "11", "12 cards, or none for 12 unnamed", "AB-SET-5")],
        ),
        (
            operator_data(activation_cards=operator_data()["activation_cards"][1:]),
            [("/activation_cards", "7", "8 cards, or none where cards are not tracked", "AB-SET-4")],
        ),
    ],
)
def test_data_with_a_gap_between_rows(new, data: dict[str, Any], faults: list[tuple[str, ...]]):
    night = new(0, seated=False)
    before = night.heads
    answer = night.ask("POST", "registration", "/operator-data", {"data": data})
    assert (answer.status, answer.code) == (422, "operator-data-refused")
    found = [tuple(fault[name] for name in ("where", "said", "expected", "clause")) for fault in answer.faults]
    assert found == faults
    assert night.heads == before


@pytest.mark.clause("AB-ACT-3")
def test_rows_may_start_at_one_enemy(new):
    bands = [{"enemies_min": 1, "enemies_max": 1, "text": "one"}, {"enemies_min": 2, "text": "more"}]
    night = new(data=operator_data(activation_effects=bands))
    night.set_up()
    for enemies, card in ((0, "a1"), (1, "a4"), (7, "a7")):
        night.end_round(card, enemies_on_map=enemies)
    assert [event["text"] for event in night.history("ActivationEffectResolved")] == ["one", "more"]
