"""Where copied events stand in the feed of their owner, and a feed laid out again from that.

Copies need it for nothing. Their owner does, when it has lost its database: its log comes back from them, and by this
its feed, with every event where subscribers counted it, as far as anybody knows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import msgspec

from shared.eventlog.database import Connection, Database
from shared.eventlog.outbox import mark_published

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
    connection.run_many(
        """INSERT INTO copied_feed (source, feed, tournament, position)
            VALUES (:source, :feed, :tournament, :position) ON CONFLICT DO NOTHING""",
        rows,
    )


def last_place(connection: Connection, source: str) -> Place | None:
    """The event furthest in the feed of `source` whose copy is held here; None where there is none."""
    rows = connection.placed("copied_feed", source, _HELD, after=0, limit=1, last=True)
    return Place(*rows[0]) if rows else None


def places_after(connection: Connection, source: str, after: int, limit: int) -> list[Place]:
    """At most `limit` copied events behind a feed position of `source`, in the order of its feed."""
    return [Place(*row) for row in connection.placed("copied_feed", source, _HELD, after=after, limit=limit)]


def forget_places(connection: Connection, source: str, tournament: str, kept: int) -> None:
    """Events of a log behind position `kept` are no longer copied here."""
    sql = "DELETE FROM copied_feed WHERE source = :source AND tournament = :tournament AND position > :kept"
    connection.run(sql, source=source, tournament=tournament, kept=kept)


Event = tuple[str, int]
"""Tournament and position."""


class LaidOut(msgspec.Struct, frozen=True):
    """end: of the feed. guessed: positions that nobody knew the event of. waiting: events that get the next ones."""

    end: int
    guessed: int
    waiting: int


def lay_out(database: Database, source: str, kept: int, places: Mapping[int, Event], end: int) -> LaidOut:
    """Give the own events behind feed position `kept` the positions that subscribers know them by, up to `end`.

    places: feed position -> the event there. A position that is not among them, or whose event is lost, gets an event
    that has none; where there is none left, the one before it once more, since a feed has no gaps. What is left then
    waits for the relay. Positions up to `end` count as published.
    """
    with database.writing() as connection:
        connection.locked("SELECT name FROM relay WHERE name = 'relay'")
        connection.run("DELETE FROM feed WHERE feed > :kept", kept=kept)
        own = _own(connection, source)
        rows_of_feed = connection.rows("SELECT feed, tournament, position FROM feed")
        laid: dict[Event, int] = {(tournament, position): feed for feed, tournament, position in rows_of_feed}
        known = {feed: event for feed, event in places.items() if event in own and event not in laid and feed <= end}
        placed = laid.keys() | set(known.values())
        left = iter([event for event in own if event not in placed])
        before = next((event for event, feed in laid.items() if feed == kept), None)
        rows = list(_rows(before, kept, end, known, left))
        connection.run_many(
            "INSERT INTO feed (feed, tournament, position) VALUES (:feed, :tournament, :position)",
            [{"feed": feed, "tournament": event[0], "position": event[1]} for feed, event in rows],
        )
        waiting = [{"tournament": tournament, "position": position} for tournament, position in left]
        connection.run("DELETE FROM outbox")
        connection.run_many(
            "INSERT INTO outbox (tournament, position, cause) VALUES (:tournament, :position, '')", waiting
        )
        mark_published(connection, kept + len(rows))
    return LaidOut(kept + len(rows), sum(feed not in known for feed, _ in rows), len(waiting))


def _own(connection: Connection, source: str) -> dict[Event, None]:
    sql = "SELECT tournament, position FROM events WHERE source = :source ORDER BY time, tournament, position"
    return dict.fromkeys(connection.rows(sql, source=source))


def _rows(
    before: Event | None, kept: int, end: int, known: Mapping[int, Event], left: Iterator[Event]
) -> Iterator[tuple[int, Event]]:
    for feed in range(kept + 1, end + 1):
        event = known.get(feed) or next(left, None) or before
        if event is None:
            return  # nothing at all is known
        before = event
        yield feed, event
