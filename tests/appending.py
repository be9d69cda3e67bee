"""Appending to a log without a command, for tests of what lies below commands."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from shared import tracing
from shared.log.database import Connection, Database
from shared.log.event import Head, Recorded
from shared.log.log import Entry, HeadMoved, Stamp, chain_events


def append(
    database: Database,
    source: str,
    tournament: str,
    head: Head,
    entries: Sequence[Entry],
    stamp: Stamp,
    also: Callable[[Connection, Sequence[Recorded]], None] | None = None,
) -> list[Recorded]:
    """Append entries after a head, in a transaction of their own; returns the events.

    also: writes more in the same transaction. Raises HeadMoved and EventTooLarge.
    """
    recorded = chain_events(source, tournament, head, entries, stamp)
    causes = [tracing.serialize()] * len(recorded)
    with database.appending() if also is None else database.writing() as connection:
        if not connection.extend(head, recorded, own=True, causes=causes):
            raise HeadMoved
        if also is not None:
            also(connection, recorded)
    return recorded
