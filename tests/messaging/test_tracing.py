"""Log lines about copied events name the request of the event, over every broker."""

from __future__ import annotations

import json

import pytest
import structlog

from shared import logs, tracing
from shared.log import outbox
from shared.messaging.consumer import Consumer
from shared.messaging.envelope import parse_line
from shared.messaging.relay import CAUSES
from tests.messaging.stage import COPIER, MemoryPublisher, message, running
from tests.waiting import until

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
ANNA = tracing.cause_of_request("anna-1", f"00-{TRACE}-00f067aa0ba902b7-01")


@pytest.fixture
def copied():
    """Return the log lines about copies, with the facts of the unit of work."""
    before = structlog.get_config()
    lines = []

    def keep(_, __, line):
        if line["event"] == "copied":
            lines.append({**logs.current_context(), **line})
        raise structlog.DropEvent

    structlog.reset_defaults()  # whatever level a service in this process has set up before
    structlog.configure(processors=[keep])
    yield lines
    structlog.configure(**before)


def test_a_peers_log_names_the_request_of_an_event(stage, broker, copied):
    inbox = stage.inbox()
    consumer = Consumer(COPIER, broker, inbox)
    with running(stage.relay(broker), consumer):
        until(lambda: consumer.connected)
        with tracing.caused_by(ANNA):
            stage.append("cup", "cup", "anna")
        with tracing.caused_by(None):
            stage.append("cup", "ben")
        until(stage.same)
        until(lambda: sum(len(line["events"]) for line in copied) == 3)
    by_request = {(line.get("request_id"), line.get("trace_id"), *line["events"]) for line in copied}
    assert {row[:2] for row in by_request} == {("anna-1", TRACE), (None, None)}
    assert {event for row in by_request if row[0] for event in row[2:]} == {"cup.registration.1", "cup.registration.2"}
    stage.assert_equal()


def test_the_request_is_only_in_the_outbox_until_the_relay_has_it(stage, broker):
    publisher = MemoryPublisher()
    relay = stage.relay(broker, publisher=publisher)
    with tracing.caused_by(ANNA):
        stage.append("cup", "cup")
    with stage.owner.reading() as connection:
        (cause,) = outbox.waiting_causes(connection).values()
        assert "anna-1" in cause
    with running(relay):
        until(lambda: publisher.sent)
    with stage.owner.reading() as connection:
        assert outbox.waiting_causes(connection) == {}
    sent = json.loads(publisher.sent[0].body)
    assert (sent["requestid"], sent["traceparent"][3:35]) == ("anna-1", TRACE)
    assert "anna-1" not in stage.lines()[0].decode()  # the feed has the event alone


def test_work_after_a_copy_names_the_request_too(stage, said):
    heard = []
    inbox = stage.inbox()
    inbox._on_accepted = lambda tournament, source: heard.append(tracing.serialize().partition(" ")[0])
    (event,) = stage.append("cup", "cup")
    arrival = message(event, 1)
    arrival.body = (
        arrival.body[:-1] + b',"requestid":"r-9","traceparent":"' + ANNA.headers()["traceparent"].encode() + b'"}'
    )
    with tracing.caused_by(None):
        inbox.take([arrival])
        assert heard == ["r-9"]
        assert tracing.serialize() == ""


@pytest.mark.attack("hostile request id in a message")
@pytest.mark.parametrize("given", ['"a b"', '"' + "x" * 65 + '"', '"a\\nb"', "7", "null", "[[]]", '{"a":1}'])
def test_a_malicious_request_id_is_ignored(stage, given):
    (event,) = stage.append("cup", "cup")
    arrival = message(event, 1)
    arrival.body = arrival.body[:-1] + f',"requestid":{given},"traceparent":{given}}}'.encode()
    assert parse_line(arrival.body).cause is None
    stage.inbox().take([arrival])
    stage.assert_equal()


def test_remembered_requests_are_bounded_during_a_broker_outage(stage, broker):
    relay = stage.relay(broker)
    relay._remember({("cup", number): "x" for number in range(CAUSES + 5)})
    assert len(relay._causes) == CAUSES
    assert ("cup", CAUSES + 4) in relay._causes
