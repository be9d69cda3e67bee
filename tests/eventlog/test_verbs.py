"""The verbs of a connection, the same on every engine: what a condition finds, in which order, and what is undone."""

from __future__ import annotations

import threading
import time
from contextlib import suppress

import msgspec
import pytest

from shared.eventlog.append import HeadMoved, chained
from shared.eventlog.tables import CURSORS, EVENTS, HEADS, OUTBOX, OWN_COPIES, PARTS, QUARANTINE, RELAY
from shared.events.recorded import EMPTY
from tests.eventlog.stories import STAMP, add, head, joined, log_of, read
from tests.waiting import PATIENCE, remains, until


def part(name, holder="w", beat=0, deaths=0):
    return {"name": name, "holder": holder, "beat": beat, "deaths": deaths, "due": 0, "trouble": ""}


STAMP_OF_K = msgspec.structs.replace(STAMP, command_id="k~1")
PEOPLE = [part("relay", "a", 30), part("relay", "b", 10, 2), part("sweep", "a", 20), part("take%", "ä", 20, 1)]


@pytest.fixture
def parts(database):
    with database.writing() as connection:
        assert connection.add(PARTS, PEOPLE) == 4
    return database


@pytest.mark.parametrize(
    ("where", "found"),
    [
        ({}, ["relay a", "relay b", "sweep a", "take% ä"]),
        ({"name": "relay"}, ["relay a", "relay b"]),
        ({"name": "relay", "holder": "b"}, ["relay b"]),
        ({"name": "nobody"}, []),
        ({"beat >": 20}, ["relay a"]),
        ({"beat >=": 20}, ["relay a", "sweep a", "take% ä"]),
        ({"beat <": 20}, ["relay b"]),
        ({"beat <=": 20, "beat >": 10}, ["sweep a", "take% ä"]),
        ({"holder <>": "a"}, ["relay b", "take% ä"]),
        ({"name in": ["sweep", "relay"], "holder in": ["a"]}, ["relay a", "sweep a"]),
        ({"name in": []}, []),
        ({"name is": "sweep"}, ["sweep a"]),
        ({"name is": "it's"}, []),
        ({"name like": "%e%"}, ["relay a", "relay b", "sweep a", "take% ä"]),
        ({"name like": "%p", "holder": "a"}, ["sweep a"]),
        ({"holder <": "b"}, ["relay a", "sweep a"]),
        ({"holder >": "z"}, ["take% ä"]),
    ],
)
def test_a_condition_finds_what_fulfils_all_of_it(parts, where, found):
    with parts.reading() as connection:
        rows = connection.find(PARTS, where, columns=("name", "holder"), order=("name", "holder"))
        assert [" ".join(row) for row in rows] == found
        assert connection.total(PARTS, where) == len(found)


def test_rows_come_in_the_order_and_the_number_asked_for(parts):
    with parts.reading() as connection:
        by_beat = connection.find(PARTS, columns=("name", "beat"), order=("-beat", "-name"), limit=3)
        assert by_beat == [("relay", 30), ("take%", 20), ("sweep", 20)]
        assert connection.find(PARTS, {"name": "sweep"}) == [tuple(PEOPLE[2].values())]
        assert connection.total(PARTS, {"holder": "a"}, of="beat") == 50
        assert connection.total(PARTS, {"holder": "nobody"}, of="beat") == 0
        assert connection.find(PARTS, order=("name",), limit=0) == []


def test_bytes_are_counted_and_not_letters(database):
    add(database, "cup", "ä")
    with database.reading() as connection:
        ((data, octets),) = connection.find(EVENTS, columns=("data", "octets(data)"))
    assert octets == len(data.encode()) == len(data) + 1


def test_a_row_is_added_once_and_put_again(parts):
    with parts.writing() as connection:
        assert connection.add(PARTS, [part("relay", "a", 99), part("new", "a")]) == 1
        assert connection.add(PARTS, []) == 0
        connection.put(PARTS, part("sweep", "a", 77))
        connection.put(PARTS, part("newer", "a", 5))
    with parts.reading() as connection:
        rows = connection.find(PARTS, {"holder": "a"}, columns=("name", "beat"), order=("name",))
    assert rows == [("new", 0), ("newer", 5), ("relay", 30), ("sweep", 77)]


def test_rows_are_changed_and_removed_by_a_condition(parts):
    with parts.writing() as connection:
        assert connection.change(PARTS, {"name": "relay"}, {"deaths +": 3, "trouble": "gone"}) == 2
        assert connection.change(PARTS, {"name": "nobody"}, {"deaths": 3}) == 0
        assert connection.remove(PARTS, {"deaths": 5}) == 1
        assert connection.remove(PARTS, {"name": "sweep"}, shred=True) == 1
        assert connection.find(PARTS, columns=("name", "deaths", "trouble"), order=("name",)) == [
            ("relay", 3, "gone"),
            ("take%", 1, ""),
        ]
        assert connection.remove(PARTS) == 2
    with parts.reading() as connection:
        assert connection.total(PARTS) == 0


def test_rows_are_numbered_in_the_order_in_which_they_came(database):
    case = {
        "source": "s",
        "tournament": "t",
        "position": 1,
        "reason": "",
        "origin": "owner",
        "body": b"\x00",
        "time": "",
    }
    with database.writing() as connection:
        connection.add(QUARANTINE, [case, case])
        connection.add(QUARANTINE, [case | {"body": b"\xff"}])
        rows = connection.find(QUARANTINE, columns=("id", "body"), order=("id",))
    assert [body for _, body in rows] == [b"\x00", b"\x00", b"\xff"]
    assert len({id for id, _ in rows}) == 3


def test_the_clock_is_the_engines_own(database):
    of_relay = {"name": "relay"}
    with database.writing() as connection:
        connection.change(RELAY, of_relay, {"expires now +": 5_000})
        ((expires,),) = connection.find(RELAY, of_relay, columns=("expires",))
        assert abs(expires - time.time() * 1000 - 5_000) < 60_000
        assert connection.total(RELAY, {**of_relay, "expires > now +": 0}) == 1
        assert connection.total(RELAY, {**of_relay, "expires < now +": 0}) == 0
        assert connection.total(RELAY, {**of_relay, "expires < now +": 120_000}) == 1


def test_a_block_that_fails_leaves_everything_as_it_was(parts):
    add(parts, "cup", "anna")
    with parts.reading() as connection:
        before = [sorted(connection.find(table), key=str) for table in (PARTS, EVENTS, HEADS, OUTBOX, RELAY)]

    def fail():
        with parts.writing() as connection:
            connection.change(PARTS, {"name": "relay"}, {"deaths +": 3})
            connection.remove(PARTS, {"name": "relay"})
            connection.put(PARTS, part("sweep", "a", 1))
            connection.put(PARTS, part("sweep", "b", 1))
            connection.add(CURSORS, [dict.fromkeys(CURSORS.columns, 0) | {"source": "x", "trouble": ""}])
            assert connection.sequence(10) == 1
            log = log_of("open", "open", "ben")
            assert connection.extend(EMPTY, log, own=True)
            raise RuntimeError("power cut")

    with pytest.raises(RuntimeError):
        fail()
    with parts.reading() as connection:
        after = [sorted(connection.find(table), key=str) for table in (PARTS, EVENTS, HEADS, OUTBOX, RELAY)]
        assert connection.total(CURSORS) == 0
    assert after == before


def test_nobody_sees_half_of_a_transaction(database):
    began, looked = threading.Event(), threading.Event()
    seen = []

    def look():
        began.wait(PATIENCE)
        threading.Timer(0.2, looked.set).start()
        with database.reading() as connection:
            seen.append(connection.total(OWN_COPIES))

    reader = threading.Thread(target=look)
    reader.start()
    with database.writing() as connection:
        connection.put(OWN_COPIES, {"peer": "a", "checked": 0, "trouble": ""})
        began.set()
        looked.wait(PATIENCE)
        connection.put(OWN_COPIES, {"peer": "b", "checked": 0, "trouble": ""})
    reader.join(PATIENCE)
    assert seen in ([0], [2])


def test_what_commands_did_is_found_by_their_keys(database):
    add(database, "cup", "anna", command_id="k~1")
    add(database, "cup", "ben", "cleo", command_id="k~2~3")
    add(database, "cup", "dora", command_id="random")
    add(database, "open", "ben", command_id="l~1")
    with database.reading() as connection:
        assert connection.done("registration", "cup", ["k"]) == [("k~1", 1)]
        found = sorted(connection.done("registration", "cup", ["l", "k~2", "k", "random"]))
        assert found == [("k~1", 1), ("k~2~3", 2), ("k~2~3", 3)]
        assert connection.done("scoring", "cup", ["k"]) == []
        assert connection.done("registration", "cup", []) == []


def test_nobody_else_moves_a_head_that_is_held(database):
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
    with database.holding("registration", "cup", {}, 0, []):
        held.set()
        until(lambda: "waited" in order)
        order.append("mine")
    other.join(PATIENCE)
    assert order == ["waited", "mine", "other"]


def test_who_waited_for_a_head_finds_what_was_done_meanwhile(database):
    add(database, "cup", "anna")
    before, keys, waits, found = head(database, "cup"), ["k", "l"], threading.Event(), []

    def wait():
        waits.set()
        with database.holding("registration", "cup", {"registration": before}, 0, keys) as held:
            found.extend([[row[2] for row in held.news], held.done])

    other = threading.Thread(target=wait)
    with database.holding("registration", "cup", {"registration": before}, 0, keys) as held:
        assert (list(held.news), held.done) == ([], [])
        other.start()
        waits.wait(PATIENCE)
        remains(lambda: not found, "the other waits for the head")
        events = chained("registration", "cup", before, joined("ben"), STAMP_OF_K)
        assert held.connection.extend(before, events, own=True)
    other.join(10)
    assert found == [[2], [("k~1", 2)]]


@pytest.mark.parametrize("last", [False, True])
def test_behind_another_head_nothing_is_written_under_the_lock_either(database, last):
    add(database, "cup", "anna")
    then = head(database, "cup")
    add(database, "cup", "ben")
    events = chained("registration", "cup", then, joined("cleo"), STAMP_OF_K)
    with suppress(HeadMoved), database.holding("registration", "cup", {"registration": then}, 0, []) as held:
        assert not held.connection.extend(then, events, own=True, last=last)
        raise HeadMoved
    assert [event.command_id for event in read(database, "cup")] == ["c1", "c1"]
    add(database, "cup", "cleo")


def test_what_is_written_last_is_committed_with_its_outbox(database):
    add(database, "cup", "anna")
    before = head(database, "cup")
    events = chained("registration", "cup", before, joined("ben", "cleo"), STAMP_OF_K)
    with database.holding("registration", "cup", {"registration": before}, 0, ["k"]) as held:
        assert held.connection.extend(before, events, own=True, causes=["one", "two"], last=True)
    assert read(database, "cup")[1:] == events
    with database.reading() as connection:
        rows = connection.find(OUTBOX, {"tournament": "cup"}, columns=("cause",), order=("position",))
    assert rows[1:] == [("one",), ("two",)]
