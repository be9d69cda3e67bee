"""Recopy: a copy that differs from its owner's log is replaced by it, on record; what stood there is kept aside.

Events are never changed or removed, and the database refuses it. The one exception stands in its triggers: an event of
somebody else's log may move to `replaced` while a row of `recopies` says that this log is being copied anew.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from sqlalchemy import Connection, text

from shared.eventlog.copied_feed import forget_places
from shared.eventlog.database import Database
from shared.eventlog.extend import extend
from shared.eventlog.quarantine import close_cases
from shared.eventlog.read import head_of, whole_log
from shared.eventlog.verify import verify
from shared.events.recorded import EMPTY, Head, Recorded

_COLUMNS = ", ".join(Recorded.__struct_fields__)
_LOCK = text("SELECT 1 FROM heads WHERE source = :source AND tournament = :tournament FOR UPDATE")
_BEGIN = text("""INSERT INTO recopies (source, tournament, actor, reason, time, old_position, old_hash, kept,
    new_position, new_hash, under_way) VALUES (:source, :tournament, :actor, :reason, :time, :old_position, :old_hash,
    :kept, :new_position, :new_hash, 1) RETURNING id""")
_SET_ASIDE = text(f"""INSERT INTO replaced (recopy, {_COLUMNS}) SELECT :recopy, {_COLUMNS} FROM events
    WHERE source = :source AND tournament = :tournament AND position > :kept""")
_REMOVE = text("DELETE FROM events WHERE source = :source AND tournament = :tournament AND position > :kept")
_NO_HEAD = text("DELETE FROM heads WHERE source = :source AND tournament = :tournament")
_HEAD = text("""UPDATE heads SET position = :kept, hash = :kept_hash
    WHERE source = :source AND tournament = :tournament""")
_NO_SNAPSHOT = text("DELETE FROM snapshots WHERE tournament = :tournament")
_END = text("UPDATE recopies SET under_way = 0 WHERE id = :recopy")
_LAST = text("SELECT coalesce(max(id), 0) FROM recopies WHERE tournament = :tournament")


class Overtaken(Exception):
    """Somebody else wrote to the copy at the same moment; nothing was replaced."""


class Recopied(msgspec.Struct, frozen=True):
    """id: of the record. old, new: where the copy ended, and ends. kept: events from the first on that were the same.

    replaced: events that were set aside. cases: of quarantine, that this has closed.
    """

    id: int
    old: Head
    new: Head
    kept: int
    replaced: int
    cases: int


def recopy(
    database: Database, source: str, tournament: str, events: Sequence[Recorded], *, actor: str, reason: str, time: str
) -> Recopied:
    """Make the copy of a foreign log equal to `events`, the owner's whole log as far as it may be copied.

    One transaction: the record, the events set aside, the new ones, the head; snapshots and cases of quarantine go.
    Raises Broken for events that are no log, Overtaken, and the database's error for the service's own log.
    """
    new = verify(events)
    with database.writing() as connection:
        if database.dialect != "sqlite":
            connection.execute(_LOCK, {"source": source, "tournament": tournament})
        old = head_of(connection, source, tournament)
        held = whole_log(connection, source, tournament)
        kept = _same(held, events)
        row: dict[str, object] = {
            "source": source,
            "tournament": tournament,
            "actor": actor,
            "reason": reason,
            "time": time,
            "old_position": old.position,
            "old_hash": old.hash,
            "kept": kept,
            "kept_hash": events[kept - 1].hash if kept else EMPTY.hash,
            "new_position": new.position,
            "new_hash": new.hash,
        }
        row["recopy"] = connection.execute(_BEGIN, row).scalar_one()
        if (len(held), old) != (kept, Head(kept, str(row["kept_hash"]))):
            connection.execute(_SET_ASIDE, row)
            connection.execute(_REMOVE, row)
            connection.execute(_HEAD if kept else _NO_HEAD, row)
            forget_places(connection, source, tournament, kept)
        if rest := events[kept:]:
            head = Head(kept, str(row["kept_hash"]))
            if not extend(connection.connection.cursor(), connection.dialect.name, head, rest, own=False):
                raise Overtaken(f"the copy of {source} {tournament}")
        connection.execute(_NO_SNAPSHOT, row)
        cases = close_cases(connection, source, tournament)
        connection.execute(_END, row)
    return Recopied(int(str(row["recopy"])), old, new, kept, len(held) - kept, cases)


def last_recopy(connection: Connection, tournament: str) -> int:
    """The number of the last recopy of any log of a tournament; 0 when there was none."""
    return int(connection.execute(_LAST, {"tournament": tournament}).scalar_one())


def _same(held: Sequence[Recorded], events: Sequence[Recorded]) -> int:
    """How many events from the first on are the same in both."""
    number = 0
    for one, other in zip(held, events, strict=False):
        if one != other:
            break
        number += 1
    return number
