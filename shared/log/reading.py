"""Queries for logs, heads and feeds, and the size of their pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import starmap
from typing import Any

from shared.log.database import EVENT_COLUMNS, Connection
from shared.log.event import EMPTY_HEAD, Head, Recorded

TOURNAMENTS_PER_STATEMENT = 500
"""Maximum number of tournaments in one query."""


def whole_log(connection: Connection, source: str, tournament: str) -> list[Recorded]:
    """Return all events of one log, in order."""
    return log_page(connection, source, tournament, 0, 2**31 - 1)


def log_page(connection: Connection, source: str, tournament: str, after: int, limit: int) -> list[Recorded]:
    """Return at most `limit` events of one log after position `after`, in order."""
    return select_events(
        connection,
        "source = :source AND tournament = :tournament AND position > :after ORDER BY position LIMIT :limit",
        source=source,
        tournament=tournament,
        after=after,
        limit=limit,
    )


def events_of_type(connection: Connection, source: str, tournament: str, type: str) -> list[Recorded]:
    """Return the events of one type in one log, in order."""
    condition = "source = :source AND tournament = :tournament AND type = :type ORDER BY position"
    return select_events(connection, condition, source=source, tournament=tournament, type=type)


def heads_of(connection: Connection, tournament: str) -> dict[str, Head]:
    """Return source -> head of the tournament's logs in this database."""
    return heads_of_tournaments(connection, [tournament]).get(tournament, {})


def heads_of_tournaments(connection: Connection, tournaments: Sequence[str]) -> dict[str, dict[str, Head]]:
    """Return tournament -> source -> head; tournaments without events are missing."""
    by_tournament: dict[str, dict[str, Head]] = {}
    for start in range(0, len(tournaments), TOURNAMENTS_PER_STATEMENT):
        sql = "SELECT source, tournament, position, hash FROM heads WHERE tournament IN (:tournaments)"
        rows = connection.rows(sql, tournaments=list(tournaments[start : start + TOURNAMENTS_PER_STATEMENT]))
        for source, tournament, position, hash in rows:
            by_tournament.setdefault(tournament, {})[source] = Head(position, hash)
    return by_tournament


def heads_of_source(connection: Connection, source: str) -> dict[str, Head]:
    """Return tournament -> head of all logs of one source."""
    return dict(heads_page(connection, source, "", 2**31 - 1))


def heads_page(connection: Connection, source: str, after: str, limit: int) -> list[tuple[str, Head]]:
    """Return at most `limit` heads of one source's logs after the tournament `after`, ordered by tournament."""
    sql = """SELECT tournament, position, hash FROM heads
        WHERE source = :source AND tournament > :after ORDER BY tournament LIMIT :limit"""
    rows = connection.rows(sql, source=source, after=after, limit=limit)
    return [(tournament, Head(position, hash)) for tournament, position, hash in rows]


def head_of(connection: Connection, source: str, tournament: str) -> Head:
    """Return the head of one log; EMPTY_HEAD if it has no events."""
    sql = "SELECT position, hash FROM heads WHERE source = :source AND tournament = :tournament"
    row = connection.first(sql, source=source, tournament=tournament)
    return Head(*row) if row else EMPTY_HEAD


def hash_at(connection: Connection, source: str, tournament: str, position: int) -> str:
    """Return the hash of the event at a position; the genesis hash if there is no event."""
    sql = "SELECT hash FROM events WHERE source = :source AND tournament = :tournament AND position = :position"
    hash: str | None = connection.value(sql, source=source, tournament=tournament, position=position)
    return EMPTY_HEAD.hash if hash is None else hash


def contains_head(connection: Connection, source: str, tournament: str, head: Head) -> bool:
    """Return True if a log contains the event of this head."""
    return head.hash == hash_at(connection, source, tournament, head.position)


def events_of_command(connection: Connection, source: str, tournament: str, key: str) -> list[Recorded]:
    """Return the events that the command with this idempotency key has appended."""
    positions = [position for _, position in connection.events_of_keys(source, tournament, [key])]
    if not positions:
        return []
    first, last = min(positions), max(positions)
    events = log_page(connection, source, tournament, first - 1, last - first + 1)
    return [event for event in events if event.position in positions]


def feed_page(connection: Connection, source: str, after: int, limit: int) -> list[tuple[int, Recorded]]:
    """Return at most `limit` own events after feed position `after`, each with its feed position."""
    rows = connection.feed_rows("feed", source, Recorded.__struct_fields__, after=after, limit=limit)
    return [(row[0], Recorded(*row[1:])) for row in rows]


def feed_hashes(connection: Connection, source: str, first: int, end: int) -> list[tuple[int, str, int, str]]:
    """Return feed position, tournament, position and hash of the own events from feed position `first` to `end` - 1."""
    columns = ("tournament", "position", "hash")
    rows = connection.feed_rows("feed", source, columns, after=first - 1, limit=max(0, end - first))
    return [(feed, tournament, position, hash) for feed, tournament, position, hash in rows if feed < end]


def new_events(connection: Connection, tournament: str, heads: Mapping[str, Head]) -> list[Recorded]:
    """Return the events of one tournament after `heads`, each log in order.

    One statement reads all logs, so that they are from the same moment.
    """
    _, rows = connection.new_rows(tournament, heads, 2**62)
    return to_events(rows)


def new_events_and_last_recopy(
    connection: Connection, tournament: str, heads: Mapping[str, Head], recopied: int
) -> tuple[int, list[Recorded]]:
    """Return the number of the last recopy of the tournament's logs, and the events after `heads`.

    The number is `recopied` if no recopy followed. One statement reads both, so no recopy can come between.
    """
    last, rows = connection.new_rows(tournament, heads, recopied)
    return last, to_events(rows)


def select_events(connection: Connection, condition: str, **values: Any) -> list[Recorded]:
    """Return the events that match an SQL condition, which may include ORDER BY and LIMIT."""
    return to_events(connection.rows(f"SELECT {EVENT_COLUMNS} FROM events WHERE {condition}", **values))


def to_events(rows: Iterable[tuple[Any, ...]]) -> list[Recorded]:
    """Return rows with all columns of an event as events."""
    return list(starmap(Recorded, rows))


PAGE_BYTES = 4 * 1024 * 1024
"""Soft size limit of a page. A page always holds at least one event, even a larger one."""

ENVELOPE_BYTES = 1024
"""Estimated bytes of a sent event without its data and command."""


def log_page_end(connection: Connection, source: str, tournament: str, after: int, limit: int) -> int:
    """Return the position of the last event of a log page after `after`; `after` if there are no more events."""
    sql = f"""SELECT position, {connection.octets.format("data")}, {connection.octets.format("command")} FROM events
        WHERE source = :source AND tournament = :tournament AND position > :after ORDER BY position LIMIT :limit"""
    rows = connection.rows(sql, source=source, tournament=tournament, after=after, limit=limit)
    return last_position_within(rows, after)


def feed_page_end(connection: Connection, source: str, after: int, limit: int) -> int:
    """Return the feed position of the last event of a feed page after `after`; `after` if there are no more events."""
    sizes = (connection.octets.format("data"), connection.octets.format("command"))
    return last_position_within(connection.feed_rows("feed", source, sizes, after=after, limit=limit), after)


def last_position_within(sizes: Iterable[tuple[Any, ...]], after: int, most: int = PAGE_BYTES) -> int:
    """Return the last position that fits into `most` bytes, but at least the first one; `after` without events.

    sizes: position of each event and the bytes of its parts.
    """
    last, used = after, 0
    for position, *octets in sizes:
        used += sum(octets) + ENVELOPE_BYTES
        if used > most and last != after:
            return last
        last = position
    return last
