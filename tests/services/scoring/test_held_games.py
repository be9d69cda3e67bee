"""Games that wait for a player's list can only be recorded as unplayed."""

from __future__ import annotations

import pytest

from shared.tournament.registration import RosterAccepted, RosterRejected, RosterSubmitted
from tests.services.scoring.story import score

FACTIONS, DUST, ARMADA = "fallout-factions-comp-1.0", "dust-warfare-1.0", "star-wars-armada-1.1"
PLAYED = {
    FACTIONS: {"points_1": 12, "points_2": 8},
    DUST: {"winner": 1, "points_1": 150, "points_2": 50},
    ARMADA: score(200, 100),
}


@pytest.fixture
def waiting(open_floor):
    """A round of two games, in which the list of p3 is not accepted."""

    def opened(ruleset: str):
        tier = {"tier": "competitive"} if ruleset == ARMADA else {}
        told = open_floor(4, ruleset=ruleset, staff=("head_referee", "referee"), **tier)
        told.say("registration", RosterSubmitted(player="p3", roster={}))
        told.paired(1, ("p1", "p2"), ("p3", "p4"), scenario="Melee" if ruleset == FACTIONS else "")
        told.started(1, "p3")
        return told

    return opened


@pytest.mark.clause("FF-REG-3")
@pytest.mark.parametrize(("ruleset", "clause"), [(FACTIONS, "FF-REG-3"), (DUST, "DW-REG-3"), (ARMADA, "AR-REG-1")])
@pytest.mark.parametrize("by", ["p3", "p4", "referee"])
def test_a_held_game_cannot_be_reported(waiting, ruleset, clause, by):
    told = waiting(ruleset)
    refused = told.report("r1g2", PLAYED[ruleset], by)
    assert (refused.status, refused.code) == (409, "game-held")
    (lack,) = refused.data["players"]
    assert (lack["player"], lack["reason"]) == ("p3", "roster_not_accepted")
    assert refused.faults[0]["clause"] == lack["clause"] == clause
    assert refused.faults[0]["expected"] == "staff who accept the list, or reject it"
    assert told.game("r1g2")["held"]
    assert not told.game("r1g1")["held"]
    assert told.report("r1g1", PLAYED[ruleset]).status == 201
    ruler = "organiser" if ruleset == DUST else "referee"
    assert told.rule("r1g2", PLAYED[ruleset], ruler).code == "game-held"
    assert told.close(1).data == {"games": ["r1g2"]}


@pytest.mark.clause("FF-REG-3")
@pytest.mark.parametrize("ruleset", [FACTIONS, DUST, ARMADA])
def test_an_accepted_list_releases_the_game(waiting, ruleset):
    told = waiting(ruleset)
    told.say("registration", RosterAccepted(player="p3"))
    assert not told.game("r1g2")["held"]
    assert told.report("r1g2", PLAYED[ruleset]).status == 201
    told.say("registration", RosterRejected(player="p3", note="seen too late"))
    assert not told.game("r1g2")["held"], "what was played stands"
    assert told.report("r1g1", PLAYED[ruleset]).status == 201
    assert told.close(1).status == 201


@pytest.mark.clause("FF-REG-3", "FF-AMB-14")
@pytest.mark.parametrize("way", ["result", "ruling"])
def test_staff_can_record_a_held_game_as_unplayed(waiting, way):
    told = waiting(FACTIONS)
    facts = {"kind": "no_show", "conceded_by": 1}
    assert (told.report if way == "result" else told.rule)("r1g2", facts).status == 201
    game = told.game("r1g2")
    assert not game["held"]
    assert game["score"]["values_2"] == {"tournament_points": 2, "scenario_points": 13, "search_tokens": 0}
    assert told.report("r1g1", PLAYED[FACTIONS]).status == 201
    assert told.close(1).status == 201
    assert told.standings(1)[-1] == "Cy 0/0/0"


def test_players_cannot_record_a_held_game_as_unplayed(waiting):
    assert waiting(FACTIONS).report("r1g2", {"kind": "no_show", "conceded_by": 1}, "p4").code == "staff-only"


def test_a_held_game_among_several_results_is_refused_with_its_row(waiting):
    told = waiting(FACTIONS)
    rows = [{"game": game, "facts": PLAYED[FACTIONS]} for game in ("r1g1", "r1g2")]
    refused = told.post("/results", {"results": rows}, "referee")
    assert refused.code == "game-held"
    assert refused.places == ["/results/1/facts/kind"]
