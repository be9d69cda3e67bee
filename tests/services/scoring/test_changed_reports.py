"""Changing a report before the opponent answers; no confirmation binds a report that its author has not seen."""

from __future__ import annotations

import pytest

from tests.services.scoring.story import score

FIRST, SECOND = score(138, 105), score(105, 138)


def change(evening, facts, by, **more):
    return evening.post("/games/r1g1/report", {"facts": facts, **more}, by)


def confirm(evening, report, by="p2"):
    return evening.post("/games/r1g1/confirmation", None if report is None else {"report": report}, by)


@pytest.fixture
def seen(evening):
    """The report that Ben's phone shows: p1 has reported the first facts."""
    evening.report("r1g1", FIRST, by="p1")
    return evening.game("r1g1")["report"]


def test_the_reporter_changes_the_report_until_it_is_confirmed(evening, seen):
    answer = change(evening, SECOND, "p1")
    assert (answer.types, answer.events[0]["data"]["side"]) == (["ReportChanged"], 1)
    shown = evening.game("r1g1")
    assert (shown["status"], shown["binds"], shown["facts"]["points_1"]) == ("reported", False, 105)
    assert shown["report"] == answer.events[0]["position"] > seen
    assert change(evening, SECOND, "p1").types == []
    assert confirm(evening, shown["report"]).types == ["ResultConfirmed"]
    assert evening.game("r1g1")["facts"]["points_1"] == 105
    assert "report" not in evening.game("r1g1")


@pytest.mark.parametrize("by", ["p2", "referee"])
@pytest.mark.parametrize("is_named", [True, False])
def test_a_confirmation_of_the_earlier_report_is_refused_with_the_new_one(evening, seen, by, is_named):
    report = change(evening, SECOND, "p1").events[0]["position"]
    refused = confirm(evening, seen if is_named else None, by)
    assert (refused.status, refused.code) == (409, "report-changed")
    assert (refused.data["facts"]["points_1"], refused.data["report"]) == (105, report)
    assert evening.game("r1g1")["status"] == "reported"
    assert confirm(evening, refused.data["report"], by).types == ["ResultConfirmed"]


def test_a_report_changed_there_and_back_has_to_be_seen_again(evening, seen):
    change(evening, SECOND, "p1")
    change(evening, FIRST, "p1")
    assert confirm(evening, seen).code == "report-changed"


def test_a_report_made_anew_after_voiding_is_not_the_one_that_was_seen(evening, seen):
    evening.void("r1g1")
    evening.report("r1g1", SECOND, by="p1")
    assert confirm(evening, seen).code == "report-changed"
    assert confirm(evening, None).types == ["ResultConfirmed"]  # clients that name no report, as before


def test_clients_that_name_no_report_confirm_one_that_was_never_changed(evening, seen):
    assert confirm(evening, None).types == ["ResultConfirmed"]
    assert confirm(evening, None).types == []
    assert confirm(evening, seen).types == []
    assert confirm(evening, seen + 1).code == "report-changed"


def test_an_identical_report_of_the_opponent_confirms_the_changed_one(evening, seen):
    change(evening, SECOND, "p1")
    assert evening.report("r1g1", FIRST, by="p2").data["facts"]["points_1"] == 105
    assert evening.report("r1g1", SECOND, by="p2").types == ["ResultConfirmed"]


@pytest.mark.parametrize(
    ("answered", "status"),
    [
        (lambda evening: evening.confirm("r1g1", by="p2"), "confirmed"),
        (lambda evening: evening.confirm("r1g1"), "confirmed"),
        (lambda evening: evening.dispute("r1g1", by="p2"), "disputed"),
        (lambda evening: evening.rule("r1g1", FIRST), "ruled"),
    ],
)
def test_a_report_that_was_answered_stays(evening, seen, answered, status):
    assert answered(evening).status == 201
    refused = change(evening, SECOND, "p1")
    assert (refused.code, refused.data["status"], refused.data["facts"]["points_1"]) == ("result-exists", status, 138)


def test_only_the_side_that_reported_changes_its_report(evening, seen):
    assert change(evening, SECOND, "p2").code == "result-exists"
    assert change(evening, SECOND, "p3").code == "not-your-game"
    assert change(evening, SECOND, "referee").code == "forbidden"
    assert change(evening, SECOND, "").status == 401
    assert evening.game("r1g1")["facts"]["points_1"] == 138


def test_only_a_report_can_be_changed(evening):
    assert change(evening, SECOND, "p1").code == "result-missing"
    evening.report("r1g1", FIRST, by="p1")
    evening.confirm("r1g1", by="p2")
    evening.report("r1g2", FIRST)
    assert evening.close(1).status == 201
    assert change(evening, SECOND, "p1").code == "round-closed"


@pytest.mark.parametrize(
    ("facts", "code"),
    [
        ({"points_1": 3}, "impossible-result"),
        (score(-1, 50), "invalid-request"),
        ({"kind": "no_show", "conceded_by": 2}, "staff-only"),
        (score(1400, 100), "improbable-result"),
    ],
)
def test_a_change_is_checked_like_a_report(evening, seen, facts, code):
    assert change(evening, facts, "p1").code == code
    assert evening.game("r1g1")["facts"]["points_1"] == 138


def test_the_mark_of_an_improbable_report_follows_its_facts(evening, seen):
    assert change(evening, score(1400, 100), "p1", improbable=True).types == ["ReportChanged"]
    assert evening.game("r1g1")["improbable"] is True
    assert change(evening, SECOND, "p1").types == ["ReportChanged"]
    assert evening.game("r1g1")["improbable"] is False


@pytest.mark.parametrize("report", ["3", 0, -1, 2**53, 1.5, True, [3]])
def test_a_confirmation_names_a_report_by_its_position(evening, seen, report):
    assert confirm(evening, report).code == "invalid-request"
    assert evening.game("r1g1")["status"] == "reported"
