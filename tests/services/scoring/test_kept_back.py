"""Standings that are published on purpose: results are public, and how they rank is not until staff say so."""

from __future__ import annotations

import pytest

from shared.events.cloudevents import from_line
from shared.events.recorded import Hidden
from tests.services.drafted import everything_read
from tests.services.scoring.story import score

STRANGERS = ["", "player", "integration"]


@pytest.fixture
def floor(open_floor):
    """Round 1 of Armada is being played; standings are kept back."""
    told = open_floor(4, staff=("head_referee", "referee"), on_purpose=["standings"])
    told.begin(1, ("p1", "p2"), ("p3", "p4"))
    return told


def token(floor, role):
    player = "p1" if role == "player" else None
    return floor.club.token(role, floor.id, player=player) if role else ""


def ranked(floor, role):
    """Whatever tells somebody of standings."""
    pages = everything_read(floor.club.app, floor.id, token(floor, role))
    return {address: answer for address, answer in pages.items() if "standing" in address}


def types_hidden(floor, role):
    text = floor.club.ask("GET", f"/tournaments/{floor.id}/log", token=token(floor, role)).text
    return [event.type for event in map(from_line, text.splitlines()) if isinstance(event, Hidden)]


@pytest.mark.parametrize("role", STRANGERS)
def test_everybody_but_staff_sees_the_standings_of_before(floor, role):
    before = ranked(floor, role)
    assert len(before) >= 2
    floor.play(1, (200, 100), (150, 140))
    assert ranked(floor, role) == before
    assert floor.club.ask("GET", f"/tournaments/{floor.id}/games/r1g1", token=token(floor, role)).body["binds"]
    assert types_hidden(floor, role) == ["StandingsRecorded"]
    assert floor.standings()[0].startswith("Ana"), "staff see them"
    assert floor.post("/standings/publication", by="head_referee").types == ["StandingsPublished"]
    shown = floor.club.ask("GET", f"/tournaments/{floor.id}/standings", token=token(floor, role)).body
    assert (shown["round"], shown["items"][0]["name"], shown["provisional"]) == (1, "Ana", False)
    assert types_hidden(floor, role) == []


def test_a_player_who_previews_a_report_is_not_told_what_it_would_move(floor):
    shown = floor.post("/games/r1g1/result?preview=true", {"facts": score(200, 100)}, by="p1")
    assert "standings" not in shown.body["moves"]
    told = floor.post("/games/r1g1/result?preview=true", {"facts": score(200, 100)}, by="referee")
    assert "standings" in told.body["moves"]


def test_what_was_published_stays_and_a_correction_of_it_is_seen(floor):
    floor.play(1, (200, 100), (150, 140))
    floor.post("/standings/publication", by="head_referee")
    floor.begin(2, ("p1", "p3"), ("p2", "p4"))
    floor.report("r2g1", score(10, 300))
    shown = floor.club.ask("GET", f"/tournaments/{floor.id}/standings").body
    assert (shown["round"], shown["items"][0]["name"]) == (1, "Ana")
    floor.correct("r1g1", score(100, 200))
    assert types_hidden(floor, "") == []
    assert floor.club.ask("GET", f"/tournaments/{floor.id}/standings").body["items"][0]["name"] == "Ben"
    floor.report("r2g2", score(100, 90))
    assert floor.close(2).status == 201
    assert types_hidden(floor, "") == ["StandingsRecorded"]
    assert floor.club.ask("GET", f"/tournaments/{floor.id}/standings?round=2").code == "round-unknown"


def test_the_end_publishes_what_is_kept_back(floor):
    floor.play(1, (200, 100), (150, 140))
    ended = floor.conclude("the hall closes")
    assert ended.types == ["StandingsPublished", "TournamentConcluded"]
    assert types_hidden(floor, "") == []
    assert floor.club.ask("GET", f"/tournaments/{floor.id}/standings").body["final"] is True


def test_there_has_to_be_something_to_publish(floor):
    assert floor.post("/standings/publication").code == "round-not-closed"
    floor.play(1, (200, 100), (150, 140))
    assert floor.post("/standings/publication", by="referee").status == 403
    assert floor.post("/standings/publication").status == 201
    assert floor.post("/standings/publication").code == "standings-already-published"


def test_the_feed_repeats_them_behind_their_publication(floor):
    address = f"/feed?tournament={floor.id}&limit=500"
    floor.play(1, (200, 100), (150, 140))
    first = floor.club.ask("GET", address)
    assert "StandingsRecorded" not in [event["type"] for event in first.lines]
    floor.post("/standings/publication")
    news = floor.club.ask("GET", f"{address}&after={first.headers['Muster-Feed-Cursor']}").lines
    assert [event["type"] for event in news] == ["StandingsPublished", "StandingsRecorded"]


def test_staff_and_others_have_tags_of_their_own(floor):
    floor.play(1, (200, 100), (150, 140))
    address = f"/tournaments/{floor.id}/standings"
    assert floor.club.ask("GET", address).headers["ETag"] != floor.get("/standings").headers["ETag"]
