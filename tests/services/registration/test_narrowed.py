"""Tokens that are for less than their role may do: reading alone, some types of events, the events of one venue."""

from __future__ import annotations

import pytest

from tests.services.registration.story import FLEET, Evening, announced


@pytest.fixture(scope="module")
def club(new_club):
    return new_club("registration")


@pytest.fixture(scope="module")
def evening(club) -> Evening:
    """Two halls, a player at each, and one who is nowhere yet."""
    evening = announced(club, pairing_scope="venue", visibility="private")
    evening.venue("North")
    evening.venue("South")
    evening.join("Ana", venue="v1")
    evening.join("Ben", venue="v2")
    evening.join("Cy")
    return evening


def types(answer) -> list[str]:
    assert answer.status == 200, answer
    return [line["type"].rpartition(".")[2] for line in answer.lines]


@pytest.mark.parametrize("role", ["organiser", "operator", "referee"])
def test_a_token_for_reading_alone_commands_nothing(club, evening, role):
    token = club.token(role, evening.id, reading=True)
    assert evening.get("/players", token).status == 200
    refused = evening.post("/players", {"name": "Dee"}, token)
    assert (refused.status, refused.code, refused.data) == (403, "token-narrowed", {"reading": True})
    assert len(evening.names("active")) == 3


def test_a_token_for_some_types_reads_these_events_and_nothing_else(club, evening):
    token = club.token("integration", types=["PlayerJoined", "VenueOpened"])
    assert set(types(club.ask("GET", "/log", token=token))) == {"PlayerJoined", "VenueOpened"}
    assert types(evening.get("/log", token)) == ["VenueOpened"] * 2 + ["PlayerJoined"] * 3
    for path in ("/players", "", "/heads", "/players/csv"):
        refused = evening.get(path, token)
        assert (refused.status, refused.code) == (403, "token-narrowed")
        assert refused.data == {"types": ["PlayerJoined", "VenueOpened"]}
    assert club.ask("GET", "/metrics", token=token).code == "token-narrowed"


def test_positions_count_what_is_left_out(club, evening):
    token = club.token("integration", types=["PlayerJoined"])
    whole = club.ask("GET", "/log", token=club.token("integration"))
    found, after = [], 0
    while True:
        page = club.ask("GET", f"/log?limit=2&after={after}", token=token)
        found += page.lines
        assert page.headers["Muster-Feed-End"] == whole.headers["Muster-Feed-End"]
        if "Link" not in page.headers:
            break
        after += 2
    assert [line["feedposition"] for line in found] == [
        line["feedposition"] for line in whole.lines if line["type"].endswith("PlayerJoined")
    ]
    assert all("signature" in line for line in found)


def test_a_token_for_a_venue_reads_what_is_about_it_and_what_is_about_none(club, evening):
    token = club.token("integration", venue="v1")
    lines = evening.get("/log", token).lines
    about = [line["data"].get("name") for line in lines]
    assert about == ["Club night", "North", "Ana", "Cy"]
    whole = club.ask("GET", "/log?limit=5000", token=token).lines
    assert [line["data"].get("name") for line in whole if line["tournament"] == evening.id] == about


def test_one_for_a_venue_and_some_types_is_for_what_is_both(club, evening):
    token = club.token("integration", venue="v2", types=["PlayerJoined"])
    assert [line["data"]["name"] for line in evening.get("/log", token).lines] == ["Ben", "Cy"]


def test_a_roster_that_is_not_open_is_not_for_who_is_for_one_venue(club):
    evening = announced(club)
    evening.join("Ana")
    assert evening.do("p1", "roster", {"roster": FLEET}).status == 201
    assert evening.get("/players/p1/roster", club.token("integration")).status == 200
    assert evening.get("/players/p1/roster", club.token("integration", venue="v1")).code == "rosters-hidden"


def test_one_for_a_tournament_reads_its_log_and_no_feed(club, evening):
    other = announced(club, visibility="private")
    token = club.token("integration", evening.id)
    assert evening.get("/log", token).status == 200
    assert other.get("/log", token).code == "tournament-unknown"
    assert club.ask("GET", "/log", token=token).code == "wrong-tournament"
