"""One leader a service: a row that says who leads until when, with a token that grows with every new leader.

The same row on every engine: an advisory lock would vanish unnoticed with its session (or stay behind a
connection pooler), and a token would be needed all the same to keep a leader that fell asleep from writing. The
time is the database's own, so the clocks of the machines do not matter. A lease that ends later than any lease can
was taken before somebody set the clock of the database back, and counts as ended.
"""

from __future__ import annotations

from shared.eventlog.database import Connection, Database
from shared.eventlog.tables import RELAY

LONGEST = 60_000
"""Milliseconds: no lease is taken for longer."""


class LeaseLost(Exception):
    """Somebody else leads by now; nothing of the transaction may be kept."""


def acquire(database: Database, holder: str, ttl: int) -> int | None:
    """Become leader if nobody is; returns the fencing token, or None while somebody else leads.

    holder: who, for people who look at the row. ttl: milliseconds without a sign of life until others may lead,
    at most LONGEST.
    """
    leading = {"token +": 1, "holder": holder, "expires now +": ttl, "busy": 0}
    with database.writing() as connection:
        for ended in ({"expires < now +": 0}, {"expires > now +": LONGEST}):
            if connection.change(RELAY, {"name": "relay", **ended}, leading):
                return leader(connection)[1]
    return None


def leader(connection: Connection) -> tuple[str, int]:
    """Who leads, or led last, and the fencing token."""
    ((holder, token),) = connection.find(RELAY, {"name": "relay"}, columns=("holder", "token"))
    return holder, token


def hold(connection: Connection, token: int, ttl: int) -> None:
    """Check that `token` still leads, and lead for another `ttl` milliseconds.

    connection: inside a writing block; the row stays locked to its end, so nobody becomes leader in between.
    Raises LeaseLost.
    """
    if not connection.change(RELAY, {"name": "relay", "token": token}, {"expires now +": ttl}):
        raise LeaseLost(f"the lease with token {token} was taken over")


def say_busy(database: Database, token: int, busy: bool) -> None:
    """Tell those who append whether they need to ring; look once more after saying no."""
    with database.writing() as connection:
        connection.change(RELAY, {"name": "relay", "token": token}, {"busy": int(busy)})


def release(database: Database, token: int) -> None:
    """Stop leading at once, so that the next leader need not wait; nothing happens when another leads already."""
    with database.writing() as connection:
        connection.change(RELAY, {"name": "relay", "token": token}, {"expires": 0, "busy": 0})
