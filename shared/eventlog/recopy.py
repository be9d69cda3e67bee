"""Recopy: a copy that differs from its owner's log is replaced by it, on record; what stood there is kept aside.

Events are never changed or removed, and the database refuses it. Its triggers allow one exception: an event may move to
`replaced` while a row of `recopies` says that this log is being copied again. For the service's own log such a row may
be written only during a recovery, which takes a damaged event back from the peers.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from shared.eventlog.copied_feed import forget_places
from shared.eventlog.database import Connection, Database
from shared.eventlog.quarantine import close_cases
from shared.eventlog.read import head_of, whole_log
from shared.eventlog.statements import EVENT
from shared.eventlog.verify import verify
from shared.events.recorded import EMPTY, Head, Recorded

_OF_LOG = "source = :source AND tournament = :tournament"
_RECORD = """INSERT INTO recopies (source, tournament, actor, reason, time, old_position, old_hash, kept, new_position,
    new_hash, under_way)
    VALUES (:source, :tournament, :actor, :reason, :time, :old_position, :old_hash, :kept, :new_position, :new_hash, 1)
    RETURNING id"""


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
    """Make a log equal to `events`: a copy to its owner's log as far as it may be copied, or the own log as mended.

    One transaction: the record, the events set aside, the new ones, the head; snapshots and cases of quarantine go.
    Raises Broken for events that are no log, Overtaken, and the database's error for the own log outside a recovery.
    """
    new = verify(events)
    log = {"source": source, "tournament": tournament}
    with database.writing() as connection:
        connection.locked(f"SELECT position FROM heads WHERE {_OF_LOG}", **log)
        old = head_of(connection, source, tournament)
        held = whole_log(connection, source, tournament)
        kept = _same(held, events)
        head = Head(kept, events[kept - 1].hash) if kept else EMPTY
        id = connection.value(
            _RECORD,
            **log,
            actor=actor,
            reason=reason,
            time=time,
            old_position=old.position,
            old_hash=old.hash,
            kept=kept,
            new_position=new.position,
            new_hash=new.hash,
        )
        if (len(held), old) != (kept, head):
            behind = f"FROM events WHERE {_OF_LOG} AND position > :kept"
            set_aside = f"INSERT INTO replaced (recopy, {EVENT}) SELECT :id, {EVENT} {behind}"
            connection.run(set_aside, **log, kept=kept, id=id)
            connection.run(f"DELETE {behind}", **log, kept=kept)
            if kept:
                move = f"UPDATE heads SET position = :position, hash = :hash WHERE {_OF_LOG}"
                connection.run(move, **log, position=kept, hash=head.hash)
            else:
                connection.run(f"DELETE FROM heads WHERE {_OF_LOG}", **log)
            forget_places(connection, source, tournament, kept)
        if (rest := events[kept:]) and not connection.extend(head, rest, own=False):
            raise Overtaken(f"the copy of {source} {tournament}")
        connection.run("DELETE FROM snapshots WHERE tournament = :tournament", tournament=tournament)
        cases = close_cases(connection, source, tournament)
        connection.run("UPDATE recopies SET under_way = 0 WHERE id = :id", id=id)
    return Recopied(id, old, new, kept, len(held) - kept, cases)


def last_recopy(connection: Connection, tournament: str) -> int:
    """The number of the last recopy of any log of a tournament; 0 when there was none."""
    sql = "SELECT coalesce(max(id), 0) FROM recopies WHERE tournament = :tournament"
    last: int = connection.value(sql, tournament=tournament)
    return last


def _same(held: Sequence[Recorded], events: Sequence[Recorded]) -> int:
    """How many events from the first on are the same in both."""
    number = 0
    for one, other in zip(held, events, strict=False):
        if one != other:
            break
        number += 1
    return number
