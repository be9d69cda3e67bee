"""Cursors: up to which feed position the feed of a foreign source has been read. Nothing behind one is read again.

A cursor is moved by what the owner itself said over HTTP and by nothing else, and goes back when the owner's feed ends
before it. What messages say of feed positions stands beside it (`heard`): it tells where the next question may begin,
and counts once the owner has confirmed that its feed goes so far.
"""

from __future__ import annotations

import time

import msgspec
from sqlalchemy import Connection, text

_FEED = text("SELECT feed FROM cursors WHERE source = :source")
_BOTH = text("SELECT feed, heard FROM cursors WHERE source = :source")
_MOVE = text("""INSERT INTO cursors (source, feed, owner_end, checked) VALUES (:source, :feed, 0, 0)
    ON CONFLICT (source) DO UPDATE SET feed = excluded.feed WHERE cursors.feed < excluded.feed""")
_HEAR = text("""INSERT INTO cursors (source, feed, owner_end, checked, heard) VALUES (:source, 0, 0, 0, :feed)
    ON CONFLICT (source) DO UPDATE SET heard = excluded.heard WHERE cursors.heard < excluded.heard""")
_UNHEAR = text("UPDATE cursors SET heard = 0 WHERE source = :source")
_BACK = text("""UPDATE cursors SET feed = CASE WHEN feed < :feed THEN feed ELSE :feed END, heard = 0
    WHERE source = :source""")
_TROUBLE = text("""INSERT INTO cursors (source, feed, owner_end, checked, trouble) VALUES (:source, 0, 0, 0, :trouble)
    ON CONFLICT (source) DO UPDATE SET trouble = excluded.trouble""")
_NOTE = text("""INSERT INTO cursors (source, feed, owner_end, checked) VALUES (:source, 0, :end, :now)
    ON CONFLICT (source) DO UPDATE SET owner_end = excluded.owner_end, checked = excluded.checked""")
_ALL = text("SELECT source, feed, owner_end, checked, trouble FROM cursors ORDER BY source")
_COPIED = text("SELECT coalesce(sum(position), 0) FROM heads WHERE source = :source")


class Cursor(msgspec.Struct, frozen=True):
    """feed: read up to here. owner_end: where the owner's feed ended when asked, at `checked` (Unix ms; 0: never).

    trouble: what is wrong with the copies of this source, as the sweep last found it; empty when nothing is.
    """

    source: str
    feed: int
    owner_end: int
    checked: int
    trouble: str = ""

    @property
    def behind(self) -> int:
        """How many events of the owner's feed were not copied when the owner was last asked."""
        return max(0, self.owner_end - self.feed)


def cursor_of(connection: Connection, source: str) -> int:
    """The feed position up to which everything of `source` is copied (or put aside); 0 at first."""
    return int(connection.execute(_FEED, {"source": source}).scalar() or 0)


def cursor_and_heard(connection: Connection, source: str) -> tuple[int, int]:
    """The cursor of `source`, and the feed position up to which messages claim to have brought everything."""
    row = connection.execute(_BOTH, {"source": source}).first()
    return (int(row.feed), max(int(row.feed), int(row.heard))) if row is not None else (0, 0)


def move_cursor(connection: Connection, source: str, feed: int) -> None:
    """The owner has shown its feed up to `feed`, and what was in it is copied or put aside; never moves back."""
    connection.execute(_MOVE, {"source": source, "feed": feed})


def hear(connection: Connection, source: str, feed: int) -> None:
    """Messages claim to have brought everything up to `feed`. Stands in the transaction of their copies."""
    connection.execute(_HEAR, {"source": source, "feed": feed})


def disbelieve(connection: Connection, source: str) -> None:
    """Messages claimed feed positions that the owner has not given: only what the owner says counts again."""
    connection.execute(_UNHEAR, {"source": source})


def take_back_cursor(connection: Connection, source: str, feed: int = 0) -> None:
    """Read the owner's feed from behind `feed` again; what is known already is recognised as duplicate."""
    connection.execute(_BACK, {"source": source, "feed": feed})


def note_trouble(connection: Connection, source: str, trouble: str) -> None:
    """Remember what is wrong with the copies of `source`, for whoever asks; empty: nothing."""
    connection.execute(_TROUBLE, {"source": source, "trouble": trouble})


def note_owner_end(connection: Connection, source: str, end: int) -> None:
    """Remember where the owner's feed ended just now."""
    connection.execute(_NOTE, {"source": source, "end": end, "now": int(time.time() * 1000)})


def cursors(connection: Connection) -> list[Cursor]:
    """All cursors, by source."""
    return [Cursor(*row) for row in connection.execute(_ALL)]


def copied(connection: Connection, source: str) -> int:
    """How many events of `source` this database holds."""
    return int(connection.execute(_COPIED, {"source": source}).scalar_one())
