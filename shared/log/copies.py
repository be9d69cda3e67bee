"""Quarantine: foreign events that did not verify, kept with the reason until somebody has looked at them.

Anybody who may publish can have events refused, so what messages brought is bounded, and the oldest make room. What an
owner itself said is kept: of each log the first event that does not hold, since nothing behind it can be copied.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec

from shared import metrics
from shared.eventlog.database import Connection, Database
from shared.eventlog.read import head_of, heads_of_several
from shared.events.recorded import EMPTY, Recorded

MESSAGES = 100
"""Refused events of each source that came by messages."""
KEPT_BYTES = 16 * 1024
"""Of each event, as it arrived."""
LONGEST_REASON = 500
_INSERT = """INSERT INTO quarantine (source, tournament, position, reason, origin, body, time)
    VALUES (:source, :tournament, :position, :reason, :origin, :body, :time)"""
_OF_LOG = "FROM quarantine WHERE source = :source AND tournament = :tournament"
FORK, FOLD, DAMAGED = "fork", "fold", "damaged"
HELD = (FORK, FOLD, DAMAGED)
"""Origins of cases about an event that this database holds; the others wait for one that it does not hold yet."""


class Case(msgspec.Struct, frozen=True):
    """A refused event that still matters: which, why, where it came from, since when (RFC 3339).

    origin: `message` (the broker brought it), `owner` (the owner's log holds it), `newer` and `early` (true, and to be
    copied after an upgrade, or behind the announcement of its tournament), `fork` (the owner's log holds it at a
    position for which the copy holds another event: only a new copy can heal that), `fold` (this database holds it, and
    no state can be made from it), or `damaged` (this database holds it, and it is not the event that was recorded).
    """

    source: str
    tournament: str
    position: int
    reason: str
    origin: str
    time: str


def put_aside(database: Database, event: Recorded, reason: str, origin: str, body: bytes) -> bool:
    """Keep a refused event with its reason; returns False when the same was kept before, or an earlier one of its log
    that its owner holds.

    origin: as in Case. body: the event as it arrived; its beginning is kept.
    """
    return _keep(database, (event.source, event.tournament, event.position), reason, origin, body)


def put_unfoldable(
    database: Database, source: str, tournament: str, position: int, reason: str, origin: str = FOLD
) -> bool:
    """Note that a log of this database is unreadable at a position; return False if that was noted before.

    origin: FOLD or DAMAGED.
    """
    return _keep(database, (source, tournament, position), reason, origin, b"")


def _keep(database: Database, place: tuple[str, str, int], reason: str, origin: str, body: bytes) -> bool:
    source, tournament, position = place
    row = {
        "source": source,
        "tournament": tournament,
        "position": position,
        "reason": reason[:LONGEST_REASON],
        "origin": origin,
        "body": body[:KEPT_BYTES],
        "time": datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
    }
    with database.writing() as connection:
        if _is_kept(connection, row):
            return False
        connection.run(_INSERT, **row)
        if origin == "message":
            metrics.QUARANTINE_DROPPED.labels(source).inc(_make_room(connection, source))
    return True


def _is_kept(connection: Connection, row: Mapping[str, Any]) -> bool:
    """Whether the same was kept, or an earlier event of its log that its owner holds and the copy has not passed."""
    if row["origin"] == "message":
        same = f"SELECT id {_OF_LOG} AND origin = :origin AND position = :position AND reason = :reason"
        return connection.one(same, **row) is not None
    passed = -1 if row["origin"] in HELD else head_of(connection, row["source"], row["tournament"]).position
    earlier = f"SELECT id {_OF_LOG} AND origin = :origin AND position > :passed AND position <= :position"
    return connection.one(earlier, passed=passed, **row) is not None


def _make_room(connection: Connection, source: str) -> int:
    """Forget the oldest of what messages brought, beyond what is kept; returns how many."""
    brought = "FROM quarantine WHERE source = :source AND origin = 'message'"
    return connection.run(
        f"DELETE {brought} AND id <= (SELECT id {brought} ORDER BY id DESC LIMIT 1 OFFSET :kept)",
        source=source,
        kept=MESSAGES,
    )


def close_cases(connection: Connection, source: str, tournament: str, origins: Sequence[str] = ()) -> int:
    """Forget the cases of a log, all of them or those of some origins; returns how many there were."""
    sql = f"DELETE {_OF_LOG}" + (" AND origin IN (:origins)" if origins else "")
    return connection.run(sql, source=source, tournament=tournament, origins=list(origins))


def open_cases(connection: Connection) -> list[Case]:
    """The refused events that the copies have not moved past, oldest first."""
    rows = connection.rows("SELECT source, tournament, position, reason, origin, time FROM quarantine ORDER BY id")
    cases = [Case(*row) for row in rows]
    heads = heads_of_several(connection, sorted({case.tournament for case in cases}))
    return [
        case
        for case in cases
        if case.origin in HELD or case.position > heads.get(case.tournament, {}).get(case.source, EMPTY).position
    ]
