"""One leader a service for each kind of work: a row that says who leads until when, with a token that grows with every
new leader. `name`: of the row, one for each kind of work.

The same row on every engine: an advisory lock would vanish unnoticed with its session (or stay behind a
connection pooler), and a token would be needed all the same to keep a leader that fell asleep from writing. The
time is the database's own, so the clocks of the machines do not matter. A lease that ends later than any lease can
was taken before somebody set the clock of the database back, and counts as ended.
"""

from __future__ import annotations

import os
import socket
from pathlib import Path
from uuid import uuid4

from shared.log.database import Connection, Database

RELAY = "relay"
MAX_TTL_MS = 60_000
"""Milliseconds: no lease is taken for longer."""


class LeaseLost(Exception):
    """Somebody else leads by now; nothing of the transaction may be kept."""


def acquire(database: Database, holder: str, ttl: int, name: str = RELAY) -> int | None:
    """Become leader if nobody is; returns the fencing token, or None while somebody else leads.

    holder: who, for people who look at the row. ttl: milliseconds without a sign of life until others may lead,
    at most LONGEST.
    """
    with database.writing() as connection:
        now = connection.now
        sql = f"""UPDATE relay SET token = token + 1, holder = :holder, expires = {now} + :ttl, busy = 0
            WHERE name = :name AND (expires < {now} OR expires > {now} + :longest) RETURNING token"""
        token: int | None = connection.value(sql, name=name, holder=holder, ttl=ttl, longest=MAX_TTL_MS)
    return token


def current_leader(connection: Connection, name: str = RELAY) -> tuple[str, int]:
    """Who leads, or led last, and the fencing token."""
    ((holder, token),) = connection.rows("SELECT holder, token FROM relay WHERE name = :name", name=name)
    return holder, token


def renew(connection: Connection, token: int, ttl: int, name: str = RELAY) -> None:
    """Check that `token` still leads, and lead for another `ttl` milliseconds.

    connection: inside a writing block; the row stays locked to its end, so nobody becomes leader in between.
    Raises LeaseLost.
    """
    sql = f"UPDATE relay SET expires = {connection.now} + :ttl WHERE name = :name AND token = :token"
    if not connection.run(sql, name=name, token=token, ttl=ttl):
        raise LeaseLost(f"the lease with token {token} was taken over")


def mark_busy(database: Database, token: int, busy: bool) -> None:
    """Tell those who append whether they need to ring; look once more after saying no."""
    with database.writing() as connection:
        sql = "UPDATE relay SET busy = :busy WHERE name = :name AND token = :token"
        connection.run(sql, name=RELAY, token=token, busy=int(busy))


def release(database: Database, token: int, name: str = RELAY) -> None:
    """Stop leading at once, so that the next leader need not wait; nothing happens when another leads already."""
    with database.writing() as connection:
        sql = "UPDATE relay SET expires = 0, busy = 0 WHERE name = :name AND token = :token"
        connection.run(sql, name=name, token=token)


def new_holder() -> str:
    """How this process is named in the row of a lease; another one each time."""
    return f"{MACHINE}:{os.getpid()}:{uuid4().hex[:8]}"


def release_dead_leader(database: Database, name: str = RELAY) -> bool:
    """End the lease of a leader that was a process of this machine and is none any more: why wait for it?

    Returns whether there was one.
    """
    with database.reading() as connection:
        holder, token = current_leader(connection, name)
    place, _, rest = holder.rpartition(":")[0].rpartition(":")
    if place != MACHINE or not rest.isdigit() or _alive(int(rest)):
        return False
    release(database, token, name)
    return True


def _here() -> str:
    """Where process ids mean the same as here: one running system, and within it one container."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        space = Path("/proc/self/ns/pid").readlink().name.strip("pid:[]")
    except OSError:  # no Linux: whether a leader is gone cannot be known, and its lease has to run out
        boot, space = uuid4().hex, ""
    return f"{socket.gethostname()}/{boot}/{space}"


MACHINE = _here()


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True  # somebody else's
    return True
