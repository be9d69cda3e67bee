"""Quarantine: foreign events that did not verify, kept with the reason until somebody has looked at them."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec
from sqlalchemy import Connection, text

from shared.events.recorded import Recorded
from shared.log.database import Database
from shared.log.tables import quarantine

_KEPT = text("""SELECT 1 FROM quarantine WHERE source = :source AND tournament = :tournament AND position = :position
    AND reason = :reason AND origin = :origin""")
_OPEN = text("""SELECT q.source, q.tournament, q.position, q.reason, q.origin, q.time FROM quarantine q
    LEFT JOIN heads h ON h.source = q.source AND h.tournament = q.tournament
    WHERE coalesce(h.position, 0) < q.position OR q.origin = 'fork' ORDER BY q.id""")


class Case(msgspec.Struct, frozen=True):
    """A refused event that still matters: which, why, where it came from, since when (RFC 3339).

    origin: `message` (the broker brought it), `owner` (the owner's log holds it), or `fork` (the owner's log holds
    it at a position for which the copy holds another event: only a new copy can heal that).
    """

    source: str
    tournament: str
    position: int
    reason: str
    origin: str
    time: str


def put_aside(database: Database, event: Recorded, reason: str, origin: str, body: bytes) -> bool:
    """Keep a refused event with its reason; returns False when the same was kept before.

    origin: as in Case. body: the event as it arrived.
    """
    row = {
        "source": event.source,
        "tournament": event.tournament,
        "position": event.position,
        "reason": reason,
        "origin": origin,
        "body": body,
        "time": datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
    }
    with database.writing() as connection:
        if connection.execute(_KEPT, row).first() is not None:
            return False
        connection.execute(quarantine.insert(), row)
    return True


def open_cases(connection: Connection) -> list[Case]:
    """The refused events that the copies have not moved past, oldest first."""
    return [Case(*row) for row in connection.execute(_OPEN)]
