"""The feed laid out again: every event where its subscribers counted it, as far as anybody knows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from shared.eventlog.database import Connection, Database
from shared.eventlog.outbox import mark_published
from shared.eventlog.tables import EVENTS, FEED, OUTBOX, RELAY

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
        connection.find(RELAY, {"name": "relay"}, lock=True)
        connection.remove(FEED, {"feed >": kept})
        own = _own(connection, source)
        laid: dict[Event, int] = {(row[1], row[2]): row[0] for row in connection.find(FEED)}
        known = {feed: event for feed, event in places.items() if event in own and event not in laid and feed <= end}
        placed = laid.keys() | set(known.values())
        left = iter([event for event in own if event not in placed])
        before = next((event for event, feed in laid.items() if feed == kept), None)
        rows = list(_rows(before, kept, end, known, left))
        connection.add(FEED, [{"feed": feed, "tournament": event[0], "position": event[1]} for feed, event in rows])
        waiting = [{"tournament": tournament, "position": position} for tournament, position in left]
        connection.remove(OUTBOX)
        connection.add(OUTBOX, waiting)
        mark_published(connection, kept + len(rows))
    return LaidOut(kept + len(rows), sum(feed not in known for feed, _ in rows), len(waiting))


def _own(connection: Connection, source: str) -> dict[Event, None]:
    wanted = ("tournament", "position")
    rows = connection.find(EVENTS, {"source": source}, columns=wanted, order=("time", *wanted))
    return dict.fromkeys(rows)


def _rows(
    before: Event | None, kept: int, end: int, known: Mapping[int, Event], left: Iterator[Event]
) -> Iterator[tuple[int, Event]]:
    for feed in range(kept + 1, end + 1):
        event = known.get(feed) or next(left, None) or before
        if event is None:
            return  # nothing at all is known
        before = event
        yield feed, event
