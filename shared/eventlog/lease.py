"""One leader a service: a row that says who leads until when, with a token that grows with every new leader.

The same row on both databases: an advisory lock would vanish unnoticed with its session (or stay behind a
connection pooler), and a token would be needed all the same to keep a leader that fell asleep from writing. The
time is the database's own, so the clocks of the machines do not matter. A lease that ends later than any lease can
was taken before somebody set the clock of the database back, and counts as ended.
"""

from __future__ import annotations

from sqlalchemy import Connection, text

from shared.eventlog.database import Database

LONGEST = 60_000
"""Milliseconds: no lease is taken for longer."""

_NOW = {
    "sqlite": "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)",
    "postgresql": "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)",
}
_ACQUIRE = """UPDATE relay SET token = token + 1, holder = :holder, expires = {now} + :ttl, busy = 0
    WHERE name = 'relay' AND (expires < {now} OR expires > {now} + :longest) RETURNING token"""
_HOLD = "UPDATE relay SET expires = {now} + :ttl WHERE name = 'relay' AND token = :token"
_BUSY = text("UPDATE relay SET busy = :busy WHERE name = 'relay' AND token = :token")
_RELEASE = text("UPDATE relay SET expires = 0, busy = 0 WHERE name = 'relay' AND token = :token")


class LeaseLost(Exception):
    """Somebody else leads by now; nothing of the transaction may be kept."""


def acquire(database: Database, holder: str, ttl: int) -> int | None:
    """Become leader if nobody is; returns the fencing token, or None while somebody else leads.

    holder: who, for people who look at the row. ttl: milliseconds without a sign of life until others may lead,
    at most LONGEST.
    """
    statement = text(_ACQUIRE.format(now=_NOW[database.dialect]))
    with database.writing() as connection:
        token = connection.execute(statement, {"holder": holder, "ttl": ttl, "longest": LONGEST}).scalar()
    return None if token is None else int(token)


def hold(connection: Connection, token: int, ttl: int) -> None:
    """Check that `token` still leads, and lead for another `ttl` milliseconds.

    connection: inside a writing block; the row stays locked to its end, so nobody becomes leader in between.
    Raises LeaseLost.
    """
    statement = text(_HOLD.format(now=_NOW[connection.dialect.name]))
    if connection.execute(statement, {"token": token, "ttl": ttl}).rowcount != 1:
        raise LeaseLost(f"the lease with token {token} was taken over")


def say_busy(database: Database, token: int, busy: bool) -> None:
    """Tell those who append whether they need to ring; look once more after saying no."""
    with database.writing() as connection:
        connection.execute(_BUSY, {"token": token, "busy": int(busy)})


def release(database: Database, token: int) -> None:
    """Stop leading at once, so that the next leader need not wait; nothing happens when another leads already."""
    with database.writing() as connection:
        connection.execute(_RELEASE, {"token": token})
