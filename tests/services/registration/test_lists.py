"""Players and tournaments as lists: how many there are, by name, venue and status, sorted."""

from __future__ import annotations

import pytest

NAMES = ("Zoë Quinn", "ann Lee", "Émile Zola", "Bob Lee")


@pytest.fixture
def crowd(evening):
    evening.join(*NAMES)
    return evening


def names(answer) -> list[str]:
    assert answer.status == 200, answer
    return [player["name"] for player in answer.body["items"]]


def test_a_page_says_how_many_there_are_in_all(crowd):
    page = crowd.get("/players?limit=3").body
    assert (len(page["items"]), page["total"]) == (3, 4)
    rest = crowd.get(f"/players?limit=3&after={page['next']}").body
    assert (len(rest["items"]), rest["total"], rest["next"]) == (1, 4, None)


def test_players_by_name(crowd):
    assert names(crowd.get("/players?q=lee")) == ["ann Lee", "Bob Lee"]
    assert names(crowd.get("/players?q=ZOLA%20emile")) == ["Émile Zola"]
    nobody = crowd.get("/players?q=nobody").body
    assert (nobody["items"], nobody["next"], nobody["total"]) == ([], None, 0)


def test_players_of_a_venue(crowd):
    crowd.post("/venues", {"name": "Hall B"})
    assert crowd.post("/players", {"name": "Cy", "venue": "v1"}).status == 201
    assert names(crowd.get("/players?venue=v1")) == ["Cy"]


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_sorted_by_name_in_pages(crowd, limit):
    found, after = [], ""
    while True:
        answer = crowd.get(f"/players?sort=name&limit={limit}{after}")
        found += names(answer)
        if answer.body["next"] is None:
            break
        after = f"&after={answer.body['next']}"
    assert found == ["ann Lee", "Bob Lee", "Émile Zola", "Zoë Quinn"]


@pytest.mark.parametrize("query", ["q=", "q=%20", "sort=rank", "limit=501", "venue=a.b"])
def test_invalid_lists_of_players_are_refused(crowd, query):
    assert crowd.get(f"/players?{query}").code == "invalid-request"


def test_a_cursor_of_one_order_is_none_of_another(crowd):
    cursor = crowd.get("/players?sort=name&limit=2").body["next"]
    assert crowd.get(f"/players?limit=2&after={cursor}").code == "invalid-cursor"


def test_tournaments_by_name_and_status(announce):
    club = announce(name="Été des Géants").club
    announce(name="Winter of Giants").post("/cancellation", {"reason": "snow"})

    def listed(query: str):
        return club.ask("GET", f"/tournaments?{query}").body

    assert [one["name"] for one in listed("q=geants%20ete")["items"]] == ["Été des Géants"]
    assert "Winter of Giants" in [one["name"] for one in listed("status=cancelled&limit=500")["items"]]
    everything = listed("limit=1")
    assert everything["total"] > len(everything["items"])
    found = listed("q=giants&limit=1")
    assert (found["total"], found["next"]) == (1, None)
    assert club.ask("GET", "/tournaments?status=lost").code == "invalid-request"


def test_players_as_the_file_of_the_offline_commands(crowd):
    crowd.post("/players", {"name": "+44 Cy", "faction": "rebel", "club": "@home"})
    assert crowd.do("p1", "withdrawal", {}).status == 201
    answer = crowd.get("/players?sort=name", Accept="text/csv")
    assert answer.text.decode().splitlines() == [
        "player,name,faction,venue,club,status,dropped_after",
        "p5,'+44 Cy,rebel,,'@home,,",
        "p2,ann Lee,,,,,",
        "p4,Bob Lee,,,,,",
        "p3,Émile Zola,,,,,",
    ]
    assert len(crowd.get("/players?status=withdrawn", Accept="text/csv").text.splitlines()) == 2
    first = crowd.get("/players?limit=2", Accept="text/csv")
    assert (len(first.text.splitlines()), "Link" in first.headers) == (3, True)


def test_players_that_changed_since(announce):
    """Changed players, players who moved up on the waiting list, and players who no longer match the filter."""
    evening = announce(capacity=2)
    first, *_ = evening.join("Ana", "Ben", "Cy", "Dee")
    before = {rest: evening.get(f"/players?{rest}").body for rest in ("", "status=active", "status=waiting")}
    assert evening.do(first, "withdrawal", {}).status == 201
    change = evening.get(f"/players?since={before['']['version']}").body
    assert [(row["name"], row["status"]) for row in change["items"]] == [
        ("Ana", "withdrawn"),
        ("Cy", "active"),
        ("Dee", "waiting"),
    ]
    assert (change["since"], change["gone"], change["total"]) == (before[""]["version"], [], 4)
    for rest in ("status=active", "status=waiting"):
        change = evening.get(f"/players?{rest}&since={before[rest]['version']}").body
        kept = {row["id"]: row for row in before[rest]["items"] if row["id"] not in change["gone"]}
        now = {row["id"]: row for row in evening.get(f"/players?{rest}").body["items"]}
        assert kept | {row["id"]: row for row in change["items"]} == now


def test_players_since_no_version(crowd, announce):
    other = announce().get("/players").body["version"]
    for wrong in (other, "x", crowd.get("/players?limit=1").body["next"]):
        answer = crowd.get(f"/players?since={wrong}")
        assert (answer.status, answer.code, answer.places) == (400, "invalid-cursor", ["/since"])
    answer = crowd.get(f"/players?since={crowd.get('/players').body['version']}", Accept="text/csv")
    assert answer.code == "not-acceptable"
