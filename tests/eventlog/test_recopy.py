"""Recopies: a copy is replaced by its owner's log, on record, and nothing else may remove an event."""

from __future__ import annotations

import pytest
from sqlalchemy.exc import DBAPIError

from shared.log.copies import Recopied, last_recopy, open_cases, quarantine_event, quarantine_unreadable, recopy
from shared.log.database import Database
from shared.log.event import EMPTY_HEAD, Head
from shared.log.log import BrokenLog
from shared.log.migrate import upgrade_database
from shared.log.reading import new_events_and_last_recopy
from tests.eventlog.stories import add, changed, copy, head, log_of, read

TRUE = log_of("cup", "cup", "anna", "ben", "cleo")
FORGED = log_of("cup", "cup", "anna", "mallory", "mallory's friend", "another")


@pytest.fixture
def pairing(pairings_database: Database) -> Database:
    """Return pairing's database with an own log and a copy that is forged from the third event on."""
    database = pairings_database
    add(database, "cup", "sam", source="pairing")
    copy(database, FORGED)
    copy(database, log_of("open", "open"))
    return database


def made_anew(database: Database, log=TRUE, source="registration", tournament="cup") -> Recopied:
    return recopy(database, source, tournament, log, actor="operator", reason="forged", time="2026-03-07T09:30:00.000Z")


def rows(database: Database, sql: str) -> list[tuple]:
    with database.reading() as connection:
        return connection.rows(sql)


def test_a_forged_copy_becomes_the_owners_log_and_its_events_are_kept(pairing):
    with pairing.reading() as connection:
        assert quarantine_event(pairing, TRUE[2], "this position holds something else", "fork", b"")
        assert quarantine_unreadable(pairing, "registration", "cup", 4, "cannot be folded")
        assert len(open_cases(connection)) == 2
    done = made_anew(pairing)
    assert (done.kept, done.replaced, done.cases) == (2, 3, 2)
    assert (done.old, done.new) == (Head(5, FORGED[-1].hash), Head(4, TRUE[-1].hash))
    assert read(pairing, "cup") == TRUE
    assert head(pairing, "cup") == Head(4, TRUE[-1].hash)
    assert sorted(rows(pairing, "SELECT recopy, position, hash FROM replaced")) == [
        (done.id, event.position, event.hash) for event in FORGED[2:]
    ]
    record = "SELECT source, tournament, actor, reason, old_position, new_position FROM recopies"
    assert rows(pairing, record) == [("registration", "cup", "operator", "forged", 5, 4)]
    with pairing.reading() as connection:
        assert open_cases(connection) == []
    # Nobody else's log was touched, and copying goes on behind it.
    assert len(read(pairing, "open")) == len(read(pairing, "cup", "pairing")) == 1
    copy(pairing, log_of("cup", "cup", "anna", "ben", "cleo", "dora")[4:])


def test_an_event_that_was_damaged_on_disk_is_replaced(database):
    upgrade_database(database, "pairing")
    copy(database, TRUE[:2])
    spoiled = changed(TRUE[2], data='{"name":"x","player":"x"}')
    with database.writing() as connection:  # as it lies on the disk: its hash is the true one
        columns = ", ".join(spoiled.__struct_fields__)
        values = ", ".join(f":{name}" for name in spoiled.__struct_fields__)
        row = {name: getattr(spoiled, name) for name in spoiled.__struct_fields__}
        connection.run(f"INSERT INTO events ({columns}) VALUES ({values})", **row)
        connection.run("UPDATE heads SET position = 3, hash = :hash", **row)
    assert made_anew(database).kept == 2
    assert read(database, "cup") == TRUE
    assert rows(database, "SELECT data FROM replaced") == [(spoiled.data,)]


def test_a_log_that_its_owner_does_not_have_is_removed(pairing):
    done = made_anew(pairing, [])
    assert (done.kept, done.replaced, done.new) == (0, 5, EMPTY_HEAD)
    assert read(pairing, "cup") == []
    assert head(pairing, "cup") == EMPTY_HEAD
    copy(pairing, TRUE)  # it may begin again


def test_a_recopy_of_a_correct_copy_is_recorded(pairing):
    done = made_anew(pairing, FORGED)
    assert (done.kept, done.replaced, done.old) == (5, 0, done.new)
    assert last_recopy_of(pairing) == done.id
    assert rows(pairing, "SELECT data FROM replaced") == []


def last_recopy_of(database: Database) -> int:
    with database.reading() as connection:
        return last_recopy(connection, "cup")


def test_an_invalid_log_replaces_nothing(pairing):
    for log in (TRUE[1:], [*TRUE[:2], changed(TRUE[2], data="{}")]):
        with pytest.raises(BrokenLog):
            made_anew(pairing, log)
    assert read(pairing, "cup") == FORGED
    assert last_recopy_of(pairing) == 0


def test_the_own_log_is_never_recopied(pairing):
    before = read(pairing, "cup", "pairing")
    with pytest.raises(DBAPIError, match="never changed"):
        made_anew(pairing, log_of("cup", "x", source="pairing"), "pairing")
    assert read(pairing, "cup", "pairing") == before


def test_a_database_without_an_owner_refuses_recopies(database):
    copy(database, FORGED)
    with pytest.raises(DBAPIError, match="never changed"):
        made_anew(database)
    assert read(database, "cup") == FORGED


RECORD = """INSERT INTO recopies (source, tournament, actor, reason, time, old_position, old_hash, kept, new_position,
    new_hash, under_way) VALUES (:source, 'cup', '', '', '', 0, '', 0, 0, '', 1)"""


@pytest.mark.parametrize(
    "other_way",
    [
        "DELETE FROM events",
        "DELETE FROM events WHERE source = 'registration' AND tournament = 'open'",
        "UPDATE events SET data = '{}'",
        "DELETE FROM replaced",
        "UPDATE replaced SET data = '{}'",
        "DELETE FROM recopies",
        "UPDATE recopies SET actor = 'nobody'",
        "UPDATE recopies SET under_way = 1",
        "UPDATE owner SET source = 'registration'",
        "DELETE FROM owner",
        RECORD.replace(":source", "'pairing'"),
    ],
)
def test_triggers_refuse_every_other_removal(pairing, other_way):
    made_anew(pairing)
    with pytest.raises(DBAPIError, match="events are never"), pairing.writing() as connection:
        connection.run(other_way)
    assert read(pairing, "cup") == TRUE


def test_during_a_recopy_other_logs_are_protected(pairing):
    def delete(tournament):
        with pairing.writing() as connection:
            connection.run(RECORD, source="registration")
            connection.run("DELETE FROM events WHERE tournament = :tournament", tournament=tournament)

    for log in ("open", "cup"):  # also of this one nothing goes that was not set aside
        with pytest.raises(DBAPIError, match="events are never"):
            delete(log)
    assert read(pairing, "cup") == FORGED


def test_a_recopy_is_read_together_with_new_events(pairing):
    heads = {"registration": head(pairing, "cup")}
    with pairing.reading() as connection:
        assert new_events_and_last_recopy(connection, "cup", heads, 0) == (0, [])
    done = made_anew(pairing)
    with pairing.reading() as connection:
        assert new_events_and_last_recopy(connection, "cup", heads, 0)[0] == done.id
        assert new_events_and_last_recopy(connection, "open", heads, 0)[0] == 0
        told = new_events_and_last_recopy(connection, "cup", {"registration": EMPTY_HEAD}, done.id)
    assert [event.data for event in told[1]] == [event.data for event in TRUE]
    assert told[1][-1].hash == TRUE[-1].hash


def test_a_writer_with_a_locked_head_sees_a_recopy(pairings_database):
    """The new copy ends at the same position, so its new events alone would not show the recopy."""
    database = pairings_database
    add(database, "cup", "sam", source="pairing")
    copy(database, FORGED[:4])
    heads = {"pairing": head(database, "cup", "pairing"), "registration": head(database, "cup")}
    done = made_anew(database)
    assert head(database, "cup").position == heads["registration"].position
    with database.locking_log("pairing", "cup", heads, 0, []) as held:
        assert held.last_recopy == done.id
    with database.locking_log("pairing", "cup", heads, done.id, []) as held:
        assert (held.last_recopy, list(held.new_rows)) == (done.id, [])
