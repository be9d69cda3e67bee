"""Quarantine and cursors: what was refused is shown until the copies are past it; cursors never pass what misses."""

from __future__ import annotations

from shared.log import cursors
from shared.log.quarantine import open_cases, put_aside
from tests.log.stories import copy, log_of

LOG = log_of("cup", "anna", "ben", "cleo")


def cases(database):
    with database.reading() as connection:
        return open_cases(connection)


def test_a_refused_event_is_shown_until_the_copy_is_past_it(database):
    copy(database, LOG[:1])
    assert put_aside(database, LOG[1], "its content hashes to something else", "message", b"bytes")
    (case,) = cases(database)
    assert (case.source, case.tournament, case.position, case.origin) == ("registration", "cup", 2, "message")
    assert case.time.endswith("Z")
    copy(database, LOG[1:2])
    assert cases(database) == []


def test_the_same_refusal_is_kept_once(database):
    assert put_aside(database, LOG[1], "reason", "owner", b"bytes")
    assert not put_aside(database, LOG[1], "reason", "owner", b"bytes")
    assert put_aside(database, LOG[1], "another reason", "owner", b"bytes")
    assert len(cases(database)) == 2


def test_a_fork_stays_for_the_copy_cannot_heal(database):
    copy(database, LOG)
    put_aside(database, LOG[1], "this position holds something else", "message", b"")
    assert cases(database) == []
    put_aside(database, LOG[1], "this position holds something else", "fork", b"")
    assert [case.origin for case in cases(database)] == ["fork"]


def test_a_cursor_only_moves_on(database):
    with database.writing() as connection:
        assert cursors.cursor_of(connection, "registration") == 0
        cursors.move_cursor(connection, "registration", 7)
        cursors.move_cursor(connection, "registration", 5)
        assert cursors.cursor_of(connection, "registration") == 7
        cursors.note_owner_end(connection, "registration", 9)
        cursors.note_owner_end(connection, "scoring", 3)
    with database.reading() as connection:
        first, second = cursors.cursors(connection)
    assert (first.source, first.feed, first.owner_end, first.behind) == ("registration", 7, 9, 2)
    assert (second.source, second.feed, second.behind) == ("scoring", 0, 3)
    assert first.checked > 1_700_000_000_000


def test_a_cursor_is_read_from_the_beginning_again_only_on_demand(database):
    with database.writing() as connection:
        cursors.move_cursor(connection, "registration", 7)
        cursors.rewind_cursor(connection, "registration")
        assert cursors.cursor_of(connection, "registration") == 0


def test_copies_are_counted(database):
    copy(database, LOG)
    copy(database, log_of("open", "x"))
    with database.reading() as connection:
        assert (cursors.copied(connection, "registration"), cursors.copied(connection, "scoring")) == (4, 0)
