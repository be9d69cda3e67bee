"""PostgreSQL's own statements: the one that appends, and the one that reads logs from their beginning, page by page.

An event in a row of its own costs the driver a message, a tuple, and a text for each column, which is half the time
that folding a long log takes. Here the server puts the texts together, each column of a page as one text, and they are
split in one go.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import chain, repeat
from typing import Any

from shared.eventlog.statements import EVENT
from shared.events.recorded import Head, Recorded

PAGE = 500
"""Events of one row; of the largest there may be, 125 MB."""
BETWEEN = "\x1e"
"""Between the values of a column. Canonical JSON holds no such sign."""
_PLACE = ("source", "tournament", "position")
_OTHERS = tuple(name for name in Recorded.__struct_fields__ if name not in _PLACE)
_VERSION = _OTHERS.index("version")
_TEXTS = tuple("version::text" if name == "version" else name for name in _OTHERS)
_OF = "source = :source{0} AND tournament = :tournament"
# The pages of a log one after the other, and in each of them the events in their order: by the index of both.
_PAGES = f"""SELECT * FROM (SELECT :source{{0}}::text, :tournament::text, page.*
    FROM generate_series(:after{{0}}::int, (SELECT max(position) FROM events WHERE {_OF}) - 1, {PAGE}) AS below
    CROSS JOIN LATERAL (
        SELECT min(position), max(position) AS last, count(*),
            {", ".join(f"string_agg({text}, chr(30))" for text in _TEXTS)}
        FROM (SELECT position, {", ".join(_OTHERS)} FROM events
            WHERE {_OF} AND position > below AND position <= below + {PAGE} ORDER BY position) AS event) AS page
    ) AS log{{0}}"""
_RECOPIED = f"""SELECT '', '', id, 0, 0{", ''" * len(_TEXTS)} FROM recopies
    WHERE tournament = :tournament AND id > :recopied"""


@cache
def pages(logs: int) -> str:
    """Reads so many logs of a tournament, and its recopies, by the parameters of `news`."""
    return " UNION ALL ".join([*map(_PAGES.format, range(logs)), _RECOPIED])


def unpacked(rows: Iterable[tuple[Any, ...]], heads: Mapping[str, Head]) -> Iterator[tuple[Any, ...]] | None:
    """The whole events of pages after `heads`, each made when it is asked for.

    None where a log has a hole, or a value holds the sign that stands between values: then they are read row by row.
    """
    told: list[Iterable[tuple[Any, ...]]] = []
    ends = {source: head.position for source, head in heads.items()}
    for source, tournament, first, last, count, *texts in rows:
        if first != ends[source] + 1 or last != ends[source] + count:
            return None
        split = [text.split(BETWEEN) for text in texts]
        if any(len(column) != count for column in split):
            return None
        columns: list[Iterable[Any]] = [*split]
        columns[_VERSION] = map(int, split[_VERSION])
        told.append(zip(repeat(source), repeat(tournament), range(first, last + 1), *columns))
        ends[source] = last
    return chain.from_iterable(told)


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
    INSERT INTO events ({EVENT})
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
def extension(move: str, way: str, own: bool) -> str:
    """The statement: `move` moves the head, and what follows is done only if it does. way: as of `sent`."""
    events, waiting = _ROWS[way]
    return _EXTEND.format(
        move=move,
        rows=events,
        outbox=_OUTBOX.format(rows=waiting) if own else "",
        answer=_RING if own else "1",
    )
