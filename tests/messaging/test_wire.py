"""The wire format: valid CloudEvents, and only events that a database can store."""

from __future__ import annotations

import json

import pytest
from cloudevents.core.bindings.rabbitmq import RabbitMQMessage, from_rabbitmq_event

from shared.log.cloudevents import CONTENT_TYPE, NotAnEvent, routing_key, to_wire
from shared.log.event import EMPTY_HEAD, LARGEST_NUMBER, Actor, canonical_json, compute_hash
from shared.log.log import LARGEST_COMMAND, LARGEST_EVENT, Entry, EventTooLarge, Stamp, chain_events
from shared.messaging.envelope import LARGEST_MESSAGE, feed_line, parse_event
from shared.web.idempotency import LONGEST_KEY
from shared.web.tokens import LONGEST_TOKEN
from tests.eventlog.stories import STAMP, changed, log_of
from tests.messaging.stage import quoted_command

(EVENT,) = chain_events(
    "scoring",
    "cup",
    EMPTY_HEAD,
    [Entry("ResultReported", 1, canonical_json({"name": "Zoë \U0001f3b2", "points": [3, -1]}))],
    STAMP,
)


def test_a_line_is_read_back_with_its_feed_position():
    assert parse_event(feed_line(7, EVENT)) == (EVENT, 7)
    assert parse_event(to_wire(EVENT)) == (EVENT, None)
    assert parse_event(feed_line(7, EVENT).decode()) == (EVENT, 7)
    assert compute_hash(parse_event(feed_line(7, EVENT))[0]) == EVENT.hash


@pytest.mark.parametrize("letter", ["x", "é", "\U0001f3b2"])
def test_an_oversized_message_is_refused(letter):
    room = (LARGEST_EVENT - len(canonical_json({"t": ""}))) // len(letter.encode())
    key = "k" * LONGEST_KEY + "~0123456789abcdef"
    largest = Stamp(
        Actor("a" * LONGEST_TOKEN, "organiser"),
        key,
        STAMP.time,
        {"pairing": LARGEST_NUMBER, "registration": LARGEST_NUMBER},
    )
    tournament = "t" * 64
    (event,) = chain_events(
        "scoring", tournament, EMPTY_HEAD, [Entry("AwardGiven", 1, canonical_json({"t": letter * room}))], largest
    )
    assert LARGEST_EVENT < len(feed_line(LARGEST_NUMBER, event)) < LARGEST_EVENT + 4096
    with pytest.raises(EventTooLarge):
        chain_events(
            "scoring",
            tournament,
            EMPTY_HEAD,
            [Entry("AwardGiven", 1, canonical_json({"t": letter * (room + 1)}))],
            largest,
        )


def test_a_message_with_the_largest_command_is_read():
    """Quotes of a command are escaped once more on the wire, so this is the largest possible message."""
    data = canonical_json({"t": "x" * (LARGEST_EVENT - len(canonical_json({"t": ""})))})
    for over in (0, 1):
        entry = Entry("AwardGiven", 1, data, quoted_command(LARGEST_COMMAND + over))
        if over:
            with pytest.raises(EventTooLarge):
                chain_events("scoring", "cup", EMPTY_HEAD, [entry], STAMP)
        else:
            (event,) = chain_events("scoring", "cup", EMPTY_HEAD, [entry], STAMP)
            line = feed_line(LARGEST_NUMBER, event)
            assert 2 * LARGEST_COMMAND < len(line) < LARGEST_MESSAGE
            assert parse_event(line) == (event, LARGEST_NUMBER)


def test_the_cloudevents_sdk_reads_it():
    event = from_rabbitmq_event(RabbitMQMessage({}, CONTENT_TYPE, feed_line(7, EVENT)))
    assert event.get_specversion() == "1.0"
    assert (event.get_id(), event.get_source(), event.get_type()) == ("cup.scoring.1", "scoring", "ResultReported")
    assert event.get_subject() == "cup"
    time = event.get_time()
    assert time is not None
    assert time.isoformat() == "2026-03-07T09:30:00+00:00"
    assert event.get_data() == {"name": "Zoë \U0001f3b2", "points": [3, -1]}
    assert (event.get_extension("feedposition"), event.get_extension("position")) == (7, 1)


def test_attribute_names_follow_the_specification():
    for name in json.loads(feed_line(7, EVENT)):
        assert name.isascii()
        assert name.isalnum()
        assert name == name.lower()
        assert len(name) <= 20


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\xff\xfe",
        b"[]",
        b"{}",
        b'{"specversion":"1.0"}',
        feed_line(7, EVENT)[:-1],
        feed_line(7, EVENT).replace(b'"1.0"', b'"0.3"'),
        feed_line(7, EVENT).replace(b'"feedposition":7', b'"feedposition":"7"'),
        feed_line(7, EVENT).replace(b'"position":1', b'"position":"1"'),
        feed_line(7, changed(EVENT, position=2**31)),
        feed_line(7, changed(EVENT, position=0)),
        feed_line(7, changed(EVENT, version=2**40)),
        feed_line(7, changed(EVENT, tournament="t" * 201)),
        feed_line(7, changed(EVENT, tournament="")),
        feed_line(7, changed(EVENT, actor="a\0b")),
        feed_line(7, changed(EVENT, time="2026-03-07T09:30:00.000000Z")),
        feed_line(7, changed(EVENT, hash="abc")),
        feed_line(7, changed(EVENT, seen="[]")),
        feed_line(7, changed(EVENT, seen='{"pairing":"4"}')),
        feed_line(7, changed(EVENT, seen="nonsense")),
    ],
)
def test_events_that_a_database_cannot_store_are_refused(body):
    with pytest.raises(NotAnEvent):
        parse_event(body)


def test_routing_keys_have_source_type_and_tournament():
    assert routing_key(log_of("spring-cup", "anna")[0]) == "registration.TournamentAnnounced.spring-cup"
