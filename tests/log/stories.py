"""Verbs for tests about logs: append some events, read them back, spoil one."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from shared.events.canonical import canonical
from shared.events.recorded import EMPTY, Head, Recorded
from shared.log.append import Entry, Stamp, append, chained
from shared.log.database import Database
from shared.log.read import head_of, log_page
from shared.log.replicate import Outcome, accept

STAMP = Stamp(actor="organiser-1", command_id="c1", time="2026-03-07T09:30:00.000Z", seen={})


def joined(*players: str) -> list[Entry]:
    """Somebody joins, one event each."""
    return [Entry("PlayerJoined", 1, canonical({"player": player})) for player in players]


def log_of(tournament: str, *players: str, source: str = "registration") -> list[Recorded]:
    """A log as its owner holds it, made without a database."""
    return chained(source, tournament, EMPTY, joined(*players), STAMP)


def add(
    database: Database, tournament: str, *players: str, source: str = "registration", command_id: str = "c1"
) -> list[Recorded]:
    """Append behind whatever is there."""
    with database.reading() as connection:
        head = head_of(connection, source, tournament)
    return append(
        database, source, tournament, head, joined(*players), msgspec.structs.replace(STAMP, command_id=command_id)
    )


def read(database: Database, tournament: str, source: str = "registration") -> list[Recorded]:
    """One whole log."""
    with database.reading() as connection:
        return log_page(connection, source, tournament, 0, 1_000_000)


def head(database: Database, tournament: str, source: str = "registration") -> Head:
    """Where one log ends."""
    with database.reading() as connection:
        return head_of(connection, source, tournament)


def copy(database: Database, events: Sequence[Recorded]) -> Outcome:
    """Bring events as a message would."""
    return accept(database, events)


def changed(event: Recorded, **members: object) -> Recorded:
    """The event with something changed after it was hashed."""
    return msgspec.structs.replace(event, **members)
