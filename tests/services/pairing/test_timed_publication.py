"""Scheduled publication of drafts, by the worker's clock."""

from __future__ import annotations

import pytest

from services.pairing.app import build, due_publication
from services.pairing.publication import PublishDueRound
from shared.log.cloudevents import from_wire
from shared.log.command_record import read_record
from shared.refusals import Refusal
from shared.service.commands import CommandEnvelope
from shared.service.wiring import publish_due
from shared.tournament import results
from shared.tournament.guards import by_rule
from tests.acting import text_of
from tests.services.conftest import logging_as_it_was
from tests.services.pairing.stories import Story, with_cut
from tests.services.pairing.test_drafts import log_of

NOON, ONE = "2099-03-07T12:00:00.000Z", "2099-03-07T13:00:00.000Z"


@pytest.fixture
def drafted(house, serve):
    """Round 1 is drafted; on this database nothing else waits for its time."""
    with house.database.writing() as connection:
        connection.run("UPDATE private_rows SET due_at = ''")
    story = Story(on_purpose=["rounds"])
    story.venue(tables=12)
    story.join(4)
    pairing = serve(story)
    assert pairing.post("/rounds").status_code == 201
    return pairing


def at(pairing, moment):
    """The worker looks, by a clock that says this; returns how many rounds it published."""
    with logging_as_it_was():
        service = build(pairing.house.env, pairing.database, clock=lambda: moment)
    published = publish_due(service, due_publication)
    pairing.copy_to_story()
    return published


def test_it_is_published_once_at_its_time(drafted):
    assert drafted.post("/rounds/1/publication", {"at": "2099-03-07T13:00:00+01:00"}).status_code == 201
    assert drafted.get("/rounds/1", role="organiser").json["publish_at"] == NOON
    assert log_of(drafted) == []
    assert at(drafted, "2099-03-07T11:59:59.999Z") == 0
    assert drafted.get("/rounds/1").status_code == 404
    assert at(drafted, NOON) == 1
    assert at(drafted, ONE) == 0
    assert drafted.get("/rounds/1").json["status"] == "paired"
    drawn, paired = log_of(drafted)
    assert (drawn.type, paired.type, paired.time) == ("PairingsDrawn", "RoundPaired", NOON)
    record = read_record(drawn)
    assert text_of(drawn) == "rule"
    assert (record.data["at"], record.data["set_by"]) == (NOON, {"actor": "someone", "role": "organiser"})


def test_another_time_takes_the_place_of_the_first_and_a_cancelled_one_never_comes(drafted):
    drafted.post("/rounds/1/publication", {"at": NOON})
    drafted.post("/rounds/1/publication", {"at": ONE})
    assert at(drafted, NOON) == 0
    cancelled = drafted.post("/rounds/1/publication/cancellation")
    assert cancelled.status_code == 201
    assert at(drafted, ONE) == 0
    drafted.post("/rounds/1/publication", {"at": ONE})
    drafted.post("/rounds/1/withdrawal", {"reason": "somebody is missing"})
    assert at(drafted, ONE) == 0
    drafted.post("/rounds")
    assert at(drafted, ONE) == 0, "a time was set for the round before it was drafted anew"
    drafted.post("/rounds/1/publication", {"at": NOON})
    drafted.post("/rounds/1/publication")
    assert at(drafted, ONE) == 0


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ("2020-01-01T00:00:00Z", "publication-past"),
        ("2099-01-01T00:00:00", "invalid-request"),
        ("soon", "invalid-request"),
        ("9999-12-31T23:59:59-23:00", "invalid-request"),
    ],
)
def test_a_time_that_is_none_or_over_is_refused(drafted, said, code):
    refused = drafted.post("/rounds/1/publication", {"at": said})
    assert (refused.status_code, refused.json["code"]) == (422, code)
    assert refused.json["errors"][0]["where"] == "/at"


def test_the_rule_publishes_nothing_before_its_time_or_without_one(drafted):
    with logging_as_it_was():
        service = build(drafted.house.env, drafted.database, clock=lambda: "2099-03-07T11:59:59.999Z")
    due = CommandEnvelope(drafted.story.id, PublishDueRound(round=1), by_rule(""), command_id="x~muster")
    for _ in range(2):
        with pytest.raises(Refusal) as refused:
            service.handler.run(due)
        assert refused.value.code == "publication-not-due"
        drafted.post("/rounds/1/publication", {"at": NOON})


def types_of(pairing):
    """Return the types of the public events of pairing's log."""
    return [from_wire(line).type for line in pairing.get("/log?source=pairing").get_data().splitlines()]


@pytest.fixture
def cut(house, serve):
    """A cut is drafted after two rounds."""
    with house.database.writing() as connection:
        connection.run("UPDATE private_rows SET due_at = ''")
    story = Story(pack=with_cut(), rounds=None, on_purpose=["cut"])
    story.join(8)
    pairing = serve(story)
    for number in (1, 2):
        pairing.post("/rounds")
        pairing.post(f"/rounds/{number}/start")
        story.finish(number)
    assert pairing.post("/cut").status_code == 201
    return pairing


def test_a_cut_is_published_at_its_time_which_stays_private(cut):
    assert cut.post("/cut/publication", {"at": NOON}).status_code == 201
    assert cut.get("/cut", role="referee").json["publish_at"] == NOON
    assert (nobody := cut.get("/cut").json) | {
        "after_round": None,
        "draft": False,
        "publish_at": "",
        "seeds": [],
    } == nobody
    assert "CutMade" not in types_of(cut)
    assert at(cut, "2099-03-07T11:59:59.999Z") == 0
    assert at(cut, NOON) == 1
    assert at(cut, ONE) == 0
    assert len(cut.get("/cut").json["seeds"]) == 4
    published = cut.story.logs["pairing"][-1]
    assert (published.type, published.time) == ("CutMade", NOON)
    assert types_of(cut)[-1] == "CutMade"


def test_the_time_of_a_cut_can_change_be_cancelled_and_ends_with_a_new_cut(cut):
    refused = cut.post("/cut/publication", {"at": "2020-01-01T00:00:00Z"})
    assert (refused.status_code, refused.json["code"]) == (422, "publication-past")
    cut.post("/cut/publication", {"at": NOON})
    cut.post("/cut/publication", {"at": ONE})
    assert at(cut, NOON) == 0
    assert cut.post("/cut/publication/cancellation").status_code == 201
    assert at(cut, ONE) == 0
    cut.post("/cut/publication", {"at": NOON})
    assert cut.post("/cut", {"places": 2}).status_code == 201
    assert at(cut, ONE) == 0, "the time was set for another cut"
    cut.post("/cut/publication", {"at": NOON})
    assert cut.post("/cut/publication").status_code == 201
    assert at(cut, ONE) == 0
    assert cut.post("/cut/publication/cancellation").json["code"] == "cut-already-published"


def test_a_publication_refused_at_its_time_is_retried(drafted):
    drafted.post("/rounds/1/publication")
    drafted.post("/rounds/1/start")
    drafted.story.finish(1)
    drafted.post("/rounds")
    drafted.post("/rounds/2/publication", {"at": NOON})
    drafted.story.scoring(results.RoundReopened(round=1, reason="a wrong winner"))
    drafted.copy_from_story()
    assert at(drafted, ONE) == 0
    drafted.story.close(1)
    drafted.copy_from_story()
    assert at(drafted, ONE) == 1
