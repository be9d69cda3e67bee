"""Put events behind a head: the one place where rows enter `events`, for own appends and for copies alike.

The head moves only from where the caller saw it, in the same transaction as the rows. On PostgreSQL all of it is
one statement, so an append is one round trip; on SQLite it is three statements inside the caller's transaction.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import astuple

from shared.events.recorded import Head, Recorded

NOTIFY_CHANNEL = "muster_outbox"
"""PostgreSQL channel that wakes the relay when an append commits."""

_KINDS = {
    "position": "int",
    "id": "text",
    "type": "text",
    "version": "int",
    "time": "text",
    "actor": "text",
    "command_id": "text",
    "seen": "text",
    "data": "text",
    "prev_hash": "text",
    "hash": "text",
}
"""The columns that differ from event to event of one log."""
_COLUMNS = f"source, tournament, {', '.join(_KINDS)}"

_PG_MOVE = """UPDATE heads SET position = %(last)s, hash = %(last_hash)s
    WHERE source = %(source)s AND tournament = %(tournament)s
      AND position = %(expected)s AND hash = %(expected_hash)s RETURNING 1"""
_PG_OPEN = """INSERT INTO heads (source, tournament, position, hash)
    VALUES (%(source)s, %(tournament)s, %(last)s, %(last_hash)s) ON CONFLICT DO NOTHING RETURNING 1"""
# One event, as most commands give, goes as plain values: arrays and their unnest would double the time.
_PG_ONE = f"(SELECT {', '.join(f'%({name})s::{kind} AS {name}' for name, kind in _KINDS.items())})"
_PG_MANY = f"unnest({', '.join(f'%({name})s::{kind}[]' for name, kind in _KINDS.items())})"
_PG_EXTEND = f"""WITH moved AS ({{move}}), added AS (
    INSERT INTO events ({_COLUMNS})
    SELECT %(source)s, %(tournament)s, row.* FROM moved, {{rows}} AS row ({", ".join(_KINDS)})){{outbox}}
    SELECT {{answer}} FROM moved"""
_PG_OUTBOX = """, out AS (INSERT INTO outbox (tournament, position)
    SELECT %(tournament)s, position FROM moved, generate_series(%(first)s::int, %(last)s::int) AS position)"""
# A notification is sent under a lock over the whole cluster that is held while the commit is flushed, so that
# commits wait for one another; a relay that is busy anyway looks by itself.
_PG_RING = f"""CASE WHEN (SELECT busy FROM relay WHERE name = 'relay') = 0
    THEN pg_notify('{NOTIFY_CHANNEL}', '')::text END"""

_PG = {
    (first, many, own): _PG_EXTEND.format(
        move=_PG_OPEN if first else _PG_MOVE,
        rows=_PG_MANY if many else _PG_ONE,
        outbox=_PG_OUTBOX if own else "",
        answer=_PG_RING if own else "1",
    )
    for first in (True, False)
    for many in (True, False)
    for own in (True, False)
}

_SQLITE_OPEN = (
    """INSERT INTO heads (source, tournament, position, hash) VALUES (?3, ?4, ?1, ?2) ON CONFLICT DO NOTHING"""
)
_SQLITE_MOVE = """UPDATE heads SET position = ?1, hash = ?2
    WHERE source = ?3 AND tournament = ?4 AND position = ?5 AND hash = ?6"""
_SQLITE_EVENT = f"INSERT INTO events ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_SQLITE_OUTBOX = "INSERT INTO outbox (tournament, position) VALUES (?, ?)"


def extend(cursor: Any, dialect: str, expected: Head, events: Sequence[Recorded], *, own: bool) -> bool:
    """Add consecutive events of one log behind `expected`, and outbox rows too when the log is the service's own.

    cursor: of the driver. Returns False, with nothing written, when the head is not where `expected` says. On SQLite
    the caller holds a write transaction; on PostgreSQL the statement is atomic and may also stand in a transaction.
    """
    if dialect == "sqlite":
        return _extend_sqlite(cursor, expected, events, own)
    return _extend_postgresql(cursor, expected, events, own)


def _extend_postgresql(cursor: Any, expected: Head, events: Sequence[Recorded], own: bool) -> bool:
    many = len(events) > 1
    parameters: dict[str, object] = {
        "source": events[0].source,
        "tournament": events[0].tournament,
        "expected": expected.position,
        "expected_hash": expected.hash,
        "first": events[0].position,
        "last": events[-1].position,
        "last_hash": events[-1].hash,
    }
    for name in _KINDS:
        parameters[name] = [getattr(event, name) for event in events] if many else getattr(events[0], name)
    return cursor.execute(_PG[expected.position == 0, many, own], parameters).fetchone() is not None


def _extend_sqlite(cursor: Any, expected: Head, events: Sequence[Recorded], own: bool) -> bool:
    source, tournament = events[0].source, events[0].tournament
    place = (events[-1].position, events[-1].hash, source, tournament)
    if expected.position == 0:
        cursor.execute(_SQLITE_OPEN, place)
    else:
        cursor.execute(_SQLITE_MOVE, (*place, expected.position, expected.hash))
    if cursor.rowcount != 1:
        return False
    cursor.executemany(_SQLITE_EVENT, map(astuple, events))
    if own:
        cursor.executemany(_SQLITE_OUTBOX, [(tournament, event.position) for event in events])
    return True
