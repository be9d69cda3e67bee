"""Append: positions without gaps, one order per tournament, and whole commands or nothing."""

from __future__ import annotations

import subprocess
import sys
import threading

import msgspec
import pytest
from sqlalchemy.exc import DBAPIError

from shared.log.event import EMPTY_HEAD, Head, canonical_json
from shared.log.log import LARGEST_EVENT, BrokenLog, Entry, EventTooLarge, HeadMoved, verify
from shared.log.reading import events_of_command, heads_of, heads_of_source, new_events
from shared.log.schema import open_database
from tests.acting import acting, actor_of
from tests.appending import append
from tests.eventlog.conftest import POSTGRESQL
from tests.eventlog.stories import STAMP, add, changed, head, joined, read
from tests.waiting import PATIENCE

RACER = """
import sys
from shared.log.log import HeadMoved
from tests.appending import append
from shared.log.schema import open_database
from tests.eventlog.conftest import POSTGRESQL
from tests.eventlog.stories import add
database = open_database(sys.argv[1])
won = 0
while won < 40:
    try:
        add(database, "cup", f"{sys.argv[2]}-{won}")
        won += 1
    except HeadMoved:
        pass
"""


def test_events_get_the_next_positions_and_link_up(database):
    add(database, "cup", "anna", "ben")
    add(database, "cup", "cleo")
    events = read(database, "cup")
    assert [event.position for event in events] == [1, 2, 3]
    assert [event.id for event in events] == ["cup.registration.1", "cup.registration.2", "cup.registration.3"]
    assert verify(events) == head(database, "cup") == Head(3, events[2].hash)


def test_logs_of_tournaments_and_sources_are_independent(database):
    add(database, "cup", "anna")
    add(database, "open", "ben", "cleo")
    add(database, "cup", "dora", source="scoring")
    with database.reading() as connection:
        assert {t: h.position for t, h in heads_of_source(connection, "registration").items()} == {"cup": 1, "open": 2}
        assert {s: h.position for s, h in heads_of(connection, "cup").items()} == {"registration": 1, "scoring": 1}


def test_the_stored_data_are_the_hashed_bytes(database):
    data = canonical_json({"name": "Zoë\n\u001f \U0001f3b2", "n": -(2**53) + 1})
    append(database, "registration", "cup", EMPTY_HEAD, [Entry("PlayerJoined", 1, data)], STAMP)
    assert read(database, "cup")[0].data == data


@pytest.mark.parametrize("odd", ["", "\x1e", "\x1e\x1e", 'a "b" \\ {c,d}', "NULL", "Zoë \U0001f3b2\n\t"])
def test_several_events_of_one_append_keep_every_character(database, odd):
    entries = [
        Entry("PlayerJoined", 1, canonical_json({"name": name}), command) for name, command in ((odd, odd), ("b", ""))
    ]
    stamp = msgspec.structs.replace(STAMP, actor=acting(f"a{odd}"))
    appended = append(database, "registration", "cup", EMPTY_HEAD, entries, stamp)
    assert read(database, "cup") == appended
    assert [event.command for event in appended] == [odd, ""]


def test_a_stale_head_appends_nothing(database):
    add(database, "cup", "anna")
    for stale in (EMPTY_HEAD, Head(1, "f" * 64), Head(2, head(database, "cup").hash)):
        with pytest.raises(HeadMoved):
            append(database, "registration", "cup", stale, joined("ben"), STAMP)
    assert len(read(database, "cup")) == 1


def test_concurrent_threads_get_distinct_positions(database):
    won: list[str] = []
    start = threading.Barrier(8)

    def racer(name):
        start.wait()
        for number in range(15):
            while True:
                try:
                    add(database, "cup", f"{name}-{number}")
                except HeadMoved:
                    continue
                won.append(f"{name}-{number}")
                break

    threads = [threading.Thread(target=racer, args=(str(name),)) for name in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    events = read(database, "cup")
    assert verify(events).position == len(events) == len(won) == 120


def test_concurrent_processes_make_one_chain(empty_url, database):
    racers = [subprocess.Popen([sys.executable, "-c", RACER, empty_url, name]) for name in ("a", "b")]
    assert [racer.wait(PATIENCE) for racer in racers] == [0, 0]
    events = read(database, "cup")
    assert verify(events).position == len(events) == 80


def test_a_new_log_is_created_once(database):
    add(database, "cup", "anna")
    with pytest.raises(HeadMoved):
        append(database, "registration", "cup", EMPTY_HEAD, joined("ben"), STAMP)


def test_events_and_outbox_are_one_transaction(database):
    def also(connection, events):
        assert [event.position for event in events] == [1, 2]
        connection.run("INSERT INTO own_copies (peer, checked, trouble) VALUES ('scoring', 0, '')")
        raise RuntimeError("power cut")

    with pytest.raises(RuntimeError):
        append(database, "registration", "cup", EMPTY_HEAD, joined("anna", "ben"), STAMP, also)
    with database.reading() as connection:
        for table in ("events", "heads", "outbox", "own_copies"):
            assert connection.value(f"SELECT count(*) FROM {table}") == 0


def test_an_event_may_hold_256_kb_and_no_more(database):
    frame = len(canonical_json({"t": ""}))
    fits = Entry("Note", 1, canonical_json({"t": "x" * (LARGEST_EVENT - frame)}))
    append(database, "registration", "cup", EMPTY_HEAD, [fits], STAMP)
    for large in ("x" * (LARGEST_EVENT - frame + 1), "é" * (LARGEST_EVENT // 2)):
        with pytest.raises(EventTooLarge) as refusal:
            append(
                database,
                "registration",
                "cup",
                head(database, "cup"),
                [*joined("anna"), Entry("Note", 1, canonical_json({"t": large}))],
                STAMP,
            )
        assert refusal.value.code == "event-too-large"
    assert len(read(database, "cup")) == 1


def test_five_thousand_tables_are_pages_of_one_append(database):
    pages = [Entry("PairingsRecorded", 1, canonical_json({"rows": ["x" * 40] * 500})) for _ in range(10)]
    append(database, "pairing", "cup", EMPTY_HEAD, pages, STAMP)
    assert verify(read(database, "cup", "pairing")).position == 10


def test_events_of_a_command_are_found_by_its_key(database):
    add(database, "cup", "anna", command_id="key~aaaa")
    add(database, "cup", "ben", "cleo", command_id="key-2~bbbb")
    add(database, "cup", "dora", command_id="key~2~cccc")
    add(database, "open", "emil", command_id="key-2~bbbb")
    with database.reading() as connection:

        def found(key):
            return [event.position for event in events_of_command(connection, "registration", "cup", key)]

        assert found("key") == [1]
        assert found("key-2") == [2, 3]
        assert found("key~2") == [4]
        assert found("ke") == found("key-") == found("") == []


def test_a_key_lookup_does_not_scan_the_log(database, monkeypatch):
    add(database, "cup", "anna", command_id="key~aaaa")
    asked = []
    with database.writing() as connection:
        run = connection._run
        monkeypatch.setattr(connection, "_run", lambda *said: asked.append(said) or run(*said))
        assert len(events_of_command(connection, "registration", "cup", "key")) == 1
        assert connection.events_of_keys("registration", "cup", ["key"]) == [("key~aaaa", 1)]
        monkeypatch.undo()
        explain = "EXPLAIN QUERY PLAN " if database.name == "sqlite" else "EXPLAIN "
        plans = [str(connection._run(explain + statement, parameters).fetchall()) for statement, parameters in asked]
    by_key, _, by_keys = plans
    assert "events_by_key" in by_key
    assert "events_by_key" in by_keys


def test_new_events_are_read_log_by_log_in_order(database):
    add(database, "cup", "anna", "ben", "cleo")
    add(database, "cup", "x", source="scoring")
    add(database, "open", "y")
    with database.reading() as connection:
        told = new_events(
            connection, "cup", {"registration": Head(1, "-"), "scoring": EMPTY_HEAD, "pairing": EMPTY_HEAD}
        )
    assert [(one.source, one.position) for one in told] == [("registration", 2), ("registration", 3), ("scoring", 1)]


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE events SET data = '{}'",
        "DELETE FROM events WHERE position = 1",
        "DELETE FROM events",
    ],
)
def test_the_database_refuses_to_change_or_remove_events(database, statement):
    add(database, "cup", "anna", "ben")
    before = read(database, "cup")
    with pytest.raises(DBAPIError, match="never"), database.writing() as connection:
        connection.run(statement)
    assert read(database, "cup") == before


@pytest.mark.parametrize("empty_url", POSTGRESQL, indirect=True)
@pytest.mark.parametrize(
    "statement",
    [
        "TRUNCATE events",
        "TRUNCATE events CASCADE",
        "UPDATE events SET data = '' WHERE position = 99",
        "INSERT INTO events SELECT * FROM events ON CONFLICT (source, tournament, position) DO UPDATE SET data = ''",
    ],
)
def test_postgresql_refuses_truncate_and_other_changes(database, statement):
    add(database, "cup", "anna")
    with pytest.raises(DBAPIError, match="never"), database.writing() as connection:
        connection.run(statement)
    assert len(read(database, "cup")) == 1


@pytest.mark.parametrize("empty_url", ["sqlite"], indirect=True)
@pytest.mark.parametrize(
    "statement",
    [
        "INSERT OR REPLACE INTO events SELECT * FROM events",
        "REPLACE INTO events SELECT source, tournament, position, id, type, version, time, actor, command_id, seen,"
        " prev_hash, hash, '{}', command FROM events",
        "INSERT INTO events SELECT * FROM events WHERE true"
        " ON CONFLICT (source, tournament, position) DO UPDATE SET data = ''",
    ],
)
def test_sqlite_refuses_replace_and_other_changes(database, statement):
    add(database, "cup", "anna", "ben")
    before = read(database, "cup")
    with pytest.raises(DBAPIError, match="never"), database.writing() as connection:
        connection.run(statement)
    assert read(database, "cup") == before


def test_the_primary_key_refuses_a_second_event_at_a_position(database):
    add(database, "cup", "anna")
    with pytest.raises(DBAPIError), database.writing() as connection:
        connection.run("INSERT INTO events SELECT * FROM events")


def test_after_a_failed_commit_the_connection_can_be_used_again(empty_url, database):
    small = open_database(empty_url, pool_size=1)

    def write():
        with small.writing() as connection:
            connection.run("DELETE FROM snapshots")
            connection.run("ROLLBACK")  # as a full disk ends it: behind the block's back
            raise RuntimeError("full disk")

    with pytest.raises(RuntimeError):
        write()
    for _ in range(4):
        with small.writing() as connection:
            connection.run("DELETE FROM snapshots")
    small.close()


def test_verification_finds_damaged_rows(database):
    events = add(database, "cup", "anna", "ben", "cleo")
    for spoiled, reason in (
        ([events[0], events[2]], "is at the place of position 2"),
        ([events[0], changed(events[1], data="{}"), events[2]], "hashes to"),
        ([events[0], changed(events[1], prev_hash="0" * 64), events[2]], "prev_hash"),
        ([events[0], changed(events[1], actor=actor_of("somebody else")), events[2]], "hashes to"),
    ):
        with pytest.raises(BrokenLog) as broken:
            verify(spoiled)
        assert reason in broken.value.reason
