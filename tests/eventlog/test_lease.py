"""Leases after the clock of the database was set back."""

from __future__ import annotations

import pytest

from shared.log import lease
from shared.log.database import Database

TTL = 5_000
HOUR = 3_600_000


def moved(database: Database, milliseconds: int) -> None:
    """Move the expiry of the lease, as if the clock had been set back."""
    with database.writing() as connection:
        connection.run("UPDATE relay SET expires = expires + :more", more=milliseconds)


def test_a_lease_that_ends_too_far_in_the_future_counts_as_expired(database: Database) -> None:
    first = lease.acquire(database, "first", TTL)
    assert first is not None
    assert lease.acquire(database, "second", TTL) is None
    moved(database, HOUR)
    second = lease.acquire(database, "second", TTL)
    assert second is not None
    assert second > first
    with pytest.raises(lease.LeaseLost), database.writing() as connection:
        lease.renew(connection, first, TTL)


def test_a_live_leader_keeps_its_lease_after_the_clock_was_set_back(database: Database) -> None:
    first = lease.acquire(database, "first", TTL)
    assert first is not None
    moved(database, HOUR)
    with database.writing() as connection:
        lease.renew(connection, first, TTL)
    assert lease.acquire(database, "second", TTL) is None
