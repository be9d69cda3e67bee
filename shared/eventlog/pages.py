"""Where a page of a log or of the feed ends: by a number of events or by about so many bytes, whichever is first."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import Connection, text

PAGE_BYTES = 4 * 1024 * 1024
"""Of one page, about; a page holds one event at least, however large."""

ENVELOPE = 1024
"""Bytes, about, of what stands around the data of an event when it is sent."""

_OCTETS = {"sqlite": "length(CAST({data} AS BLOB))", "postgresql": "octet_length({data})"}
_LOG = """SELECT position, {octets} FROM events
    WHERE source = :source AND tournament = :tournament AND position > :after ORDER BY position LIMIT :limit"""
_FEED = """SELECT f.feed, {octets} FROM feed f JOIN events e ON e.source = :source
    AND e.tournament = f.tournament AND e.position = f.position
    WHERE f.feed > :after ORDER BY f.feed LIMIT :limit"""


def log_page_end(connection: Connection, source: str, tournament: str, after: int, limit: int) -> int:
    """The position of the last event of a page of one log behind `after`; `after` where nothing follows."""
    asked: dict[str, object] = {"source": source, "tournament": tournament, "after": after, "limit": limit}
    return _end(connection, _LOG, "data", after, asked)


def feed_page_end(connection: Connection, source: str, after: int, limit: int) -> int:
    """The feed position of the last event of a page of the feed behind `after`; `after` where nothing follows."""
    return _end(connection, _FEED, "e.data", after, {"source": source, "after": after, "limit": limit})


def _end(connection: Connection, statement: str, data: str, after: int, asked: dict[str, object]) -> int:
    octets = _OCTETS[connection.dialect.name].format(data=data)
    return last_that_fits(connection.execute(text(statement.format(octets=octets)), asked), after)


def last_that_fits(sizes: Iterable[tuple[int, int]], after: int, most: int = PAGE_BYTES) -> int:
    """The last position before the bytes are used up, the first one in any case. sizes: position and bytes of data."""
    last, used = after, 0
    for position, octets in sizes:
        used += octets + ENVELOPE
        if used > most and last != after:
            return last
        last = position
    return last
