"""Helpers for tests of the log: append events, read them, damage one."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from shared.log.copies import Outcome, accept_run
from shared.log.database import Database
from shared.log.event import EMPTY_HEAD, Head, Recorded, canonical_json
from shared.log.log import Entry, Stamp, chain_events
from shared.log.reading import head_of, log_page
from tests.acting import acting
from tests.appending import append

STAMP = Stamp(actor=acting("organiser-1"), command_id="c1", time="2026-03-07T09:30:00.000Z", seen={})


def joined(*players: str) -> list[Entry]:
    """Return an entry for each joining player."""
    return [Entry("PlayerJoined", 1, canonical_json({"name": player, "player": player})) for player in players]


def said(source: str, after: int, names: Sequence[str]) -> list[Entry]:
    """One event a name behind position `after`, each as its source may append it: a log begins as logs begin."""
    if source == "pairing":
        return [Entry("SpareAvailable", 1, canonical_json({"staff": name})) for name in names]
    if source == "scoring":
        return [
            Entry("AwardGiven", 1, canonical_json({"award": name, "player": name, "name": "fair"})) for name in names
        ]
    if after or not names:
        return joined(*names)
    announced = {"format": "swiss", "name": names[0], "ruleset": {}}
    return [Entry("TournamentAnnounced", 2, canonical_json(announced)), *joined(*names[1:])]


def log_of(tournament: str, *names: str, source: str = "registration") -> list[Recorded]:
    """Return a log as its owner holds it, without a database."""
    return chain_events(source, tournament, EMPTY_HEAD, said(source, 0, names), STAMP)


def add(
    database: Database, tournament: str, *names: str, source: str = "registration", command_id: str = "c1"
) -> list[Recorded]:
    """Append to the end of a log."""
    with database.reading() as connection:
        head = head_of(connection, source, tournament)
    entries = said(source, head.position, names)
    return append(database, source, tournament, head, entries, msgspec.structs.replace(STAMP, command_id=command_id))


def read(database: Database, tournament: str, source: str = "registration") -> list[Recorded]:
    """Return a whole log."""
    with database.reading() as connection:
        return log_page(connection, source, tournament, 0, 1_000_000)


def head(database: Database, tournament: str, source: str = "registration") -> Head:
    """Return the head of a log."""
    with database.reading() as connection:
        return head_of(connection, source, tournament)


def copy(database: Database, events: Sequence[Recorded]) -> Outcome:
    """Copy events as messages would."""
    return accept_run(database, events)


def changed(event: Recorded, **members: object) -> Recorded:
    """Return an event with members changed after hashing."""
    return msgspec.structs.replace(event, **members)
