"""Calls of judges to tables: who may call, see, take and answer a call; privacy."""

from __future__ import annotations

import pytest

from services.pairing.calls import CallJudge
from shared.log.cloudevents import from_wire
from tests.services.drafted import everything_read
from tests.services.pairing.stories import Story

TEXT = "is this wall an obstruction"
"""Stands in a call, and nowhere else."""
STRANGERS = ("", "integration", "spare", "p2", "p3")


@pytest.fixture
def pairing(serve):
    """Five players in two venues; round 1 has begun: two games, and a bye."""
    story = Story()
    story.venue(tables=4)
    story.venue("Cellar", tables=4)
    story.join(5, venue="v1")
    asked = serve(story)
    by_hand = [
        {"player_1": "p1", "player_2": "p2", "table": 1},
        {"player_1": "p3", "player_2": "p4", "table": 2},
        {"player_1": "p5"},
    ]
    assert asked.post("/rounds", {"pairings": by_hand, "reason": "as they came"}).status_code == 201
    assert asked.post("/rounds/1/start").status_code == 201
    return asked


def bearer(pairing, who):
    """Return the header of a role or of a player id; none for an empty role."""
    if not who:
        return {}
    if who[0] == "p" and who[1:].isdigit():
        return {"Authorization": f"Bearer {pairing.token('player', player=who)}"}
    return {"Authorization": f"Bearer {pairing.token(who)}"}


def call(pairing, who="p1", game="r1g1", **said):
    return pairing.post("/calls", {"game": game, **said}, **bearer(pairing, who))


def listed(pairing, who="referee", query=""):
    return pairing.get(f"/calls{query}", **bearer(pairing, who)).json["items"]


def log_of(pairing, role=""):
    lines = pairing.get("/log?source=pairing", role=role).get_data().splitlines()
    return [from_wire(line) for line in lines]


def test_a_player_calls_a_judge_who_comes_and_answers(pairing):
    called = call(pairing, reason="rules", text=TEXT)
    assert (called.status_code, called.json["id"]) == (201, "c1")
    assert called.headers["Location"].endswith("/calls/c1")
    (shown,) = listed(pairing)
    assert [shown[name] for name in ("table", "venue_name", "caller_name", "reason", "text", "status")] == [
        *(1, "Hall", "P1", "rules", TEXT, "waiting")
    ]
    assert [one["name"] for one in shown["players"]] == ["P1", "P2"]
    assert pairing.post("/calls/c1/taking", role="referee").status_code == 201
    assert listed(pairing, "p1")[0]["status"] == "taken"
    assert pairing.post("/calls/c1/answer", {"answer": "No."}, role="referee").status_code == 201
    mine = pairing.get("/calls/c1", **bearer(pairing, "p1")).json
    assert (mine["status"], mine["answer"], mine["referee"]) == ("answered", "No.", "s1")
    assert call(pairing).json["id"] == "c2", "it can be called again"


def test_a_second_call_to_a_table_is_refused_with_the_open_one(pairing):
    call(pairing)
    for who in ("p1", "p2", "referee"):
        again = call(pairing, who)
        assert (again.status_code, again.json["code"], again.json["data"]["call"]) == (
            409,
            "judge-already-called",
            "c1",
        )
    assert call(pairing, "p3", "r1g2").json["id"] == "c2"


def test_the_same_request_twice_is_one_call(pairing):
    first, second = (
        pairing.post("/calls", {"game": "r1g1"}, Idempotency_Key="k-1", **bearer(pairing, "p1")) for _ in range(2)
    )
    assert first.json["id"] == second.json["id"] == "c1"
    assert len(listed(pairing)) == 1


@pytest.mark.parametrize(
    ("who", "game", "status", "code"),
    [
        ("p3", "r1g1", 403, "not-your-table"),
        ("spare", "r1g1", 403, "not-your-table"),
        ("p5", "r1g3", 409, "no-table-to-call-to"),
        ("p1", "r9g9", 422, "game-unknown"),
        ("referee", "r9g9", 422, "game-unknown"),
    ],
)
def test_a_call_to_another_table_or_a_bye_is_refused(pairing, who, game, status, code):
    refused = call(pairing, who, game)
    assert (refused.status_code, refused.json["code"]) == (status, code)


@pytest.mark.parametrize("said", [{"reason": "hunger"}, {"text": "x" * 201}, {"text": 7}, {"judge": "s1"}])
def test_a_call_of_another_shape(pairing, said):
    assert call(pairing, **said).status_code == 422


def test_no_call_is_possible_without_a_round_or_after_it_is_closed(pairing, serve):
    pairing.story.finish(1)
    refused = call(pairing)
    assert (refused.status_code, refused.json["code"]) == (409, "round-closed")
    empty = serve(Story())
    assert call(empty, "referee").json["code"] == "game-unknown"


def test_the_second_referee_learns_who_took_the_call(pairing):
    call(pairing)
    one, two = (f"Bearer {pairing.token_of('referee', pairing.story.staff(name, 'referee'))}" for name in "AB")
    assert pairing.post("/calls/c1/taking", Authorization=one).status_code == 201
    assert pairing.post("/calls/c1/taking", Authorization=one).json["events"] == []
    late = pairing.post("/calls/c1/taking", Authorization=two)
    assert (late.status_code, late.json["code"], late.json["data"]["referee"]) == (409, "call-taken", "s1")
    late = pairing.post("/calls/c1/answer", {"answer": "No."}, Authorization=two)
    assert (late.status_code, late.json["code"]) == (409, "call-taken")
    assert pairing.post("/calls/c1/answer", {"answer": "Yes."}, role="head_referee").status_code == 201
    over = pairing.post("/calls/c1/answer", {"answer": "No."}, Authorization=one)
    assert (over.status_code, over.json["code"], over.json["data"]["answer"]) == (409, "call-over", "Yes.")
    again = pairing.post("/calls/c1/answer", {"answer": "Yes."}, role="head_referee")
    assert (again.status_code, again.json["events"]) == (201, [])


def test_a_page_that_is_older_than_the_call_is_refused_by_its_version(pairing):
    call(pairing)
    etag = call(pairing, "p3", "r1g2").headers["ETag"]
    taken = pairing.post("/calls/c1/taking", role="referee", If_Match=etag)
    assert taken.status_code == 201
    answer = {"answer": "No."}
    for stale in (etag, '"pairing-4"'):
        assert pairing.post("/calls/c1/answer", answer, role="referee", If_Match=stale).status_code == 412
    assert pairing.post("/calls/c1/answer", answer, role="referee", If_Match=taken.headers["ETag"]).status_code == 201


def test_only_the_caller_and_staff_can_withdraw_a_call(pairing):
    call(pairing)
    for who in ("p2", "p3"):
        refused = pairing.post("/calls/c1/withdrawal", **bearer(pairing, who))
        assert (refused.status_code, refused.json["code"]) == (404, "call-unknown")
    assert pairing.post("/calls/c1/withdrawal", **bearer(pairing, "p1")).status_code == 201
    over = pairing.post("/calls/c1/taking", role="referee")
    assert (over.status_code, over.json["code"], over.json["data"]["status"]) == (409, "call-over", "withdrawn")
    call(pairing)
    assert pairing.post("/calls/c2/withdrawal", role="referee").status_code == 201
    assert pairing.post("/calls/c9/taking", role="referee").json["code"] == "call-unknown"


def test_staff_of_one_venue_act_there_alone(pairing):
    call(pairing)
    elsewhere = f"Bearer {pairing.token_of('referee', pairing.story.staff('C', 'referee', 'v2'))}"
    for rest, body in (("/c1/taking", None), ("/c1/answer", {"answer": "No."}), ("/c1/withdrawal", None)):
        refused = pairing.post(f"/calls{rest}", body, Authorization=elsewhere)
        assert (refused.status_code, refused.json["code"]) == (403, "other-venue")
    assert pairing.post("/calls", {"game": "r1g2"}, Authorization=elsewhere).json["code"] == "other-venue"


def test_a_list_is_cut_by_venue_status_and_page_in_the_order_they_came(pairing):
    call(pairing, "p3", "r1g2")
    call(pairing, "p1", "r1g1")
    pairing.post("/calls/c1/taking", role="referee")
    pairing.post("/calls/c1/answer", {"answer": "No."}, role="referee")
    call(pairing, "p4", "r1g2")
    assert [one["id"] for one in listed(pairing)] == ["c1", "c2", "c3"]
    assert [one["id"] for one in listed(pairing, query="?status=open")] == ["c2", "c3"]
    assert [one["id"] for one in listed(pairing, query="?status=answered")] == ["c1"]
    assert listed(pairing, query="?venue=v2") == []
    assert len(listed(pairing, query="?venue=v1")) == 3
    assert [one["id"] for one in listed(pairing, query="?game=r1g2")] == ["c1", "c3"]
    assert listed(pairing, "p1", "?game=r1g2") == []
    first = pairing.get("/calls?limit=2", role="referee")
    assert (len(first.json["items"]), first.json["total"]) == (2, 3)
    rest = pairing.get(f"/calls?limit=2&after={first.json['next']}", role="referee").json
    assert ([one["id"] for one in rest["items"]], rest["next"]) == (["c3"], None)
    assert pairing.get("/calls?status=lost", role="referee").status_code == 422


def read_by(pairing, token):
    """Return all that a role can read, except the running clock."""
    pages = everything_read(pairing.app, pairing.story.id, token)
    return {address: answer for address, answer in pages.items() if "/clock" not in address}


@pytest.mark.parametrize("who", STRANGERS)
def test_other_players_cannot_see_a_call(pairing, who):
    token = bearer(pairing, who).get("Authorization", "").removeprefix("Bearer ")
    before = read_by(pairing, token)
    assert len(before) > 20
    call(pairing, reason="dispute", text=TEXT)
    pairing.post("/calls/c1/taking", role="referee")
    pairing.post("/calls/c1/answer", {"answer": TEXT}, role="referee")
    assert read_by(pairing, token) == before
    assert pairing.get("/calls/c1", **bearer(pairing, who)).status_code in (401, 403, 404)
    assert TEXT not in pairing.get("/log?source=pairing", **bearer(pairing, who)).text
    for reader in ("p1", "organiser", "service"):
        assert TEXT not in pairing.get("/log?source=pairing", **bearer(pairing, reader)).text, "it is in no log"


def test_calls_of_one_player_are_limited(pairing, monkeypatch):
    monkeypatch.setattr("services.pairing.calls.MAX_CALLS", 2)
    for number in (1, 2):
        assert call(pairing).json["id"] == f"c{number}"
        pairing.post(f"/calls/c{number}/withdrawal", **bearer(pairing, "p1"))
    refused = call(pairing)
    assert (refused.status_code, refused.json["code"]) == (409, "quota-reached")
    assert call(pairing, "referee").status_code == 201


def test_a_preview_of_a_call_leaves_no_trace(pairing):
    shown = pairing.post("/calls?preview=true", {"game": "r1g1"}, **bearer(pairing, "p1"))
    assert (shown.status_code, shown.json["events"]) == (200, [])
    assert listed(pairing) == []
    assert CallJudge.__name__ not in pairing.get("/log?source=pairing", role="organiser").text
