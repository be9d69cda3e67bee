"""Rounds that are published on purpose: drafted, seen by staff alone, published, taken back."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from shared.log.cloudevents import from_wire
from shared.log.log import verify
from shared.tournament import results
from shared.tournament.draws import ABOUT_SECRETS
from tests.services.drafted import everything_read
from tests.services.pairing.stories import Story

WHY = "kept as a surprise"
"""Stands in whatever was drafted by hand, and nowhere else."""
BY_HAND = {"pairings": [{"player_1": f"p{n}", "player_2": f"p{n + 4}"} for n in range(1, 5)], "reason": WHY}
STRANGERS = ("", "player", "spare", "integration")


@pytest.fixture
def pairing(serve):
    """Eight players of a tournament that shows its rounds on purpose; nothing is paired yet."""
    story = Story(on_purpose=["rounds"])
    story.venue(tables=12)
    story.join(8)
    served = serve(story)
    served.commit()
    return served


@pytest.fixture
def drafted(pairing):
    """Round 1 is drafted by hand."""
    answer = pairing.post("/rounds", BY_HAND)
    assert answer.status_code == 201
    return pairing


def pages(pairing, role):
    """Return all that a role can read of the tournament."""
    return everything_read(pairing.app, pairing.story.id, pairing.token(role) if role else "")


def whole_log(pairing, role=""):
    return [from_wire(line) for line in pairing.get("/log?source=pairing", role=role).get_data().splitlines()]


def log_of(pairing, role=""):
    """The log without the events about secrets, which follow every round."""
    return [event for event in whole_log(pairing, role) if event.type not in ABOUT_SECRETS]


@pytest.mark.parametrize("role", STRANGERS)
def test_only_staff_see_a_draft(pairing, role):
    pairing.copy_from_story()
    before = pages(pairing, role)
    assert len(before) > 20
    assert pairing.post("/rounds", BY_HAND).status_code == 201
    assert pages(pairing, role) == before
    moved = {"table": 9, "reason": WHY}
    assert pairing.post("/rounds/1/games/r1g1/table", moved).status_code == 201
    assert pages(pairing, role) == before
    assert pairing.post("/rounds/1/withdrawal", {"reason": WHY}).status_code == 201
    assert pages(pairing, role) == before


@pytest.mark.parametrize("role", ["organiser", "head_referee", "referee", "operator", "service"])
def test_staff_and_services_see_it(drafted, role):
    shown = drafted.get("/rounds/1", role=role).json
    assert (shown["status"], shown["reason"], len(shown["pairings"])) == ("draft", WHY, 4)


def test_staff_of_another_tournament_are_strangers(drafted):
    elsewhere = drafted.token("organiser", tournament="t-other")
    assert drafted.get("/rounds/1", Authorization=f"Bearer {elsewhere}").status_code == 404
    assert WHY not in drafted.get("/log", Authorization=f"Bearer {elsewhere}").text


@pytest.mark.parametrize("role", [*STRANGERS, "organiser", "service"])
def test_the_log_has_nothing_of_a_round_until_it_is_published(drafted, role):
    assert [event.type for event in whole_log(drafted, role)] == ["DrawsCommitted"]
    assert drafted.post("/rounds/1/publication").status_code == 201
    verify(whole_log(drafted, role))
    shown = log_of(drafted, role)
    assert [event.type for event in shown] == ["PairingsDrawn", "RoundPaired"]
    assert json.loads(shown[1].data)["reason"] == WHY


def test_a_published_round_says_what_was_changed_by_hand(drafted):
    """Changes record actor, time, reason and former pairings; undone in reverse order they give the first pairings."""
    first = {one["id"]: one for one in drafted.get("/rounds/1", role="organiser").json["pairings"]}
    drafted.post("/rounds/1/amendments", {"swap": ["p1", "p2"], "reason": "brothers"})
    drafted.post("/rounds/1/games/r1g3/table", {"table": 9, "reason": "a step"})
    drafted.post("/rounds/1/publication")
    drawn, paired = (json.loads(event.data) for event in log_of(drafted))
    swapped, moved = paired["changes"]
    assert swapped["actor"] == {"actor": "someone", "role": "organiser"}
    assert (swapped["reason"], moved["reason"]) == ("brothers", "a step")
    assert swapped["time"].endswith("Z")
    seats = {seat["game"]: seat for seat in drawn["pairings"]}
    for change in reversed(paired["changes"]):
        for seat in change["after"]:
            del seats[seat["game"]]
        seats |= {seat["game"]: seat for seat in change["before"]}
    assert {game: (seat["player_1"], seat["player_2"], seat["table"]) for game, seat in seats.items()} == {
        game: (one["player_1"], one["player_2"], one["table"]) for game, one in first.items()
    }
    assert [seat["table"] for seat in drawn["pairings"] if seat["game"] == "r1g3"] == [9]


def test_the_same_request_twice_makes_one_draft_with_one_answer(pairing):
    first, again = (pairing.post("/rounds", BY_HAND, Idempotency_Key="k-1") for _ in range(2))
    assert (first.status_code, first.json["id"], first.json["events"]) == (201, "1", [])
    assert again.json == first.json
    other = pairing.post("/rounds", {**BY_HAND, "reason": "another"}, Idempotency_Key="k-1")
    assert (other.status_code, other.json["code"]) == (422, "idempotency-key-reused")


def test_two_who_change_a_draft_at_once_both_have_their_change(drafted):
    """The second is decided again on what the first has made of it."""
    with ThreadPoolExecutor(2) as pool:
        tables = {"r1g1": 9, "r1g2": 10}
        moves = [
            pool.submit(drafted.post, f"/rounds/1/games/{game}/table", {"table": table})
            for game, table in tables.items()
        ]
        assert [move.result().status_code for move in moves] == [201, 201]
    shown = drafted.get("/rounds/1", role="organiser").json["pairings"]
    assert {one["id"]: one["table"] for one in shown if one["id"] in tables} == tables


def test_a_draft_that_came_back_with_an_older_database_counts_for_nothing(drafted):
    """Its round was published, or another was paired since: the log says so, and the draft is not shown."""
    with drafted.database.reading() as connection:
        (row,) = connection.rows(
            "SELECT * FROM private_rows WHERE tournament = :id AND kind = 'round'", id=drafted.story.id
        )
    drafted.post("/rounds/1/publication")
    drafted.post("/rounds/1/withdrawal", {"reason": WHY})
    with drafted.database.writing() as connection:
        what = "body = :body, revision = 9, due_at = :due"
        sql = f"UPDATE private_rows SET {what} WHERE tournament = :id AND kind = 'round'"
        connection.run(sql, body=row[-1], due="2020-01-01T00:00:00.000Z", id=drafted.story.id)
        connection.run("UPDATE private_heads SET revision = 9 WHERE tournament = :id", id=drafted.story.id)
    assert drafted.get("/rounds/1", role="organiser").status_code == 404
    assert drafted.post("/rounds/1/publication").json["code"] == "round-unknown"
    assert drafted.post("/rounds").status_code == 201


def test_published_it_is_a_round_like_any_other(drafted):
    refused = drafted.post("/rounds/1/start")
    assert (refused.status_code, refused.json["code"]) == (409, "round-not-published")
    published = drafted.post("/rounds/1/publication")
    assert [event["type"] for event in published.json["events"]] == ["PairingsDrawn", "RoundPaired"]
    assert drafted.get("/rounds/1").json["status"] == "paired"
    assert drafted.get("/players/p1/pairing", role="player").status_code == 200
    amended = drafted.post("/rounds/1/amendments", {"swap": ["p1", "p2"], "reason": "a mistake"})
    assert amended.status_code == 201
    assert drafted.post("/rounds/1/start").status_code == 201
    again = drafted.post("/rounds/1/publication")
    assert (again.status_code, again.json["code"]) == (409, "round-already-published")


def test_a_draft_that_was_withdrawn_leaves_nothing_in_the_log(drafted):
    assert drafted.post("/rounds/1/withdrawal", {"reason": WHY}).status_code == 201
    gone = drafted.post("/rounds/1/publication")
    assert (gone.status_code, gone.json["code"]) == (404, "round-unknown")
    assert drafted.post("/rounds").status_code == 201
    assert drafted.post("/rounds/1/publication").status_code == 201
    assert [event.type for event in log_of(drafted)] == ["PairingsDrawn", "RoundPaired"]
    assert WHY not in drafted.get("/log").text


def test_a_published_round_is_withdrawn_publicly_and_drafted_again(drafted):
    drafted.post("/rounds/1/publication")
    assert drafted.post("/rounds/1/repairing", {"reason": WHY}).status_code == 201
    assert [event.type for event in log_of(drafted)] == ["PairingsDrawn", "RoundPaired", "RoundWithdrawn"]
    assert drafted.get("/rounds").json["items"] == []
    assert drafted.get("/rounds/1", role="organiser").json["status"] == "draft"


def test_only_those_who_pair_publish_and_a_stale_version_is_refused(drafted):
    for role, status in (("", 401), ("player", 403), ("referee", 403), ("integration", 403)):
        assert drafted.post("/rounds/1/publication", role=role).status_code == status
    tag = drafted.get("/rounds/1", role="organiser").headers["ETag"]
    assert drafted.post("/rounds/1/games/r1g1/table", {"table": 9}).status_code == 201
    stale = drafted.post("/rounds/1/publication", If_Match=tag)
    assert (stale.status_code, stale.json["code"]) == (412, "precondition-failed")
    fresh = drafted.get("/rounds/1", role="organiser").headers["ETag"]
    assert drafted.post("/rounds/1/publication", If_Match=fresh).status_code == 201


def test_a_round_is_not_published_over_one_that_was_opened_again(drafted):
    drafted.post("/rounds/1/publication")
    drafted.post("/rounds/1/start")
    drafted.story.finish(1)
    assert drafted.post("/rounds").status_code == 201
    drafted.story.scoring(results.RoundReopened(round=1, reason="a wrong winner"))
    refused = drafted.post("/rounds/2/publication")
    assert (refused.status_code, refused.json["code"]) == (409, "round-not-closed")


def test_staff_and_others_get_different_etags(drafted):
    """A shared cache must not answer staff with the response to a stranger."""
    strangers = drafted.get("/rounds").headers["ETag"]
    staff = drafted.get("/rounds", role="organiser").headers["ETag"]
    assert strangers != staff
    assert drafted.get("/rounds", role="organiser", If_None_Match=strangers).status_code == 200
    assert drafted.get("/rounds", role="organiser", If_None_Match=staff).status_code == 304


def test_without_the_option_a_round_is_published_at_once(story, serve):
    story.join(4)
    pairing = serve(story)
    pairing.post("/rounds")
    assert pairing.get("/rounds/1").json["status"] == "paired"
    refused = pairing.post("/rounds/1/publication")
    assert (refused.status_code, refused.json["code"]) == (409, "round-already-published")
    assert "draft" not in pairing.get("/log").text
