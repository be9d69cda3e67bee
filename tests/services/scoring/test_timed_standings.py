"""Standings that are kept back are published at a time set, by the worker's clock, and by nobody before."""

from __future__ import annotations

import pytest

from services.scoring.app import PUBLICATIONS as DUE
from services.scoring.app import build
from services.scoring.tournament.commands import PublishDueStandings
from shared.application.command_handler import CommandEnvelope
from shared.application.publications import every_line
from shared.application.rebuild import rebuild
from shared.events.cloudevents import from_line
from shared.events.recorded import Hidden
from shared.refusals import Refusal
from shared.tournament.context import by_rule
from tests.services.conftest import logging_as_it_was
from tests.services.scoring.story import score

NOON, ONE = "2099-03-07T12:00:00.000Z", "2099-03-07T13:00:00.000Z"


@pytest.fixture
def floor(club, open_floor):
    """Round 1 of Armada is closed, and its standings are kept back; nothing else waits for its time."""
    with club.database.writing() as connection:
        connection.run("DELETE FROM publications")
    told = open_floor(4, staff=("head_referee", "referee"), on_purpose=["standings"])
    told.begin(1, ("p1", "p2"), ("p3", "p4"))
    told.play(1, (200, 100), (150, 140))
    return told


def types_hidden(floor, role):
    text = floor.club.ask("GET", f"/tournaments/{floor.id}/log", token=role).text
    return [event.type for event in map(from_line, text.splitlines()) if isinstance(event, Hidden)]


def service_at(floor, moment):
    with logging_as_it_was():
        return build(floor.club.env, floor.club.database, clock=lambda: moment)


def at(floor, moment):
    """The worker looks, by a clock that says this; returns how many standings it published."""
    return DUE.publish_due(service_at(floor, moment))


def shown(floor):
    """What everybody sees; its version counts hidden events, too."""
    return {**floor.club.ask("GET", f"/tournaments/{floor.id}/standings").body, "version": ""}


def test_they_are_published_when_their_time_has_come_and_once(floor):
    before = shown(floor)
    assert floor.post("/standings/publication", {"at": "2099-03-07T13:00:00+01:00"}).status == 201
    assert floor.get("/standings").body["publish_at"] == NOON
    assert shown(floor) == before, "nobody else hears of the time"
    assert types_hidden(floor, "") == ["StandingsPublicationScheduled"]
    assert at(floor, "2099-03-07T11:59:59.999Z") == 0
    assert at(floor, NOON) == 1
    assert at(floor, ONE) == 0
    assert (shown(floor)["round"], shown(floor)["items"][0]["name"]) == (1, "Ana")
    assert types_hidden(floor, "") == []
    assert "publish_at" not in floor.get("/standings").body


def test_they_are_those_of_every_round_that_is_closed_then(floor):
    floor.post("/standings/publication", {"at": NOON})
    floor.begin(2, ("p1", "p3"), ("p2", "p4"))
    floor.report("r2g1", score(10, 300))
    floor.report("r2g2", score(100, 90))
    assert floor.close(2).status == 201
    assert at(floor, NOON) == 1
    assert (shown(floor)["round"], shown(floor)["items"][0]["name"]) == (2, "Cy")


def test_another_time_takes_the_place_of_the_first_and_a_cancelled_one_never_comes(floor):
    floor.post("/standings/publication", {"at": NOON})
    floor.post("/standings/publication", {"at": ONE})
    assert at(floor, NOON) == 0
    assert floor.post("/standings/publication/cancellation").status == 201
    assert at(floor, ONE) == 0
    floor.post("/standings/publication", {"at": ONE})
    assert floor.post("/standings/publication").types == ["StandingsRecorded", "StandingsPublished"]
    assert at(floor, ONE) == 0
    assert floor.post("/standings/publication/cancellation").code == "standings-already-published"


@pytest.mark.parametrize(
    ("said", "code"), [("2020-01-01T00:00:00Z", "publication-past"), ("tomorrow", "invalid-request")]
)
def test_a_time_that_is_none_or_over_is_refused(floor, said, code):
    refused = floor.post("/standings/publication", {"at": said})
    assert (refused.status, refused.code) == (422, code)
    assert refused.body["errors"][0]["where"] == "/at"


def test_the_end_leaves_nothing_that_waits(floor):
    floor.post("/standings/publication", {"at": NOON})
    assert floor.conclude("the hall closes").status == 201
    assert at(floor, ONE) == 0


def test_the_rule_acts_by_the_event_that_set_the_time_alone(floor):
    floor.post("/standings/publication", {"at": NOON})
    for cause in ("", f"{floor.id}.scoring.1"):
        command = CommandEnvelope(floor.id, PublishDueStandings(), by_rule("", cause), command_id="x~muster")
        with pytest.raises(Refusal) as refused:
            service_at(floor, ONE).handler.run(command)
        assert refused.value.code == "publication-not-due"


def test_what_waits_is_made_anew_from_the_log(floor):
    floor.post("/standings/publication", {"at": NOON})
    with floor.club.database.reading() as connection:
        lines = every_line(connection)
    with floor.club.database.writing() as connection:
        connection.run("DELETE FROM publications")
    found = rebuild(service_at(floor, NOON), [DUE.read_model], only=floor.id)
    assert [one.what for one in found.differences] == ["publications"]
    with floor.club.database.reading() as connection:
        assert every_line(connection) == lines
    assert at(floor, NOON) == 1
