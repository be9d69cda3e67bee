"""Who leads the relay, when the clock of the database is set while a leader is gone."""

from __future__ import annotations

import pytest

from shared.log import lease
from shared.log.database import Database

TTL = 5_000
HOUR = 3_600_000


def moved(database: Database, milliseconds: int) -> None:
    """The lease as it looks after the clock was set back by so much."""
    with database.writing() as connection:
        connection.run("UPDATE relay SET expires = expires + :more", more=milliseconds)


def test_a_lease_that_ends_too_far_in_the_future_was_taken_before_the_clock_was_set_back(database: Database) -> None:
    first = lease.acquire(database, "first", TTL)
    assert first is not None
    assert lease.acquire(database, "second", TTL) is None
    moved(database, HOUR)
    second = lease.acquire(database, "second", TTL)
    assert second is not None
    assert second > first
    with pytest.raises(lease.LeaseLost), database.writing() as connection:
        lease.renew(connection, first, TTL)


def test_a_leader_that_lives_leads_on_after_the_clock_was_set_back(database: Database) -> None:
    first = lease.acquire(database, "first", TTL)
    assert first is not None
    moved(database, HOUR)
    with database.writing() as connection:
        lease.renew(connection, first, TTL)
    assert lease.acquire(database, "second", TTL) is None
