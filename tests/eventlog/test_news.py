"""New events for folding: whole logs, however the engine reads them, and events after some heads."""

from __future__ import annotations

import msgspec
import pytest

from shared.log.event import EMPTY_HEAD, Head
from shared.log.postgresql import PAGE_EVENTS
from shared.log.reading import heads_of, new_events
from tests.acting import acting, actor_of
from tests.appending import append
from tests.eventlog.stories import STAMP, add, joined, read

SOURCES = ("scoring", "registration", "pairing")
FROM_THE_BEGINNING = dict.fromkeys(SOURCES, EMPTY_HEAD)
SHOWN = ("source", "position", "type", "version", "time", "actor", "data")


def told(database, heads=FROM_THE_BEGINNING, tournament="cup"):
    """Return the new events and the last hash of each log."""
    with database.reading() as connection:
        found = new_events(connection, tournament, heads)
    return [members(event) for event in found], {event.source: event.hash for event in found}


def members(event):
    return tuple(getattr(event, name) for name in SHOWN)


def long_log(database, length, actor="organiser-1", source="registration"):
    stamp = msgspec.structs.replace(STAMP, actor=acting(actor))
    append(
        database, source, "cup", EMPTY_HEAD, joined(*(f"Zoë {number} \U0001f3b2" for number in range(length))), stamp
    )
    return read(database, "cup", source)


@pytest.mark.parametrize("length", [1, PAGE_EVENTS - 1, PAGE_EVENTS, PAGE_EVENTS + 1, 2 * PAGE_EVENTS + 3])
def test_a_whole_log_is_read(database, length):
    events = long_log(database, length)
    assert told(database) == ([members(event) for event in events], {"registration": events[-1].hash})


def test_logs_are_read_one_after_the_other(database):
    logs = {source: long_log(database, PAGE_EVENTS + number, source=source) for number, source in enumerate(SOURCES)}
    add(database, "open", "somebody else")
    shown, hashes = told(database)
    assert shown == [members(event) for source in SOURCES for event in logs[source]]
    with database.reading() as connection:
        assert hashes == {source: head.hash for source, head in heads_of(connection, "cup").items()}


@pytest.mark.parametrize("odd", ["", "\x1e", "\x1e\x1e\x1e", 'a "b" \\ {c,d}', "NULL", "Zoë \U0001f3b2\n\t"])
def test_any_character_of_an_actor_is_read_back(database, odd):
    events = long_log(database, 3, f"a{odd}")
    assert told(database) == ([members(event) for event in events], {"registration": events[-1].hash})
    assert {event[5] for event in told(database)[0]} == {actor_of(f"a{odd}")}


def test_only_events_after_the_heads_are_read(database):
    events = long_log(database, PAGE_EVENTS + 5)
    add(database, "cup", "anna", source="scoring")
    heads = {
        "registration": Head(PAGE_EVENTS + 3, events[PAGE_EVENTS + 2].hash),
        "scoring": Head(1, "-"),
        "pairing": EMPTY_HEAD,
    }
    shown, hashes = told(database, heads)
    assert shown == [members(event) for event in events[PAGE_EVENTS + 3 :]]
    assert hashes == {"registration": events[-1].hash}


def test_a_missing_log_has_no_events(database):
    assert told(database) == ([], {})
    add(database, "cup", "anna")
    assert told(database, tournament="open") == ([], {})


def test_a_log_with_a_gap_is_read_as_it_is(database):
    events = long_log(database, 2)
    row = msgspec.structs.asdict(events[1]) | {"position": 4, "id": "cup.registration.4"}
    values = ", ".join(f":{name}" for name in row)
    with database.writing() as connection:
        connection.run(f"INSERT INTO events ({', '.join(row)}) VALUES ({values})", **row)
    assert [event[1] for event in told(database)[0]] == [1, 2, 4]
