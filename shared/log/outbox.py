"""Outbox and feed: committed events get gap-free feed positions, and the relay's cursor follows.

Positions are assigned after the commit, under the lock of the `relay` row. So an event that commits late cannot end up
behind a cursor that has passed it. Any holder of the lock may assign positions: the relay does, and so does every
reader of the feed. Subscribers that read the feed therefore need no relay.

The engine's wake-up channel wakes the process that waits for committed events. A missed notification costs a second,
never an event: waiting processes poll as well.
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
"""Maximum number of positions that one transaction assigns."""


def has_waiting_events(connection: Connection) -> bool:
    """Return True if committed events wait for feed positions and may get them."""
    return connection.first("SELECT id FROM outbox LIMIT 1") is not None and not _held_back(connection)


def assign_feed_positions(connection: Connection, limit: int = SEQUENCED_AT_ONCE) -> int:
    """Give the oldest `limit` outbox rows their feed positions. Return the number of rows.

    connection: inside a writing block. No positions are assigned while peers hold more of the log than this database.
    """
    return 0 if _held_back(connection) else connection.assign_feed_positions(limit)


def waiting_causes(connection: Connection) -> dict[tuple[str, int], str]:
    """Return (tournament, position) -> request of the next events in the outbox.

    connection: inside the writing block that assigns the positions, because that removes the rows.
    """
    sql = "SELECT tournament, position, cause FROM outbox WHERE cause <> '' ORDER BY id LIMIT :limit"
    rows = connection.rows(sql, limit=SEQUENCED_AT_ONCE)
    return {(tournament, position): cause for tournament, position, cause in rows}


def unpublished_events(connection: Connection, source: str, limit: int) -> list[tuple[int, Recorded]]:
    """Return at most `limit` events after the relay's cursor, each with its feed position."""
    return feed_page(connection, source, _published(connection), limit)


def mark_published(connection: Connection, feed: int) -> None:
    """Move the relay's cursor forward to `feed`. connection: inside a writing block that renewed the lease."""
    connection.run("UPDATE relay SET published = :feed WHERE name = 'relay' AND published < :feed", feed=feed)


def count_unpublished(connection: Connection) -> int:
    """Return the number of committed events that the broker has not confirmed."""
    in_outbox: int = connection.value("SELECT count(*) FROM outbox")
    return in_outbox + feed_end(connection) - _published(connection)


def feed_end(connection: Connection) -> int:
    """Return the last feed position; 0 if the feed is empty."""
    end: int = connection.value("SELECT coalesce(max(feed), 0) FROM feed")
    return end


def feed_after(database: Database, source: str, after: int, limit: int) -> tuple[list[tuple[int, Recorded]], int]:
    """Return a page of the feed after position `after`, and the end of the feed.

    Assigns feed positions to the events in the outbox first, so readers need no running relay.
    """
    while True:
        with database.reading() as connection:
            if not has_waiting_events(connection):
                return feed_page(connection, source, after, limit), feed_end(connection)
        with database.writing() as connection:
            assign_feed_positions(connection)


class FeedFault(Struct, frozen=True):
    """An inconsistency between feed, outbox and log. feed: the first wrong position."""

    feed: int
    reason: str


def feed_fault(connection: Connection, source: str) -> FeedFault | None:
    """Check that every own event is in the feed or the outbox exactly once and that the feed has no gap.

    connection: inside a writing block, so that no positions are assigned meanwhile.
    """
    if not connection.lock_rows("SELECT name FROM relay WHERE name = 'relay'"):
        return FeedFault(0, "the row of the relay is missing")
    before = _own_events(connection, source)
    in_outbox = connection.rows("SELECT tournament, position FROM outbox ORDER BY id")
    placed = connection.rows("SELECT feed, tournament, position FROM feed ORDER BY feed")
    known = before | _own_events(connection, source)
    seen: set[tuple[str, int]] = set()
    for expected, (feed, *event) in enumerate(placed, start=1):
        if feed != expected:
            return FeedFault(expected, f"position {feed} of the feed is at the place of {expected}")
        if tuple(event) not in known or tuple(event) in seen:
            why = "twice" if tuple(event) in seen else "no event of this log"
            return FeedFault(feed, f"position {feed} of the feed is {event[0]} {event[1]}: {why}")
        seen.add((event[0], event[1]))
    end = len(placed) + 1
    for tournament, position in in_outbox:
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
    """Return True while peers hold more of the own log: feed positions may belong to events that are lost here."""
    return connection.first("SELECT peer FROM own_copies WHERE trouble <> '' LIMIT 1") is not None


_log = get_logger("muster.log")


class CommitNotifier:
    """Notifications about commits to one database.

    Any number of processes may notify. One process should wait: of two, either one may get a notification.
    notify: announces a commit; does nothing if no process waits.
    """

    def __init__(self, database: Database) -> None:
        self._channel = database.wakeup_channel()
        self.notify = self._channel.notify
        self._failure_logged = False

    def listen(self) -> None:
        """Receive every notification from now on. Call this before reading events, so that none is missed between.

        If listening fails (a file system without pipes, a database that restarts), `wait` only sleeps.
        """
        self._open()

    def wait(self, seconds: float) -> bool:
        """Wait for a notification, at most `seconds`. Return True if there was one; False if the connection is lost."""
        end = time.monotonic() + seconds
        try:
            if self._open():
                return self._channel.wait(seconds)
        except self._channel.failures as error:
            self._handle_failure(error)
        time.sleep(max(0.0, end - time.monotonic()))
        return False

    def close(self) -> None:
        """Stop listening."""
        self._channel.close()

    def __enter__(self) -> CommitNotifier:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _open(self) -> bool:
        try:
            if self._channel.open():
                self._failure_logged = False
                return True
        except self._channel.failures as error:
            self._handle_failure(error)
        return False

    def _handle_failure(self, error: Exception) -> None:
        self.close()
        if not self._failure_logged:
            self._failure_logged = True
            _log.warning("the commit notifier is silent, looking by the clock instead", error=str(error))
