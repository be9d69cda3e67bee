"""Where copied events stand in the feed of their owner.

Copies need it for nothing. Their owner does, when it has lost its database: its log comes back from them, and by this
its feed, with every event where subscribers counted it.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from shared.eventlog.database import Connection
from shared.eventlog.tables import COPIED_FEED

_HELD = ("tournament", "position", "hash")


class Place(msgspec.Struct, frozen=True, gc=False):
    """An event of one source in its feed. hash: of the event."""

    feed: int
    tournament: str
    position: int
    hash: str


def note_places(connection: Connection, source: str, places: Iterable[tuple[int, str, int]]) -> None:
    """Remember feed position, tournament and position of copied events; what is known already stays as it was."""
    rows = [
        {"source": source, "feed": feed, "tournament": tournament, "position": position}
        for feed, tournament, position in places
    ]
    connection.add(COPIED_FEED, rows)


def last_place(connection: Connection, source: str) -> Place | None:
    """The event furthest in the feed of `source` whose copy is held here; None where there is none."""
    rows = connection.placed(COPIED_FEED, source, _HELD, after=0, limit=1, last=True)
    return Place(*rows[0]) if rows else None


def places_after(connection: Connection, source: str, after: int, limit: int) -> list[Place]:
    """At most `limit` copied events behind a feed position of `source`, in the order of its feed."""
    return [Place(*row) for row in connection.placed(COPIED_FEED, source, _HELD, after=after, limit=limit)]


def forget_places(connection: Connection, source: str, tournament: str, kept: int) -> None:
    """Events of a log behind position `kept` are no longer copied here."""
    connection.remove(COPIED_FEED, {"source": source, "tournament": tournament, "position >": kept})
