"""Cursors: up to which feed position the feed of a foreign source has been read. Nothing behind one is read again.

A cursor is moved by what the owner itself said over HTTP and by nothing else, and goes back when the owner's feed ends
before it. What messages say of feed positions stands beside it (`heard`): it tells where the next question may begin,
and counts once the owner has confirmed that its feed goes so far.
"""

from __future__ import annotations

import time

import msgspec

from shared.eventlog.database import Connection

_BEGINNING = {"feed": 0, "owner_end": 0, "checked": 0, "heard": 0, "trouble": ""}
_NOTE = """INSERT INTO cursors (source, feed, owner_end, checked, heard, trouble)
    VALUES (:source, :feed, :owner_end, :checked, :heard, :trouble) ON CONFLICT (source) DO UPDATE SET """


class Cursor(msgspec.Struct, frozen=True):
    """feed: read up to here. owner_end: where the owner's feed ended when asked, at `checked` (Unix ms; 0: never).

    trouble: what is wrong with the copies of this source, as catch-up last found it; empty when nothing is.
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
    return cursor_and_heard(connection, source)[0]


def cursor_and_heard(connection: Connection, source: str) -> tuple[int, int]:
    """The cursor of `source`, and the feed position up to which messages claim to have brought everything."""
    row = connection.one("SELECT feed, heard FROM cursors WHERE source = :source", source=source)
    feed, heard = row or (0, 0)
    return feed, max(feed, heard)


def move_cursor(connection: Connection, source: str, feed: int) -> None:
    """The owner has shown its feed up to `feed`, and what was in it is copied or put aside; never moves back."""
    _note(connection, source, "feed = excluded.feed WHERE cursors.feed < excluded.feed", feed=feed)


def hear(connection: Connection, source: str, feed: int) -> None:
    """Messages claim to have brought everything up to `feed`. Stands in the transaction of their copies."""
    _note(connection, source, "heard = excluded.heard WHERE cursors.heard < excluded.heard", heard=feed)


def disbelieve(connection: Connection, source: str) -> None:
    """Messages claimed feed positions that the owner has not given: only what the owner says counts again."""
    connection.run("UPDATE cursors SET heard = 0 WHERE source = :source", source=source)


def take_back_cursor(connection: Connection, source: str, feed: int = 0) -> None:
    """Read the owner's feed from behind `feed` again; what is known already is recognised as duplicate."""
    disbelieve(connection, source)
    connection.run("UPDATE cursors SET feed = :feed WHERE source = :source AND feed > :feed", source=source, feed=feed)


def note_trouble(connection: Connection, source: str, trouble: str) -> None:
    """Remember what is wrong with the copies of `source`, for whoever asks; empty: nothing."""
    _note(connection, source, "trouble = excluded.trouble", trouble=trouble)


def note_owner_end(connection: Connection, source: str, end: int) -> None:
    """Remember where the owner's feed ended just now."""
    now = int(time.time() * 1000)
    _note(connection, source, "owner_end = excluded.owner_end, checked = excluded.checked", owner_end=end, checked=now)


def cursors(connection: Connection) -> list[Cursor]:
    """All cursors, by source."""
    rows = connection.rows("SELECT source, feed, owner_end, checked, trouble FROM cursors ORDER BY source")
    return [Cursor(*row) for row in rows]


def copied(connection: Connection, source: str) -> int:
    """How many events of `source` this database holds."""
    return int(connection.value("SELECT coalesce(sum(position), 0) FROM heads WHERE source = :source", source=source))


def _note(connection: Connection, source: str, change: str, **values: int | str) -> None:
    """Begin a cursor with these values, or change the one that is there."""
    connection.run(_NOTE + change, source=source, **(_BEGINNING | values))
