"""Statements of the log that both engines run: moving a head, reading what is new, reading a feed.

All have their parameters as `:name`. Those of one engine alone are in its file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

from shared.events.recorded import Head, Recorded

EVENT = ", ".join(Recorded.__struct_fields__)
"""The columns of an event."""
KEYED = "%~%"
"""Ids of commands that came with an idempotency key, for LIKE; the others are never looked up."""
ID_IN_LOG = "tournament || '/' || source || '/' || command_id"
"""The expression of the index of commands with a key; a query has to repeat it exactly."""
OWN_FEED = "feed"
"""The one feed whose rows name no source: all of its events are the service's own."""


def spread(sql: str, values: Mapping[str, Any], lists: Sequence[str]) -> tuple[str, dict[str, Any]]:
    """Give each value of a list a parameter of its own: `IN (:ids)` becomes `IN (:ids0, :ids1)`."""
    spread = {name: value for name, value in values.items() if name not in lists}
    for name in lists:
        of_list = {f"{name}{index}": value for index, value in enumerate(values[name])}
        spread |= of_list
        sql = sql.replace(f"(:{name})", f"({', '.join(f':{one}' for one in of_list) or 'NULL'})")
    return sql, spread


@lru_cache(2000)
def in_percent_style(sql: str) -> str:
    """A statement with `%(name)s` for `:name`; `::type` stays as it is."""
    return re.sub(r"(?<!:):([a-z]\w*)", r"%(\1)s", sql.replace("%", "%%"))


@cache
def placed(
    feed: str, columns: tuple[str, ...], of_source: bool, of_tournament: bool, last: bool, one_by_one: str
) -> str:
    """Reads events by their place in a feed; parameters: source, tournament, after, limit."""
    selected = ", ".join(f"e.{name}" if name.isidentifier() else name for name in columns)
    source = ":source" if feed == OWN_FEED else "f.source"
    mine = "f.source = :source AND " if feed != OWN_FEED and of_source else ""
    mine += "f.tournament = :tournament AND " if of_tournament else ""
    event = f"e.source = {source} AND e.tournament = f.tournament AND e.position = f.position"
    rows = one_by_one.format(many=f"{feed} f", one="events e", where=event)
    return f"""SELECT f.feed, {selected} FROM {rows}
        WHERE {mine}f.feed > :after ORDER BY f.feed{" DESC" if last else ""} LIMIT :limit"""


OPEN = """INSERT INTO heads (source, tournament, position, hash)
    VALUES (:source, :tournament, :last, :last_hash) ON CONFLICT DO NOTHING"""
MOVE = """UPDATE heads SET position = :last, hash = :last_hash
    WHERE source = :source AND tournament = :tournament AND position = :expected AND hash = :expected_hash"""


def parameters_of(expected: Head, events: Sequence[Recorded]) -> tuple[dict[str, object], str]:
    """Return parameters and statement that move the head of a log from `expected` to the last of these events."""
    first, last = events[0], events[-1]
    parameters: dict[str, object] = {
        "source": first.source,
        "tournament": first.tournament,
        "expected": expected.position,
        "expected_hash": expected.hash,
        "first": first.position,
        "last": last.position,
        "last_hash": last.hash,
    }
    return parameters, MOVE if expected.position else OPEN


def range_of(source: str, tournament: str, key: str) -> tuple[str, str]:
    """Where the index of commands with a key may hold this one: a tilde is the last sign but one of ASCII.

    A key may hold a tilde itself, so other keys may lie there, too.
    """
    begin = f"{tournament}/{source}/{key}"
    return f"{begin}~", f"{begin}\x7f"


def of_keys(found: Iterable[tuple[str, int]], keys: Sequence[str]) -> list[tuple[str, int]]:
    """Of what lies in the ranges of keys that which came with one of them; each once."""
    return [(id, position) for id, position in dict.fromkeys(found) if id.rpartition("~")[0] in keys]


def parameters_of_news(tournament: str, heads: Mapping[str, Head], recopied: int) -> dict[str, object]:
    """What says which news are meant."""
    parameters: dict[str, object] = {"tournament": tournament, "recopied": recopied}
    for index, (source, head) in enumerate(heads.items()):
        parameters |= {f"source{index}": source, f"after{index}": head.position}
    return parameters


@cache
def asks_for_news(logs: int) -> str:
    """A statement that asks so many logs, and for the last recopy."""
    # Each part in its own order, one behind the other: sorting the whole would cost a large log a fifth of its reading.
    part = f"""SELECT * FROM (SELECT {EVENT} FROM events
        WHERE source = :source{{0}} AND tournament = :tournament AND position > :after{{0}}
        ORDER BY position) AS log{{0}}"""
    numbered = ", ".join({"position": "id", "version": "0"}.get(name, "''") for name in Recorded.__struct_fields__)
    recopied = f"SELECT {numbered} FROM recopies WHERE tournament = :tournament AND id > :recopied"
    return " UNION ALL ".join([*map(part.format, range(logs)), recopied])


def news_of(asked: Iterable[tuple[Any, ...]], recopied: int) -> tuple[int, list[tuple[Any, ...]]]:
    """What the rows that were asked for say: the number of the last recopy, and events."""
    rows = list(asked)
    last: int = max((row[2] for row in rows if not row[0]), default=recopied)
    return last, rows if last == recopied else [row for row in rows if row[0]]
