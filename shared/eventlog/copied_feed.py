"""Where copied events stand in the feed of their owner.

Copies need it for nothing. Their owner does, when it has lost its database: its log comes back from them, and by this
its feed, with every event where subscribers counted it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec
from sqlalchemy import Connection, text

_NOTE = text("""INSERT INTO copied_feed (source, feed, tournament, position)
    VALUES (:source, :feed, :tournament, :position) ON CONFLICT DO NOTHING""")
_END = text("""SELECT f.feed, f.tournament, f.position, e.hash FROM copied_feed f JOIN events e ON e.source = f.source
    AND e.tournament = f.tournament AND e.position = f.position
    WHERE f.source = :source ORDER BY f.feed DESC LIMIT 1""")
_PAGE = text("""SELECT f.feed, f.tournament, f.position, e.hash FROM copied_feed f JOIN events e ON e.source = f.source
    AND e.tournament = f.tournament AND e.position = f.position
    WHERE f.source = :source AND f.feed > :after ORDER BY f.feed LIMIT :limit""")
_FORGET = text("""DELETE FROM copied_feed
    WHERE source = :source AND tournament = :tournament AND position > :kept""")


class Place(msgspec.Struct, frozen=True, gc=False):
    """An event of one source in its feed. hash: of the event."""

    feed: int
    tournament: str
    position: int
    hash: str


def note_places(connection: Connection, source: str, places: Iterable[tuple[int, str, int]]) -> None:
    """Remember feed position, tournament and position of copied events; what is known already stays as it was."""
    rows: Sequence[Mapping[str, object]] = [
        {"source": source, "feed": feed, "tournament": tournament, "position": position}
        for feed, tournament, position in places
    ]
    if rows:
        connection.execute(_NOTE, rows)


def last_place(connection: Connection, source: str) -> Place | None:
    """The event furthest in the feed of `source` whose copy is held here; None where there is none."""
    row = connection.execute(_END, {"source": source}).first()
    return None if row is None else Place(*row)


def places_after(connection: Connection, source: str, after: int, limit: int) -> list[Place]:
    """At most `limit` copied events behind a feed position of `source`, in the order of its feed."""
    rows = connection.execute(_PAGE, {"source": source, "after": after, "limit": limit})
    return [Place(*row) for row in rows]


def forget_places(connection: Connection, source: str, tournament: str, kept: int) -> None:
    """Events of a log behind position `kept` are no longer copied here."""
    connection.execute(_FORGET, {"source": source, "tournament": tournament, "kept": kept})
