"""The feed laid out again: every event where its subscribers counted it, as far as anybody knows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec
from sqlalchemy import Connection, text

from shared.eventlog.database import Database

_LOCK = text("SELECT published FROM relay WHERE name = 'relay' FOR UPDATE")
_CUT = text("DELETE FROM feed WHERE feed > :kept")
_LAID = text("SELECT tournament, position FROM feed")
_OWN = text("SELECT tournament, position FROM events WHERE source = :source ORDER BY time, tournament, position")
_LAY = text("INSERT INTO feed (feed, tournament, position) VALUES (:feed, :tournament, :position)")
_NONE_WAITS = text("DELETE FROM outbox")
_WAITS = text("INSERT INTO outbox (tournament, position) VALUES (:tournament, :position)")
_PUBLISHED = text("UPDATE relay SET published = :end WHERE name = 'relay' AND published < :end")

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
        if database.dialect != "sqlite":
            connection.execute(_LOCK)
        connection.execute(_CUT, {"kept": kept})
        own: dict[Event, None] = {tuple(row): None for row in connection.execute(_OWN, {"source": source})}
        laid: set[Event] = {tuple(row) for row in connection.execute(_LAID)}
        known = {feed: event for feed, event in places.items() if event in own and event not in laid and feed <= end}
        placed = laid | set(known.values())
        left = iter([event for event in own if event not in placed])
        rows = list(_rows(connection, kept, end, known, left))
        _write(connection, rows)
        waiting = [{"tournament": tournament, "position": position} for tournament, position in left]
        connection.execute(_NONE_WAITS)
        if waiting:
            connection.execute(_WAITS, waiting)
        connection.execute(_PUBLISHED, {"end": kept + len(rows)})
    return LaidOut(kept + len(rows), sum(feed not in known for feed, _ in rows), len(waiting))


def _rows(
    connection: Connection, kept: int, end: int, known: Mapping[int, Event], left: Iterator[Event]
) -> Iterator[tuple[int, Event]]:
    before: Event | None = None
    if row := connection.execute(
        text("SELECT tournament, position FROM feed WHERE feed = :kept"), {"kept": kept}
    ).first():
        before = (row.tournament, row.position)
    for feed in range(kept + 1, end + 1):
        event = known.get(feed) or next(left, None) or before
        if event is None:
            return  # nothing at all is known
        before = event
        yield feed, event


def _write(connection: Connection, rows: list[tuple[int, Event]]) -> None:
    if rows:
        connection.execute(_LAY, [{"feed": feed, "tournament": event[0], "position": event[1]} for feed, event in rows])
