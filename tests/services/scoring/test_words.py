"""The words of a ruleset over HTTP: accepted and shown, but never recorded."""

from __future__ import annotations

import pytest

DUST = "dust-warfare-1.0"


@pytest.fixture
def told(open_floor):
    told = open_floor(4, ruleset=DUST, rounds=2)
    told.begin(1, ("p1", "p2"), ("p3", "p4"))
    return told


@pytest.mark.clause("DW-RES-1")
@pytest.mark.parametrize("word", ["tie", "Tie", "draw"])
def test_a_reported_tie_is_recorded_as_a_draw(told, word):
    assert told.report("r1g1", {"winner": word, "points_1": 50, "points_2": 60}, by="p1").status == 201
    game = told.game("r1g1")
    assert (game["facts"]["winner"], game["score"]["outcome_1"]) == ("draw", "draw")


def test_players_may_report_the_same_draw_in_different_words(told):
    told.report("r1g1", {"winner": "tie", "points_1": 50, "points_2": 60}, by="p1")
    told.report("r1g1", {"winner": "draw", "points_1": 50, "points_2": 60}, by="p2")
    assert told.game("r1g1")["status"] == "confirmed"


@pytest.mark.parametrize("word", ["remis", "Draws"])
def test_an_unknown_word_is_refused_with_the_right_one(told, word):
    refused = told.report("r1g1", {"winner": word, "points_1": 50, "points_2": 60}, by="p1")
    assert (refused.code, refused.places) == ("impossible-result", ["/facts/winner"])
    assert refused.body["errors"][0]["expected"] == "1, 2 or tie"


def test_tie_is_refused_in_other_games(open_floor):
    told = open_floor(2)
    told.begin(1, ("p1", "p2"))
    refused = told.report("r1g1", {"winner": "tie", "points_1": 50, "points_2": 60, "end": "rounds"})
    assert refused.body["errors"][0]["expected"] == "1, 2 or draw"


def test_standings_name_what_settles_a_tie(told):
    for game in ("r1g1", "r1g2"):
        told.report(game, {"winner": "tie", "points_1": 50, "points_2": 50})
    told.close(1)
    shown = told.get("/standings?round=1").body
    assert {row["tied"] for row in shown["items"]} == {True}
    assert shown["words"] == {"tied": "coin flip", "match_points": "match points", "break_points": "break points"}
