"""Leases: one leader for each kind of work of a service, with a fencing token that increases with every new leader.

A lease is a row on every engine. An advisory lock would vanish unnoticed with its session (or stay held by a connection
pooler), and a paused leader would still need a fencing token. Expiry uses the database's clock, so the clocks of the
machines do not matter. A lease that ends later than MAX_TTL_MS from now was taken before the database's clock was set
back; it counts as expired.

`name` is the name of the row: one for each kind of work.
"""

from __future__ import annotations

import os
import socket
from pathlib import Path
from uuid import uuid4

from shared.log.database import Connection, Database

RELAY = "relay"
MAX_TTL_MS = 60_000


class LeaseLost(Exception):
    """Another process leads now; the transaction must be rolled back."""


def acquire(database: Database, holder: str, ttl: int, name: str = RELAY) -> int | None:
    """Become the leader if there is none. Return the fencing token, or None while another process leads.

    holder: the name of this process in the row, for people who read it. ttl: milliseconds without renewal after which
    another process may lead, at most MAX_TTL_MS.
    """
    with database.writing() as connection:
        now = connection.now
        sql = f"""UPDATE relay SET token = token + 1, holder = :holder, expires = {now} + :ttl, busy = 0
            WHERE name = :name AND (expires < {now} OR expires > {now} + :longest) RETURNING token"""
        token: int | None = connection.value(sql, name=name, holder=holder, ttl=ttl, longest=MAX_TTL_MS)
    return token


def current_leader(connection: Connection, name: str = RELAY) -> tuple[str, int]:
    """Return the holder and the fencing token of the current or last leader."""
    ((holder, token),) = connection.rows("SELECT holder, token FROM relay WHERE name = :name", name=name)
    return holder, token


def renew(connection: Connection, token: int, ttl: int, name: str = RELAY) -> None:
    """Extend the lease of `token` by `ttl` milliseconds.

    connection: inside a writing block. The row stays locked until the block ends, so the leader cannot change before.
    Raises LeaseLost if another process leads.
    """
    sql = f"UPDATE relay SET expires = {connection.now} + :ttl WHERE name = :name AND token = :token"
    if not connection.run(sql, name=name, token=token, ttl=ttl):
        raise LeaseLost(f"the lease with token {token} was taken over")


def mark_busy(database: Database, token: int, busy: bool) -> None:
    """Set whether appenders may skip the wake-up of the relay; look for events once more after setting it to False."""
    with database.writing() as connection:
        sql = "UPDATE relay SET busy = :busy WHERE name = :name AND token = :token"
        connection.run(sql, name=RELAY, token=token, busy=int(busy))


def release(database: Database, token: int, name: str = RELAY) -> None:
    """Give up the lease, so that the next leader need not wait; do nothing if another process leads already."""
    with database.writing() as connection:
        sql = "UPDATE relay SET expires = 0, busy = 0 WHERE name = :name AND token = :token"
        connection.run(sql, name=name, token=token)


def new_holder() -> str:
    """Return a new name for a leader in this process: machine, process id and a random part."""
    return f"{MACHINE}:{os.getpid()}:{uuid4().hex[:8]}"


def release_dead_leader(database: Database, name: str = RELAY) -> bool:
    """Release the lease of a leader that was a process of this machine and no longer exists.

    Return True if there was one.
    """
    with database.reading() as connection:
        holder, token = current_leader(connection, name)
    place, _, rest = holder.rpartition(":")[0].rpartition(":")
    if place != MACHINE or not rest.isdigit() or _alive(int(rest)):
        return False
    release(database, token, name)
    return True


def _machine() -> str:
    """Return an id of the process id namespace: the running system and, in it, the container."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        space = Path("/proc/self/ns/pid").readlink().name.strip("pid:[]")
    except OSError:  # not Linux: a dead leader cannot be detected, and its lease has to expire
        boot, space = uuid4().hex, ""
    return f"{socket.gethostname()}/{boot}/{space}"


MACHINE = _machine()


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True  # a process of another user
    return True
