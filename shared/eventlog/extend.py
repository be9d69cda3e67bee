"""Put events behind a head: the one place where rows enter `events`, for own appends and for copies alike.

The head moves only from where the caller saw it, in the same transaction as the rows. On PostgreSQL all of it is
one statement, so an append is one round trip; on SQLite it is three statements inside the caller's transaction.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any

from msgspec.structs import astuple

from shared.eventlog.tables import KEYED
from shared.eventlog.wording import worded
from shared.events.recorded import GENESIS, Head, Recorded

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
"""The columns that differ from event to event of one log, in the order of Recorded."""
_COLUMNS = ", ".join(Recorded.__struct_fields__)

_OPEN = """INSERT INTO heads (source, tournament, position, hash)
    VALUES (:source, :tournament, :last, :last_hash) ON CONFLICT DO NOTHING"""
_MOVE = """UPDATE heads SET position = :last, hash = :last_hash
    WHERE source = :source AND tournament = :tournament AND position = :expected AND hash = :expected_hash"""
# Two commands with one key have ids of one length: the key, a tilde, the digest of the request.
_UNLESS_DONE = f""" AND NOT EXISTS (
    SELECT 1 FROM events WHERE source = :source AND tournament = :tournament AND {KEYED}
      AND command_id >= :key AND command_id < :key_end AND length(command_id) = :key_length)"""

_SQLITE_EVENT = f"INSERT INTO events ({_COLUMNS}) VALUES ({', '.join('?' * (2 + len(_KINDS)))})"
_SQLITE_OUTBOX = "INSERT INTO outbox (tournament, position) VALUES (?, ?)"

# One event, as most commands give, goes as plain values: arrays and their unnest would double the time.
_PG_ONE = f"(SELECT {', '.join(f':{name}::{kind}' for name, kind in _KINDS.items())})"
_PG_MANY = f"unnest({', '.join(f':{name}::{kind}[]' for name, kind in _KINDS.items())})"
_PG_EXTEND = f"""WITH moved AS ({{move}} RETURNING 1), added AS (
    INSERT INTO events ({_COLUMNS})
    SELECT :source, :tournament, row.* FROM moved, {{rows}} AS row){{outbox}}
    SELECT {{answer}} FROM moved"""
_PG_OUTBOX = """, out AS (INSERT INTO outbox (tournament, position)
    SELECT :tournament, position FROM moved, generate_series(:first::int, :last::int) AS position)"""
# A notification is sent under a lock over the whole cluster that is held while the commit is flushed, so that
# commits wait for one another; a relay that is busy anyway looks by itself.
_PG_RING = f"""CASE WHEN (SELECT busy FROM relay WHERE name = 'relay') = 0
    THEN pg_notify('{NOTIFY_CHANNEL}', '')::text END"""


_UNLESS_NEWS = """
    AND coalesce((SELECT hash FROM heads WHERE source = :copy{0} AND tournament = :tournament), :none) = :seen{0}"""


def extend(
    cursor: Any,
    dialect: str,
    expected: Head,
    events: Sequence[Recorded],
    *,
    own: bool,
    seen: Mapping[str, Head] = MappingProxyType({}),
) -> bool:
    """Add consecutive events of one log behind `expected`, and outbox rows too when the log is the service's own.

    cursor: of the driver. On SQLite the caller holds a write transaction; on PostgreSQL the statement is atomic and
    may also stand in a transaction. seen: copied source -> where its copy has to end; not for the first
    event of a log. Returns False, with nothing written, when the head or a copy is not where it should be, or when own
    events come of a command whose idempotency key has events in the log already.
    """
    first, last, many = events[0], events[-1], len(events) > 1
    parameters: dict[str, object] = {
        "source": first.source,
        "tournament": first.tournament,
        "expected": expected.position,
        "expected_hash": expected.hash,
        "first": first.position,
        "last": last.position,
        "last_hash": last.hash,
    }
    key, keyed, _ = first.command_id.rpartition("~") if own else ("", "", "")
    if keyed:
        parameters |= {"key": f"{key}~", "key_end": f"{key}\x7f", "key_length": len(first.command_id)}
    for index, (copied, end) in enumerate(seen.items()):
        parameters |= {f"copy{index}": copied, f"seen{index}": end.hash, "none": GENESIS}
    move = _move(expected.position == 0, bool(keyed), len(seen))
    if dialect == "sqlite":
        if cursor.execute(move, parameters).rowcount != 1:
            return False
        cursor.executemany(_SQLITE_EVENT, map(astuple, events))
        if own:
            cursor.executemany(_SQLITE_OUTBOX, [(first.tournament, event.position) for event in events])
        return True
    for name in _KINDS:
        parameters[name] = [getattr(event, name) for event in events] if many else getattr(first, name)
    return cursor.execute(_postgresql(move, many, own), parameters).fetchone() is not None


@cache
def _move(opens: bool, keyed: bool, copies: int) -> str:
    if opens:
        return _OPEN
    unless_news = "".join(map(_UNLESS_NEWS.format, range(copies)))
    return _MOVE + (_UNLESS_DONE if keyed else "") + unless_news


@cache
def _postgresql(move: str, many: bool, own: bool) -> str:
    statement = _PG_EXTEND.format(
        move=move,
        rows=_PG_MANY if many else _PG_ONE,
        outbox=_PG_OUTBOX if own else "",
        answer=_PG_RING if own else "1",
    )
    return worded(statement, "postgresql")
