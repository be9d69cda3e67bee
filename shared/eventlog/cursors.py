"""Cursors: up to which feed position the feed of a foreign source has been read. Nothing behind one is read again.

A cursor is moved by what the owner itself said over HTTP and by nothing else, and goes back when the owner's feed ends
before it. What messages say of feed positions stands beside it (`heard`): it tells where the next question may begin,
and counts once the owner has confirmed that its feed goes so far.
"""

from __future__ import annotations

import time

import msgspec

from shared.eventlog.database import Connection, Row
from shared.eventlog.tables import CURSORS, HEADS

_BEGINNING = {"feed": 0, "owner_end": 0, "checked": 0, "heard": 0, "trouble": ""}


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
    rows = connection.find(CURSORS, {"source": source}, columns=("feed", "heard"))
    feed, heard = rows[0] if rows else (0, 0)
    return feed, max(feed, heard)


def move_cursor(connection: Connection, source: str, feed: int) -> None:
    """The owner has shown its feed up to `feed`, and what was in it is copied or put aside; never moves back."""
    _note(connection, {"source": source, "feed <": feed}, {"feed": feed})


def hear(connection: Connection, source: str, feed: int) -> None:
    """Messages claim to have brought everything up to `feed`. Stands in the transaction of their copies."""
    _note(connection, {"source": source, "heard <": feed}, {"heard": feed})


def disbelieve(connection: Connection, source: str) -> None:
    """Messages claimed feed positions that the owner has not given: only what the owner says counts again."""
    connection.change(CURSORS, {"source": source}, {"heard": 0})


def take_back_cursor(connection: Connection, source: str, feed: int = 0) -> None:
    """Read the owner's feed from behind `feed` again; what is known already is recognised as duplicate."""
    disbelieve(connection, source)
    connection.change(CURSORS, {"source": source, "feed >": feed}, {"feed": feed})


def note_trouble(connection: Connection, source: str, trouble: str) -> None:
    """Remember what is wrong with the copies of `source`, for whoever asks; empty: nothing."""
    _note(connection, {"source": source}, {"trouble": trouble})


def note_owner_end(connection: Connection, source: str, end: int) -> None:
    """Remember where the owner's feed ended just now."""
    _note(connection, {"source": source}, {"owner_end": end, "checked": int(time.time() * 1000)})


def cursors(connection: Connection) -> list[Cursor]:
    """All cursors, by source."""
    wanted = Cursor.__struct_fields__
    return [Cursor(*row) for row in connection.find(CURSORS, columns=wanted, order=("source",))]


def copied(connection: Connection, source: str) -> int:
    """How many events of `source` this database holds."""
    return connection.total(HEADS, {"source": source}, of="position")


def _note(connection: Connection, where: Row, to: Row) -> None:
    """Change a cursor, which begins with that; a condition that does not hold leaves it as it is."""
    if not connection.change(CURSORS, where, to) and connection.add(
        CURSORS, [{**_BEGINNING, "source": where["source"]}]
    ):
        connection.change(CURSORS, where, to)
