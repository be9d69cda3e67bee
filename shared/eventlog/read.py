"""Read logs: for folding, for the log feed, for verification."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import starmap
from typing import Any

import msgspec
from sqlalchemy import Connection

from shared.eventlog import tables
from shared.eventlog.tables import KEYED
from shared.eventlog.wording import worded
from shared.events.recorded import EMPTY, Head, Recorded

TOGETHER = 500
"""Tournaments asked about in one statement."""

_ALL = ", ".join(Recorded.__struct_fields__)

_PAGE = f"""SELECT {_ALL} FROM events WHERE source = :source AND tournament = :tournament AND position > :after
    ORDER BY position LIMIT :limit"""
_HEADS = "SELECT source, position, hash FROM heads WHERE tournament = :tournament"
_HEAD = "SELECT position, hash FROM heads WHERE source = :source AND tournament = :tournament"
_ALL_HEADS = "SELECT tournament, position, hash FROM heads WHERE source = :source ORDER BY tournament"
_HEADS_BEHIND = """SELECT tournament, position, hash FROM heads WHERE source = :source AND tournament > :after
    ORDER BY tournament LIMIT :limit"""
_HASH = "SELECT hash FROM events WHERE source = :source AND tournament = :tournament AND position = :position"
_COMMAND = f"""SELECT {_ALL} FROM events WHERE source = :source AND tournament = :tournament
    AND {KEYED} AND command_id >= :key AND command_id < :end"""
_FEED = f"""SELECT f.feed, e.{_ALL.replace(", ", ", e.")} FROM feed f JOIN events e ON e.source = :source
    AND e.tournament = f.tournament AND e.position = f.position
    WHERE f.feed > :after ORDER BY f.feed LIMIT :limit"""
_FEED_HASHES = """SELECT f.feed, f.tournament, f.position, e.hash FROM feed f JOIN events e ON e.source = :source
    AND e.tournament = f.tournament AND e.position = f.position
    WHERE f.feed >= :first AND f.feed < :end ORDER BY f.feed"""


class StoredEvent(msgspec.Struct, frozen=True, gc=False):
    """What folding needs of an event; the rest of the row is for verification."""

    source: str
    position: int
    type: str
    version: int
    time: str
    actor: str
    data: str
    hash: str


def whole_log(connection: Connection, source: str, tournament: str) -> list[Recorded]:
    """Every event of one log, in order."""
    return log_page(connection, source, tournament, 0, 2**31 - 1)


def log_page(connection: Connection, source: str, tournament: str, after: int, limit: int) -> list[Recorded]:
    """At most `limit` events of one log behind position `after`, in order."""
    parameters = {"source": source, "tournament": tournament, "after": after, "limit": limit}
    return list(starmap(Recorded, _rows(connection, _PAGE, parameters)))


def heads_of(connection: Connection, tournament: str) -> dict[str, Head]:
    """Where the log of each source ends, as far as this database holds it."""
    rows = _rows(connection, _HEADS, {"tournament": tournament})
    return {source: Head(position, hash) for source, position, hash in rows}


def heads_of_several(connection: Connection, tournaments: Sequence[str]) -> dict[str, dict[str, Head]]:
    """Tournament -> source -> where its log ends, for those of which this database holds anything."""
    found: dict[str, dict[str, Head]] = {}
    for start in range(0, len(tournaments), TOGETHER):
        wanted = tables.heads.c.tournament.in_(tournaments[start : start + TOGETHER])
        for row in connection.execute(tables.heads.select().where(wanted)):
            found.setdefault(row.tournament, {})[row.source] = Head(row.position, row.hash)
    return found


def heads_from(connection: Connection, source: str) -> dict[str, Head]:
    """Where the logs of one source end, tournament by tournament."""
    rows = _rows(connection, _ALL_HEADS, {"source": source})
    return {tournament: Head(position, hash) for tournament, position, hash in rows}


def heads_behind(connection: Connection, source: str, after: str, limit: int) -> list[tuple[str, Head]]:
    """Where at most `limit` logs of one source end, by tournament, behind the tournament `after`."""
    rows = _rows(connection, _HEADS_BEHIND, {"source": source, "after": after, "limit": limit})
    return [(tournament, Head(position, hash)) for tournament, position, hash in rows]


def head_of(connection: Connection, source: str, tournament: str) -> Head:
    """Where one log ends; EMPTY when there is none."""
    row = _rows(connection, _HEAD, {"source": source, "tournament": tournament}).fetchone()
    return Head(*row) if row is not None else EMPTY


def holds(connection: Connection, source: str, tournament: str, head: Head) -> bool:
    """Whether a log is, or once was, at this head: it holds the event that the head names."""
    parameters = {"source": source, "tournament": tournament, "position": head.position}
    row = _rows(connection, _HASH, parameters).fetchone()
    return head.hash == (row[0] if row is not None else EMPTY.hash)


def events_of_command(connection: Connection, source: str, tournament: str, key: str) -> list[Recorded]:
    """The events that the command with this idempotency key appended; empty when it had none so far.

    A key may hold a tilde itself: what follows the last one is the digest of the request.
    """
    parameters = {"source": source, "tournament": tournament, "key": f"{key}~", "end": f"{key}\x7f"}
    # Sorted here: asked for the order, SQLite would rather read the whole log in it than use the index.
    events = sorted(starmap(Recorded, _rows(connection, _COMMAND, parameters)), key=lambda event: event.position)
    return [event for event in events if event.command_id.rpartition("~")[0] == key]


def feed_page(connection: Connection, source: str, after: int, limit: int) -> list[tuple[int, Recorded]]:
    """At most `limit` events of all own tournaments behind feed position `after`, each with its feed position."""
    rows = _rows(connection, _FEED, {"source": source, "after": after, "limit": limit})
    return [(row[0], Recorded(*row[1:])) for row in rows]


def feed_hashes(connection: Connection, source: str, first: int, end: int) -> list[tuple[int, str, int, str]]:
    """Feed position, tournament, position and hash of what stands in the feed from `first` on and before `end`."""
    rows = _rows(connection, _FEED_HASHES, {"source": source, "first": first, "end": end})
    return [tuple(row) for row in rows]


def news(connection: Connection, tournament: str, heads: Mapping[str, Head]) -> list[StoredEvent]:
    """The events of one tournament behind `heads` in the logs of the sources named there, each log in order.

    One statement, so every log is read as of the same moment.
    """
    parameters: dict[str, object] = {"tournament": tournament}
    for index, (source, head) in enumerate(heads.items()):
        parameters[f"source{index}"] = source
        parameters[f"after{index}"] = head.position
    return list(starmap(StoredEvent, _rows(connection, _news_of(len(heads)), parameters)))


def news_unless_recopied(
    connection: Connection, tournament: str, heads: Mapping[str, Head], recopied: int
) -> tuple[int, list[StoredEvent]]:
    """As `news`, and the number of the last recopy of the tournament's logs, if it is beyond `recopied`.

    One statement, so that no recopy comes between the two.
    """
    parameters: dict[str, object] = {"tournament": tournament, "recopied": recopied}
    for index, (source, head) in enumerate(heads.items()):
        parameters[f"source{index}"] = source
        parameters[f"after{index}"] = head.position
    told = list(starmap(StoredEvent, _rows(connection, _news_unless_recopied(len(heads)), parameters)))
    last = max((event.position for event in told if not event.source), default=recopied)
    return last, told if last == recopied else [event for event in told if event.source]


@cache
def _news_unless_recopied(logs: int) -> str:
    return f"""{_news_of(logs)} UNION ALL SELECT '', id, '', 0, '', '', '', '' FROM recopies
        WHERE tournament = :tournament AND id > :recopied"""


@cache
def _news_of(logs: int) -> str:
    # Each part in its own order, one behind the other: sorting the whole would cost a large log a fifth of its reading.
    part = f"""SELECT * FROM (SELECT {", ".join(StoredEvent.__struct_fields__)} FROM events
        WHERE source = :source{{0}} AND tournament = :tournament AND position > :after{{0}}
        ORDER BY position) AS log{{0}}"""
    return " UNION ALL ".join(part.format(index) for index in range(logs))


def _rows(connection: Connection, statement: str, parameters: dict[str, Any]) -> Any:
    """The driver's own rows: SQLAlchemy's would double the time that a long log takes to read."""
    return connection.connection.cursor().execute(worded(statement, connection.dialect.name), parameters)
