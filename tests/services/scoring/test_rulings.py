"""Rulings, overrides and appeals."""

from __future__ import annotations

import pytest

from shared.tournament.registration import StaffDismissed
from tests.services.scoring.story import score
from tests.services.story import NOBODY

MINE, YOURS = score(138, 105), score(105, 138)


class TestRulings:
    """FF-STAFF-3, FF-STAFF-4, AR-STAFF-1."""

    @pytest.mark.parametrize(
        ("by", "level"),
        [
            ("referee", "referee"),
            ("head_referee", "head_referee"),
            ("organiser", "referee"),
            ("operator", "referee"),
        ],
    )
    def test_a_ruling_records_its_level(self, evening, by, level):
        answer = evening.rule("r1g1", MINE, by=by)
        assert (answer.types, answer.events[0]["data"]["level"]) == (["ResultRuled"], level)
        shown = evening.game("r1g1")
        assert (shown["status"], shown["ruling"], shown["binds"]) == ("ruled", level, True)

    def test_a_referee_can_rule_without_a_report(self, evening):
        assert evening.rule("r1g1", {"kind": "double_no_show"}).status == 201

    def test_a_repeated_ruling_appends_nothing(self, evening):
        evening.rule("r1g1", MINE)
        assert evening.rule("r1g1", MINE).types == []
        assert evening.rule("r1g1", MINE, by="head_referee").types == ["ResultRuled"]
        assert evening.rule("r1g1", MINE, by="head_referee").types == []

    def test_a_referee_can_change_a_ruling_unless_it_is_final(self, evening):
        evening.rule("r1g1", MINE)
        assert evening.rule("r1g1", YOURS).status == 201
        evening.rule("r1g1", MINE, by="head_referee")
        assert evening.rule("r1g1", YOURS, by="head_referee").status == 201

    @pytest.mark.clause("FF-STAFF-3")
    def test_a_referee_cannot_change_a_final_ruling(self, evening):
        evening.rule("r1g1", MINE, by="head_referee")
        attempts = [evening.rule("r1g1", YOURS), evening.correct("r1g1", YOURS), evening.void("r1g1")]
        assert {answer.code for answer in attempts} == {"ruling-final"}
        assert evening.correct("r1g1", YOURS, preview=True).code == "ruling-final"

    def test_a_referee_cannot_change_a_head_referees_correction(self, evening):
        evening.rule("r1g1", MINE, by="head_referee")
        assert evening.correct("r1g1", YOURS, by="head_referee").status == 201
        assert evening.correct("r1g1", MINE, by="referee").code == "ruling-final"

    @pytest.mark.clause("FF-STAFF-3")
    def test_a_referee_cannot_correct_a_final_ruling_in_a_closed_round(self, evening):
        evening.rule("r1g1", MINE, by="head_referee")
        evening.report("r1g2", MINE)
        evening.close(1)
        assert evening.correct("r1g1", YOURS, by="referee").code == "ruling-final"
        assert evening.correct("r1g2", YOURS, by="referee").status == 201

    @pytest.mark.parametrize("body", [{}, {"facts": MINE}, {"facts": MINE, "reason": ""}, {"reason": "x"}])
    def test_a_ruling_requires_facts_and_a_reason(self, evening, body):
        assert evening.post("/games/r1g1/ruling", body, "referee").code == "invalid-request"

    def test_a_ruling_requires_possible_facts(self, evening):
        assert evening.rule("r1g1", score(100, 50, winner=2)).code == "impossible-result"


class TestOverriding:
    """An organiser can change a head referee's final ruling only by an override."""

    @pytest.fixture
    def evening(self, evening):
        evening.rule("r1g1", MINE, by="head_referee")
        return evening

    @pytest.mark.parametrize("by", ["organiser", "operator"])
    def test_an_organiser_cannot_change_a_final_ruling_by_other_commands(self, evening, by):
        attempts = [evening.rule("r1g1", YOURS, by), evening.correct("r1g1", YOURS, by), evening.void("r1g1", by)]
        assert [(answer.status, answer.code) for answer in attempts] == [(409, "ruling-final")] * 3
        assert all("/override" in answer.body["detail"] for answer in attempts)

    def test_an_override_is_recorded_as_such(self, evening):
        answer = evening.override("r1g1", YOURS)
        assert (answer.status, answer.types) == (201, ["RulingOverridden"])
        shown = evening.game("r1g1")
        assert (shown["status"], shown["ruling"], shown["binds"]) == ("corrected", "organiser", True)
        assert shown["facts"]["points_1"] == 105
        last = evening.get("/games/r1g1/history", by=NOBODY).body["items"][-1]
        assert (last["type"], last["actor_text"]) == ("RulingOverridden", "organiser")
        assert last["data"]["reason"] == "the rule was read wrongly"

    def test_an_override_records_the_standings_of_a_closed_round_again(self, evening):
        evening.report("r1g2", MINE)
        evening.close(1)
        assert evening.override("r1g1", YOURS).types == ["RulingOverridden", "StandingsRecorded"]

    def test_only_another_override_changes_an_override(self, evening):
        evening.override("r1g1", YOURS)
        for by in ("referee", "head_referee", "organiser"):
            assert evening.correct("r1g1", MINE, by).code == "ruling-final"
        assert evening.override("r1g1", YOURS).types == []
        assert evening.override("r1g1", MINE).types == ["RulingOverridden"]

    def test_a_ruling_is_final_after_a_rejected_appeal(self, evening):
        evening.rule("r1g2", MINE)
        evening.appeal("r1g2", by="p3")
        evening.reject("r1g2")
        assert evening.correct("r1g2", YOURS, by="organiser").code == "ruling-final"
        assert evening.override("r1g2", YOURS).status == 201

    @pytest.mark.parametrize("by", ["referee", "head_referee", "p1"])
    def test_only_organisers_override(self, evening, by):
        refused = evening.override("r1g1", YOURS, by)
        assert (refused.status, refused.code) == (403, "forbidden")

    def test_an_override_requires_a_reason_and_possible_facts(self, evening):
        for body in ({"facts": YOURS}, {"facts": YOURS, "reason": ""}):
            assert evening.post("/games/r1g1/override", body).code == "invalid-request"
        assert evening.override("r1g1", score(100, 50, winner=2)).code == "impossible-result"

    def test_an_override_requires_a_protected_ruling(self, evening):
        assert evening.override("r1g2", MINE).code == "result-missing"
        evening.rule("r1g2", MINE)
        refused = evening.override("r1g2", YOURS)
        assert (refused.status, refused.code, refused.data["status"]) == (409, "ruling-not-final", "ruled")

    def test_an_organiser_acting_as_head_referee_can_change_a_ruling(self, evening):
        evening.say("registration", StaffDismissed(staff="s1"))
        evening.rule("r1g2", MINE, by="organiser")
        assert evening.game("r1g2")["ruling"] == "head_referee"
        assert evening.correct("r1g2", YOURS, by="organiser").types == ["ResultCorrected"]
        assert evening.correct("r1g2", MINE, by="referee").code == "ruling-final"


class TestAppeals:
    """With a head referee, players can appeal a referee's ruling."""

    @pytest.fixture
    def evening(self, evening):
        evening.rule("r1g1", MINE)
        return evening

    @pytest.mark.clause("FF-STAFF-4")
    def test_a_ruling_binds_during_an_appeal(self, evening):
        assert evening.appeal("r1g1", by="p2").types == ["RulingAppealed"]
        assert evening.appeal("r1g1", by="p2").types == []
        shown = evening.game("r1g1")
        assert (shown["appealed"], shown["binds"]) == (True, True)
        evening.report("r1g2", MINE)
        refused = evening.close(1)
        assert (refused.code, refused.data["games"]) == ("games-open", ["r1g1"])

    def test_the_head_referee_can_reject_an_appeal(self, evening):
        evening.appeal("r1g1", by="p2")
        assert evening.reject("r1g1").types == ["AppealRejected"]
        shown = evening.game("r1g1")
        assert (shown["appealed"], shown["ruling"], shown["facts"]["points_1"]) == (False, "head_referee", 138)
        assert evening.reject("r1g1").code == "not-appealed"
        assert evening.appeal("r1g1", by="p2").code == "ruling-final"
        assert evening.rule("r1g1", YOURS).code == "ruling-final"

    def test_the_head_referee_can_rule_on_an_appeal(self, evening):
        evening.appeal("r1g1", by="p2")
        assert evening.rule("r1g1", YOURS, by="head_referee").status == 201
        shown = evening.game("r1g1")
        assert (shown["appealed"], shown["ruling"], shown["facts"]["points_1"]) == (False, "head_referee", 105)

    def test_a_referee_cannot_remove_an_appeal(self, evening):
        evening.appeal("r1g1", by="p2")
        attempts = [evening.rule("r1g1", YOURS), evening.correct("r1g1", YOURS), evening.void("r1g1")]
        assert {answer.code for answer in attempts} == {"appeal-open"}
        assert evening.game("r1g1")["appealed"] is True

    def test_a_referee_cannot_decide_an_appeal(self, evening):
        evening.appeal("r1g1", by="p2")
        assert evening.reject("r1g1", by="referee").code == "forbidden"

    @pytest.mark.clause("FF-STAFF-4")
    def test_an_appeal_requires_a_head_referee(self, evening, open_floor):
        evening.say("registration", StaffDismissed(staff="s1"))
        answer = evening.appeal("r1g1", by="p2")
        assert (answer.code, answer.data["clause"]) == ("no-head-referee", "AR-STAFF-1")
        told = open_floor(2, ruleset="fallout-factions-comp-1.0", rounds=2)
        told.begin(1, ("p1", "p2"), scenario="Melee")
        told.rule("r1g1", {"points_1": 10, "points_2": 5})
        answer = told.appeal("r1g1", by="p2")
        assert (answer.code, answer.data["clause"]) == ("no-head-referee", "FF-STAFF-4")

    def test_only_a_ruling_can_be_appealed(self, evening):
        assert evening.appeal("r1g2", by="p3").code == "result-missing"
        evening.report("r1g2", MINE, by="p3")
        assert evening.appeal("r1g2", by="p4").data["status"] == "reported"
        evening.confirm("r1g2", by="p4")
        assert evening.appeal("r1g2", by="p4").data["status"] == "confirmed"

    def test_an_appeal_in_a_closed_round_is_refused(self, evening):
        evening.report("r1g2", MINE)
        evening.close(1)
        assert evening.appeal("r1g1", by="p2").code == "round-closed"
        assert evening.reject("r1g1").code == "round-closed"

    def test_an_appeal_requires_a_reason(self, evening):
        assert evening.post("/games/r1g1/appeal", {}, "p2").code == "invalid-request"
