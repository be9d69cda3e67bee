"""A connection: SQL with named parameters, transactions and locked heads, equal on both engines."""

from __future__ import annotations

import threading
import time
from contextlib import suppress

import msgspec
import pytest

from shared.log.event import EMPTY_HEAD
from shared.log.log import HeadMoved, chain_events
from tests.eventlog.stories import STAMP, add, head, joined, log_of, read
from tests.waiting import PATIENCE, remains, until

STAMP_OF_K = msgspec.structs.replace(STAMP, command_id="k~1")

PEOPLE = [
    {"name": "relay", "holder": "a", "beat": 30},
    {"name": "relay", "holder": "b", "beat": 10},
    {"name": "sweep", "holder": "a", "beat": 20},
    {"name": "take%", "holder": "ä", "beat": 20},
]
INSERT = """INSERT INTO parts (name, holder, beat, deaths, due, trouble)
    VALUES (:name, :holder, :beat, 0, 0, '') ON CONFLICT DO NOTHING"""


@pytest.fixture
def parts(database):
    with database.writing() as connection:
        assert connection.run_many(INSERT, PEOPLE) == 4
    return database


@pytest.mark.parametrize(
    ("condition", "values", "found"),
    [
        ("name = :name", {"name": "relay"}, ["relay a", "relay b"]),
        ("name = :name", {"name": "it's"}, []),
        ("beat > :low AND beat <= :high", {"low": 10, "high": 20}, ["sweep a", "take% ä"]),
        (
            "name IN (:names) AND holder IN (:holders)",
            {"names": ["sweep", "relay"], "holders": ["a"]},
            ["relay a", "sweep a"],
        ),
        ("name IN (:names)", {"names": []}, []),
        ("name LIKE '%e%%' AND holder > :holder", {"holder": "z"}, ["take% ä"]),
        ("holder < :name AND name < :name", {"name": "b"}, []),
    ],
)
def test_rows_are_found_by_named_parameters(parts, condition, values, found):
    with parts.reading() as connection:
        rows = connection.rows(f"SELECT name, holder FROM parts WHERE {condition} ORDER BY name, holder", **values)
        assert [" ".join(row) for row in rows] == found
        assert connection.value(f"SELECT count(*) FROM parts WHERE {condition}", **values) == len(found)
        one = connection.first(f"SELECT name FROM parts WHERE {condition} ORDER BY name LIMIT 1", **values)
        assert one == ((found[0].split()[0],) if found else None)


def test_run_returns_the_number_of_written_rows(parts):
    with parts.writing() as connection:
        assert connection.run_many(INSERT, [*PEOPLE[:1], {"name": "new", "holder": "a", "beat": 5}]) == 1
        assert connection.run_many(INSERT, []) == 0
        assert connection.run("UPDATE parts SET beat = beat + :more WHERE name = :name", more=5, name="relay") == 2
        assert connection.run("DELETE FROM parts WHERE name IN (:names)", names=["new", "sweep"]) == 2
        assert connection.delete_securely("DELETE FROM parts WHERE name = :name", name="take%") == 1
        assert connection.rows("SELECT beat FROM parts ORDER BY beat") == [(15,), (35,)]


def test_rows_and_tables_are_locked_within_a_transaction(parts):
    with parts.writing() as connection:
        connection.lock_table("parts")
        assert connection.lock_rows("SELECT beat FROM parts WHERE name = :name", name="sweep") == [(20,)]


def test_the_clock_is_the_engines(database):
    with database.writing() as connection:
        connection.run(f"UPDATE relay SET expires = {connection.now} + :later WHERE name = 'relay'", later=5_000)
        expires = connection.value("SELECT expires FROM relay WHERE name = 'relay'")
        assert abs(expires - time.time() * 1000 - 5_000) < 60_000
        question = f"SELECT count(*) FROM relay WHERE name = 'relay' AND expires > {connection.now} + :later"
        assert [connection.value(question, later=later) for later in (0, 120_000)] == [1, 0]


def test_octets_counts_bytes_and_not_characters(database):
    add(database, "cup", "ä")
    with database.reading() as connection:
        data, octets = connection.first(f"SELECT data, {connection.octets.format('data')} FROM events")
    assert octets == len(data.encode()) == len(data) + 1


def test_serial_ids_follow_the_order_of_insertion(database):
    insert = """INSERT INTO quarantine (source, tournament, position, reason, origin, body, time)
        VALUES ('s', 't', 1, '', 'owner', :body, '')"""
    bodies = [b"\x00", b"\x00", b"\xff"]
    with database.writing() as connection:
        connection.run_many(insert, [{"body": body} for body in bodies])
        rows = connection.rows("SELECT id, body FROM quarantine ORDER BY id")
    assert [body for _, body in rows] == bodies
    assert len({id for id, _ in rows}) == 3


def test_a_failing_block_is_rolled_back(parts):
    add(parts, "cup", "anna")
    before = everything(parts)

    def fail():
        with parts.writing() as connection:
            connection.run("UPDATE parts SET deaths = 3 WHERE name = 'relay'")
            connection.run("DELETE FROM parts WHERE name = 'sweep'")
            connection.run_many(INSERT, [{"name": "sweep", "holder": "b", "beat": 1}])
            assert connection.assign_feed_positions(10) == 1
            log = log_of("open", "open", "ben")
            assert connection.extend(EMPTY_HEAD, log, own=True)
            raise RuntimeError("power cut")

    with pytest.raises(RuntimeError):
        fail()
    assert everything(parts) == before


def everything(database):
    tables = ("parts", "events", "heads", "outbox", "relay", "feed")
    with database.reading() as connection:
        return [sorted(connection.rows(f"SELECT * FROM {table}"), key=str) for table in tables]


def test_readers_see_no_partial_transaction(database):
    began, looked = threading.Event(), threading.Event()
    seen = []

    def look():
        began.wait(PATIENCE)
        threading.Timer(0.2, looked.set).start()
        with database.reading() as connection:
            seen.append(connection.value("SELECT count(*) FROM parts"))

    reader = threading.Thread(target=look)
    reader.start()
    with database.writing() as connection:
        connection.run_many(INSERT, PEOPLE[:1])
        began.set()
        looked.wait(PATIENCE)
        connection.run_many(INSERT, PEOPLE[1:])
    reader.join(PATIENCE)
    assert seen in ([0], [4])


def test_events_of_several_commands_are_found_by_their_keys(database):
    add(database, "cup", "anna", command_id="k~1")
    add(database, "cup", "ben", "cleo", command_id="k~2~3")
    add(database, "cup", "dora", command_id="random")
    add(database, "open", "ben", command_id="l~1")
    with database.reading() as connection:
        assert connection.events_of_keys("registration", "cup", ["k"]) == [("k~1", 1)]
        found = sorted(connection.events_of_keys("registration", "cup", ["l", "k~2", "k", "random"]))
        assert found == [("k~1", 1), ("k~2~3", 2), ("k~2~3", 3)]
        assert connection.events_of_keys("scoring", "cup", ["k"]) == []
        assert connection.events_of_keys("registration", "cup", []) == []


def test_a_locked_head_cannot_be_moved(database):
    add(database, "cup", "anna")
    held, order = threading.Event(), []

    def append():
        held.wait(PATIENCE)
        threading.Timer(0.3, order.append, ["waited"]).start()
        while "other" not in order:
            with suppress(HeadMoved):
                add(database, "cup", "cleo")
                order.append("other")

    other = threading.Thread(target=append)
    other.start()
    with database.locking_log("registration", "cup", {}, 0, []):
        held.set()
        until(lambda: "waited" in order)
        order.append("mine")
    other.join(PATIENCE)
    assert order == ["waited", "mine", "other"]


def test_after_waiting_for_a_head_the_new_events_are_visible(database):
    add(database, "cup", "anna")
    before, keys, waits, found = head(database, "cup"), ["k", "l"], threading.Event(), []

    def wait():
        waits.set()
        with database.locking_log("registration", "cup", {"registration": before}, 0, keys) as held:
            found.extend([[row[2] for row in held.new_rows], held.repeated])

    other = threading.Thread(target=wait)
    with database.locking_log("registration", "cup", {"registration": before}, 0, keys) as held:
        assert (list(held.new_rows), held.repeated) == ([], [])
        other.start()
        waits.wait(PATIENCE)
        remains(lambda: not found, "the other waits for the head")
        events = chain_events("registration", "cup", before, joined("ben"), STAMP_OF_K)
        assert held.connection.extend(before, events, own=True)
    other.join(10)
    assert found == [[2], [("k~1", 2)]]


@pytest.mark.parametrize("last", [False, True])
def test_a_stale_head_writes_nothing_under_the_lock_either(database, last):
    add(database, "cup", "anna")
    then = head(database, "cup")
    add(database, "cup", "ben")
    events = chain_events("registration", "cup", then, joined("cleo"), STAMP_OF_K)
    with suppress(HeadMoved), database.locking_log("registration", "cup", {"registration": then}, 0, []) as held:
        assert not held.connection.extend(then, events, own=True, last=last)
        raise HeadMoved
    assert [event.command_id for event in read(database, "cup")] == ["c1", "c1"]
    add(database, "cup", "cleo")


def test_the_last_append_of_a_block_is_committed_with_its_outbox(database):
    add(database, "cup", "anna")
    before = head(database, "cup")
    events = chain_events("registration", "cup", before, joined("ben", "cleo"), STAMP_OF_K)
    with database.locking_log("registration", "cup", {"registration": before}, 0, ["k"]) as held:
        assert held.connection.extend(before, events, own=True, causes=["one", "two"], last=True)
    assert read(database, "cup")[1:] == events
    with database.reading() as connection:
        rows = connection.rows("SELECT cause FROM outbox WHERE tournament = 'cup' ORDER BY position")
    assert rows[1:] == [("one",), ("two",)]
