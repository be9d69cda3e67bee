"""Floods of invalid messages: quarantine, requests and log lines are bounded."""

from __future__ import annotations

from collections import Counter

import pytest

from shared import logs
from shared.log import copies
from shared.log.cloudevents import CONTENT_TYPE
from shared.log.copies import open_cases
from shared.messaging import broker as topology_module
from shared.messaging import inbox
from shared.messaging.consumer import Consumer
from shared.messaging.publisher import Outgoing, Publisher
from tests.eventlog.stories import changed, log_of
from tests.messaging.stage import COPIER, OWNER, message, running
from tests.waiting import until

MANY = 400


@pytest.fixture(autouse=True)
def fresh_ration(monkeypatch):
    monkeypatch.setattr(logs, "_kinds", {})


def flood():
    for number in range(MANY):
        first, second = log_of(f"mad-{number}", "x", "y")
        junk = message(first)
        junk.body = b"junk %d" % number
        yield junk
        yield message(changed(first, data="{}"), number)  # does not verify, of a tournament that nobody knows
        yield message(second, number)  # verifies, and what is before it misses


@pytest.mark.attack("a flood of junk")
def test_a_flood_is_bounded_and_valid_events_arrive(stage, broker, monkeypatch, said):
    monkeypatch.setattr(topology_module, "DEAD_MESSAGES", 50)
    with broker.connect() as connection, broker.declaring():
        broker.topology.declare(connection.channel(), COPIER, [OWNER])
    stage.site.missing = {f"mad-{number}" for number in range(MANY)}
    publisher = Publisher(broker)
    exchange = broker.topology.exchange
    letters = [Outgoing(exchange, a.address, a.body, "", CONTENT_TYPE) for a in flood()]
    stage.append("cup", "anna")
    letters += [Outgoing(exchange, a.address, a.body, "", CONTENT_TYPE) for a in stage.arrivals()]
    publisher.publish(letters)
    publisher.close()

    def depth(name):
        with broker.connect() as connection:
            return connection.channel().queue_declare(name, passive=True).message_count

    with running(Consumer(COPIER, broker, stage.inbox(), idle_seconds=0.1)):
        until(stage.same)
        until(lambda: depth(broker.topology.queue_name(COPIER)) == 0)
    with stage.copy.reading() as connection:
        cases = open_cases(connection)
    assert 0 < len(cases) <= copies.MESSAGES_KEPT
    assert len(stage.site.asked) <= inbox.ASKED_A_MINUTE * 2  # a minute's worth, and what came meanwhile
    with broker.declaring():
        pass  # as consumers do every few seconds
    assert depth(broker.topology.dead_queue_name(COPIER)) <= 60
    told = Counter(line["event"] for line in said)
    assert told["not an event for us"] == logs.LINES
    assert sum(told.values()) < 150


def test_the_number_of_suppressed_lines_is_logged(monkeypatch, said):
    logger = logs.RateLimitedLogger("test")
    for _ in range(50):
        logger.error("something happened", source="x")
    logger.error("something else happened")
    monkeypatch.setattr(logs, "MINUTE", -1.0)
    logs.report_suppressed()
    logger.error("something happened", source="x")
    assert Counter(line["event"] for line in said) == {
        "something happened": logs.LINES + 1,
        "something else happened": 1,
        "lines of one kind were left out": 1,
    }
    (left_out,) = [line for line in said if "left out" in line["event"]]
    assert (left_out["kind"], left_out["number"]) == ("something happened", 50 - logs.LINES)
