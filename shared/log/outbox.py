"""Outbox to feed: committed events get the next gap-free feed position, and the relay's cursor walks behind it.

A position is given after the commit, under the lock of the one `relay` row, so no event that commits late is ever
behind a cursor that has passed. Whoever holds the lock may give positions: the relay does, and so does whoever
reads the feed, which is why subscribers that read it need no relay at all.

Whoever waits for committed events is woken by the bell of the engine. A ring that is missed costs a second, never an
event: whoever waits looks again by itself.
"""

from __future__ import annotations

import time
from types import TracebackType

from msgspec import Struct

from shared.log.database import Connection, Database
from shared.log.event import Recorded
from shared.log.reading import feed_page
from shared.logs import get_logger

SEQUENCED_AT_ONCE = 1000
"""Rows of one transaction."""


def has_waiting_events(connection: Connection) -> bool:
    """Whether committed events wait for a feed position that may be given to them."""
    return connection.one("SELECT id FROM outbox LIMIT 1") is not None and not _held_back(connection)


def assign_feed_positions(connection: Connection, limit: int = SEQUENCED_AT_ONCE) -> int:
    """Give the oldest `limit` outbox rows their feed positions; returns how many it gave.

    connection: inside a writing block. While peers hold more of the log than this database, none gets a position.
    """
    return 0 if _held_back(connection) else connection.sequence(limit)


def waiting_causes(connection: Connection) -> dict[tuple[str, int], str]:
    """Tournament and position -> the request that the event comes from, of what waits for a feed position next.

    connection: inside the writing block that gives the positions, for with those it is gone.
    """
    sql = "SELECT tournament, position, cause FROM outbox WHERE cause <> '' ORDER BY id LIMIT :limit"
    rows = connection.rows(sql, limit=SEQUENCED_AT_ONCE)
    return {(tournament, position): cause for tournament, position, cause in rows}


def unpublished_events(connection: Connection, source: str, limit: int) -> list[tuple[int, Recorded]]:
    """At most `limit` events of the feed behind the relay's cursor, each with its feed position."""
    return feed_page(connection, source, _published(connection), limit)


def mark_published(connection: Connection, feed: int) -> None:
    """Move the relay's cursor to `feed`; never back. connection: inside a writing block that checked the lease."""
    connection.run("UPDATE relay SET published = :feed WHERE name = 'relay' AND published < :feed", feed=feed)


def count_unpublished(connection: Connection) -> int:
    """How many committed events the broker has not confirmed."""
    has_waiting_events: int = connection.value("SELECT count(*) FROM outbox")
    return has_waiting_events + feed_end(connection) - _published(connection)


def feed_end(connection: Connection) -> int:
    """The last feed position that was given; 0 where none was."""
    end: int = connection.value("SELECT coalesce(max(feed), 0) FROM feed")
    return end


def feed_after(database: Database, source: str, after: int, limit: int) -> tuple[list[tuple[int, Recorded]], int]:
    """A page of the feed behind position `after`, and where the feed ends, with all that is committed by now.

    Gives feed positions to what waits in the outbox first, so a reader needs no relay to be running.
    """
    while True:
        with database.reading() as connection:
            if not has_waiting_events(connection):
                return feed_page(connection, source, after, limit), feed_end(connection)
        with database.writing() as connection:
            assign_feed_positions(connection)


class FeedFault(Struct, frozen=True):
    """What is wrong with feed and outbox. feed: the first position that is not as it should be."""

    feed: int
    reason: str


def feed_fault(connection: Connection, source: str) -> FeedFault | None:
    """Compare feed and outbox with the own events: each event is in one of them, once, and the feed has no gap.

    connection: inside a writing block, which keeps others from giving feed positions meanwhile.
    """
    if not connection.lock_rows("SELECT name FROM relay WHERE name = 'relay'"):
        return FeedFault(0, "the row of the relay is missing")
    before = _own_events(connection, source)
    has_waiting_events = connection.rows("SELECT tournament, position FROM outbox ORDER BY id")
    placed = connection.rows("SELECT feed, tournament, position FROM feed ORDER BY feed")
    known = before | _own_events(connection, source)
    seen: set[tuple[str, int]] = set()
    for expected, (feed, *event) in enumerate(placed, start=1):
        if feed != expected:
            return FeedFault(expected, f"position {feed} of the feed stands where {expected} belongs")
        if tuple(event) not in known or tuple(event) in seen:
            why = "twice" if tuple(event) in seen else "no event of this log"
            return FeedFault(feed, f"position {feed} of the feed is {event[0]} {event[1]}: {why}")
        seen.add((event[0], event[1]))
    end = len(placed) + 1
    for tournament, position in has_waiting_events:
        if (tournament, position) not in known or (tournament, position) in seen:
            why = "has its place already" if (tournament, position) in seen else "is no event of this log"
            return FeedFault(end, f"{tournament} {position} waits in the outbox and {why}")
        seen.add((tournament, position))
    if missing := min(before - seen, default=None):
        return FeedFault(end, f"{missing[0]} {missing[1]} is neither in the feed nor in the outbox")
    if (published := _published(connection)) >= end:
        return FeedFault(end, f"{published} positions of the feed count as published, it has {end - 1}")
    return None


def _own_events(connection: Connection, source: str) -> set[tuple[str, int]]:
    return set(connection.rows("SELECT tournament, position FROM events WHERE source = :source", source=source))


def _published(connection: Connection) -> int:
    return int(connection.value("SELECT published FROM relay WHERE name = 'relay'"))


def _held_back(connection: Connection) -> bool:
    """While peers hold more of this log than it does: positions of the feed may come to be those of other events."""
    return connection.one("SELECT peer FROM own_copies WHERE trouble <> '' LIMIT 1") is not None


_log = get_logger("muster.log")


class CommitNotifier:
    """The bell of one database. Any number of processes may ring; one waits (of two, either may hear a ring).

    ring: says that something was committed; nothing happens where nobody waits.
    """

    def __init__(self, database: Database) -> None:
        self._bell = database.bell()
        self.ring = self._bell.ring
        self._told = False

    def listen(self) -> None:
        """Hear every ring from now on; call it before looking at what is there, so that none is missed between.

        Where that is not possible (a file system without pipes, a database that restarts) waiting goes by the clock.
        """
        self._open()

    def wait(self, seconds: float) -> bool:
        """Wait for a ring, `seconds` at most; True when it rang. A lost connection counts as silence."""
        end = time.monotonic() + seconds
        try:
            if self._open():
                return self._bell.wait(seconds)
        except self._bell.failures as error:
            self._fall_silent(error)
        time.sleep(max(0.0, end - time.monotonic()))
        return False

    def close(self) -> None:
        """Stop listening."""
        self._bell.close()

    def __enter__(self) -> CommitNotifier:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _open(self) -> bool:
        try:
            if self._bell.open():
                self._told = False
                return True
        except self._bell.failures as error:
            self._fall_silent(error)
        return False

    def _fall_silent(self, error: Exception) -> None:
        self.close()
        if not self._told:
            self._told = True
            _log.warning("the commit notifier is silent, looking by the clock instead", error=str(error))
