"""How one command is decided on a state: what it would append, as the log takes it, and what would reverse it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from shared.application.draw_secrets import SecretOracle
from shared.application.handlers import Handler
from shared.application.private_rows import PrivateRows
from shared.application.quotas import need_room
from shared.application.repository import LoadedAggregate
from shared.eventlog.append import Entry, Stamp, chained
from shared.eventlog.database import Connection
from shared.events.base import Event
from shared.events.canonical import NotCanonical, canonical
from shared.events.command_record import Authority, CommandForm, recorded_text
from shared.events.recorded import Recorded
from shared.formats.fold import CATALOGUE
from shared.refusals import Fault
from shared.rules.draw import Draws
from shared.sealing import Sealer
from shared.tournament.context import By, Context
from shared.tournament.draws import with_draws
from shared.tournament.guards import recorded_actor
from shared.tournament.private import PrivateRow
from shared.tournament.publication import sees_drafts
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
    events: Sequence[Event], command: msgspec.Struct, by: Authority, form: CommandForm
) -> list[Entry]:
    """The same with the command that they came of, and who gave it. Raises InvalidRequest."""
    entries = entries_of(events)
    if not entries:
        return []
    try:
        record = recorded_text(command, by, form, [msgspec.to_builtins(event) for event in events])
    except NotCanonical as found:
        raise _cannot_hold(found) from found
    return [msgspec.structs.replace(entries[0], command=record), *entries[1:]]


def _cannot_hold(found: NotCanonical) -> InvalidRequest:
    return InvalidRequest("The log cannot hold this.", [Fault(found.where, found.found, found.expected)])


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
    version: position in the own log up to which the caller knows the resource (from If-Match), or None. revision: the
    same of private rows; 0 with a version that knows of none.
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
    revision: int = 0
    foreseen: Collection[str] = ()
    also: InlineProjection | None = None
    admit: Callable[[Tournament], None] | None = None
    other_ids: Sequence[str] = ()


class CommandResult(Struct, frozen=True):
    """What a command did. events: as recorded, now or when it first came; none when it changed nothing.

    answer: members of the answer of a command that wrote private rows. private: revision of those rows.
    again: whether it was done before, by a request with the same key, and is only told again.
    venues: id -> name, for the text of actors; a venue keeps its name.
    """

    events: Sequence[Recorded]
    seen: Mapping[str, int]
    again: bool = False
    answer: Mapping[str, Any] = {}
    private: int = 0
    venues: Mapping[str, str] = {}


class Decided(Struct, frozen=True):
    """What a command does. entries: events as the log takes them. rows: private rows to write with them."""

    entries: list[Entry]
    rows: list[PrivateRow]


class Decider:
    """How one service decides its commands.

    handlers: command type -> its row. private: the service's private rows. sealer: seals the secrets of its draws.
    """

    def __init__(self, source: str, handlers: Mapping[type, Handler], private: PrivateRows, sealer: Sealer) -> None:
        self.source = source
        self.handlers = handlers
        self._private = private
        self._sealer = sealer

    def oracle(self, tournament: str, loaded: LoadedAggregate) -> SecretOracle:
        """Return what answers the questions of a decision from the secrets of the service."""
        state = loaded.state
        return SecretOracle(state.draws[self.source], state.private, self._sealer, tournament)

    def decided(
        self, envelope: CommandEnvelope, loaded: LoadedAggregate, moment: str, foreseen: Draws | None = None
    ) -> Decided:
        """Decide a command. Raises what the decision refuses, and PreconditionFailed.

        foreseen: answers the questions of a preview, which makes and reveals no secrets.
        """
        row, command = self.handlers[type(envelope.command)], envelope.command
        if row.complete is not None:
            command = row.complete(self.with_drafts(loaded), command)
        oracle = self.oracle(envelope.tournament, loaded)
        decided = self._decide(row, command, envelope, loaded, moment, foreseen or oracle)
        events = [one for one in decided if not isinstance(one, PrivateRow)]
        rows = [one for one in decided if isinstance(one, PrivateRow)]
        if foreseen is None:
            events = with_draws(events, oracle, keeps_back=row.drafts)
            seen = [] if any(event.answers for event in events) else oracle.looks  # by staff, in a draft
            rows = [*rows, *oracle.rows, *seen]
        entries = entries_on_record(events, command, envelope.by.authority, row.form)
        need_room(loaded.state, self.source, envelope.by, moment, entries)
        return Decided(entries, rows)

    def recorded(
        self, envelope: CommandEnvelope, loaded: LoadedAggregate, moment: str, foreseen: Draws | None = None
    ) -> tuple[list[Recorded], list[PrivateRow]]:
        """Return the events of a command as they would be in the log, and its private rows. Raises as `decided`."""
        decided, stamp = self.decided(envelope, loaded, moment, foreseen), self.stamp(envelope, loaded, moment)
        head = loaded.heads[self.source]
        return chained(self.source, envelope.tournament, head, decided.entries, stamp), decided.rows

    def with_drafts(self, loaded: LoadedAggregate) -> Tournament:
        """Return the state as those see it who are shown drafts."""
        return loaded.derived("state with drafts", lambda: self._private.with_drafts(loaded.state))

    def stamp(self, envelope: CommandEnvelope, loaded: LoadedAggregate, moment: str) -> Stamp:
        """What the events of a command share."""
        seen = {source: position for source, position in loaded.seen.items() if source != self.source}
        return Stamp(recorded_actor(loaded.state, envelope.by), envelope.command_id, moment, seen)

    def _decide(
        self,
        row: Handler,
        command: Any,
        envelope: CommandEnvelope,
        loaded: LoadedAggregate,
        moment: str,
        draws: Draws,
    ) -> Sequence[Event | PrivateRow]:
        if envelope.admit is not None:
            envelope.admit(loaded.state)
        shown = row.drafts and sees_drafts(envelope.by.role)
        state = self.with_drafts(loaded) if shown else loaded.state
        row.allow(state, command, envelope.by)
        if envelope.foreseen and tag_of_preview(loaded) not in envelope.foreseen:
            current = etag(self.source, loaded.heads[self.source].position)
            raise PreconditionFailed("Something has been appended since this preview.", etag=current)
        if envelope.version is not None:
            head = loaded.heads[self.source].position
            touched = row.version(state, command) if row.version is not None else head
            revision = state.private.revision
            changed = row.revision(state, command) if row.revision is not None else 0
            if not (touched <= envelope.version <= head and changed <= envelope.revision <= revision):
                raise PreconditionFailed("Somebody has changed this since you read it.", etag=etag(self.source, head))
        context = Context(envelope.by, moment, dict(loaded.heads), self.source, draws)
        return row.decide(state, command, context)


def tag_of_preview(loaded: LoadedAggregate) -> str:
    """Return the tag of previews of this state, without quotation marks."""
    revision = loaded.state.private.revision
    return preview_tag({**loaded.seen, "private": revision} if revision else loaded.seen)


def venues_of(state: Tournament) -> dict[str, str]:
    """What people call the venues of a tournament, by id."""
    return {venue.id: venue.name for venue in state.entries.venues.values()}
