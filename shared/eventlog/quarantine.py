"""Quarantine: foreign events that did not verify, kept with the reason until somebody has looked at them.

Anybody who may publish can have events refused, so what messages brought is bounded, and the oldest make room. What an
owner itself said is kept: of each log the first event that does not hold, since nothing behind it can be copied.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import msgspec
from sqlalchemy import Connection, bindparam, text

from shared import metrics
from shared.eventlog.database import Database
from shared.eventlog.tables import quarantine
from shared.events.recorded import Recorded

MESSAGES = 100
"""Refused events of each source that came by messages."""
KEPT_BYTES = 16 * 1024
"""Of each event, as it arrived."""
LONGEST_REASON = 500

_KEPT = text("""SELECT 1 FROM quarantine WHERE source = :source AND tournament = :tournament AND position = :position
    AND reason = :reason AND origin = :origin""")
_KEPT_OF_LOG = text("""SELECT 1 FROM quarantine q
    LEFT JOIN heads h ON h.source = q.source AND h.tournament = q.tournament
    WHERE q.source = :source AND q.tournament = :tournament AND q.origin = :origin AND q.position <= :position
    AND (coalesce(h.position, 0) < q.position OR q.origin IN ('fork', 'fold'))""")
_MAKE_ROOM = text("""DELETE FROM quarantine WHERE source = :source AND origin = 'message' AND id <= (
    SELECT id FROM quarantine WHERE source = :source AND origin = 'message' ORDER BY id DESC LIMIT 1 OFFSET :most)""")
_OPEN = text("""SELECT q.source, q.tournament, q.position, q.reason, q.origin, q.time FROM quarantine q
    LEFT JOIN heads h ON h.source = q.source AND h.tournament = q.tournament
    WHERE coalesce(h.position, 0) < q.position OR q.origin IN ('fork', 'fold') ORDER BY q.id""")
_CLOSE = text("DELETE FROM quarantine WHERE source = :source AND tournament = :tournament")
_CLOSE_SOME = text(f"{_CLOSE.text} AND origin IN :origins").bindparams(bindparam("origins", expanding=True))
FORK, FOLD = "fork", "fold"


class Case(msgspec.Struct, frozen=True):
    """A refused event that still matters: which, why, where it came from, since when (RFC 3339).

    origin: `message` (the broker brought it), `owner` (the owner's log holds it), `newer` and `early` (true, and to be
    copied after an upgrade, or behind the announcement of its tournament), `fork` (the owner's log holds it at a
    position for which the copy holds another event: only a new copy can heal that), or `fold` (the copy holds it, and
    no state can be made from it).
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


def put_unfoldable(database: Database, source: str, tournament: str, position: int, reason: str) -> bool:
    """Note that a log that is held here cannot be folded at a position; returns False when that was noted before."""
    return _keep(database, (source, tournament, position), reason, FOLD, b"")


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
        if connection.execute(_KEPT if origin == "message" else _KEPT_OF_LOG, row).first() is not None:
            return False
        connection.execute(quarantine.insert(), row)
        if origin == "message":
            dropped = connection.execute(_MAKE_ROOM, {"source": source, "most": MESSAGES}).rowcount
            metrics.QUARANTINE_DROPPED.labels(source).inc(max(0, dropped))
    return True


def close_cases(connection: Connection, source: str, tournament: str, origins: Sequence[str] = ()) -> int:
    """Forget the cases of a log, all of them or those of some origins; returns how many there were."""
    row = {"source": source, "tournament": tournament, "origins": list(origins)}
    return connection.execute(_CLOSE_SOME if origins else _CLOSE, row).rowcount


def open_cases(connection: Connection) -> list[Case]:
    """The refused events that the copies have not moved past, oldest first."""
    return [Case(*row) for row in connection.execute(_OPEN)]
