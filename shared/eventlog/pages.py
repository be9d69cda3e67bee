"""Where a page of a log or of the feed ends: by a number of events or by about so many bytes, whichever is first."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from shared.eventlog.database import Connection
from shared.eventlog.tables import EVENTS, FEED

PAGE_BYTES = 4 * 1024 * 1024
"""Of one page, about; a page holds one event at least, however large."""

ENVELOPE = 1024
"""Bytes, about, of what stands around data and command of an event when it is sent."""

_OCTETS = ("octets(data)", "octets(command)")


def log_page_end(connection: Connection, source: str, tournament: str, after: int, limit: int) -> int:
    """The position of the last event of a page of one log behind `after`; `after` where nothing follows."""
    where = {"source": source, "tournament": tournament, "position >": after}
    rows = connection.find(EVENTS, where, columns=("position", *_OCTETS), order=("position",), limit=limit)
    return last_that_fits(rows, after)


def feed_page_end(connection: Connection, source: str, after: int, limit: int) -> int:
    """The feed position of the last event of a page of the feed behind `after`; `after` where nothing follows."""
    return last_that_fits(connection.placed(FEED, source, _OCTETS, after=after, limit=limit), after)


def last_that_fits(sizes: Iterable[tuple[Any, ...]], after: int, most: int = PAGE_BYTES) -> int:
    """The last position before the bytes are used up, the first one in any case.

    sizes: of each event its position, and the bytes of what it holds.
    """
    last, used = after, 0
    for position, *octets in sizes:
        used += sum(octets) + ENVELOPE
        if used > most and last != after:
            return last
        last = position
    return last
