"""Standings that are held back until staff publish them."""

from __future__ import annotations

import pytest

from shared.tournament.registration import TournamentAmended
from tests.auditing import decided_again
from tests.services.drafted import everything_read
from tests.services.scoring.story import score

STRANGERS = ["", "player", "integration"]


@pytest.fixture
def floor(open_floor):
    """Round 1 of Armada in progress; standings are held back."""
    told = open_floor(4, staff=("head_referee", "referee"), on_purpose=["standings"])
    told.begin(1, ("p1", "p2"), ("p3", "p4"))
    return told


def token(floor, role):
    player = "p1" if role == "player" else None
    return floor.club.token(role, floor.id, player=player) if role else ""


def ranked(floor, role):
    """Return every answer that depends on standings."""
    pages = everything_read(floor.club.app, floor.id, token(floor, role))
    return {address: answer for address, answer in pages.items() if "standing" in address}


def recordings(floor):
    """Return the number of recorded standings in scoring's log."""
    return [event.type for event in floor.log].count("StandingsRecorded")


def failures(floor):
    """Return the findings of an audit of scoring's log."""
    return decided_again({source: floor.club.log(floor.id, source) for source in floor.club.sources}, "scoring")


@pytest.mark.parametrize("role", STRANGERS)
def test_only_staff_see_standings_that_are_held_back(floor, role):
    before = ranked(floor, role)
    assert len(before) >= 2
    floor.play(1, (200, 100), (150, 140))
    assert ranked(floor, role) == before
    assert floor.club.ask("GET", f"/tournaments/{floor.id}/games/r1g1", token=token(floor, role)).body["binds"]
    assert recordings(floor) == 0
    assert floor.standings()[0].startswith("Ana"), "staff see them"
    told = floor.get("/standings").body
    assert floor.get("/standings?round=1").body["items"] == told["items"]
    published = floor.post("/standings/publication", by="head_referee")
    assert published.types == ["StandingsRecorded"]
    assert [row["player"] for row in published.events[0]["data"]["rows"]] == [row["player"] for row in told["items"]]
    shown = floor.club.ask("GET", f"/tournaments/{floor.id}/standings", token=token(floor, role)).body
    assert (shown["round"], shown["items"], shown["provisional"]) == (1, told["items"], False)
    assert failures(floor) == []


def test_a_players_preview_hides_standings_that_are_held_back(floor):
    shown = floor.post("/games/r1g1/result?preview=true", {"facts": score(200, 100)}, by="p1")
    assert "standings" not in shown.body["moves"]
    told = floor.post("/games/r1g1/result?preview=true", {"facts": score(200, 100)}, by="referee")
    assert "standings" in told.body["moves"]


def test_a_correction_of_published_standings_is_public(floor):
    floor.play(1, (200, 100), (150, 140))
    floor.post("/standings/publication", by="head_referee")
    floor.begin(2, ("p1", "p3"), ("p2", "p4"))
    floor.report("r2g1", score(10, 300))
    shown = floor.club.ask("GET", f"/tournaments/{floor.id}/standings").body
    assert (shown["round"], shown["items"][0]["name"]) == (1, "Ana")
    assert floor.correct("r1g1", score(100, 200)).types == ["ResultCorrected", "StandingsRecorded"]
    assert floor.club.ask("GET", f"/tournaments/{floor.id}/standings").body["items"][0]["name"] == "Ben"
    floor.report("r2g2", score(100, 90))
    assert floor.close(2).status == 201
    assert recordings(floor) == 2
    assert floor.club.ask("GET", f"/tournaments/{floor.id}/standings?round=2").code == "round-unknown"


def test_a_conclusion_publishes_standings(floor):
    floor.play(1, (200, 100), (150, 140))
    ended = floor.conclude("the hall closes")
    assert ended.types == ["StandingsRecorded", "TournamentConcluded"]
    assert failures(floor) == []
    assert floor.club.ask("GET", f"/tournaments/{floor.id}/standings").body["final"] is True


def test_publishing_requires_standings_that_are_held_back(floor):
    assert floor.post("/standings/publication").code == "round-not-closed"
    floor.play(1, (200, 100), (150, 140))
    assert floor.post("/standings/publication", by="referee").status == 403
    assert floor.post("/standings/publication").status == 201
    assert floor.post("/standings/publication").code == "standings-already-published"


def test_the_feed_contains_published_standings(floor):
    address = f"/feed?tournament={floor.id}&limit=500"
    floor.play(1, (200, 100), (150, 140))
    first = floor.club.ask("GET", address)
    assert "StandingsRecorded" not in [event["type"] for event in first.lines]
    floor.post("/standings/publication")
    news = floor.club.ask("GET", f"{address}&after={first.headers['Muster-Feed-Cursor']}").lines
    assert [event["type"] for event in news] == ["StandingsRecorded"]


def test_staff_and_the_public_have_different_etags(floor):
    floor.play(1, (200, 100), (150, 140))
    address = f"/tournaments/{floor.id}/standings"
    assert floor.club.ask("GET", address).headers["ETag"] != floor.get("/standings").headers["ETag"]


def test_a_correction_of_unpublished_standings_records_nothing(floor):
    floor.play(1, (200, 100), (150, 140))
    before = floor.get("/standings?round=1").body["items"]
    previewed = floor.correct("r1g1", score(100, 200), preview=True).body["moves"]["standings"]
    assert (previewed["rounds_recorded_anew"], floor.get("/standings?round=1").body["items"]) == ([1], before)
    assert floor.correct("r1g1", score(100, 200)).types == ["ResultCorrected"]
    assert floor.get("/standings?round=1").body["items"][0]["name"] == "Ben"
    floor.begin(2, ("p1", "p3"), ("p2", "p4"))
    for game in ("r2g1", "r2g2"):
        floor.report(game, score(100, 90))
    floor.close(2)
    published = floor.post("/standings/publication")
    assert published.types == ["StandingsRecorded", "StandingsRecorded"]
    assert [event["data"]["round"] for event in published.events] == [1, 2]
    assert failures(floor) == []


def test_a_reopened_round_has_no_standings(floor):
    floor.play(1, (200, 100), (150, 140))
    assert floor.reopen(1).status == 201
    assert floor.post("/standings/publication").code == "round-not-closed"
    assert floor.get("/standings?round=1").code == "round-not-closed"
    assert floor.close(1).types == ["RoundClosed"]
    assert floor.post("/standings/publication").types == ["StandingsRecorded"]


def test_the_next_closing_records_all_if_holding_back_ends(floor):
    floor.play(1, (200, 100), (150, 140))
    floor.say("registration", TournamentAmended(on_purpose=[]))
    assert floor.club.ask("GET", f"/tournaments/{floor.id}/standings?round=1").code == "round-unknown"
    floor.begin(2, ("p1", "p3"), ("p2", "p4"))
    for game in ("r2g1", "r2g2"):
        floor.report(game, score(100, 90))
    closed = floor.close(2)
    assert closed.types == ["StandingsRecorded", "StandingsRecorded", "RoundClosed"]
    assert floor.club.ask("GET", f"/tournaments/{floor.id}/standings?round=1").status == 200
    assert failures(floor) == []


@pytest.mark.parametrize("reuse_draws", [False, True])
def test_ties_are_drawn_when_the_round_closes(open_floor, reuse_draws):
    told = open_floor(
        4,
        ruleset="fallout-factions-comp-1.0",
        rounds=3,
        options={"reuse_draws": reuse_draws},
        staff=("head_referee", "referee"),
        on_purpose=["standings"],
    )
    seen = []
    for round in (1, 2):
        told.begin(round, ("p1", "p2"), ("p3", "p4"), scenario="Melee")
        for game in ("g1", "g2"):
            told.report(f"r{round}{game}", {"points_1": 10, "points_2": 10})
        assert told.close(round).types == ["RoundClosed"]
        if round == 1:
            wanted = [row["player"] for row in told.get("/standings?round=1").body["items"]][::-1]
            body = {"order": wanted, "reason": "a bottle cap"}
            assert told.post("/rounds/1/coin", body, "head_referee").types == ["CoinEntered"]
        seen.append(told.get(f"/standings?round={round}").body["items"])
        assert told.get("/standings").body["items"] == seen[-1]
    first, second = ([row["player"] for row in rows] for rows in seen)
    assert first == wanted
    assert first == second or not reuse_draws
    assert told.post("/standings/publication").status == 201
    assert [told.get(f"/standings?round={round}").body["items"] for round in (1, 2)] == seen
    assert failures(told) == []
