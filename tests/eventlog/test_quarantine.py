"""Quarantine and cursors: cases are open until the copies pass them; cursors never pass missing events."""

from __future__ import annotations

import pytest

from shared import metrics
from shared.log import copies
from shared.log.copies import open_cases, quarantine_event
from tests.eventlog.stories import copy, log_of

LOG = log_of("cup", "anna", "ben", "cleo")


def cases(database):
    with database.reading() as connection:
        return open_cases(connection)


def test_a_case_is_open_until_the_copy_passes_it(database):
    copy(database, LOG[:1])
    assert quarantine_event(database, LOG[1], "its content hashes to something else", "message", b"bytes")
    (case,) = cases(database)
    assert (case.source, case.tournament, case.position, case.origin) == ("registration", "cup", 2, "message")
    assert case.time.endswith("Z")
    copy(database, LOG[1:2])
    assert cases(database) == []


def test_the_same_refusal_is_stored_once(database):
    assert quarantine_event(database, LOG[1], "reason", "message", b"bytes")
    assert not quarantine_event(database, LOG[1], "reason", "message", b"bytes")
    assert quarantine_event(database, LOG[1], "another reason", "message", b"bytes")
    assert len(cases(database)) == 2


@pytest.mark.parametrize("origin", ["owner", "fork"])
def test_the_first_invalid_event_of_an_owners_log_is_kept(database, origin):
    assert quarantine_event(database, LOG[1], "reason", origin, b"bytes")
    assert not quarantine_event(database, LOG[1], "another reason", origin, b"bytes")
    assert not quarantine_event(database, LOG[2], "reason", origin, b"bytes")
    assert quarantine_event(database, LOG[0], "reason", origin, b"bytes")
    assert quarantine_event(database, log_of("open", "x")[0], "reason", origin, b"bytes")


def test_cases_from_messages_are_bounded_and_those_from_owners_stay(database, monkeypatch):
    monkeypatch.setattr(copies, "MESSAGES_KEPT", 5)
    before = metrics.QUARANTINE_DROPPED.labels("registration")._value.get()
    quarantine_event(database, LOG[0], "reason", "owner", b"")
    quarantine_event(database, log_of("other", "x", source="scoring")[0], "reason", "message", b"")
    for number in range(20):
        quarantine_event(database, log_of(f"t{number:02}", "x")[0], "r" * 10_000, "message", b"b" * 100_000)
    kept = cases(database)
    assert [case.tournament for case in kept] == ["cup", "other", *(f"t{number}" for number in range(15, 20))]
    assert {len(case.reason) for case in kept[2:]} == {copies.LONGEST_REASON}
    with database.reading() as connection:
        bodies = max(len(body) for (body,) in connection.rows("SELECT body FROM quarantine"))
    assert bodies == copies.KEPT_BYTES
    assert metrics.QUARANTINE_DROPPED.labels("registration")._value.get() == before + 15


def test_a_fork_stays_open(database):
    copy(database, LOG)
    quarantine_event(database, LOG[1], "this position holds something else", "message", b"")
    assert cases(database) == []
    quarantine_event(database, LOG[1], "this position holds something else", "fork", b"")
    assert [case.origin for case in cases(database)] == ["fork"]


def test_a_cursor_only_moves_forward(database):
    with database.writing() as connection:
        assert copies.cursor_of(connection, "registration") == 0
        copies.move_cursor(connection, "registration", 7)
        copies.move_cursor(connection, "registration", 5)
        assert copies.cursor_of(connection, "registration") == 7
        copies.note_owner_end(connection, "registration", 9)
        copies.note_owner_end(connection, "scoring", 3)
    with database.reading() as connection:
        first, second = copies.cursors(connection)
    assert (first.source, first.feed, first.owner_end, first.behind) == ("registration", 7, 9, 2)
    assert (second.source, second.feed, second.behind) == ("scoring", 0, 3)
    assert first.checked > 1_700_000_000_000


def test_a_cursor_moves_back_only_on_request(database):
    with database.writing() as connection:
        copies.move_cursor(connection, "registration", 7)
        copies.rewind_cursor(connection, "registration")
        assert copies.cursor_of(connection, "registration") == 0


def test_copies_are_counted(database):
    copy(database, LOG)
    copy(database, log_of("open", "x"))
    with database.reading() as connection:
        assert (copies.count_copied(connection, "registration"), copies.count_copied(connection, "scoring")) == (4, 0)
