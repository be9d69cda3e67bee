"""The way of one command: state as of now, decide, append; again on the newer state when somebody was faster."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import msgspec
import structlog
from msgspec import Struct
from msgspec.structs import replace

from shared import metrics
from shared.application.entries import entries_on_record
from shared.application.handlers import Handler
from shared.application.previews import Foreseen, Uncertain, compared, later, made_anew, other_dice
from shared.application.quotas import need_room
from shared.application.refusals import Busy
from shared.application.repository import LoadedAggregate, Repository
from shared.application.ruleset_references import shown_data
from shared.application.undo import NOTHING_LEFT, Nothing, Reversal, Reversed, Undoing, reversal
from shared.application.views import ActorView, EventView
from shared.eventlog.append import Entry, HeadMoved, Stamp, append, chained
from shared.eventlog.database import NO_COPIES, Connection, Database
from shared.eventlog.read import events_of_command
from shared.events.actors import actor_of, line_of
from shared.events.base import Event
from shared.events.recorded import Head, Recorded
from shared.formats.catalogue import read_event
from shared.formats.fold import copy_of
from shared.refusals import Refusal
from shared.roles import PLAYER
from shared.tournament.context import RULE, By, Context
from shared.tournament.guards import keep_to_venue, lack_of_authority, own_venue
from shared.tournament.publication import as_decided_on
from shared.tournament.state import Tournament
from shared.web.idempotency import key_of
from shared.web.refusals import Forbidden, IdempotencyKeyReused, PreconditionFailed, TokenRevoked
from shared.web.versions import etag, preview_tag

ATTEMPTS = 50
"""How often a command is decided anew when others append first; each failure means somebody else succeeded."""

FORESEEN = "foreseen"
"""The id of commands that nobody has run."""

NO_UNDO: Undoing = MappingProxyType({})

_log = structlog.get_logger("muster.handling")

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
    venues: id -> what people call it, for actor lines; a venue keeps its name. undo: what reverses it, of staff.
    """

    events: Sequence[Recorded]
    seen: Mapping[str, int]
    again: bool = False
    venues: Mapping[str, str] = {}
    undo: Reversal | None = None


class CommandHandler:
    """One service's way of handling commands.

    handlers: command type -> its row. clock: the time as events have it.
    projection: a read model that moves with the log.
    after: called when something was appended (it wakes the relay).
    may_append: raises while nothing may be appended to any log. undoing: command -> what reverses it.
    """

    def __init__(
        self,
        source: str,
        database: Database,
        repository: Repository,
        handlers: Mapping[type, Handler],
        clock: Callable[[], str],
        after: Callable[[], None],
        projection: Projection | None = None,
        may_append: Callable[[], None] = lambda: None,
        undoing: Undoing = NO_UNDO,
    ) -> None:
        self.source = source
        self.database = database
        self.repository = repository
        self.handlers = handlers
        self._clock = clock
        self._after = after
        self._projection = projection
        self._may_append = may_append
        self._undoing = undoing

    def now(self) -> str:
        """The time as events have it."""
        return self._clock()

    def run(self, envelope: CommandEnvelope) -> CommandResult:
        """Decide and append. Raises what the decision refuses, PreconditionFailed, IdempotencyKeyReused, Busy, and what
        `may_append` does.
        """
        self._may_append()
        # The append looks for the key it is given; one that the log has in another form is looked for before.
        rekeyed = any(key_of(id) != envelope.key for id in envelope.other_ids)
        for attempt in range(ATTEMPTS):
            state = self.repository.now if attempt or rekeyed else self.repository.optimistic
            with state(envelope.tournament) as loaded:
                # The append itself refuses a key that was there before; so it is looked for only when there is a doubt.
                if (attempt or rekeyed) and (earlier := self._earlier(envelope, loaded)):
                    return self._told_again(envelope, loaded, earlier)
                moment = self._clock()
                try:
                    events = self._decide(envelope, loaded, moment)
                    entries = self._entries(envelope, events)
                    need_room(loaded.state, self.source, envelope.by, moment, entries)
                except Refusal:
                    if loaded.possibly_stale:
                        continue
                    if earlier := self._earlier(envelope, loaded):
                        return self._told_again(envelope, loaded, earlier)
                    raise
                if not entries and loaded.possibly_stale:
                    continue
                if not entries:
                    return self._told_again(envelope, loaded, self._earlier(envelope, loaded))
                undo = self._reversal(envelope, loaded.state, events)
                copies = {source: head for source, head in loaded.heads.items() if source != self.source}
                try:
                    recorded = append(
                        self.database,
                        self.source,
                        envelope.tournament,
                        loaded.heads[self.source],
                        entries,
                        self._stamp(envelope, loaded, moment),
                        self._beside(envelope, entries),
                        nothing_newer=copies if loaded.possibly_stale else NO_COPIES,
                    )
                except HeadMoved:
                    metrics.DECIDE_RETRIES.labels(self.source).inc()
                    continue
                loaded.take(recorded)
                undo = self._offered(undo, envelope, loaded, moment)
                result = CommandResult(recorded, loaded.seen, venues=venues_of(loaded.state), undo=undo)
            self._after()
            return result
        raise Busy(f"{ATTEMPTS} others were faster; nothing was appended.", retry_after=1)

    def preview(self, envelope: CommandEnvelope, first: Sequence[CommandEnvelope] = ()) -> Foreseen:
        """What the command would append, and what would follow; nothing is appended. Raises as `run` does.

        first: those that a rule gives before it. A request that was done already does nothing more.
        """
        self._may_append()
        with self.repository.now(envelope.tournament) as loaded:
            before = LoadedAggregate(copy_of(loaded.state), dict(loaded.heads))
            after = LoadedAggregate(copy_of(loaded.state), dict(loaded.heads))
            moment, ahead = self._clock(), [event for one in first for event in self._taken(one, after)]
            base = after if ahead else loaded
            certain: Sequence[Recorded] = ()
            uncertain: Sequence[Uncertain] = ()
            if not self._earlier(envelope, loaded):
                told = self._foretell(envelope, base, moment)
                begins = not base.heads[self.source].position  # with an id that is made for this request
                other = replace(
                    envelope,
                    command=made_anew(envelope.command),
                    tournament=FORESEEN if begins else envelope.tournament,
                )
                anew = self._if_not_refused(other, base, later(moment))
                dice = other_dice(base.heads[self.source]) if self._players_may(envelope) else ()
                thrown = [LoadedAggregate(base.state, {**base.heads, self.source: head}) for head in dice]
                rolled = [self._if_not_refused(envelope, one, moment) for one in thrown]
                certain, uncertain = compared(told, anew, rolled, len(ahead))
        after.take(certain)
        return Foreseen(envelope.tournament, envelope.command, before, after, [*ahead, *certain], uncertain)

    def foresee(self, tournament: str, commands: Sequence[Any], by: By) -> LoadedAggregate:
        """A tournament as it would be after commands, one after the other; nothing is appended. Raises as `run`."""
        with self.repository.now(tournament) as loaded:
            after = LoadedAggregate(copy_of(loaded.state), dict(loaded.heads))
        for command in commands:
            self._taken(CommandEnvelope(tournament, command, by, FORESEEN), after)
        return after

    def _taken(self, envelope: CommandEnvelope, after: LoadedAggregate) -> list[Recorded]:
        """The events of a command, which `after` takes, and no log."""
        recorded = self._foretell(envelope, after, self._clock())
        after.take(recorded)
        return recorded

    def _foretell(self, envelope: CommandEnvelope, loaded: LoadedAggregate, moment: str) -> list[Recorded]:
        """The events of a command, which nobody takes."""
        entries = self._entries(envelope, self._decide(envelope, loaded, moment))
        need_room(loaded.state, self.source, envelope.by, moment, entries)
        stamp = self._stamp(envelope, loaded, moment)
        return list(chained(self.source, envelope.tournament, loaded.heads[self.source], entries, stamp))

    def _if_not_refused(self, envelope: CommandEnvelope, loaded: LoadedAggregate, moment: str) -> list[Recorded]:
        try:
            return self._foretell(envelope, loaded, moment)
        except Refusal:
            return []

    def _players_may(self, envelope: CommandEnvelope) -> bool:
        return PLAYER in self.handlers[type(envelope.command)].roles

    def _told_again(
        self, envelope: CommandEnvelope, loaded: LoadedAggregate, earlier: Sequence[Recorded]
    ) -> CommandResult:
        """What a command did when it first came; without events what it does: nothing."""
        undo = self._reversal(envelope, loaded.state, ())
        if earlier and envelope.by.staff:
            then = self.repository.as_of(envelope.tournament, _seen_before(earlier[0]))
            undo = self._reversal(envelope, then.state, [read_event(e.type, e.version, e.data) for e in earlier])
            then.take(earlier)
            undo = self._offered(undo, envelope, then, earlier[0].time)
        return CommandResult(earlier, loaded.seen, bool(earlier), venues_of(loaded.state), undo)

    def _reversal(self, envelope: CommandEnvelope, before: Tournament, events: Sequence[Event]) -> Reversal | None:
        """What would reverse a command, by its row."""
        if not envelope.by.staff or envelope.by.role == RULE:
            return None
        return reversal(self._undoing, before, envelope.command, events)

    def _offered(
        self, undo: Reversal | None, envelope: CommandEnvelope, after: LoadedAggregate, moment: str
    ) -> Reversal | None:
        """The same where it is taken as things stand after the command, with who may ask where the caller may not; else
        why it is refused.
        """
        if not isinstance(undo, Reversed):
            return undo
        tried = CommandEnvelope(envelope.tournament, undo.command, envelope.by, FORESEEN)
        try:
            refused = self._refused(tried, after, moment)
            if refused is None:
                return undo
            others = [
                role for role in self.handlers[type(undo.command)].roles if role not in (PLAYER, envelope.by.role)
            ]
            may = [role for role in others if not self._refused(replace(tried, by=By(role, role)), after, moment)]
        except Exception:  # the command is done, and what is told beside it must not make it look undone
            _log.exception("what reverses a command could not be tried", command=type(envelope.command).__name__)
            return None
        return replace(undo, roles=may) if may else refused

    def _refused(self, envelope: CommandEnvelope, loaded: LoadedAggregate, moment: str) -> Nothing | None:
        """Why a command would be refused, or change nothing; None where it would be taken."""
        try:
            return None if self._decide(envelope, loaded, moment) else NOTHING_LEFT
        except Refusal as refusal:
            return Nothing(refusal.detail)

    def _decide(self, envelope: CommandEnvelope, loaded: LoadedAggregate, moment: str) -> Sequence[Event]:
        if envelope.admit is not None:
            envelope.admit(loaded.state)
        row = self.handlers[type(envelope.command)]
        state = as_decided_on(loaded.state, envelope.by.role, row.drafts)
        if lack := lack_of_authority(state.entries, envelope.by, row.roles, row.by_rule):
            raise TokenRevoked(lack.detail) if lack.taken_back else Forbidden(lack.detail, role=envelope.by.role)
        if row.venues is not None:
            keep_to_venue(state, envelope.by, row.venues(state, envelope.command))
        if envelope.foreseen and preview_tag(loaded.seen) not in envelope.foreseen:
            current = etag(self.source, loaded.heads[self.source].position)
            raise PreconditionFailed("Something was appended since this was previewed.", etag=current)
        if envelope.version is not None:
            head = loaded.heads[self.source].position
            touched = row.version(state, envelope.command) if row.version is not None else head
            if not touched <= envelope.version <= head:
                raise PreconditionFailed("Somebody changed this since you read it.", etag=etag(self.source, head))
        context = Context(envelope.by, moment, dict(loaded.heads), self.source)
        return row.decide(state, envelope.command, context)

    def _entries(self, envelope: CommandEnvelope, events: Sequence[Event]) -> list[Entry]:
        form = self.handlers[type(envelope.command)].form
        return entries_on_record(events, envelope.command, envelope.by.on_record(), form)

    def _beside(self, envelope: CommandEnvelope, entries: Sequence[Entry]) -> InlineProjection | None:
        projection = self._projection
        if projection is None or not any(entry.type in projection.types for entry in entries):
            return envelope.also

        def write(connection: Connection, recorded: Sequence[Recorded]) -> None:
            projection.write(connection, recorded)
            if envelope.also is not None:
                envelope.also(connection, recorded)

        return write

    def _stamp(self, envelope: CommandEnvelope, loaded: LoadedAggregate, moment: str) -> Stamp:
        seen = {source: position for source, position in loaded.seen.items() if source != self.source}
        return Stamp(envelope.by.line(own_venue(loaded.state, envelope.by)), envelope.command_id, moment, seen)

    def _earlier(self, envelope: CommandEnvelope, loaded: LoadedAggregate) -> list[Recorded]:
        """What this command appended when it came before. Raises as `admit` does, and IdempotencyKeyReused."""
        if not envelope.key:
            return []
        if envelope.admit is not None:
            envelope.admit(loaded.state)
        ids = (envelope.command_id, *envelope.other_ids)
        found: list[Recorded] = []
        with self.database.reading() as connection:
            for key in dict.fromkeys(key_of(id) or "" for id in ids):
                found = found or events_of_command(connection, self.source, envelope.tournament, key)
        if found and found[0].command_id not in ids:
            said = "with another request, or before the token keys of this installation were exchanged"
            raise IdempotencyKeyReused(f"This Idempotency-Key came before, {said}.", key=envelope.key)
        return found


def _seen_before(event: Recorded) -> dict[str, Head]:
    """Where the logs ended when an event was decided; the hashes of copies are not known, and nothing asks for them."""
    copies = {source: Head(position, "") for source, position in msgspec.json.decode(event.seen).items()}
    return {**copies, event.source: Head(event.position - 1, event.prev_hash)}


def venues_of(state: Tournament) -> dict[str, str]:
    """What people call the venues of a tournament, by id."""
    return {venue.id: venue.name for venue in state.entries.venues.values()}


def event_view(recorded: Recorded, venues: Mapping[str, str] | None = None) -> EventView:
    """A recorded event as answers show it. venues: what people call them, for the actor line."""
    by = actor_of(recorded.actor)
    return EventView(
        id=recorded.id,
        source=recorded.source,
        type=recorded.type,
        position=recorded.position,
        time=recorded.time,
        actor=line_of(by, venues),
        by=ActorView(**{name: value for name in by.__struct_fields__ if (value := getattr(by, name))}),
        data=shown_data(recorded),
    )
