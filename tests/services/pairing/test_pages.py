"""The pairings of a round in pages, around a player, by name and table, and as a file."""

from __future__ import annotations

import csv
import io

import pytest

from shared.tournament.registration import PlayerAmended


@pytest.fixture
def pairing(story, serve):
    """Nine players in round 1: four games and a bye."""
    story.join(9)
    served = serve(story)
    assert served.post("/rounds").status_code == 201
    return served


def ids(answer) -> list[str]:
    assert answer.status_code == 200, answer.json
    return [one["id"] for one in answer.json["pairings"]]


def test_a_round_is_complete_unless_a_page_is_requested(pairing):
    whole = pairing.get("/rounds/1").json
    assert (len(whole["pairings"]), whole["total"], whole["next"]) == (5, 5, None)
    first = pairing.get("/rounds/1?limit=2")
    rest = pairing.get(f"/rounds/1?limit=9&after={first.json['next']}")
    assert ids(first) + ids(rest) == [one["id"] for one in whole["pairings"]]
    assert (first.json["total"], rest.json["next"]) == (5, None)
    assert f"after={first.json['next']}" in first.headers["Link"]


def test_the_page_around_either_player_of_a_game(pairing):
    game = pairing.get("/rounds/1").json["pairings"][2]
    for player in (game["player_1"], game["player_2"]):
        assert ids(pairing.get(f"/rounds/1?around={player}&limit=1")) == [game["id"]]
    refused = pairing.get("/rounds/1?around=p99")
    assert (refused.status_code, refused.json["code"]) == (422, "player-unknown")


def test_found_by_name_and_sorted_by_table_with_the_bye_last(pairing):
    assert len(ids(pairing.get("/rounds/1?q=p3"))) == 1
    assert ids(pairing.get("/rounds/1?q=nobody")) == []
    shown = pairing.get("/rounds/1?sort=table").json["pairings"]
    assert [one["table"] for one in shown] == [1, 2, 3, 4, 0]


def test_a_cursor_of_a_round_that_was_paired_again_says_to_begin_again(pairing):
    cursor = pairing.get("/rounds/1?limit=2").json["next"]
    seats = [[one["player_1"], one["player_2"]] for one in pairing.get("/rounds/1").json["pairings"] if one["player_2"]]
    swap = {"swap": [seats[0][1], seats[1][1]], "reason": "brothers"}
    assert pairing.post("/rounds/1/amendments", swap).status_code in (200, 201)
    refused = pairing.get(f"/rounds/1?limit=2&after={cursor}")
    assert (refused.status_code, refused.json["code"], refused.json["data"]) == (
        400,
        "invalid-cursor",
        {"outdated": True},
    )


def test_as_a_file_with_the_columns_of_the_command_line(pairing):
    answer = pairing.get("/rounds/1", Accept="text/csv")
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    assert list(rows[0])[:5] == ["round", "table", "kind", "player_1", "player_2"]
    assert [row["kind"] for row in rows].count("bye") == 1
    (bye,) = [row for row in rows if row["kind"] == "bye"]
    assert (bye["round"], bye["table"], bye["player_2"], bye["wave"]) == ("1", "", "", "")
    assert {row["name_1"] for row in rows} <= {f"P{n}" for n in range(1, 10)}


def test_the_list_of_rounds_in_pages(story, serve):
    story.join(4)
    served = serve(story)
    for number in (1, 2, 3):
        assert served.post("/rounds").status_code == 201
        assert served.post(f"/rounds/{number}/start").status_code == 201
        story.finish(number)
    whole = served.get("/rounds").json
    assert ([round["round"] for round in whole["items"]], whole["total"], whole["next"]) == ([1, 2, 3], 3, None)
    found, after, links = [], "", 0
    for _ in range(3):
        answer = served.get(f"/rounds?limit=1{after}")
        found += answer.json["items"]
        links += "Link" in answer.headers
        assert (answer.json["total"], answer.json["planned"]) == (3, 3)
        after = f"&after={answer.json['next']}"
    assert (found, answer.json["next"], links) == (whole["items"], None, 2)
    cursor = served.get("/rounds?limit=1").json["next"]
    assert [round["round"] for round in served.get(f"/rounds?after={cursor}").json["items"]] == [2, 3]


@pytest.mark.parametrize(
    ("query", "code"), [("limit=0", "invalid-request"), ("after=x", "invalid-cursor"), ("q=1", "invalid-request")]
)
def test_invalid_pages_of_rounds_are_refused(pairing, query, code):
    assert pairing.get(f"/rounds?{query}").json["code"] == code


def test_only_the_pairings_that_changed(pairing):
    """Move a game, rename a player, swap two players."""
    venue = pairing.story.venue("Hall", tables=9)
    before = pairing.get("/rounds/1").json
    known = {one["id"]: one for one in before["pairings"]}
    first, second, third, fourth = [one for one in before["pairings"] if one["kind"] == "game"]
    assert pairing.post(f"/rounds/1/games/{first['id']}/table", {"venue": venue, "table": 7}).status_code == 201
    pairing.story.registration(PlayerAmended(player=second["player_1"], name="Somebody"))
    swap = {"swap": [third["player_1"], fourth["player_1"]], "reason": "friends"}
    amended = pairing.post("/rounds/1/amendments", swap)
    assert amended.status_code == 201, amended.json
    change = pairing.get(f"/rounds/1?since={before['version']}").json
    assert (change["since"], change["total"]) == (before["version"], 5)
    assert {first["id"], second["id"]} <= {one["id"] for one in change["pairings"]}
    brought_up = {id: one for id, one in known.items() if id not in change["gone"]}
    brought_up |= {one["id"]: one for one in change["pairings"]}
    assert brought_up == {one["id"]: one for one in pairing.get("/rounds/1").json["pairings"]}
    assert change["gone"] != []
    assert pairing.get(f"/rounds/1?since={change['version']}").json["pairings"] == []


def test_pairings_since_another_round_came_are_all_of_them(story, serve):
    story.join(4)
    served = serve(story)
    assert served.post("/rounds").status_code == 201
    version = served.get("/rounds/1").json["version"]
    assert served.post("/rounds/1/start").status_code == 201
    story.finish(1)
    assert served.post("/rounds").status_code == 201
    change = served.get(f"/rounds/1?since={version}").json
    assert (change["since"], len(change["pairings"]), change["gone"]) == (None, 2, [])
    assert served.get(f"/rounds/2?since={version}").json["code"] == "invalid-cursor"
    assert served.get(f"/rounds/1?since={change['version']}&limit=1").json["code"] == "invalid-request"
    assert served.get(f"/rounds/1?since={change['version']}", Accept="text/csv").json["code"] == "not-acceptable"
