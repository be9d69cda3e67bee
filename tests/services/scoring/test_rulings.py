"""Rulings and appeals: a referee decides, the head referee's word is final, and nobody gets past it another way."""

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
    def test_a_ruling_says_at_which_level_it_was_given(self, evening, by, level):
        answer = evening.rule("r1g1", MINE, by=by)
        assert (answer.types, answer.events[0]["data"]["level"]) == (["ResultRuled"], level)
        shown = evening.game("r1g1")
        assert (shown["status"], shown["ruling"], shown["binds"]) == ("ruled", level, True)

    def test_a_referee_rules_though_nobody_reported(self, evening):
        assert evening.rule("r1g1", {"kind": "double_no_show"}).status == 201

    def test_the_same_ruling_again_changes_nothing(self, evening):
        evening.rule("r1g1", MINE)
        assert evening.rule("r1g1", MINE).types == []
        assert evening.rule("r1g1", MINE, by="head_referee").types == ["ResultRuled"]
        assert evening.rule("r1g1", MINE, by="head_referee").types == []

    def test_a_referee_may_think_again_and_the_head_referee_always(self, evening):
        evening.rule("r1g1", MINE)
        assert evening.rule("r1g1", YOURS).status == 201
        evening.rule("r1g1", MINE, by="head_referee")
        assert evening.rule("r1g1", YOURS, by="head_referee").status == 201

    @pytest.mark.clause("FF-STAFF-3")
    def test_what_the_head_referee_ruled_no_referee_changes_in_any_way(self, evening):
        evening.rule("r1g1", MINE, by="head_referee")
        attempts = [evening.rule("r1g1", YOURS), evening.correct("r1g1", YOURS), evening.void("r1g1")]
        assert {answer.code for answer in attempts} == {"ruling-final"}
        assert evening.correct("r1g1", YOURS, preview=True).code == "ruling-final"

    def test_nor_after_the_head_referee_corrected_it(self, evening):
        evening.rule("r1g1", MINE, by="head_referee")
        assert evening.correct("r1g1", YOURS, by="head_referee").status == 201
        assert evening.correct("r1g1", MINE, by="referee").code == "ruling-final"

    @pytest.mark.clause("FF-STAFF-3")
    def test_nor_once_the_round_is_closed(self, evening):
        evening.rule("r1g1", MINE, by="head_referee")
        evening.report("r1g2", MINE)
        evening.close(1)
        assert evening.correct("r1g1", YOURS, by="referee").code == "ruling-final"
        assert evening.correct("r1g2", YOURS, by="referee").status == 201

    @pytest.mark.parametrize("body", [{}, {"facts": MINE}, {"facts": MINE, "reason": ""}, {"reason": "x"}])
    def test_a_ruling_says_what_and_why(self, evening, body):
        assert evening.post("/games/r1g1/ruling", body, "referee").code == "invalid-request"

    def test_a_ruling_is_possible_by_the_rules_too(self, evening):
        assert evening.rule("r1g1", score(100, 50, winner=2)).code == "impossible-result"


class TestOverriding:
    """An organiser gets past a head referee's final ruling one way alone, and everybody sees it."""

    @pytest.fixture
    def evening(self, evening):
        evening.rule("r1g1", MINE, by="head_referee")
        return evening

    @pytest.mark.parametrize("by", ["organiser", "operator"])
    def test_no_ordinary_command_of_an_organiser_does_it(self, evening, by):
        attempts = [evening.rule("r1g1", YOURS, by), evening.correct("r1g1", YOURS, by), evening.void("r1g1", by)]
        assert [(answer.status, answer.code) for answer in attempts] == [(409, "ruling-final")] * 3
        assert all("/override" in answer.body["detail"] for answer in attempts)

    def test_a_command_of_its_own_does_and_is_shown_as_that(self, evening):
        answer = evening.override("r1g1", YOURS)
        assert (answer.status, answer.types) == (201, ["RulingOverridden"])
        shown = evening.game("r1g1")
        assert (shown["status"], shown["ruling"], shown["binds"]) == ("corrected", "organiser", True)
        assert shown["facts"]["points_1"] == 105
        last = evening.get("/games/r1g1/history", by=NOBODY).body["items"][-1]
        assert (last["type"], last["actor_text"]) == ("RulingOverridden", "organiser")
        assert last["data"]["reason"] == "the rule was read wrongly"

    def test_standings_of_a_closed_round_follow(self, evening):
        evening.report("r1g2", MINE)
        evening.close(1)
        assert evening.override("r1g1", YOURS).types == ["RulingOverridden", "StandingsRecorded"]

    def test_then_only_an_organiser_changes_it_and_the_same_way(self, evening):
        evening.override("r1g1", YOURS)
        for by in ("referee", "head_referee", "organiser"):
            assert evening.correct("r1g1", MINE, by).code == "ruling-final"
        assert evening.override("r1g1", YOURS).types == []
        assert evening.override("r1g1", MINE).types == ["RulingOverridden"]

    def test_after_an_appeal_that_was_rejected_too(self, evening):
        evening.rule("r1g2", MINE)
        evening.appeal("r1g2", by="p3")
        evening.reject("r1g2")
        assert evening.correct("r1g2", YOURS, by="organiser").code == "ruling-final"
        assert evening.override("r1g2", YOURS).status == 201

    @pytest.mark.parametrize("by", ["referee", "head_referee", "p1"])
    def test_nobody_else_may(self, evening, by):
        refused = evening.override("r1g1", YOURS, by)
        assert (refused.status, refused.code) == (403, "forbidden")

    def test_it_says_why_and_what_is_possible(self, evening):
        for body in ({"facts": YOURS}, {"facts": YOURS, "reason": ""}):
            assert evening.post("/games/r1g1/override", body).code == "invalid-request"
        assert evening.override("r1g1", score(100, 50, winner=2)).code == "impossible-result"

    def test_only_where_there_is_something_to_override(self, evening):
        assert evening.override("r1g2", MINE).code == "result-missing"
        evening.rule("r1g2", MINE)
        refused = evening.override("r1g2", YOURS)
        assert (refused.status, refused.code, refused.data["status"]) == (409, "ruling-not-final", "ruled")

    def test_an_organiser_who_stands_in_for_a_head_referee_may_think_again(self, evening):
        evening.say("registration", StaffDismissed(staff="s1"))
        evening.rule("r1g2", MINE, by="organiser")
        assert evening.game("r1g2")["ruling"] == "head_referee"
        assert evening.correct("r1g2", YOURS, by="organiser").types == ["ResultCorrected"]
        assert evening.correct("r1g2", MINE, by="referee").code == "ruling-final"


class TestAppeals:
    """With a head referee, a player may appeal another referee's ruling."""

    @pytest.fixture
    def evening(self, evening):
        evening.rule("r1g1", MINE)
        return evening

    @pytest.mark.clause("FF-STAFF-4")
    def test_an_appeal_waits_and_the_ruling_binds_until_then(self, evening):
        assert evening.appeal("r1g1", by="p2").types == ["RulingAppealed"]
        assert evening.appeal("r1g1", by="p2").types == []
        shown = evening.game("r1g1")
        assert (shown["appealed"], shown["binds"]) == (True, True)
        evening.report("r1g2", MINE)
        refused = evening.close(1)
        assert (refused.code, refused.data["games"]) == ("games-open", ["r1g1"])

    def test_the_head_referee_lets_the_ruling_stand(self, evening):
        evening.appeal("r1g1", by="p2")
        assert evening.reject("r1g1").types == ["AppealRejected"]
        shown = evening.game("r1g1")
        assert (shown["appealed"], shown["ruling"], shown["facts"]["points_1"]) == (False, "head_referee", 138)
        assert evening.reject("r1g1").code == "not-appealed"
        assert evening.appeal("r1g1", by="p2").code == "ruling-final"
        assert evening.rule("r1g1", YOURS).code == "ruling-final"

    def test_or_rules_anew(self, evening):
        evening.appeal("r1g1", by="p2")
        assert evening.rule("r1g1", YOURS, by="head_referee").status == 201
        shown = evening.game("r1g1")
        assert (shown["appealed"], shown["ruling"], shown["facts"]["points_1"]) == (False, "head_referee", 105)

    def test_no_referee_makes_an_appeal_go_away(self, evening):
        evening.appeal("r1g1", by="p2")
        attempts = [evening.rule("r1g1", YOURS), evening.correct("r1g1", YOURS), evening.void("r1g1")]
        assert {answer.code for answer in attempts} == {"appeal-open"}
        assert evening.game("r1g1")["appealed"] is True

    def test_referees_do_not_decide_appeals(self, evening):
        evening.appeal("r1g1", by="p2")
        assert evening.reject("r1g1", by="referee").code == "forbidden"

    @pytest.mark.clause("FF-STAFF-4")
    def test_without_a_head_referee_there_is_no_appeal(self, evening, open_floor):
        evening.say("registration", StaffDismissed(staff="s1"))
        answer = evening.appeal("r1g1", by="p2")
        assert (answer.code, answer.data["clause"]) == ("no-head-referee", "AR-STAFF-1")
        told = open_floor(2, ruleset="fallout-factions-comp-1.0", rounds=2)
        told.begin(1, ("p1", "p2"), scenario="Melee")
        told.rule("r1g1", {"points_1": 10, "points_2": 5})
        answer = told.appeal("r1g1", by="p2")
        assert (answer.code, answer.data["clause"]) == ("no-head-referee", "FF-STAFF-4")

    def test_only_a_ruling_is_appealed(self, evening):
        assert evening.appeal("r1g2", by="p3").code == "result-missing"
        evening.report("r1g2", MINE, by="p3")
        assert evening.appeal("r1g2", by="p4").data["status"] == "reported"
        evening.confirm("r1g2", by="p4")
        assert evening.appeal("r1g2", by="p4").data["status"] == "confirmed"

    def test_not_once_the_round_is_closed(self, evening):
        evening.report("r1g2", MINE)
        evening.close(1)
        assert evening.appeal("r1g1", by="p2").code == "round-closed"
        assert evening.reject("r1g1").code == "round-closed"

    def test_an_appeal_says_why(self, evening):
        assert evening.post("/games/r1g1/appeal", {}, "p2").code == "invalid-request"
