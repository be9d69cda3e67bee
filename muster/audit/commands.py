"""The commands of a log: which events came of which, who gave it, and as what it is read today."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from muster.audit.findings import Findings
from muster.audit.replay import DecodedEvent
from services.pairing.handlers import HANDLERS as PAIRING
from services.registration.handlers import HANDLERS as REGISTRATION
from services.scoring.handlers import HANDLERS as SCORING
from shared.application.handlers import Handler
from shared.events.actors import actor_of
from shared.events.command_record import CommandRecord, NoCommand, begins_command, read_command, read_record
from shared.tournament.context import By

TABLES: Mapping[str, Mapping[type, Handler]] = {
    "registration": REGISTRATION,
    "pairing": PAIRING,
    "scoring": SCORING,
}
"""Whose log -> the commands that its service knows."""


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
    kinds = {kind.__name__: kind for kind in TABLES.get(source, ())}
    for events in _together(log, findings):
        try:
            yield _read(kinds, TABLES[source], events)
        except NoCommand as error:
            findings.fail("command", events[0], str(error), f"a command that {source} knows in this release")


def _together(log: Sequence[DecodedEvent], findings: Findings) -> Iterator[list[DecodedEvent]]:
    """Events that came of one command, beginning with the one that carries it."""
    events: list[DecodedEvent] = []
    for heard in log:
        if begins_command(heard):
            if events:
                yield events
            events = [heard]
        elif events and _stamp(heard) == _stamp(events[0]):
            events.append(heard)
        else:
            if events:
                yield events
            events = []
            findings.fail("command", heard, f"{heard.type} without the command that it came of", "the command, on it")
    if events:
        yield events


def _stamp(heard: DecodedEvent) -> tuple[object, ...]:
    """What all events of a command have in common."""
    return heard.command_id, heard.actor, heard.time, heard.seen


def _read(kinds: Mapping[str, type], table: Mapping[type, Handler], events: Sequence[DecodedEvent]) -> Commanded:
    record = read_record(events[0])
    kind = kinds.get(record.type)
    if kind is None:
        raise NoCommand(f"the command {record.type}, version {record.version}")
    row = table[kind]
    command = read_command(record, kind, row.form, events)
    actor = actor_of(events[0].actor)
    try:
        said = {"issuer": actor.issuer, "entered_by": actor.entered_by, **record.by}
        by = msgspec.convert({"actor": actor.name, **said}, By)
    except (msgspec.MsgspecError, TypeError) as error:
        raise NoCommand(f"{record.type} by {dict(record.by)}: {error}") from error
    return Commanded(record, command, by, row, events)
