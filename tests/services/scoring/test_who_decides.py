"""The roles that rule, have the final word and decide appeals in each ruleset; judges who play."""

from __future__ import annotations

import pytest

from shared.tournament.registration import StaffEntered
from tests.services.scoring.story import ARMADA, score

FALLOUT, DUST = "fallout-factions-comp-1.0", "dust-warfare-1.0"
STAFF = ("referee", "head_referee", "organiser", "operator")
FACTS = {
    ARMADA: [score(138, 105), score(105, 138)],
    FALLOUT: [{"points_1": 20, "points_2": 10}, {"points_1": 10, "points_2": 20}],
    DUST: [{"winner": 1, "points_1": 90, "points_2": 50}, {"winner": 2, "points_1": 50, "points_2": 90}],
}


@pytest.fixture
def begun(open_floor):
    """Return a function that opens round 1 of a ruleset: Ana against Ben, Cy against Dee."""

    def begin(ruleset, *staff):
        told = open_floor(4, ruleset=ruleset, staff=staff, rounds=2)
        told.begin(1, ("p1", "p2"), ("p3", "p4"), scenario="Melee" if ruleset == FALLOUT else "")
        return told

    return begin


@pytest.mark.parametrize(
    ("ruleset", "roles"),
    [
        pytest.param(ARMADA, list(STAFF), marks=pytest.mark.clause("AR-STAFF-1")),
        pytest.param(FALLOUT, list(STAFF), marks=pytest.mark.clause("FF-STAFF-2", "FF-STAFF-3")),
        pytest.param(DUST, ["organiser", "operator"], marks=pytest.mark.clause("DW-STAFF-1", "DW-AMB-15")),
    ],
)
def test_the_roles_that_rule_and_correct(begun, ruleset, roles):
    told = begun(ruleset, "referee")
    one, two = FACTS[ruleset]
    told.report("r1g2", one)
    may = {"rule": [], "correct": []}
    for number, role in enumerate(STAFF):
        if told.rule("r1g1", (one, two)[number % 2], by=role).code != "not-your-decision":
            may["rule"].append(role)
        if told.correct("r1g2", (one, two)[number % 2], by=role).code != "not-your-decision":
            may["correct"].append(role)
    assert may == {"rule": roles, "correct": roles}
    for operation in ("rule_result", "correct_result", "void_result"):
        assert told.club.deciders(operation, ruleset) == sorted(roles)
        assert set(roles) <= set(told.club.operations[operation]["x-roles"])


@pytest.mark.clause("AR-STAFF-1", "FF-STAFF-4", "DW-STAFF-1")
@pytest.mark.parametrize("ruleset", [ARMADA, FALLOUT, DUST])
def test_the_documentation_lists_the_roles_that_decide_appeals(begun, ruleset):
    told = begun(ruleset, "head_referee", "referee")
    may = [role for role in STAFF if told.reject("r1g1", by=role).code not in ("not-your-decision", "forbidden")]
    assert told.club.deciders("reject_appeal", ruleset) == sorted(may)


@pytest.mark.clause("DW-STAFF-1", "AR-STAFF-1", "FF-STAFF-4")
def test_openapi_lists_the_roles_under_each_ruleset(club):
    for name, question in (
        ("rule_result", "rulings"),
        ("correct_result", "rulings"),
        ("void_result", "rulings"),
        ("reject_appeal", "final"),
    ):
        operation = club.operations[name]
        said = operation["x-decided-by"]
        assert said["question"] == question
        assert said["rulesets"]["dust-warfare-1.0"] == ["operator", "organiser"]
        assert "`dust-warfare-1.0`: operator, organiser" in operation["description"]
        assert set(said["otherwise"]) <= set(operation["x-roles"])
    assert club.operations["reject_appeal"]["x-decided-by"]["rulesets"][ARMADA] == ["head_referee"]


@pytest.mark.clause("DW-FOR-1", "DW-STAFF-1")
def test_the_organiser_decides_forfeits_in_dust_warfare(begun):
    told = begun(DUST, "referee")
    forfeit = {"kind": "forfeit", "conceded_by": 2, "points_1": 150}
    refused = told.report("r1g1", forfeit, by="referee")
    assert (refused.code, refused.data["roles"]) == ("not-your-decision", ["organiser"])
    assert refused.body["detail"] == "In Dust Warfare this is settled by: Tournament Organizer."
    assert "Tournament Organizer" in told.report("r1g1", forfeit, by="p1").body["detail"]
    assert told.report("r1g1", FACTS[DUST][0], by="referee").status == 201
    assert told.report("r1g2", forfeit, by="organiser").status == 201


@pytest.mark.clause("AR-STAFF-1", "FF-STAFF-4")
@pytest.mark.parametrize("ruleset", [ARMADA, FALLOUT])
def test_the_head_judge_decides_appeals_of_an_organisers_ruling(begun, ruleset):
    told = begun(ruleset, "head_referee", "referee")
    one, two = FACTS[ruleset]
    told.rule("r1g1", one, by="organiser")
    assert told.appeal("r1g1", by="p2").types == ["RulingAppealed"]
    assert told.reject("r1g1", by="organiser").code == "not-your-decision"
    assert told.rule("r1g1", two, by="organiser").code == "appeal-open"
    assert told.reject("r1g1", by="head_referee").status == 201
    assert told.correct("r1g1", two, by="organiser").code == "ruling-final"


@pytest.mark.clause("AR-STAFF-1", "DW-STAFF-1")
@pytest.mark.parametrize(("ruleset", "level"), [(ARMADA, "head_referee"), (DUST, "organiser")])
def test_without_a_head_referee_the_organisers_ruling_is_final(begun, ruleset, level):
    told = begun(ruleset)
    told.rule("r1g1", FACTS[ruleset][0], by="organiser")
    assert told.game("r1g1")["ruling"] == level
    assert told.appeal("r1g1", by="p2").code == "ruling-final"


class TestOwnGames:
    """AR-AMB-20: another judge decides on the games of a judge who plays."""

    @pytest.fixture
    def judge(self, club):
        return lambda told: club.token("head_referee", told.id, actor="s1")

    @pytest.mark.clause("AR-AMB-20")
    def test_armada_judges_cannot_decide_on_their_own_game(self, begun, judge):
        told = begun(ARMADA, "head_referee", "referee")
        told.say("registration", StaffEntered(staff="s1", player="p1"))
        one, two = FACTS[ARMADA]
        by = judge(told)
        assert told.report("r1g1", one, by=by).code == "own-game"
        told.report("r1g1", one, by="p1")
        assert told.confirm("r1g1", by=by).code == "own-game"
        told.dispute("r1g1", by="p2")
        refused = told.rule("r1g1", one, by=by)
        assert (refused.status, refused.code, refused.data["clause"]) == (403, "own-game", "AR-AMB-20")
        assert told.rule("r1g1", two, by="referee").status == 201
        told.appeal("r1g1", by="p1")
        assert told.reject("r1g1", by=by).code == "own-game"
        assert told.void("r1g1", by=by).code == "own-game"
        assert told.rule("r1g2", one, by=by).status == 201

    @pytest.mark.clause("FF-STAFF-1", "FF-STAFF-5")
    def test_in_factions_one_person_may_hold_all_roles(self, begun, judge):
        told = begun(FALLOUT, "head_referee")
        told.say("registration", StaffEntered(staff="s1", player="p1"))
        assert told.rule("r1g1", FACTS[FALLOUT][0], by=judge(told)).status == 201
