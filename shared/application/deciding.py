"""How one command is decided on a state: what it would append, as the log takes it, and what would reverse it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from shared.application.handlers import Handler
from shared.application.quotas import need_room
from shared.application.repository import LoadedAggregate
from shared.eventlog.append import Entry, Stamp, chained
from shared.eventlog.database import Connection
from shared.events.base import Event
from shared.events.canonical import NotCanonical, canonical
from shared.events.command_record import CommandForm, recorded_texts
from shared.events.recorded import Recorded
from shared.formats.fold import CATALOGUE
from shared.refusals import Fault
from shared.tournament.context import By, Context
from shared.tournament.guards import own_venue
from shared.tournament.publication import as_decided_on
from shared.tournament.state import Tournament
from shared.web.refusals import InvalidRequest, PreconditionFailed
from shared.web.versions import etag, preview_tag


def entries_of(events: Sequence[Event]) -> list[Entry]:
    """Events as the log takes them: each in its catalogue version, with canonical data.

    Raises InvalidRequest when they hold what no event can.
    """
    names = [type(event).__name__ for event in events]
    try:
        return [
            Entry(name, CATALOGUE[name].version, canonical(event)) for name, event in zip(names, events, strict=True)
        ]
    except NotCanonical as found:
        raise _cannot_hold(found) from found


def entries_on_record(
    events: Sequence[Event], command: msgspec.Struct, by: Mapping[str, Any], form: CommandForm
) -> list[Entry]:
    """The same with the command that they came of, and who gave it. Raises InvalidRequest."""
    entries = entries_of(events)
    if not entries:
        return []
    try:
        texts = recorded_texts(command, by, form, [msgspec.to_builtins(event) for event in events])
    except NotCanonical as found:
        raise _cannot_hold(found) from found
    return [msgspec.structs.replace(entry, command=text) for entry, text in zip(entries, texts, strict=True)]


def _cannot_hold(found: NotCanonical) -> InvalidRequest:
    expected = "text, whole numbers up to 2^53 - 1, lists and objects with names in ASCII"
    return InvalidRequest(
        "The log cannot hold this.", [Fault(found.where, found.found, f"{expected}; not {found.what}")]
    )


FORESEEN = "foreseen"
"""The id of commands that nobody has run."""


InlineProjection = Callable[[Connection, Sequence[Recorded]], None]


class Projection(Struct, frozen=True):
    """A read model written in the transaction of the events: on which types it looks, and how it is written."""

    types: frozenset[str]
    write: InlineProjection


class CommandEnvelope(Struct, frozen=True):
    """A command on its way: what is wanted, by whom, under which id.

    key: of an idempotent request, empty when the caller gave none. command_id: as recorded.
    version: position in the own log up to which the caller knows the resource (from If-Match), or None.
    foreseen: tags of the previews of which the command is to be one (from If-Match); none: of any, or none at all.
    also: more to write with the events.
    admit: raises when the state says that the caller may not act here (a revoked token).
    other_ids: under which the same request may stand in the log, from before the token keys were exchanged.
    """

    tournament: str
    command: Any
    by: By
    command_id: str
    key: str = ""
    version: int | None = None
    foreseen: Collection[str] = ()
    also: InlineProjection | None = None
    admit: Callable[[Tournament], None] | None = None
    other_ids: Sequence[str] = ()


class CommandResult(Struct, frozen=True):
    """What a command did. events: as recorded, now or when it first came; none when it changed nothing.

    again: whether it was done before, by a request with the same key, and is only told again.
    venues: id -> what people call it, for actor lines; a venue keeps its name.
    """

    events: Sequence[Recorded]
    seen: Mapping[str, int]
    again: bool = False
    venues: Mapping[str, str] = {}


class Decider:
    """How one service decides its commands. handlers: command type -> its row."""

    def __init__(self, source: str, handlers: Mapping[type, Handler]) -> None:
        self.source = source
        self.handlers = handlers

    def entries(self, envelope: CommandEnvelope, loaded: LoadedAggregate, moment: str) -> list[Entry]:
        """Return the events of a command as they go on record. Raises what the decision refuses, PreconditionFailed."""
        events = self._decide(envelope, loaded, moment)
        form = self.handlers[type(envelope.command)].form
        entries = entries_on_record(events, envelope.command, envelope.by.on_record(), form)
        need_room(loaded.state, self.source, envelope.by, moment, entries)
        return entries

    def recorded(self, envelope: CommandEnvelope, loaded: LoadedAggregate, moment: str) -> list[Recorded]:
        """Return the events of a command as they would be in the log. Raises as `entries`."""
        entries, stamp = self.entries(envelope, loaded, moment), self.stamp(envelope, loaded, moment)
        return chained(self.source, envelope.tournament, loaded.heads[self.source], entries, stamp)

    def stamp(self, envelope: CommandEnvelope, loaded: LoadedAggregate, moment: str) -> Stamp:
        """What the events of a command share."""
        seen = {source: position for source, position in loaded.seen.items() if source != self.source}
        return Stamp(envelope.by.line(own_venue(loaded.state, envelope.by)), envelope.command_id, moment, seen)

    def _decide(self, envelope: CommandEnvelope, loaded: LoadedAggregate, moment: str) -> Sequence[Event]:
        if envelope.admit is not None:
            envelope.admit(loaded.state)
        row = self.handlers[type(envelope.command)]
        state = as_decided_on(loaded.state, envelope.by.role, row.drafts)
        row.allow(state, envelope.command, envelope.by)
        if envelope.foreseen and preview_tag(loaded.seen) not in envelope.foreseen:
            current = etag(self.source, loaded.heads[self.source].position)
            raise PreconditionFailed("Something has been appended since this preview.", etag=current)
        if envelope.version is not None:
            head = loaded.heads[self.source].position
            touched = row.version(state, envelope.command) if row.version is not None else head
            if not touched <= envelope.version <= head:
                raise PreconditionFailed("Somebody has changed this since you read it.", etag=etag(self.source, head))
        context = Context(envelope.by, moment, dict(loaded.heads), self.source)
        return row.decide(state, envelope.command, context)


def venues_of(state: Tournament) -> dict[str, str]:
    """What people call the venues of a tournament, by id."""
    return {venue.id: venue.name for venue in state.entries.venues.values()}
