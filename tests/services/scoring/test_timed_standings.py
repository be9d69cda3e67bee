"""Scheduled publication of held back standings."""

from __future__ import annotations

import pytest

from services.scoring.app import build, due_publication
from services.scoring.rounds import PublishDueStandings
from shared.log.command_record import read_record
from shared.refusals import Refusal
from shared.service.commands import CommandEnvelope
from shared.service.wiring import publish_due
from shared.tournament.guards import by_rule
from tests.services.conftest import logging_as_it_was
from tests.services.scoring.story import score
from tests.services.scoring.test_kept_back import failures

NOON, ONE = "2099-03-07T12:00:00.000Z", "2099-03-07T13:00:00.000Z"


@pytest.fixture
def floor(club, open_floor):
    """Round 1 of Armada is closed with held back standings."""
    with club.database.writing() as connection:
        connection.run("UPDATE private_rows SET due_at = ''")
    told = open_floor(4, staff=("head_referee", "referee"), on_purpose=["standings"])
    told.begin(1, ("p1", "p2"), ("p3", "p4"))
    told.play(1, (200, 100), (150, 140))
    return told


def service_at(floor, moment):
    with logging_as_it_was():
        return build(floor.club.env, floor.club.database, clock=lambda: moment)


def at(floor, moment):
    """Run the worker at this time. Return the number of published standings."""
    return publish_due(service_at(floor, moment), due_publication)


def shown(floor):
    """Return the public standings."""
    return floor.club.ask("GET", f"/tournaments/{floor.id}/standings").body


def test_scheduled_standings_are_published_once(floor):
    before, length, tag = shown(floor), floor.length, floor.get("/standings").headers["ETag"]
    assert floor.post("/standings/publication", {"at": "2099-03-07T13:00:00+01:00"}).status == 201
    assert floor.get("/standings").body["publish_at"] == NOON
    assert shown(floor) == before, "nobody else hears of the time"
    assert (floor.length, floor.get("/standings").headers["ETag"] == tag) == (length, False)
    assert at(floor, "2099-03-07T11:59:59.999Z") == 0
    assert at(floor, NOON) == 1
    assert at(floor, ONE) == 0
    assert (shown(floor)["round"], shown(floor)["items"][0]["name"]) == (1, "Ana")
    set_by = {"actor": "organiser", "role": "organiser"}
    assert read_record(floor.log[-1]).data == {"at": NOON, "set_by": set_by}
    assert failures(floor) == []
    assert "publish_at" not in floor.get("/standings").body


def test_a_scheduled_publication_includes_all_rounds_closed_by_then(floor):
    floor.post("/standings/publication", {"at": NOON})
    floor.begin(2, ("p1", "p3"), ("p2", "p4"))
    floor.report("r2g1", score(10, 300))
    floor.report("r2g2", score(100, 90))
    assert floor.close(2).status == 201
    assert at(floor, NOON) == 1
    assert (shown(floor)["round"], shown(floor)["items"][0]["name"]) == (2, "Cy")


def test_a_schedule_can_be_replaced_and_cancelled(floor):
    floor.post("/standings/publication", {"at": NOON})
    floor.post("/standings/publication", {"at": ONE})
    assert at(floor, NOON) == 0
    assert floor.post("/standings/publication/cancellation").status == 201
    assert at(floor, ONE) == 0
    floor.post("/standings/publication", {"at": ONE})
    assert floor.post("/standings/publication").types == ["StandingsRecorded"]
    assert at(floor, ONE) == 0
    assert floor.post("/standings/publication/cancellation").code == "standings-already-published"


@pytest.mark.parametrize(
    ("said", "code"), [("2020-01-01T00:00:00Z", "publication-past"), ("tomorrow", "invalid-request")]
)
def test_an_invalid_or_past_time_is_refused(floor, said, code):
    refused = floor.post("/standings/publication", {"at": said})
    assert (refused.status, refused.code) == (422, code)
    assert refused.body["errors"][0]["where"] == "/at"


def test_a_conclusion_removes_the_schedule(floor):
    floor.post("/standings/publication", {"at": NOON})
    assert floor.conclude("the hall closes").status == 201
    assert at(floor, ONE) == 0


def test_the_rule_refuses_standings_that_are_not_due(floor):
    for at, moment in (("", ONE), (ONE, NOON)):
        if at:
            floor.post("/standings/publication", {"at": at})
        command = CommandEnvelope(floor.id, PublishDueStandings(), by_rule(""), command_id="x~muster")
        with pytest.raises(Refusal) as refused:
            service_at(floor, moment).handler.run(command)
        assert refused.value.code == "publication-not-due"


def test_a_restored_outdated_schedule_is_void(floor):
    floor.post("/standings/publication", {"at": NOON})
    with floor.club.database.reading() as connection:
        row = "SELECT due_at, body FROM private_rows WHERE tournament = :tournament"
        due_at, body = connection.first(row, tournament=floor.id)
    floor.post("/standings/publication")
    floor.begin(2, ("p1", "p3"), ("p2", "p4"))
    for game in ("r2g1", "r2g2"):
        floor.report(game, score(100, 90))
    assert floor.close(2).types == ["RoundClosed"]
    with floor.club.database.writing() as connection:
        again = "UPDATE private_rows SET due_at = :due_at, body = :body WHERE tournament = :tournament"
        connection.run(again, due_at=due_at, body=body, tournament=floor.id)
    assert at(floor, ONE) == 0
    assert shown(floor)["round"] == 1


def test_a_publication_waits_for_a_reopened_round(floor):
    floor.post("/standings/publication", {"at": NOON})
    floor.reopen(1)
    assert at(floor, NOON) == 0
    floor.close(1)
    assert at(floor, NOON) == 1
