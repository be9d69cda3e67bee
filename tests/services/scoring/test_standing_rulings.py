"""Rulings that only their author, an appeal or an override can change."""

from __future__ import annotations

import pytest

from shared.tournament.registration import StaffDismissed
from tests.services.scoring.story import ARMADA, score

FACTIONS = "fallout-factions-comp-1.0"
ONE, TWO = {"points_1": 20, "points_2": 10}, {"points_1": 10, "points_2": 20}
AUTHOR, OTHER, HEAD, ORGANISER = "author", "other", "head_referee", "organiser"


@pytest.fixture
def told(open_floor, club):
    """Round 1 of Factions: a ruling on Ana against Ben; Cy and Dee agree on their result."""
    told = open_floor(4, ruleset=FACTIONS, staff=("head_referee", "referee", "referee"), rounds=2)
    told.begin(1, ("p1", "p2"), ("p3", "p4"), scenario="Melee")
    people = {AUTHOR: club.token("referee", told.id, actor="s2"), OTHER: club.token("referee", told.id, actor="s3")}
    known = told.token
    told.token = lambda by: people.get(by) or known(by)
    told.rule("r1g1", ONE, by=AUTHOR)
    told.report("r1g2", ONE)
    return told


class TestWhoChangesIt:
    """FF-STAFF-3: a referee's decision is final for the rest of the game."""

    @pytest.mark.clause("FF-STAFF-3")
    @pytest.mark.parametrize("by", [OTHER, HEAD])
    def test_another_referee_cannot_replace_a_protected_ruling(self, told, by):
        attempts = [told.rule("r1g1", TWO, by), told.correct("r1g1", TWO, by), told.void("r1g1", by)]
        attempts.append(told.correct("r1g1", TWO, by, preview=True))
        assert [(answer.status, answer.code) for answer in attempts] == [(409, "ruling-stands")] * 4
        assert {(answer.data["by"], answer.data["clause"]) for answer in attempts} == {("s2", "FF-STAFF-3")}
        assert told.game("r1g1")["facts"]["points_1"] == 20

    @pytest.mark.clause("FF-STAFF-3")
    def test_the_author_can_correct_a_protected_ruling(self, told):
        assert told.correct("r1g1", TWO, AUTHOR).types == ["ResultCorrected"]
        assert told.correct("r1g1", ONE, OTHER).code == "ruling-stands"
        assert told.correct("r1g1", ONE, AUTHOR).status == 201

    @pytest.mark.clause("FF-STAFF-3", "FF-STAFF-4")
    def test_the_head_referee_can_replace_it_on_appeal(self, told):
        told.appeal("r1g1", by="p2")
        assert told.rule("r1g1", TWO, OTHER).code == "appeal-open"
        assert told.correct("r1g1", TWO, AUTHOR).code == "appeal-open"
        assert told.override("r1g1", TWO).code == "appeal-open"
        assert told.rule("r1g1", TWO, HEAD).types == ["ResultRuled"]
        assert (told.game("r1g1")["ruling"], told.game("r1g1")["appealed"]) == ("head_referee", False)
        assert told.correct("r1g1", ONE, AUTHOR).code == "ruling-final"

    @pytest.mark.clause("FF-STAFF-3")
    @pytest.mark.parametrize("by", [ORGANISER, "operator"])
    def test_an_organiser_can_override_it(self, told, by):
        attempts = [told.rule("r1g1", TWO, by), told.correct("r1g1", TWO, by), told.void("r1g1", by)]
        assert {answer.code for answer in attempts} == {"ruling-stands"}
        assert told.post("/games/r1g1/override", {"facts": TWO}, by).code == "invalid-request"
        assert told.override("r1g1", TWO, by).types == ["RulingOverridden"]
        assert told.correct("r1g1", ONE, AUTHOR).code == "ruling-stands"

    @pytest.mark.clause("FF-STAFF-3")
    def test_a_protected_ruling_in_a_closed_round_stays_protected(self, told):
        told.close(1)
        assert told.correct("r1g1", TWO, OTHER).code == "ruling-stands"
        assert told.correct("r1g1", TWO, HEAD).code == "ruling-stands"
        assert told.override("r1g1", TWO).types == ["RulingOverridden", "StandingsRecorded"]

    def test_a_correction_of_a_confirmed_result_is_a_protected_ruling(self, told):
        assert told.correct("r1g2", TWO, AUTHOR).status == 201
        assert told.correct("r1g2", ONE, OTHER).code == "ruling-stands"
        assert told.override("r1g2", ONE).status == 201

    def test_a_result_without_a_ruling_is_corrected_and_not_overridden(self, told):
        assert told.override("r1g2", TWO).code == "ruling-not-final"
        assert told.correct("r1g2", TWO, OTHER).status == 201

    def test_without_a_head_referee_only_author_and_organiser_change_a_ruling(self, told):
        told.say("registration", StaffDismissed(staff="s1"))
        assert told.appeal("r1g1", by="p2").code == "no-head-referee"
        assert told.rule("r1g1", TWO, OTHER).code == "ruling-stands"
        assert told.override("r1g1", TWO).status == 201


class TestTheRightToAppeal:
    """FF-STAFF-4: a ruling can be appealed unless the head referee changed it."""

    @pytest.mark.clause("FF-STAFF-4")
    def test_an_appeal_is_possible_after_a_correction_by_the_author(self, told):
        told.correct("r1g1", TWO, AUTHOR)
        refused = told.post("/games/r1g1/dispute", {"reason": "no"}, "p1")
        assert (refused.code, "appeal" in refused.body["detail"]) == ("result-settled", True)
        assert told.appeal("r1g1", by="p1").types == ["RulingAppealed"]
        assert told.reject("r1g1").status == 201
        assert told.appeal("r1g1", by="p1").code == "ruling-final"

    @pytest.mark.clause("FF-STAFF-4")
    def test_an_appeal_is_impossible_after_an_override(self, told):
        told.override("r1g1", TWO)
        assert told.appeal("r1g1", by="p1").types == ["RulingAppealed"]
        assert told.correct("r1g1", ONE, HEAD).types == ["ResultCorrected"]
        assert told.game("r1g1")["ruling"] == "head_referee"
        assert told.appeal("r1g1", by="p2").code == "ruling-final"

    @pytest.mark.clause("FF-STAFF-4")
    def test_an_appeal_is_possible_after_a_referees_correction(self, told):
        told.correct("r1g2", TWO, AUTHOR)
        assert told.appeal("r1g2", by="p3").types == ["RulingAppealed"]

    @pytest.mark.clause("FF-STAFF-4")
    def test_an_appeal_is_impossible_after_a_head_referees_correction(self, told):
        told.correct("r1g2", TWO, HEAD)
        assert told.appeal("r1g2", by="p3").code == "ruling-final"

    @pytest.mark.clause("AR-STAFF-1")
    def test_in_armada_another_judges_correction_can_be_appealed(self, open_floor, club):
        told = open_floor(2, ruleset=ARMADA, staff=("head_referee", "referee", "referee"), rounds=2)
        told.begin(1, ("p1", "p2"))
        told.rule("r1g1", score(138, 105), club.token("referee", told.id, actor="s2"))
        other = club.token("referee", told.id, actor="s3")
        assert told.correct("r1g1", score(105, 138), other).status == 201
        assert told.appeal("r1g1", by="p1").types == ["RulingAppealed"]
        assert told.correct("r1g1", score(138, 105), other).code == "appeal-open"
