"""Improbable results must be confirmed and are marked."""

from __future__ import annotations

import pytest

from tests.services.scoring.story import floor, score

WILD = score(1500, 150)


@pytest.fixture
def night(club):
    """Four players in round 1, with a referee and a head referee."""
    night = floor(club, staff=("referee", "head_referee"))
    night.begin(1, ("p1", "p2"), ("p3", "p4"))
    return night


def test_an_improbable_result_is_refused_with_probable_values(night):
    answer = night.report("r1g1", WILD, by="p1")
    assert (answer.status, answer.code, answer.places) == (422, "improbable-result", ["/facts/points_1"])
    fault = answer.faults[0]
    assert (fault["said"], fault["clause"]) == ("1500", "AR-SCN-1")
    assert fault["expected"] == "at most 600: 300 for the other fleet and 300 for objectives"
    assert night.game("r1g1")["status"] == "open"


def test_a_confirmed_improbable_result_is_marked(night):
    answer = night.post("/games/r1g1/result", {"facts": WILD, "improbable": True}, by="p1")
    assert answer.types == ["ResultReported"]
    assert answer.events[0]["data"]["improbable"] is True
    assert night.game("r1g1")["improbable"] is True
    night.report("r1g2", score(200, 150), by="referee")
    assert [game["id"] for game in night.get("/games?improbable=true").body["items"]] == ["r1g1"]
    assert [game["id"] for game in night.get("/games?improbable=false").body["items"]] == ["r1g2"]
    assert night.report("r1g1", WILD, by="p2").types == ["ResultConfirmed"]
    assert night.state.results.results["r1g1"].improbable
    assert night.game("r1g1")["binds"] is True


def test_a_probable_result_is_never_marked(night):
    answer = night.post("/games/r1g1/result", {"facts": score(300, 150), "improbable": True}, by="referee")
    assert "improbable" not in answer.events[0]["data"]
    assert night.game("r1g1")["improbable"] is False


def test_staff_must_confirm_improbable_results_too(night):
    rows = [{"game": "r1g1", "facts": score(200, 150)}, {"game": "r1g2", "facts": score(10, 6000)}]
    answer = night.post("/results", {"results": rows})
    assert (answer.code, answer.places) == ("improbable-result", ["/results/1/facts/points_2"])
    rows[1]["improbable"] = True
    assert night.post("/results", {"results": rows}).status == 201
    assert [night.game(game)["improbable"] for game in ("r1g1", "r1g2")] == [False, True]
    assert night.rule("r1g1", WILD).code == "improbable-result"
    ruling = {"facts": WILD, "reason": "both were heard", "improbable": True}
    assert night.post("/games/r1g1/ruling", ruling, by="referee").types == ["ResultRuled"]
    assert night.game("r1g1")["improbable"] is True
    assert night.correct("r1g1", score(1499, 0)).code == "improbable-result"
    assert night.correct("r1g1", score(1499, 0), preview=True).code == "improbable-result"
    correction = {"facts": score(1499, 0), "reason": "the slip says so", "improbable": True}
    assert night.post("/games/r1g1/correction", correction, by="referee").events[0]["data"]["improbable"] is True
    assert night.correct("r1g1", score(300, 0)).types[0] == "ResultCorrected"
    assert night.game("r1g1")["improbable"] is False


def test_improbable_facts_of_a_dispute_must_be_confirmed(night):
    night.report("r1g1", score(200, 150), by="p1")
    assert night.dispute("r1g1", "p2", WILD).code == "improbable-result"
    body = {"reason": "no", "facts": WILD, "improbable": True}
    assert night.post("/games/r1g1/dispute", body, by="p2").types == ["ResultDisputed"]
    assert night.game("r1g1")["improbable"] is True
    assert night.dispute("r1g1", "p1").types == []
    assert night.rule("r1g1", score(200, 150)).types == ["ResultRuled"]
    assert night.game("r1g1")["improbable"] is False
