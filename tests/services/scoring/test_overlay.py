"""The overlay for video streams."""

from __future__ import annotations

from typing import Any

import pytest

from shared.tournament.registration import PlayerMoved, Table, VenueOpened
from shared.tournament.rounds import ClockExtended, Seat
from tests.services.scoring.story import Floor, score


@pytest.fixture
def hall(open_floor) -> Floor:
    """Six players at two venues with two tables each, in round 1. p5 and p6 are at `v2`."""
    told = open_floor(6)
    tables = [Table(table=1), Table(table=2)]
    told.say(
        "registration",
        *[VenueOpened(venue=venue, name=f"Hall {venue}", tables=tables) for venue in ("v1", "v2")],
        *[PlayerMoved(player=f"p{n}", venue="v1" if n < 5 else "v2") for n in range(1, 7)],
    )
    seats = [
        Seat(game="r1g1", kind="game", player_1="p1", player_2="p2", venue="v1", table=2),
        Seat(game="r1g2", kind="game", player_1="p3", player_2="p4", venue="v1", table=1),
        Seat(game="r1g3", kind="game", player_1="p5", player_2="p6", venue="v2", table=1),
    ]
    told.paired_as(1, *seats)
    told.started(1)
    return told


def overlay(told: Floor, rest: str = "", **headers: str) -> dict[str, Any]:
    answer = told.get("/overlay" + rest, **headers)
    assert answer.status == 200, answer
    return answer.body


def test_an_overlay_before_the_first_round_has_no_tables(open_floor):
    shown = overlay(open_floor(2))
    assert (shown["round"], shown["tables"]) == (None, [])
    assert [row["player"] for row in shown["standings"]["items"]] != []


def test_tables_are_ordered_and_show_players_and_clock(hall):
    shown = overlay(hall)
    assert [(game["venue"], game["table"], game["game"]) for game in shown["tables"]] == [
        ("v1", 1, "r1g2"),
        ("v1", 2, "r1g1"),
        ("v2", 1, "r1g3"),
    ]
    round = shown["round"]
    assert (round["status"], round["games"], round["open"]) == ("started", 3, 3)
    assert round["started_at"] < round["ends_at"]
    standings = hall.get("/standings").body
    assert shown["standings"]["items"] == standings["items"]
    ranks = {row["player"]: row["rank"] for row in standings["items"]}
    for game in shown["tables"]:
        assert "score" not in game
        for [player] in game["sides"]:
            assert (player["rank"], player["name"]) == (
                ranks[player["player"]],
                hall.state.entries.players[player["player"]].name,
            )


def test_an_overlay_of_one_table_of_a_venue(hall):
    hall.say(
        "pairing",
        ClockExtended(round=1, game="r1g3", minutes=10, ends_at="2026-03-01T13:00:00.000Z", reason="a fall"),
    )
    shown = overlay(hall, "?venue=v2&table=1")
    assert [game["game"] for game in shown["tables"]] == ["r1g3"]
    assert shown["tables"][0]["ends_at"] > shown["round"]["ends_at"]
    assert (shown["round"]["games"], shown["standings"]["total"]) == (1, 2)
    assert {row["player"] for row in shown["standings"]["items"]} == {"p5", "p6"}
    assert [game["venue"] for game in overlay(hall, "?table=1")["tables"]] == ["v1", "v2"]
    assert overlay(hall, "?table=7")["tables"] == []


def test_a_result_appears_at_its_table_and_in_the_standings(hall):
    assert hall.rule("r1g2", score(100, 40)).status == 201
    shown = overlay(hall, "?top=1")
    [game] = shown["tables"]
    assert (game["status"], game["binds"], game["score"]["outcome_1"]) == ("ruled", True, "win")
    assert game["sides"][0][0]["rank"] == 1
    assert [row["player"] for row in shown["standings"]["items"]] == ["p3"]
    assert (shown["round"]["open"], shown["standings"]["total"]) == (2, 6)


def test_an_overlay_is_small_and_cacheable(hall):
    answer = hall.get("/overlay?top=2", by="")
    assert len(answer.text) < 3000
    assert answer.headers["Cache-Control"] == "public, max-age=2"
    again = hall.get("/overlay?top=2", by="", If_None_Match=answer.headers["ETag"])
    assert (again.status, again.headers["Cache-Control"]) == (304, "public, max-age=2")
    assert hall.get("/overlay?top=2").headers["Cache-Control"] == "private, no-cache"


def test_the_overlay_of_a_private_tournament_is_not_cacheable(open_floor):
    told = open_floor(2, visibility="private")
    assert told.get("/overlay", by="").status == 404
    assert told.get("/overlay").headers["Cache-Control"] == "private, no-cache"


def test_invalid_overlay_queries_are_refused(hall):
    answer = hall.get("/overlay?venue=v9")
    assert (answer.status, answer.code, answer.places) == (422, "venue-unknown", ["/venue"])
    for query in ("top=0", "top=51", "table=0", "table=x", "clock=1", "venue="):
        assert hall.get(f"/overlay?{query}").code == "invalid-request"
