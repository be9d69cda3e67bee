"""The commands of a log: which events came of which, who gave it, and as what it is read today."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Any

from msgspec import Struct

from muster.audit.findings import Findings
from muster.audit.replay import DecodedEvent
from services.pairing.handlers import HANDLERS as PAIRING
from services.registration.handlers import HANDLERS as REGISTRATION
from services.scoring.handlers import HANDLERS as SCORING
from shared.log.command_record import CommandRecord, NoCommand, begins_command, read_command, read_record
from shared.log.event import read_actor
from shared.refusals import expects
from shared.service.handlers import Handler
from shared.tournament.guards import By, by_recorded

TABLES: Mapping[str, Mapping[type, Handler]] = {
    "registration": REGISTRATION,
    "pairing": PAIRING,
    "scoring": SCORING,
}
"""Whose log -> the commands that its service knows."""


_stamp = attrgetter("command_id", "actor", "time", "seen")
"""What all events of a command have in common."""


class Commanded(Struct, frozen=True):
    """A command as it was given. events: all that came of it. row: what governs it in its service."""

    record: CommandRecord
    command: Any
    by: By
    row: Handler
    events: Sequence[DecodedEvent]

    @property
    def first(self) -> DecodedEvent:
        """The event that carries the command."""
        return self.events[0]


def commands_of(source: str, log: Sequence[DecodedEvent], findings: Findings) -> Iterator[Commanded]:
    """The commands of one log in order. What is none, or cannot be read, goes into `findings` and is left out."""
    rows = {kind.__name__: (kind, row) for kind, row in TABLES.get(source, {}).items()}
    for events in _together(log, findings):
        try:
            yield _read(rows, events)
        except NoCommand as error:
            findings.fail("command", events[0], str(error), expects("known-command", source=source))


def _together(log: Sequence[DecodedEvent], findings: Findings) -> list[list[DecodedEvent]]:
    """Events that came of one command, beginning with the one that carries it."""
    commands: list[list[DecodedEvent]] = []
    for heard in log:
        if begins_command(heard):
            commands.append([heard])
        elif commands and _stamp(heard) == _stamp(commands[-1][0]):
            commands[-1].append(heard)
        else:
            findings.fail(
                "command", heard, f"{heard.type} without the command that it came of", expects("command-on-event")
            )
    return commands


def _read(rows: Mapping[str, tuple[type, Handler]], events: Sequence[DecodedEvent]) -> Commanded:
    record = read_record(events[0])
    if record.type not in rows:
        raise NoCommand(f"the command {record.type}, version {record.version}")
    kind, row = rows[record.type]
    command = read_command(record, kind, row.form, events)
    by = by_recorded(read_actor(events[0].actor), record.by)
    return Commanded(record, command, by, row, events)
