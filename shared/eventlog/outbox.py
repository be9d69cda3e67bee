"""Outbox to feed: committed events get the next gap-free feed position, and the relay's cursor walks behind it.

A position is given after the commit, under the lock of the one `relay` row, so no event that commits late is ever
behind a cursor that has passed. Whoever holds the lock may give positions: the relay does, and so does whoever
reads the feed, which is why subscribers that read it need no relay at all.
"""

from __future__ import annotations

from sqlalchemy import Connection, text

from shared.eventlog.database import Database
from shared.eventlog.read import feed_page
from shared.events.recorded import Recorded

SEQUENCED_AT_ONCE = 1000
"""Rows of one transaction."""

_LOCK = text("SELECT published FROM relay WHERE name = 'relay' FOR UPDATE")
_PG_SEQUENCE = text("""WITH taken AS (
    DELETE FROM outbox WHERE id IN (SELECT id FROM outbox ORDER BY id LIMIT :limit) RETURNING id, tournament, position)
    INSERT INTO feed (feed, tournament, position)
    SELECT (SELECT coalesce(max(feed), 0) FROM feed) + row_number() OVER (ORDER BY id), tournament, position
    FROM taken""")
_SQLITE_UP_TO = text("SELECT max(id) FROM (SELECT id FROM outbox ORDER BY id LIMIT :limit)")
_SQLITE_SEQUENCE = text("""INSERT INTO feed (feed, tournament, position)
    SELECT (SELECT coalesce(max(feed), 0) FROM feed) + row_number() OVER (ORDER BY id), tournament, position
    FROM outbox WHERE id <= :up_to""")
_SQLITE_TAKE = text("DELETE FROM outbox WHERE id <= :up_to")
_HELD_BACK = "EXISTS (SELECT 1 FROM own_copies WHERE trouble <> '')"
# While peers hold more of this log than it does, positions of the feed may be given to other events than before.
_WAITING = text(f"SELECT EXISTS (SELECT 1 FROM outbox) AND NOT {_HELD_BACK}")
_IS_HELD_BACK = text(f"SELECT {_HELD_BACK}")
_END = text("SELECT coalesce(max(feed), 0) FROM feed")
_PUBLISHED = text("SELECT published FROM relay WHERE name = 'relay'")
_MARK = text("UPDATE relay SET published = :feed WHERE name = 'relay' AND published < :feed")
_DEPTH = text("""SELECT (SELECT count(*) FROM outbox) + (SELECT coalesce(max(feed), 0) FROM feed)
    - (SELECT published FROM relay WHERE name = 'relay')""")


def waiting(connection: Connection) -> bool:
    """Whether committed events wait for a feed position that may be given to them."""
    return bool(connection.execute(_WAITING).scalar_one())


def sequence(connection: Connection, limit: int = SEQUENCED_AT_ONCE) -> int:
    """Give the oldest `limit` outbox rows their feed positions; returns how many it gave.

    connection: inside a writing block. Rows of one tournament keep their order, whatever committed when.
    While peers hold more of the log than this database, none gets a position.
    """
    if connection.execute(_IS_HELD_BACK).scalar_one():
        return 0
    if connection.dialect.name == "sqlite":
        up_to = connection.execute(_SQLITE_UP_TO, {"limit": limit}).scalar_one()
        if up_to is None:
            return 0
        connection.execute(_SQLITE_SEQUENCE, {"up_to": up_to})
        return connection.execute(_SQLITE_TAKE, {"up_to": up_to}).rowcount
    connection.execute(_LOCK)
    return connection.execute(_PG_SEQUENCE, {"limit": limit}).rowcount


def unpublished(connection: Connection, source: str, limit: int) -> list[tuple[int, Recorded]]:
    """At most `limit` events of the feed behind the relay's cursor, each with its feed position."""
    return feed_page(connection, source, connection.execute(_PUBLISHED).scalar_one(), limit)


def mark_published(connection: Connection, feed: int) -> None:
    """Move the relay's cursor to `feed`; never back. connection: inside a writing block that checked the lease."""
    connection.execute(_MARK, {"feed": feed})


def depth(connection: Connection) -> int:
    """How many committed events the broker has not confirmed."""
    return int(connection.execute(_DEPTH).scalar_one())


def feed_end(connection: Connection) -> int:
    """The last feed position that was given; 0 where none was."""
    return int(connection.execute(_END).scalar_one())


def feed_after(database: Database, source: str, after: int, limit: int) -> tuple[list[tuple[int, Recorded]], int]:
    """A page of the feed behind position `after`, and where the feed ends, with all that is committed by now.

    Gives feed positions to what waits in the outbox first, so a reader needs no relay to be running.
    """
    while True:
        with database.reading() as connection:
            if not waiting(connection):
                return feed_page(connection, source, after, limit), feed_end(connection)
        with database.writing() as connection:
            sequence(connection)
