"""Command handling: queue, lock, fold, decide, append, answer. Nothing else appends to a service's own log.

Commands that arrive for a tournament while another one is being written wait in a queue (group commit). The next
thread that gets the tournament takes the whole queue. It locks the head of the log, decides each command on the state
left by the commands before it, and appends all events in one transaction. A refused command does not affect the others
in its batch.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence
from time import perf_counter
from typing import Any

import msgspec
from msgspec import Struct

from shared import metrics, tracing
from shared.formats.fold import CATALOGUE
from shared.keys import Sealer
from shared.log.command_record import Authority, CommandForm, encode_record
from shared.log.database import Connection, Database
from shared.log.event import Event, Head, NotCanonical, Recorded, canonical_json
from shared.log.log import Entry, HeadMoved, Stamp, chain_events
from shared.log.reading import events_of_command
from shared.refusals import Fault, Refusal
from shared.rules.model import Draws
from shared.service.draws import SecretOracle, round_after
from shared.service.handlers import Handler, require_room
from shared.service.refusals import Busy
from shared.service.state import LoadedAggregate, Repository, Unfoldable, merged_answer
from shared.tournament.draws import with_draws
from shared.tournament.guards import By, Context, KeepDraws, can_see_drafts, recorded_actor
from shared.tournament.state import PrivateRow, Tournament
from shared.web.idempotency import key_of
from shared.web.refusals import IdempotencyKeyReused, InvalidRequest, PreconditionFailed
from shared.web.versions import IfMatch, etag

MAX_BATCH = 64
"""Most commands in one transaction."""
ATTEMPTS = 10
"""How often a batch is tried if its log moves in a way that the lock does not prevent, see `_settle`."""
ATTEMPTS_AHEAD = 3
"""In the first attempts a slow decision is made before the head is locked, then under the lock."""

InlineWrite = Callable[[Connection, Sequence[Recorded]], None]
"""Writes further rows in the transaction that appends the given events."""


class Projection(Struct, frozen=True):
    """A read model that is updated in the transaction of the events.

    types: the event types that it depends on. write: writes its rows of a tournament with this state.
    """

    types: frozenset[str]
    write: Callable[[Connection, str, Tournament], None]

    def depends_on(self, recorded: Sequence[Recorded]) -> bool:
        """Return True if one of these events changes the read model."""
        return any(event.type in self.types for event in recorded)


class CommandEnvelope(Struct, frozen=True):
    """A command with its actor, its id and its conditions.

    command_id: the id that is recorded. key: the idempotency key; empty without one.
    if_match: the conditions of If-Match. inline_write: writes rows in the transaction of the events.
    admit: raises if the caller may not act in this state, for example with a revoked token.
    other_ids: ids under which the same request may be in the log, from before the token keys were rotated.
    """

    tournament: str
    command: Any
    by: By
    command_id: str
    key: str = ""
    if_match: IfMatch = IfMatch()
    inline_write: InlineWrite | None = None
    admit: Callable[[Tournament], None] | None = None
    other_ids: Sequence[str] = ()

    @property
    def ids(self) -> tuple[str, ...]:
        """Every id under which this request may be in the log."""
        return (self.command_id, *self.other_ids)

    @property
    def keys(self) -> list[str]:
        """The idempotency keys in these ids; empty without a key."""
        return list(dict.fromkeys(key for id in self.ids if (key := key_of(id)))) if self.key else []


class CommandResult(Struct, frozen=True):
    """The result of a command. events: as recorded, now or by an earlier request; empty if it changed nothing.

    seen: position per source after the command. is_repeat: the result of an earlier request with the same key.
    answer: members of the answer of a command that wrote private rows. private: the revision of those rows.
    venues: venue id -> name, for the text of actors.
    """

    events: Sequence[Recorded]
    seen: Mapping[str, int]
    is_repeat: bool = False
    answer: Mapping[str, Any] = {}
    private: int = 0
    venues: Mapping[str, str] = {}


class Decision(Struct, frozen=True):
    """A decision, with its time and the versions of the state it was made on.

    entries: the events in the form of the log. rows: private rows to write with them. seen: position per source.
    revision: revision of the private rows.
    """

    entries: list[Entry]
    rows: list[PrivateRow]
    moment: str
    seen: Mapping[str, int]
    revision: int


class _QueuedCommand:
    """A command in the queue. cause: the trace of its request, for the outbox. outcome: None until it is settled."""

    def __init__(self, envelope: CommandEnvelope) -> None:
        self.envelope = envelope
        self.cause = tracing.serialize()
        self.outcome: CommandResult | BaseException | None = None


class CommandHandler:
    """The command handler of one service.

    handlers: command type -> its row. clock: returns the current time in the form of events.
    after: called after an append (it wakes the relay). projection: a read model that is updated with the log.
    may_append: raises while nothing may be appended to any log. sealer: seals the secrets of draws.
    with_beacon: new secrets wait for the public beacon.
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
        *,
        sealer: Sealer,
        with_beacon: bool = False,
    ) -> None:
        self.source = source
        self.database = database
        self.repository = repository
        self.handlers = handlers
        self.now = clock
        self.may_append = may_append
        self.private = repository.private
        self._after = after
        self._projection = projection
        self._sealer = sealer
        self._with_beacon = with_beacon

    def run(self, envelope: CommandEnvelope) -> CommandResult:
        """Decide and append a command, in this thread or in the thread that has the tournament.

        Raises the refusals of the decision, PreconditionFailed, IdempotencyKeyReused, Busy, and those of `may_append`.
        """
        self.may_append()
        # 1. Queue. One thread at a time has a tournament, and settles everything that waits for it.
        queued = _QueuedCommand(envelope)
        slot = self.repository.slot(envelope.tournament)
        slot.queue.append(queued)
        with slot.lock:
            while queued.outcome is None:
                self._settle(self._next_batch(slot.queue))
        if isinstance(queued.outcome, BaseException):
            raise queued.outcome
        return queued.outcome

    def _next_batch(self, queue: deque[_QueuedCommand]) -> list[_QueuedCommand]:
        """Take commands for one transaction. A command that can fail the whole transaction gets its own."""
        batch = [queue.popleft()]
        while queue and len(batch) < MAX_BATCH and not any(map(self._needs_own_transaction, (batch[0], queue[0]))):
            batch.append(queue.popleft())
        return batch

    def _needs_own_transaction(self, queued: _QueuedCommand) -> bool:
        return queued.envelope.inline_write is not None or self.handlers[type(queued.envelope.command)].slow

    def _settle(self, batch: Sequence[_QueuedCommand]) -> None:
        """Write a batch, and retry if its log moved in a way that the lock does not prevent.

        Those are: the first event of a log (there is no head to lock), a replaced copy of a log, private rows written
        by another process, and an event appended before a slow decision. If the state cannot fold an event of the
        batch, its commands are written one by one.
        """
        tournament = batch[0].envelope.tournament
        try:
            for attempt in range(ATTEMPTS):
                try:
                    self._write(batch, attempt)
                    return
                except HeadMoved:
                    metrics.DECIDE_RETRIES.labels(self.source).inc()
                    self._reload(tournament)
                except Unfoldable:
                    self._reload(tournament)
                    if len(batch) == 1:
                        raise
                    for queued in batch:
                        self._settle([queued])
                    return
            raise Busy(f"The log moved {ATTEMPTS} times in a row; nothing was appended.", retry_after=1)
        except BaseException as error:
            for queued in batch:
                queued.outcome = queued.outcome or error
            if not isinstance(error, Exception):
                raise

    def _reload(self, tournament: str) -> None:
        """Read the news outside of a transaction. Raises LogUnreadable if the log itself cannot be folded."""
        with self.repository.now(tournament):
            pass

    def _write(self, batch: Sequence[_QueuedCommand], attempt: int) -> None:
        """Settle a batch in one transaction. Raises HeadMoved and Unfoldable, with nothing settled."""
        started, tournament = perf_counter(), batch[0].envelope.tournament
        rows = [self.handlers[type(queued.envelope.command)] for queued in batch]
        # 2. Make a slow decision before the lock is taken. It is valid if the own log has not moved by then.
        slow = rows[0].slow and attempt < ATTEMPTS_AHEAD
        ahead = self._decide_ahead(batch[0].envelope) if slow else None
        keys = [key for queued in batch for key in queued.envelope.keys]
        outcomes: list[tuple[_QueuedCommand, CommandResult | Exception]] = []
        repeated: list[_QueuedCommand] = []
        recorded: list[Recorded] = []
        causes: list[str] = []
        # 3. Lock the head and fold the news.
        with_rows = any(row.private or row.drafts for row in rows)
        with self.repository.writing(tournament, keys, with_rows) as (loaded, held):
            head, folded = loaded.heads[self.source], 0
            done = {key for id, _ in held.repeated if (key := key_of(id))}
            used: set[str] = set()
            for queued, row in zip(batch, rows, strict=True):
                envelope = queued.envelope
                loaded.take(recorded[folded:])
                folded = len(recorded)
                try:
                    # 4. Idempotency: repeat an earlier result. A key used twice in the batch waits until the end.
                    if not used.isdisjoint(envelope.keys):
                        repeated.append(queued)
                        continue
                    used.update(envelope.keys)
                    outcome = self._earlier_result(envelope, row, loaded, held.connection, done)
                    if outcome is None:
                        # 5. Decide: access, If-Match, the decision, quotas. A refusal affects this command only.
                        events, outcome = self._decide(envelope, row, loaded, held.connection, ahead)
                        recorded += events
                        causes += [queued.cause] * len(events)
                    outcomes.append((queued, outcome))
                except HeadMoved:
                    raise
                except Exception as error:
                    outcomes.append((queued, error))
            # 6. Append once, together with the rows that belong to the events.
            self._append(held.connection, head, recorded, causes, batch[0].envelope.inline_write)
            loaded.take(recorded[folded:])
            if self._projection is not None and self._projection.depends_on(recorded):
                self._projection.write(held.connection, tournament, loaded.state)
        metrics.APPEND_SECONDS.labels(self.source).observe(perf_counter() - started)
        metrics.APPENDED_TOGETHER.labels(self.source).observe(len(outcomes))
        # 7. Answer each command.
        for queued, result in outcomes:
            queued.outcome = result
        if recorded:
            self._after()
        for queued in repeated:
            self._settle([queued])

    def _append(
        self,
        connection: Connection,
        head: Head,
        recorded: Sequence[Recorded],
        causes: Sequence[str],
        inline_write: InlineWrite | None,
    ) -> None:
        """Append the events of a batch after the locked head. Raises HeadMoved for the first event of a log."""
        if not recorded:
            return
        projected = self._projection is not None and self._projection.depends_on(recorded)
        last = not projected and inline_write is None
        if not connection.extend(head, recorded, own=True, causes=causes, last=last):
            raise HeadMoved
        if inline_write is not None:
            inline_write(connection, recorded)

    def _earlier_result(
        self,
        envelope: CommandEnvelope,
        row: Handler,
        loaded: LoadedAggregate,
        connection: Connection,
        done: Collection[str],
    ) -> CommandResult | None:
        """Return the result of an earlier request with the same key, None if there was none. done: keys in the log.

        Raises the exceptions of `admit`, and IdempotencyKeyReused.
        """
        keys = envelope.keys
        key = next((key for key in keys if key in done), None)
        written = None
        if keys and (row.private or row.drafts):
            written = self.private.earlier(connection, envelope.tournament, keys)
        if key is None and written is None:
            return None
        if envelope.admit is not None:
            envelope.admit(loaded.state)
        events = events_of_command(connection, self.source, envelope.tournament, key) if key else []
        id, answer = written or (events[0].command_id, {})
        if id not in envelope.ids:
            how = "with another request, or before the token keys of this installation were exchanged"
            raise IdempotencyKeyReused(f"This Idempotency-Key was used before, {how}.", key=envelope.key)
        return CommandResult(events, loaded.seen, is_repeat=True, answer=answer, venues=venues_of(loaded.state))

    def was_done(self, envelope: CommandEnvelope, loaded: LoadedAggregate) -> bool:
        """Return True if an earlier request with the same key ran this command.

        Raises the exceptions of `_earlier_result`.
        """
        if not envelope.keys:
            return False
        row = self.handlers[type(envelope.command)]
        with self.database.reading() as connection:
            ids = connection.events_of_keys(self.source, envelope.tournament, envelope.keys)
            done = {key for id, _ in ids if (key := key_of(id))}
            return self._earlier_result(envelope, row, loaded, connection, done) is not None

    def _decide_ahead(self, envelope: CommandEnvelope) -> Decision | None:
        """Decide on the current state, without the lock. Return None for a refusal; the lock decides again."""
        with self.repository.now(envelope.tournament) as loaded:
            try:
                return self.decide(envelope, loaded)
            except Refusal:
                return None

    def _decide(
        self,
        envelope: CommandEnvelope,
        row: Handler,
        loaded: LoadedAggregate,
        connection: Connection,
        ahead: Decision | None,
    ) -> tuple[Sequence[Recorded], CommandResult]:
        """Decide a command under the lock and write its private rows. Return its events and its result.

        ahead: its decision, if it was made before the lock. Copies may have moved since: the events record how far the
        decision had read them. Raises HeadMoved if the own log or its private rows have moved since.
        """
        private = loaded.state.private
        if ahead is not None and (ahead.seen[self.source], ahead.revision) != (
            loaded.seen[self.source],
            private.revision,
        ):
            raise HeadMoved
        decision = ahead or self.decide(envelope, loaded)
        rows = decision.rows
        recorded = self._chain(envelope, loaded, decision)
        if rows:
            command = (envelope.key, envelope.command_id) if envelope.key else None
            self.private.write(connection, envelope.tournament, private, rows, command)
            loaded.take_rows(rows)
        seen = {**loaded.seen, self.source: recorded[-1].position} if recorded else loaded.seen
        revision = loaded.state.private.revision if rows or row.private or row.drafts else 0
        result = CommandResult(
            recorded, seen, answer=merged_answer(rows), private=revision, venues=venues_of(loaded.state)
        )
        return recorded, result

    def decide(
        self, envelope: CommandEnvelope, loaded: LoadedAggregate, moment: str = "", draws: Draws | None = None
    ) -> Decision:
        """Decide a command on a state. Raises the refusals of its row and of its decision, and PreconditionFailed.

        moment: the time in the form of events; empty: now. draws: answers the questions of a preview, which creates and
        reveals no secrets.
        """
        moment = moment or self.now()
        row, command = self.handlers[type(envelope.command)], envelope.command
        if envelope.admit is not None:
            envelope.admit(loaded.state)
        if row.complete is not None:
            command = row.complete(self.with_drafts(loaded), command)
        shows_drafts = row.drafts and can_see_drafts(envelope.by.role)
        state = self.with_drafts(loaded) if shows_drafts else loaded.state
        row.allow(state, command, envelope.by)
        self._require_match(envelope.if_match, row, loaded, state, command)
        oracle = self.oracle(envelope.tournament, loaded, round_after(moment) if self._with_beacon else 0)
        context = Context(envelope.by, moment, dict(loaded.heads), self.source, draws or oracle)
        decided = row.decide(state, command, context)
        events = [item for item in decided if not isinstance(item, PrivateRow)]
        rows = [item for item in decided if isinstance(item, PrivateRow)]
        if draws is None:
            events = with_draws(events, oracle, keeps_back=row.drafts)
            looks = [] if any(event.answers for event in events) else oracle.looks  # by staff, in a draft
            rows = [*rows, *oracle.rows, *looks]
        entries = recorded_entries(events, command, envelope.by.authority, row.form)
        require_room(loaded.state, self.source, envelope.by, moment, entries)
        return Decision(entries, rows, moment, loaded.seen, loaded.state.private.revision)

    def _require_match(
        self, if_match: IfMatch, row: Handler, loaded: LoadedAggregate, state: Tournament, command: Any
    ) -> None:
        """Raise PreconditionFailed if If-Match names another version than that of the thing the command is about."""
        head = loaded.heads[self.source].position
        if if_match.previews and loaded.preview_tag not in if_match.previews:
            raise PreconditionFailed("Something has been appended since this preview.", etag=etag(self.source, head))
        if if_match.position is not None:
            position = row.version(state, command) if row.version is not None else head
            revision = row.revision(state, command) if row.revision is not None else 0
            if not (position <= if_match.position <= head and revision <= if_match.revision <= state.private.revision):
                raise PreconditionFailed("Somebody has changed this since you read it.", etag=etag(self.source, head))

    def preview_events(
        self, envelope: CommandEnvelope, loaded: LoadedAggregate, moment: str, draws: Draws
    ) -> tuple[list[Recorded], list[PrivateRow]]:
        """Return the events and private rows that a command would write. Raises the exceptions of `decide`."""
        decision = self.decide(envelope, loaded, moment, draws)
        return self._chain(envelope, loaded, decision), decision.rows

    def _chain(self, envelope: CommandEnvelope, loaded: LoadedAggregate, decision: Decision) -> list[Recorded]:
        seen = {source: position for source, position in decision.seen.items() if source != self.source}
        stamp = Stamp(recorded_actor(loaded.state, envelope.by), envelope.command_id, decision.moment, seen)
        return chain_events(self.source, envelope.tournament, loaded.heads[self.source], decision.entries, stamp)

    def oracle(self, tournament: str, loaded: LoadedAggregate, beacon_round: int = 0) -> SecretOracle:
        """Return the oracle that answers the questions of a decision from the secrets of this service.

        beacon_round: the round of the public beacon that new secrets wait for; 0: none.
        """
        draws, private = loaded.state.draws[self.source], loaded.state.private
        return SecretOracle(draws, private, self._sealer, tournament, beacon_round=beacon_round)

    def with_drafts(self, loaded: LoadedAggregate) -> Tournament:
        """Return the state with the drafts in its private rows."""
        return loaded.derived("state with drafts", lambda: self.private.with_drafts(loaded.state))

    def draws_in(self, format: str) -> bool:
        """Return True if the service makes draws in tournaments of a format."""
        row = self.handlers.get(KeepDraws)
        return row is not None and (not row.formats or format in row.formats)


def entries_of(events: Sequence[Event]) -> list[Entry]:
    """Return events in the form of the log: each in its catalogue version, with canonical data.

    Raises InvalidRequest if an event holds a value that the log cannot store.
    """
    names = [type(event).__name__ for event in events]
    try:
        return [
            Entry(name, CATALOGUE[name].version, canonical_json(event))
            for name, event in zip(names, events, strict=True)
        ]
    except NotCanonical as error:
        raise _invalid_value(error) from error


def recorded_entries(events: Sequence[Event], command: msgspec.Struct, by: Authority, form: CommandForm) -> list[Entry]:
    """Return events as `entries_of` does, with the command and its authority on the first. Raises InvalidRequest."""
    entries = entries_of(events)
    if not entries:
        return []
    try:
        record = encode_record(command, by, form, [msgspec.to_builtins(event) for event in events])
    except NotCanonical as error:
        raise _invalid_value(error) from error
    return [msgspec.structs.replace(entries[0], command=record), *entries[1:]]


def _invalid_value(error: NotCanonical) -> InvalidRequest:
    return InvalidRequest("The log cannot hold this.", [Fault(error.where, error.found, error.expected)])


def venues_of(state: Tournament) -> dict[str, str]:
    """Return the names of the venues of a tournament by id."""
    return {venue.id: venue.name for venue in state.entries.venues.values()}
