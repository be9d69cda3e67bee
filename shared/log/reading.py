"""Read logs: for folding, for the log feed, for verification; and where a page of them ends."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import starmap
from typing import Any

from shared.log.database import EVENT_COLUMNS, Connection
from shared.log.event import EMPTY_HEAD, Head, Recorded

TOURNAMENTS_PER_STATEMENT = 500
"""Tournaments asked about in one statement."""


def whole_log(connection: Connection, source: str, tournament: str) -> list[Recorded]:
    """Every event of one log, in order."""
    return log_page(connection, source, tournament, 0, 2**31 - 1)


def log_page(connection: Connection, source: str, tournament: str, after: int, limit: int) -> list[Recorded]:
    """At most `limit` events of one log behind position `after`, in order."""
    return select_events(
        connection,
        "source = :source AND tournament = :tournament AND position > :after ORDER BY position LIMIT :limit",
        source=source,
        tournament=tournament,
        after=after,
        limit=limit,
    )


def events_of_type(connection: Connection, source: str, tournament: str, type: str) -> list[Recorded]:
    """The events of one type in one log, in order."""
    condition = "source = :source AND tournament = :tournament AND type = :type ORDER BY position"
    return select_events(connection, condition, source=source, tournament=tournament, type=type)


def heads_of(connection: Connection, tournament: str) -> dict[str, Head]:
    """Where the log of each source ends, as far as this database holds it."""
    return heads_of_tournaments(connection, [tournament]).get(tournament, {})


def heads_of_tournaments(connection: Connection, tournaments: Sequence[str]) -> dict[str, dict[str, Head]]:
    """Tournament -> source -> where its log ends, for those of which this database holds anything."""
    found: dict[str, dict[str, Head]] = {}
    for start in range(0, len(tournaments), TOURNAMENTS_PER_STATEMENT):
        sql = "SELECT source, tournament, position, hash FROM heads WHERE tournament IN (:tournaments)"
        rows = connection.rows(sql, tournaments=list(tournaments[start : start + TOURNAMENTS_PER_STATEMENT]))
        for source, tournament, position, hash in rows:
            found.setdefault(tournament, {})[source] = Head(position, hash)
    return found


def heads_of_source(connection: Connection, source: str) -> dict[str, Head]:
    """Where the logs of one source end, tournament by tournament."""
    return dict(heads_page(connection, source, "", 2**31 - 1))


def heads_page(connection: Connection, source: str, after: str, limit: int) -> list[tuple[str, Head]]:
    """Where at most `limit` logs of one source end, by tournament, behind the tournament `after`."""
    sql = """SELECT tournament, position, hash FROM heads
        WHERE source = :source AND tournament > :after ORDER BY tournament LIMIT :limit"""
    rows = connection.rows(sql, source=source, after=after, limit=limit)
    return [(tournament, Head(position, hash)) for tournament, position, hash in rows]


def head_of(connection: Connection, source: str, tournament: str) -> Head:
    """Where one log ends; EMPTY when there is none."""
    sql = "SELECT position, hash FROM heads WHERE source = :source AND tournament = :tournament"
    row = connection.one(sql, source=source, tournament=tournament)
    return Head(*row) if row else EMPTY_HEAD


def hash_at(connection: Connection, source: str, tournament: str, position: int) -> str:
    """The hash of the event at a position; that before the first event where there is none."""
    sql = "SELECT hash FROM events WHERE source = :source AND tournament = :tournament AND position = :position"
    hash: str | None = connection.value(sql, source=source, tournament=tournament, position=position)
    return EMPTY_HEAD.hash if hash is None else hash


def contains_head(connection: Connection, source: str, tournament: str, head: Head) -> bool:
    """Whether a log is, or once was, at this head: it holds the event that the head names."""
    return head.hash == hash_at(connection, source, tournament, head.position)


def events_of_command(connection: Connection, source: str, tournament: str, key: str) -> list[Recorded]:
    """The events that the command with this idempotency key appended; empty when it had none so far."""
    positions = [position for _, position in connection.done(source, tournament, [key])]
    if not positions:
        return []
    first, last = min(positions), max(positions)
    events = log_page(connection, source, tournament, first - 1, last - first + 1)
    return [event for event in events if event.position in positions]


def feed_page(connection: Connection, source: str, after: int, limit: int) -> list[tuple[int, Recorded]]:
    """At most `limit` events of all own tournaments behind feed position `after`, each with its feed position."""
    rows = connection.placed("feed", source, Recorded.__struct_fields__, after=after, limit=limit)
    return [(row[0], Recorded(*row[1:])) for row in rows]


def feed_hashes(connection: Connection, source: str, first: int, end: int) -> list[tuple[int, str, int, str]]:
    """Feed position, tournament, position and hash of what stands in the feed from `first` on and before `end`."""
    wanted = ("tournament", "position", "hash")
    rows = connection.placed("feed", source, wanted, after=first - 1, limit=max(0, end - first))
    return [(feed, tournament, position, hash) for feed, tournament, position, hash in rows if feed < end]


def new_events(connection: Connection, tournament: str, heads: Mapping[str, Head]) -> list[Recorded]:
    """The events of one tournament behind `heads` in the logs of the sources named there, each log in order.

    One statement, so every log is read as of the same moment.
    """
    _, rows = connection.news(tournament, heads, 2**62)
    return to_events(rows)


def new_events_and_last_recopy(
    connection: Connection, tournament: str, heads: Mapping[str, Head], recopied: int
) -> tuple[int, list[Recorded]]:
    """As `news`, and the number of the last recopy of the tournament's logs, if it is beyond `recopied`.

    One statement, so that no recopy comes between the two.
    """
    last, rows = connection.news(tournament, heads, recopied)
    return last, to_events(rows)


def select_events(connection: Connection, condition: str, **values: Any) -> list[Recorded]:
    """Return the events that fulfil a condition in SQL, which may say their order and number as well."""
    return to_events(connection.rows(f"SELECT {EVENT_COLUMNS} FROM events WHERE {condition}", **values))


def to_events(rows: Iterable[tuple[Any, ...]]) -> list[Recorded]:
    """Return the events of rows that hold whole events."""
    return list(starmap(Recorded, rows))


PAGE_BYTES = 4 * 1024 * 1024
"""Of one page, about; a page holds one event at least, however large."""

ENVELOPE_BYTES = 1024
"""Bytes, about, of what stands around data and command of an event when it is sent."""


def log_page_end(connection: Connection, source: str, tournament: str, after: int, limit: int) -> int:
    """The position of the last event of a page of one log behind `after`; `after` where nothing follows."""
    sql = f"""SELECT position, {connection.octets.format("data")}, {connection.octets.format("command")} FROM events
        WHERE source = :source AND tournament = :tournament AND position > :after ORDER BY position LIMIT :limit"""
    rows = connection.rows(sql, source=source, tournament=tournament, after=after, limit=limit)
    return last_position_within(rows, after)


def feed_page_end(connection: Connection, source: str, after: int, limit: int) -> int:
    """The feed position of the last event of a page of the feed behind `after`; `after` where nothing follows."""
    sizes = (connection.octets.format("data"), connection.octets.format("command"))
    return last_position_within(connection.placed("feed", source, sizes, after=after, limit=limit), after)


def last_position_within(sizes: Iterable[tuple[Any, ...]], after: int, most: int = PAGE_BYTES) -> int:
    """The last position before the bytes are used up, the first one in any case.

    sizes: of each event its position, and the bytes of what it holds.
    """
    last, used = after, 0
    for position, *octets in sizes:
        used += sum(octets) + ENVELOPE_BYTES
        if used > most and last != after:
            return last
        last = position
    return last
