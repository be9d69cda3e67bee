"""Lists that staff saw on paper: accepted with a reason, without their contents, but with the totals that count."""

from __future__ import annotations

import pytest

from services.registration.swiss_sealed_rosters import SealedRoster, secret_for
from shared.formats.packs import shipped_ruleset
from shared.swiss.roster import required_totals
from tests.services.registration.story import FLEET
from tests.services.registration.test_openings import digest, failures, lines
from tests.services.story import NOBODY

ARMADA, DUST, FALLOUT = "star-wars-armada-1.1", "dust-warfare-1.0", "fallout-factions-comp-1.0"
PRINTED = "printed from the list builder"
PAPER = {"roster": {"army_total": 390}, "on_paper": PRINTED}


@pytest.fixture
def evening(announce):
    evening = announce(ruleset=DUST)
    evening.join("Ana", "Ben")
    return evening


def test_staff_accept_a_list_that_they_saw_on_paper(evening):
    answer = evening.do("p1", "roster", PAPER)
    assert answer.types == ["RosterSubmitted", "RosterAccepted"]
    player = evening.player("p1")
    assert (player["roster"], player["roster_on_paper"]) == ("accepted", True)
    assert evening.player("p2")["roster_on_paper"] is False
    shown = evening.get("/players/p1/roster").body
    assert (shown["status"], shown["roster"]) == ("accepted", {"army_total": 390})
    seen = shown["on_paper"]
    assert (seen["reason"], seen["actor"]["role"], seen["time"]) == (PRINTED, "organiser", answer.events[0]["time"])


@pytest.mark.clause("FF-STAFF-2")
def test_the_record_names_the_referee_who_saw_the_paper(announce):
    evening = announce(ruleset=FALLOUT)
    evening.join("Ana")
    referee, token = evening.staff("Rita", "referee")
    headers = {"Authorization": f"Bearer {token}"}
    assert evening.do("p1", "roster", {"roster": {}, "on_paper": PRINTED}, by=NOBODY, **headers).status == 201
    seen = evening.get("/players/p1/roster").body["on_paper"]
    assert (seen["actor"]["actor"], seen["name"]) == (referee, "Rita")


def test_the_total_is_in_the_log_only_once_lists_are_open(evening):
    evening.do("p1", "roster", PAPER)
    (submitted,) = lines(evening, "RosterSubmitted")
    assert (submitted["roster"], submitted["on_paper"]) == ({}, PRINTED)
    evening.begin("p1", "p2")
    (opened,) = lines(evening, "RostersOpened")
    (roster,) = opened["rosters"]
    assert roster["roster"] == {"army_total": 390}
    for field, salt in roster["salts"].items():
        assert digest(salt, field, roster["roster"].get(field)) == submitted["sealed"][field]
    shown = evening.get("/players/p1/roster", by=NOBODY).body
    assert (shown["roster"], shown["on_paper"]["reason"]) == ({"army_total": 390}, PRINTED)


def test_the_same_again_changes_nothing_and_another_reason_is_recorded(evening):
    evening.do("p1", "roster", PAPER)
    assert evening.do("p1", "roster", PAPER).types == []
    again = evening.do("p1", "roster", PAPER | {"on_paper": "seen again after a fault"})
    assert again.types == ["RosterSubmitted", "RosterAccepted"]


def test_a_list_that_the_player_enters_replaces_the_paper(announce):
    evening = announce()
    evening.join("Ana")
    evening.do("p1", "roster", {"roster": {"fleet_total": 300}, "on_paper": PRINTED})
    evening.do("p1", "roster", {"roster": FLEET}, by="p1")
    assert evening.player("p1")["roster_on_paper"] is False
    assert "on_paper" not in evening.get("/players/p1/roster").body


def test_a_rejected_paper_is_no_longer_accepted(evening):
    evening.do("p1", "roster", PAPER)
    assert evening.do("p1", "roster/rejection", {"note": "two commanders"}).types == ["RosterRejected"]
    assert evening.player("p1")["roster"] == "rejected"


@pytest.mark.parametrize("by", ["p1", "p2", NOBODY])
def test_only_staff_can_vouch_for_a_paper(evening, by):
    refused = evening.do("p1", "roster", PAPER, by=by)
    assert refused.code in ("not-yours", "unauthenticated"), refused
    assert evening.player("p1")["roster"] == ""


@pytest.mark.clause("DW-STAFF-1")
def test_only_staff_who_accept_lists_can_vouch_for_a_paper(evening):
    evening.staff("Head", "head_referee")
    for role in ("referee", "head_referee"):
        assert evening.do("p1", "roster", PAPER, by=role).code == "not-your-decision"
    assert evening.player("p1")["roster"] == ""


@pytest.mark.parametrize(
    ("roster", "faults"),
    [
        ({}, [("/roster/army_total", "nothing", "total-on-paper")]),
        ({"army_total": 401}, [("/roster/army_total", "401", "or-option-with-announcement")]),
        ({"army_total": -1}, [("/roster/army_total", "-1", "whole-number-from")]),
        ({"army_total": "390"}, [("/roster/army_total", "390", "whole-number-from")]),
        ({"army_total": 390, "units": []}, [("/roster/units", "[]", "entries-on-paper")]),
        ({"army_total": 390, "fleet": 1}, [("/roster/fleet", "1", "one-of")]),
        (
            {"units": [{"name": "Ludwig"}], "faction": 4},
            [
                ("/roster/faction", "4", "text"),
                ("/roster/units", '[{"name":"Ludwig"}]', "entries-on-paper"),
                ("/roster/army_total", "nothing", "total-on-paper"),
            ],
        ),
    ],
)
@pytest.mark.clause("DW-ROS-4", "DW-RES-2")
def test_what_is_entered_of_a_paper_list_is_checked(evening, roster, faults):
    refused = evening.do("p1", "roster", {"roster": roster, "on_paper": PRINTED})
    assert refused.code == "roster-illegal"
    assert [fault["where"] for fault in refused.faults] == [where for where, _, _ in faults]
    found = [(fault["where"], fault["said"], fault["code"]) for fault in refused.faults]
    assert found == faults
    assert evening.player("p1")["roster"] == ""


@pytest.mark.parametrize("on_paper", ["x" * 501, 5, None, ["seen"]])
def test_a_reason_that_is_none_is_refused(evening, on_paper):
    refused = evening.do("p1", "roster", {"roster": {"army_total": 390}, "on_paper": on_paper})
    assert (refused.code, refused.places) == ("invalid-request", ["/on_paper"])


@pytest.mark.parametrize(
    ("ruleset", "totals"),
    [(DUST, ["army_total"]), (ARMADA, ["fleet_total"]), (FALLOUT, []), ("round-robin", [])],
)
def test_a_total_is_due_where_results_are_held_against_it(ruleset, totals):
    assert required_totals(shipped_ruleset(ruleset)) == totals


@pytest.mark.clause("FF-REG-3")
def test_a_paper_list_needs_no_total_where_results_do_not_use_it(announce):
    evening = announce(ruleset=FALLOUT)
    evening.join("Ana")
    assert evening.do("p1", "roster", {"roster": {}, "on_paper": PRINTED}).types == [
        "RosterSubmitted",
        "RosterAccepted",
    ]
    refused = evening.do("p1", "roster", {"roster": {"faction": "Hutts", "rating": 251}, "on_paper": PRINTED})
    assert refused.places == ["/roster/rating", "/roster/faction"]


def test_after_the_start_the_reason_is_enough_for_staff(evening):
    evening.begin("p1", "p2")
    assert evening.do("p1", "roster", PAPER, by="p1").code == "not-yours"
    answer = evening.do("p1", "roster", PAPER)
    assert answer.types == ["RosterSubmitted", "RosterAccepted"]
    assert lines(evening, "RosterSubmitted")[0]["roster"] == {"army_total": 390}


def test_an_audit_decides_paper_lists_again(evening, tmp_path):
    evening.do("p1", "roster", PAPER)
    evening.begin("p1", "p2")
    evening.do("p2", "roster", PAPER)
    evening.concluded()
    assert failures(evening, tmp_path) == []


def test_an_audit_names_a_paper_total_that_no_list_may_have(evening, tmp_path, monkeypatch):
    """The service of this log let 900 points pass."""
    monkeypatch.setattr("services.registration.swiss_rosters.check_paper_roster", lambda ruleset, roster: [])
    evening.do("p1", "roster", {"roster": {"army_total": 900}, "on_paper": PRINTED})
    evening.begin("p1", "p2")
    monkeypatch.undo()
    found = failures(evening, tmp_path)
    assert any("army_total" in line and "900" in line for line in found), found


def test_a_printed_sheet_leaves_room_for_what_is_on_the_paper(announce):
    evening = announce(ruleset=FALLOUT)
    evening.join("Ana")
    evening.do("p1", "roster", {"roster": {"rating": 240}, "on_paper": PRINTED})
    (sheet, *_) = evening.get("/players/p1/roster/sheets").body["items"]
    assert sheet["lines"]


def test_the_secret_of_a_paper_is_new_if_its_total_changes():
    rules = shipped_ruleset(DUST).roster
    before = SealedRoster("s", {"army_total": 390, "faction": None, "units": None})
    assert secret_for(rules, {"army_total": 390}, before) == "s"
    assert secret_for(rules, {"army_total": 380}, before) != "s"
