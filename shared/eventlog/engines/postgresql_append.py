"""The one statement by which PostgreSQL appends: it moves the head, adds events, fills the outbox, rings the bell."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from shared.eventlog.engines.packed import BETWEEN
from shared.eventlog.engines.statements import Words, named
from shared.eventlog.tables import EVENTS

NOTIFY_CHANNEL = "muster_outbox"
"""The channel that wakes the relay when an append commits."""
KINDS = {
    "position": "int",
    "id": "text",
    "type": "text",
    "version": "int",
    "time": "text",
    "actor": "text",
    "command_id": "text",
    "seen": "text",
    "prev_hash": "text",
    "hash": "text",
    "salt": "text",
    "data": "text",
    "command": "text",
}
"""The columns that differ from event to event of one log, in the order of Recorded."""
# One event, as most commands give, goes as plain values: arrays and their unnest would double the time.
_ONE = f"(SELECT {', '.join(f':{name}::{kind}' for name, kind in KINDS.items())})"
# Several go as one text a column, which the server takes apart: the driver would escape an array value by value, which
# took four fifths of such an append. Where a value holds the sign between them, lists are sent.
_JOINED = f"unnest({', '.join(f'string_to_array(:{name}, chr(30))::{kind}[]' for name, kind in KINDS.items())})"
_LISTED = f"unnest({', '.join(f':{name}::{kind}[]' for name, kind in KINDS.items())})"
_EXTEND = f"""WITH moved AS ({{move}} RETURNING 1), added AS (
    INSERT INTO events ({", ".join(EVENTS.columns)})
    SELECT :source, :tournament, row.* FROM moved, {{rows}} AS row){{outbox}}
    SELECT {{answer}} FROM moved"""
_OUTBOX = """, out AS (INSERT INTO outbox (tournament, position, cause)
    SELECT :tournament, row.* FROM moved, {rows} AS row)"""
_WAITS_ONE = "(SELECT :position::int, :cause::text)"
_WAITS_JOINED = "unnest(string_to_array(:position, chr(30))::int[], string_to_array(:cause, chr(30)))"
_WAITS_LISTED = "unnest(:position::int[], :cause::text[])"
_ROWS = {"one": (_ONE, _WAITS_ONE), "joined": (_JOINED, _WAITS_JOINED), "listed": (_LISTED, _WAITS_LISTED)}
"""How rows are sent: events, and what waits in the outbox."""
# A notification is sent under a lock over the whole cluster that is held while the commit is flushed, so that
# commits wait for one another; a relay that is busy anyway looks by itself.
_RING = f"""CASE WHEN (SELECT busy FROM relay WHERE name = 'relay') = 0
    THEN pg_notify('{NOTIFY_CHANNEL}', '')::text END"""


def sent(columns: Mapping[str, list[Any]]) -> tuple[str, dict[str, Any]]:
    """How the rows with these columns are sent, and what is sent for each column."""
    many = len(columns["position"])
    if many == 1:
        return "one", {name: values[0] for name, values in columns.items()}
    joined = {name: BETWEEN.join(map(str, values)) for name, values in columns.items()}
    if any(text.count(BETWEEN) != many - 1 for text in joined.values()):
        return "listed", dict(columns)
    return "joined", joined


@cache
def extension(move: str, way: str, own: bool, words: Words) -> str:
    """The statement: `move` moves the head, and what follows is done only if it does. way: as of `sent`."""
    events, waiting = _ROWS[way]
    statement = _EXTEND.format(
        move=move,
        rows=events,
        outbox=_OUTBOX.format(rows=waiting) if own else "",
        answer=_RING if own else "1",
    )
    return named(statement, words)
