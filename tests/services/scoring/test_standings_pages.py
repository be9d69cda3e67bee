"""Pages, filters and sort orders of standings and games."""

from __future__ import annotations

from itertools import pairwise

import pytest

from shared.tournament.registration import PlayerAmended, PlayerJoined, VenueOpened
from tests.services.scoring.story import Floor, score


@pytest.fixture
def large(open_floor) -> Floor:
    """Twelve players at two venues after one round; every second one is at `v2`."""
    told = open_floor(2)
    told.say(
        "registration",
        *[VenueOpened(venue=venue, name=f"Hall {venue}", tables=[]) for venue in ("v1", "v2")],
        *[PlayerJoined(player=f"p{n}", name=f"Zoë {n:02}", venue=f"v{1 + n % 2}") for n in range(3, 13)],
    )
    told.begin(1, *[(f"p{n}", f"p{n + 1}") for n in range(1, 13, 2)])
    for n in range(1, 7):
        assert told.report(f"r1g{n}", score(10 * n, 0)).status == 201
    assert told.close(1).status == 201
    return told


def players(answer) -> list[str]:
    assert answer.status == 200, answer
    return [row["player"] for row in answer.body["items"]]


def test_all_rows_are_returned_without_a_limit(large):
    shown = large.get("/standings").body
    assert (len(shown["items"]), shown["total"], shown["next"]) == (12, 12, None)


@pytest.mark.parametrize("limit", [1, 5, 12, 500])
def test_pages_contain_every_row_once(large, limit):
    found, after = [], ""
    while True:
        answer = large.get(f"/standings?limit={limit}{after}")
        found += answer.body["items"]
        assert answer.body["total"] == 12
        assert ("Link" in answer.headers) == (answer.body["next"] is not None)
        if answer.body["next"] is None:
            break
        after = f"&after={answer.body['next']}"
    assert found == large.get("/standings").body["items"]


def test_a_page_contains_the_draws_of_its_players(large):
    whole = large.get("/standings?round=1").body
    page = large.get("/standings?round=1&limit=6").body
    assert page["draws"] == []
    last = large.get("/standings?round=1&around=p8&limit=1").body
    assert len(whole["draws"]) > 1
    assert last["draws"] == [draw for draw in whole["draws"] if "p8" in draw["order"]] != []


@pytest.mark.parametrize(
    ("place", "limit", "first"), [(0, 3, 0), (1, 3, 0), (6, 3, 5), (6, 4, 5), (11, 5, 7), (3, 50, 0)]
)
def test_the_page_around_a_player(large, place, limit, first):
    order = players(large.get("/standings"))
    page = large.get(f"/standings?around={order[place]}&limit={limit}")
    assert players(page) == order[first : first + limit]
    if page.body["next"]:
        rest = large.get(f"/standings?limit=500&after={page.body['next']}")
        assert players(rest) == order[first + limit :]


def test_filters_do_not_change_ranks(large):
    ranks = {row["player"]: row["rank"] for row in large.get("/standings").body["items"]}
    shown = large.get("/standings?venue=v2").body
    assert {row["player"] for row in shown["items"]} == {"p3", "p5", "p7", "p9", "p11"}
    assert (shown["total"], {row["player"]: row["rank"] for row in shown["items"]}.items() <= ranks.items()) == (
        5,
        True,
    )
    assert sorted(players(large.get("/standings?q=zoe%201"))) == ["p10", "p11", "p12"]
    assert players(large.get("/standings?q=ANA")) == ["p1"]
    assert players(large.get("/standings?status=dropped")) == []
    names = [row["name"] for row in large.get("/standings?sort=name&limit=4").body["items"]]
    assert names == ["Ana", "Ben", "Zoë 03", "Zoë 04"]


def test_a_page_around_an_unlisted_player_is_refused(large):
    for query in ("around=p99", "around=p4&venue=v2"):
        answer = large.get(f"/standings?{query}")
        assert (answer.status, answer.code, answer.places) == (422, "player-unknown", ["/around"])


@pytest.mark.parametrize("query", ["limit=0", "limit=501", "limit=x", "around=", "q=", "sort=points", "status=gone"])
def test_invalid_page_queries_are_refused(large, query):
    assert large.get(f"/standings?{query}").code == "invalid-request"


def test_a_cursor_and_around_exclude_each_other(large):
    cursor = large.get("/standings?limit=2").body["next"]
    answer = large.get(f"/standings?around=p1&after={cursor}")
    assert (answer.code, answer.places) == ("invalid-request", ["/around"])


def test_invalid_cursors_are_refused(large):
    cursor = large.get("/standings?limit=2").body["next"]
    for query in (f"round=1&after={cursor}", f"venue=v2&after={cursor}", f"after={cursor[:-1]}", "after=x", "after="):
        answer = large.get(f"/standings?{query}")
        assert (answer.status, answer.code, answer.places) == (400, "invalid-cursor", ["/after"])
    assert large.get(f"/games?after={cursor}").code == "invalid-cursor"


def test_a_cursor_of_an_old_version_is_refused(large):
    cursor = large.get("/standings?limit=2").body["next"]
    large.say("registration", PlayerAmended(player="p2", name="Benjamin"))
    assert large.get(f"/standings?limit=2&after={cursor}").status == 200  # the order is the same
    large.say("registration", PlayerJoined(player="p13", name="Late"))
    answer = large.get(f"/standings?limit=2&after={cursor}")
    assert (answer.status, answer.code, answer.data) == (400, "invalid-cursor", {"outdated": True})
    assert answer.faults[0]["expected"].startswith("nothing, to begin again")


def test_games_have_a_total_and_filters_by_player_and_name(large):
    assert large.get("/games?limit=2").body["total"] == 6
    found = large.get("/games?player=p4").body
    assert ([game["id"] for game in found["items"]], found["total"]) == (["r1g2"], 1)
    assert [game["id"] for game in large.get("/games?q=zoe%2012").body["items"]] == ["r1g6"]


def test_games_are_sorted_by_table_with_byes_last(open_floor):
    told = open_floor(5)
    told.begin(1, ("p5",), ("p1", "p2"), ("p3", "p4"))
    tables = [(game["table"], game["kind"]) for game in told.get("/games?sort=table").body["items"]]
    assert tables[-1] == (0, "bye")
    first = told.get("/games?sort=table&limit=2").body
    rest = told.get(f"/games?sort=table&limit=2&after={first['next']}").body
    assert [game["id"] for game in first["items"] + rest["items"]] == ["r1g2", "r1g3", "r1g1"]
    assert all(one["table"] < two["table"] for one, two in pairwise(first["items"]))
    assert told.get(f"/games?limit=2&after={first['next']}").code == "invalid-cursor"
