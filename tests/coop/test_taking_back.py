"""Moves, set-ups and ends that a table reported by mistake, and takes back."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.auditing import failures, logs_of
from tests.coop.story import CONDITION, Night
from tests.fuzz.muster import Json
from tests.services.story import Answer

New = Callable[..., Night]


def said(night: Night) -> list[Json]:
    return list(night.ask("GET", "scoring", f"/sessions/{night.session}/statements").body["items"])


def last(night: Night) -> int:
    return int(said(night)[-1]["id"])


def path(statement: int) -> str:
    return f"statements/{statement}/taking-back"


def take(night: Night, statement: int, by: str = "organiser", **more: object) -> Answer:
    """Take a report back; staff say why."""
    reason = {} if by.startswith("p") else {"reason": "a slip of the finger"}
    return night.do("scoring", f"/sessions/{night.session}/{path(statement)}", {**reason, **more}, by)


@pytest.mark.clause("AB-KIL-1", "AB-REP-1")
def test_any_survivor_takes_back_the_last_move(night: Night) -> None:
    before = night.state
    night.kill("p1", by="p1")
    assert night.position == 1
    (setup, kill) = said(night)
    assert (setup["table_can"], kill["table_can"], kill["does"]) == (False, True, ["survivor_killed"])
    answer = take(night, kill["id"], by="p2")
    assert [event["type"] for event in answer.events] == ["MoveTakenBack"]
    assert night.state == before
    assert len(said(night)) == 1


@pytest.mark.clause("AB-REP-1")
def test_later_only_the_host_and_staff_take_a_move_back(night: Night) -> None:
    host = night.state["host"]
    other = next(survivor for survivor in night.here if survivor != host)
    night.kill("p1", by="p1")
    kill = last(night)
    night.goal("g01")
    night.upgrades(1)
    night.refused(403, "not-your-table", path(kill), {}, by=other)
    night.refused(422, "reason-needed", path(kill), {})
    answer = take(night, kill, by=host)
    assert [event["type"] for event in answer.events] == ["MoveTakenBack", *["MoveDecidedAgain"] * 2]
    assert (night.position, night.state["goals_completed"], night.state["upgrades"]) == (0, ["g01"], 1)
    night.refused(404, "statement-unknown", path(kill), {}, by=host)
    assert len(said(night)) == 3


@pytest.mark.clause("AB-GOAL-1", "AB-END-1")
def test_what_no_longer_holds_is_shown_first(night: Night) -> None:
    night.card("a1")
    card = last(night)
    night.move({"move": "enemies_activated"})
    later = last(night)
    refused = night.refused(409, "statements-fall", path(card), {"reason": "another card"})
    assert refused.data["statements"] == [later]
    answer = take(night, card, drop=True)
    assert answer.events[0]["data"]["fallen"] == [later]
    assert night.state["next"] == "turns"
    night.card("a2")


@pytest.mark.clause("AB-END-1", "AB-END-3")
def test_a_mistapped_end_is_taken_back(night: Night) -> None:
    night.goal("g01")
    night.move({"move": "condition_met", "condition": CONDITION})
    night.goal("g02")
    end = last(night)
    assert night.state["ended"]["outcome"] == "victory"
    take(night, end, by="p3")
    assert (night.state["status"], night.state["ended"]) == ("playing", None)
    night.kill("p2")
    assert night.position == 1


@pytest.mark.clause("AB-REP-3")
def test_a_confirmation_falls_with_the_end_that_it_confirmed(night: Night) -> None:
    night.win()
    end = last(night)
    night.confirm(by="p1")
    night.refused(403, "not-your-table", path(end), {}, by=next(s for s in night.here if s != night.state["host"]))
    night.refused(409, "statements-fall", path(end), {"reason": "too early"})
    take(night, end, drop=True)
    assert (night.state["status"], night.state["confirmed"]) == ("playing", [])


@pytest.mark.clause("AB-REP-3")
def test_a_result_that_counts_is_corrected_instead(night: Night) -> None:
    night.win()
    end = last(night)
    night.confirm()
    night.refused(409, "session-settled", path(end), {"reason": "too early"})


@pytest.mark.clause("AB-END-4")
def test_staff_take_back_an_end_until_its_ranking_is_published(night: Night) -> None:
    night.do("scoring", f"/sessions/{night.session}/ending", {"outcome": "abandoned", "reason": "another table"})
    night.refused(409, "session-settled", path(last(night)), {}, by="p1")
    take(night, last(night), by="head_referee")
    assert (night.state["status"], night.state["binds"]) == ("playing", False)
    night.do("scoring", f"/sessions/{night.session}/ending", {"outcome": "abandoned", "reason": "they left"})
    night.do("scoring", "/session-rounds/1/ranking")
    night.refused(409, "session-settled", path(last(night)), {"reason": "too early"})


@pytest.mark.clause("AB-SET-8")
def test_a_table_is_set_up_anew_while_nothing_else_is_recorded(night: Night) -> None:
    body = {"scenario": "fixture-one", "loyal_faction": "South", "first_player": "p2", "goals": None}
    night.refused(409, "session-set-up", "setup", body)
    night.do("scoring", f"/sessions/{night.session}/setup", {**body, "again": True}, by="p1")
    first = night.state
    assert (first["loyal_faction"], first["first_player"]) == ("South", "p2")
    night.do("scoring", f"/sessions/{night.session}/setup", {**body, "again": True}, by="p1")
    assert night.state["goals_open"] == first["goals_open"]  # drawn again, and the same
    night.kill("p1")
    night.refused(409, "session-set-up", "setup", {**body, "again": True})
    take(night, last(night))
    night.do("scoring", f"/sessions/{night.session}/setup", {**body, "again": True})
    assert night.position == 0


@pytest.mark.parametrize(
    "body", [{"reason": 7}, {"reason": "x" * 501}, {"drop": "yes"}, {"reason": "a", "more": 1}, {"reason": "\0"}]
)
def test_malformed_requests_change_nothing(night: Night, body: Json) -> None:
    night.kill("p1")
    night.refused(422, "invalid-request", path(last(night)), body)


def test_statements_of_others_are_refused(new: New) -> None:
    night = new(6)
    night.set_up("r1t1")
    night.set_up("r1t2")
    night.kill(night.here[0])
    other = last(night)
    night.session = "r1t1"
    night.refused(404, "statement-unknown", path(other), {"reason": "a"})
    night.refused(404, "statement-unknown", path(last(night)), {"reason": "a"})  # the set-up
    night.session = "r1t2"
    stranger = night.tables()["r1t1"][0]
    night.refused(403, "not-your-table", path(other), {}, by=stranger)


@pytest.mark.clause("AB-REP-1")
def test_two_phones_take_the_same_move_back(night: Night) -> None:
    """The second phone is refused, and so is a move that was sent on the state before."""
    night.kill("p1")
    kill = last(night)
    read = night.ask("GET", "scoring", f"/sessions/{night.session}").headers["ETag"]
    take(night, kill, by="p1")
    night.refused(404, "statement-unknown", path(kill), {}, by="p2")
    moves = {"moves": [{"move": "survivor_killed", "survivor": "p1"}]}
    late = night.ask("POST", "scoring", f"/sessions/{night.session}/moves", moves, "p2", **{"If-Match": read})
    assert (late.status, late.code) == (412, "precondition-failed")
    assert night.position == 0


def test_an_audit_decides_it_again(night: Night) -> None:
    night.kill("p1")
    kill = last(night)
    night.move({"move": "card_revealed"})
    night.goal("g01")
    take(night, kill)
    assert failures(logs_of(night)) == []
