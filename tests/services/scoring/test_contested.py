"""Games with an open dispute or appeal, and the games of one table."""

from __future__ import annotations

import pytest

from tests.services.scoring.story import floor, score

MINE, YOURS = score(138, 105), score(105, 138)


@pytest.fixture
def night(club):
    """Four players in round 1, with a referee and a head referee."""
    night = floor(club, staff=("referee", "head_referee"))
    night.begin(1, ("p1", "p2"), ("p3", "p4"))
    return night


def contested(night):
    """Return the ids of games that wait for a referee."""
    answer = night.get("/games?contested=true").body
    others = [game["id"] for game in night.get("/games?contested=false").body["items"]]
    assert answer["total"] == len(answer["items"]) == 2 - len(others)
    return [game["id"] for game in answer["items"]]


def test_a_dispute_waits_until_a_referee_rules(night):
    night.report("r1g2", MINE, by="p3")
    assert contested(night) == []
    assert "contest" not in night.game("r1g2")
    night.dispute("r1g2", by="p4")
    waits = night.game("r1g2")["contest"]
    assert (waits["kind"], waits["player"], waits["reason"]) == ("dispute", "p4", "that is not how it was")
    assert waits["at"] == night.get("/games/r1g2/history").body["items"][-1]["time"]
    assert contested(night) == ["r1g2"]
    night.dispute("r1g2", by="p4", facts=YOURS)
    assert night.game("r1g2")["contest"]["at"] == waits["at"], "it has waited since the first word"
    night.rule("r1g2", YOURS)
    assert contested(night) == []
    assert "contest" not in night.game("r1g2")


def test_an_appeal_waits_until_the_head_referee_decides(night):
    for answered in (lambda: night.reject("r1g1"), lambda: night.rule("r1g2", MINE, by="head_referee")):
        game, player = ("r1g1", "p2") if not night.state.results.results else ("r1g2", "p4")
        night.rule(game, MINE)
        night.appeal(game, by=player)
        waits = night.game(game)["contest"]
        assert (waits["kind"], waits["player"], waits["reason"]) == ("appeal", player, "the card says otherwise")
        assert contested(night) == [game]
        answered()
        assert contested(night) == []


def test_a_voided_result_is_no_longer_contested(night):
    night.report("r1g1", MINE, by="p1")
    night.dispute("r1g1", by="p2")
    night.void("r1g1")
    assert contested(night) == []


def test_games_of_a_table_are_listed_for_all_rounds(night):
    table = night.game("r1g1")["table"]
    found = night.get(f"/games?round=all&table={table}").body
    assert [game["id"] for game in found["items"]] == [
        game["id"] for game in night.get("/games").body["items"] if game["table"] == table
    ]
    assert night.get("/games?table=10000").body["items"] == []
    for wrong in ("0", "10001", "x", "1.5"):
        assert night.get(f"/games?table={wrong}").status == 422
