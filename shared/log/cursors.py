"""Cursors: up to which feed position a foreign source is copied without a hole. Nothing behind one is read again."""

from __future__ import annotations

import time

import msgspec
from sqlalchemy import Connection, text

_FEED = text("SELECT feed FROM cursors WHERE source = :source")
_MOVE = text("""INSERT INTO cursors (source, feed, owner_end, checked) VALUES (:source, :feed, 0, 0)
    ON CONFLICT (source) DO UPDATE SET feed = excluded.feed WHERE cursors.feed < excluded.feed""")
_REWIND = text("UPDATE cursors SET feed = 0 WHERE source = :source")
_NOTE = text("""INSERT INTO cursors (source, feed, owner_end, checked) VALUES (:source, 0, :end, :now)
    ON CONFLICT (source) DO UPDATE SET owner_end = excluded.owner_end, checked = excluded.checked""")
_ALL = text("SELECT source, feed, owner_end, checked FROM cursors ORDER BY source")
_COPIED = text("SELECT coalesce(sum(position), 0) FROM heads WHERE source = :source")


class Cursor(msgspec.Struct, frozen=True):
    """feed: copied up to here. owner_end: where the owner's feed ended when asked, at `checked` (Unix ms; 0: never)."""

    source: str
    feed: int
    owner_end: int
    checked: int

    @property
    def behind(self) -> int:
        """How many events of the owner's feed were not copied when the owner was last asked."""
        return max(0, self.owner_end - self.feed)


def cursor_of(connection: Connection, source: str) -> int:
    """The feed position up to which everything of `source` is copied (or put aside); 0 at first."""
    return int(connection.execute(_FEED, {"source": source}).scalar() or 0)


def move_cursor(connection: Connection, source: str, feed: int) -> None:
    """Everything up to `feed` is copied; never moves back. Stands in the transaction of the copies, or after it."""
    connection.execute(_MOVE, {"source": source, "feed": feed})


def rewind_cursor(connection: Connection, source: str) -> None:
    """Read the owner's feed from its beginning again; what is known already is recognised as duplicate."""
    connection.execute(_REWIND, {"source": source})


def note_owner_end(connection: Connection, source: str, end: int) -> None:
    """Remember where the owner's feed ended just now."""
    connection.execute(_NOTE, {"source": source, "end": end, "now": int(time.time() * 1000)})


def cursors(connection: Connection) -> list[Cursor]:
    """All cursors, by source."""
    return [Cursor(*row) for row in connection.execute(_ALL)]


def copied(connection: Connection, source: str) -> int:
    """How many events of `source` this database holds."""
    return int(connection.execute(_COPIED, {"source": source}).scalar_one())
