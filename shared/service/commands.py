"""The one way of a command: queue, lock, fold, decide, append, answer.

Commands of one tournament that arrive while another is being written wait in a queue; the thread that has the
tournament next takes them all along. It locks the head of the log, so that nothing has to be decided twice, decides
each command on what those before it have done, and appends all their events in one transaction. A refusal refuses only
itself. Nothing else appends to a service's own log.
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
from shared.log.command_record import Authority, CommandForm, recorded_text
from shared.log.database import Connection, Database
from shared.log.event import Event, Head, NotCanonical, Recorded, canonical
from shared.log.log import Entry, HeadMoved, Stamp, chained
from shared.log.reading import events_of_command
from shared.refusals import Fault, Refusal
from shared.rules.model import Draws
from shared.service.draw_secrets import SecretOracle
from shared.service.handlers import Handler
from shared.service.quotas import need_room
from shared.service.refusals import Busy
from shared.service.state import LoadedAggregate, Repository, Unfoldable, answer_of
from shared.tournament.draws import with_draws
from shared.tournament.guards import By, Context, KeepDraws, recorded_actor, sees_drafts
from shared.tournament.state import PrivateRow, Tournament
from shared.web.idempotency import key_of
from shared.web.refusals import IdempotencyKeyReused, InvalidRequest, PreconditionFailed
from shared.web.versions import etag, preview_tag

TOGETHER = 64
"""Commands in one transaction, at most."""
ATTEMPTS = 10
"""How often a batch is written if its log turns out to be another than expected, see `_settle`."""
AHEAD = 3
"""Attempts at which a slow decision is made before the head is locked; then it is made under the lock."""

WriteBeside = Callable[[Connection, Sequence[Recorded]], None]
"""Writes rows in the transaction of the events that it is handed."""


class Projection(Struct, frozen=True):
    """A read model written in the transaction of the events. types: of the events that it needs."""

    types: frozenset[str]
    write: WriteBeside


class CommandEnvelope(Struct, frozen=True):
    """A command on its way: who gives it, under which id, and on which conditions.

    key: of an idempotent request, empty without one. command_id: as recorded.
    version: position in the own log up to which the caller knows the resource (from If-Match), or None. revision: the
    same of private rows; 0 with a version that knows of none.
    foreseen: tags of previews, one of which the command has to match (from If-Match); empty: any state will do.
    also: writes more rows with the events.
    admit: raises if the state says that the caller may not act here (a revoked token).
    other_ids: ids that the same request may have in the log, from before the token keys were exchanged.
    """

    tournament: str
    command: Any
    by: By
    command_id: str
    key: str = ""
    version: int | None = None
    revision: int = 0
    foreseen: Collection[str] = ()
    also: WriteBeside | None = None
    admit: Callable[[Tournament], None] | None = None
    other_ids: Sequence[str] = ()

    @property
    def ids(self) -> tuple[str, ...]:
        """Every id that this request may have in the log."""
        return (self.command_id, *self.other_ids)

    @property
    def keys(self) -> list[str]:
        """The idempotency keys of these ids; empty without a key."""
        return list(dict.fromkeys(key for id in self.ids if (key := key_of(id)))) if self.key else []


class CommandResult(Struct, frozen=True):
    """The outcome of a command. events: as recorded, now or when it first came; empty if it changed nothing.

    answer: members of the answer of a command that wrote private rows. private: revision of those rows.
    again: True if an earlier request with the same key did it, and this repeats its answer.
    venues: id -> name, for the text of actors.
    """

    events: Sequence[Recorded]
    seen: Mapping[str, int]
    again: bool = False
    answer: Mapping[str, Any] = {}
    private: int = 0
    venues: Mapping[str, str] = {}


class Decided(Struct, frozen=True):
    """The outcome of a decision. entries: events as the log takes them. rows: private rows to write with them."""

    entries: list[Entry]
    rows: list[PrivateRow]


class _Waiting:
    """A command in the queue, and its outcome once there is one. cause: the request, as the outbox keeps it."""

    def __init__(self, envelope: CommandEnvelope) -> None:
        self.envelope = envelope
        self.cause = tracing.written()
        self.result: CommandResult | None = None
        self.error: BaseException | None = None

    @property
    def is_settled(self) -> bool:
        return self.result is not None or self.error is not None


class _Made(Struct, frozen=True):
    """A decision: when and on which state it was made. revision: of the private rows."""

    decided: Decided
    moment: str
    seen: Mapping[str, int]
    revision: int


class CommandHandler:
    """One service's way of handling commands.

    handlers: command type -> its row. clock: the time as events have it.
    projection: a read model that moves with the log. after: called when something was appended (it wakes the relay).
    may_append: raises while nothing may be appended to any log. sealer: seals the secrets of draws.
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

    def run(self, envelope: CommandEnvelope) -> CommandResult:
        """Decide and append a command, in this thread or in one that was faster.

        Raises the refusals of its decision, PreconditionFailed, IdempotencyKeyReused, Busy, and those of `may_append`.
        """
        self.may_append()
        # 1. Queue: one thread at a time has a tournament, and settles what waits for it.
        waiting = _Waiting(envelope)
        turn = self.repository.turn(envelope.tournament)
        turn.waiting.append(waiting)
        with turn.lock:
            while not waiting.is_settled:
                self._settle(self._next_batch(turn.waiting))
        if waiting.error is not None:
            raise waiting.error
        assert waiting.result is not None
        return waiting.result

    def _next_batch(self, queue: deque[_Waiting]) -> list[_Waiting]:
        """Take the commands that are written in one transaction: those that may fail for reasons of their own alone."""
        batch = [queue.popleft()]
        while queue and len(batch) < TOGETHER and not any(map(self._goes_alone, (batch[0], queue[0]))):
            batch.append(queue.popleft())
        return batch

    def _goes_alone(self, waiting: _Waiting) -> bool:
        return waiting.envelope.also is not None or self.handlers[type(waiting.envelope.command)].slow

    def _settle(self, batch: Sequence[_Waiting]) -> None:
        """Write a batch, again if its log moved in a way that no lock prevents.

        That is the first event of a log, which has no head to lock; a new copy of a log; private rows that another
        process wrote; an event that came before a slow decision could be appended. If the state cannot take an event of
        a batch, its commands are written one by one.
        """
        tournament = batch[0].envelope.tournament
        try:
            for attempt in range(ATTEMPTS):
                try:
                    self._write(batch, attempt)
                    return
                except HeadMoved:
                    metrics.DECIDE_RETRIES.labels(self.source).inc()
                    self._look_first(tournament)
                except Unfoldable:
                    self._look_first(tournament)
                    if len(batch) == 1:
                        raise
                    for waiting in batch:
                        self._settle([waiting])
                    return
            raise Busy(f"The log moved {ATTEMPTS} times in a row; nothing was appended.", retry_after=1)
        except BaseException as error:
            for waiting in batch:
                waiting.error = waiting.error or (None if waiting.result else error)
            if not isinstance(error, Exception):
                raise

    def _look_first(self, tournament: str) -> None:
        """Read what is new outside of a transaction. Raises LogUnreadable if the log itself cannot be folded."""
        with self.repository.now(tournament):
            pass

    def _write(self, batch: Sequence[_Waiting], attempt: int) -> None:
        """Settle a batch in one transaction. Raises HeadMoved and Unfoldable, with nothing settled."""
        started, tournament = perf_counter(), batch[0].envelope.tournament
        rows = [self.handlers[type(waiting.envelope.command)] for waiting in batch]
        # 2. Slow decisions: made before the head is locked. They count if the own log has not moved by then.
        ahead = self._decide_ahead(batch[0].envelope) if rows[0].slow and attempt < AHEAD else None
        keys = [key for waiting in batch for key in waiting.envelope.keys]
        outcomes: list[tuple[_Waiting, CommandResult | Exception]] = []
        repeated: list[_Waiting] = []
        recorded: list[Recorded] = []
        causes: list[str] = []
        # 3. Lock the head, and fold the news.
        with_rows = any(row.private or row.drafts for row in rows)
        with self.repository.writing(tournament, keys, with_rows) as (loaded, held):
            head, taken = loaded.heads[self.source], 0
            done = {key for id, _ in held.done if (key := key_of(id))}
            used: set[str] = set()
            for waiting, row in zip(batch, rows, strict=True):
                envelope, taken = waiting.envelope, self._take(loaded, recorded, taken)
                try:
                    # 4. Idempotency: what was done before is answered again; a key of this batch waits for its end.
                    if not used.isdisjoint(envelope.keys):
                        repeated.append(waiting)
                        continue
                    used.update(envelope.keys)
                    outcome = self._earlier(envelope, row, loaded, held.connection, done)
                    if outcome is None:
                        # 5. Decide: access, If-Match, the decision, quotas. A refusal is the command's own.
                        events, outcome = self._decide(envelope, row, loaded, held.connection, ahead)
                        recorded += events
                        causes += [waiting.cause] * len(events)
                    outcomes.append((waiting, outcome))
                except HeadMoved:
                    raise
                except Exception as error:
                    outcomes.append((waiting, error))
            # 6. Append once, with the rows that belong to the events.
            self._append(held.connection, head, recorded, causes, batch[0].envelope.also)
            self._take(loaded, recorded, taken)
        metrics.APPEND_SECONDS.labels(self.source).observe(perf_counter() - started)
        metrics.APPENDED_TOGETHER.labels(self.source).observe(len(outcomes))
        # 7. Answer each.
        for waiting, result in outcomes:
            if isinstance(result, Exception):
                waiting.error = result
            else:
                waiting.result = result
        if recorded:
            self._after()
        for waiting in repeated:
            self._settle([waiting])

    def _take(self, loaded: LoadedAggregate, recorded: Sequence[Recorded], taken: int) -> int:
        """Fold in the events of this batch after the first `taken`; return how many the state has then."""
        if len(recorded) > taken:
            loaded.take(recorded[taken:])
        return len(recorded)

    def _append(
        self,
        connection: Connection,
        head: Head,
        recorded: Sequence[Recorded],
        causes: Sequence[str],
        also: WriteBeside | None,
    ) -> None:
        """Append the events of a batch after a head that is locked. Raises HeadMoved for the first event of a log."""
        if not recorded:
            return
        projection = self._projection
        if projection is not None and not any(event.type in projection.types for event in recorded):
            projection = None
        last = projection is None and also is None
        if not connection.extend(head, recorded, own=True, causes=causes, last=last):
            raise HeadMoved
        if projection is not None:
            projection.write(connection, recorded)
        if also is not None:
            also(connection, recorded)

    def _earlier(
        self,
        envelope: CommandEnvelope,
        row: Handler,
        loaded: LoadedAggregate,
        connection: Connection,
        done: Collection[str],
    ) -> CommandResult | None:
        """Return the outcome of an earlier request with the same key, None if there was none. done: keys in the log.

        Raises as `admit`, and IdempotencyKeyReused.
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
        return CommandResult(events, loaded.seen, again=True, answer=answer, venues=venues_of(loaded.state))

    def was_done(self, envelope: CommandEnvelope, loaded: LoadedAggregate) -> bool:
        """Return True if an earlier request with the same key did this command. Raises as `_earlier`."""
        if not envelope.keys:
            return False
        row = self.handlers[type(envelope.command)]
        with self.database.reading() as connection:
            found = connection.done(self.source, envelope.tournament, envelope.keys)
            done = {key for id, _ in found if (key := key_of(id))}
            return self._earlier(envelope, row, loaded, connection, done) is not None

    def _decide_ahead(self, envelope: CommandEnvelope) -> _Made | None:
        """Decide on the state as of now; None if it is refused, which is decided again under the lock."""
        with self.repository.now(envelope.tournament) as loaded:
            moment = self.now()
            try:
                decided = self.decide(envelope, loaded, moment)
            except Refusal:
                return None
            return _Made(decided, moment, loaded.seen, loaded.state.private.revision)

    def _decide(
        self,
        envelope: CommandEnvelope,
        row: Handler,
        loaded: LoadedAggregate,
        connection: Connection,
        ahead: _Made | None,
    ) -> tuple[Sequence[Recorded], CommandResult]:
        """Decide a command under the lock and write its private rows; return its events and its outcome.

        ahead: its decision, if that was made before. Copies may have moved since: its events say how far it had seen.
        Raises HeadMoved if the own log or its private rows have.
        """
        private = loaded.state.private
        if ahead is None:
            moment = self.now()
            made = _Made(self.decide(envelope, loaded, moment), moment, loaded.seen, private.revision)
        elif (ahead.seen[self.source], ahead.revision) != (loaded.seen[self.source], private.revision):
            raise HeadMoved
        else:
            made = ahead
        rows = made.decided.rows
        recorded = self._recorded(envelope, loaded, made)
        if rows:
            command = (envelope.key, envelope.command_id) if envelope.key else None
            self.private.write(connection, envelope.tournament, private, rows, command)
            loaded.take_rows(rows)
        seen = {**loaded.seen, self.source: recorded[-1].position} if recorded else loaded.seen
        revision = loaded.state.private.revision if rows or row.private or row.drafts else 0
        result = CommandResult(recorded, seen, answer=answer_of(rows), private=revision, venues=venues_of(loaded.state))
        return recorded, result

    def decide(
        self, envelope: CommandEnvelope, loaded: LoadedAggregate, moment: str, draws: Draws | None = None
    ) -> Decided:
        """Decide a command on a state. Raises the refusals of its row and of its decision, and PreconditionFailed.

        draws: answers the questions of a preview, which makes and reveals no secrets.
        """
        row, command = self.handlers[type(envelope.command)], envelope.command
        if envelope.admit is not None:
            envelope.admit(loaded.state)
        if row.complete is not None:
            command = row.complete(self.with_drafts(loaded), command)
        shows_drafts = row.drafts and sees_drafts(envelope.by.role)
        state = self.with_drafts(loaded) if shows_drafts else loaded.state
        row.allow(state, command, envelope.by)
        self._need_version(envelope, row, loaded, state, command)
        oracle = self.oracle(envelope.tournament, loaded)
        context = Context(envelope.by, moment, dict(loaded.heads), self.source, draws or oracle)
        decided = row.decide(state, command, context)
        events = [one for one in decided if not isinstance(one, PrivateRow)]
        rows = [one for one in decided if isinstance(one, PrivateRow)]
        if draws is None:
            events = with_draws(events, oracle, keeps_back=row.drafts)
            looks = [] if any(event.answers for event in events) else oracle.looks  # by staff, in a draft
            rows = [*rows, *oracle.rows, *looks]
        entries = entries_on_record(events, command, envelope.by.authority, row.form)
        need_room(loaded.state, self.source, envelope.by, moment, entries)
        return Decided(entries, rows)

    def _need_version(
        self, envelope: CommandEnvelope, row: Handler, loaded: LoadedAggregate, state: Tournament, command: Any
    ) -> None:
        """Raise PreconditionFailed if If-Match names another version than that of the thing the command is about."""
        head = loaded.heads[self.source].position
        if envelope.foreseen and tag_of_preview(loaded) not in envelope.foreseen:
            raise PreconditionFailed("Something has been appended since this preview.", etag=etag(self.source, head))
        if envelope.version is not None:
            touched = row.version(state, command) if row.version is not None else head
            changed = row.revision(state, command) if row.revision is not None else 0
            if not (touched <= envelope.version <= head and changed <= envelope.revision <= state.private.revision):
                raise PreconditionFailed("Somebody has changed this since you read it.", etag=etag(self.source, head))

    def foreseen(
        self, envelope: CommandEnvelope, loaded: LoadedAggregate, moment: str, draws: Draws
    ) -> tuple[list[Recorded], list[PrivateRow]]:
        """Return the events and private rows of a command that is only shown. Raises as `decide`."""
        made = _Made(self.decide(envelope, loaded, moment, draws), moment, loaded.seen, loaded.state.private.revision)
        return self._recorded(envelope, loaded, made), made.decided.rows

    def _recorded(self, envelope: CommandEnvelope, loaded: LoadedAggregate, made: _Made) -> list[Recorded]:
        seen = {source: position for source, position in made.seen.items() if source != self.source}
        stamp = Stamp(recorded_actor(loaded.state, envelope.by), envelope.command_id, made.moment, seen)
        return chained(self.source, envelope.tournament, loaded.heads[self.source], made.decided.entries, stamp)

    def oracle(self, tournament: str, loaded: LoadedAggregate) -> SecretOracle:
        """Return what answers the questions of a decision from the secrets of the service."""
        state = loaded.state
        return SecretOracle(state.draws[self.source], state.private, self._sealer, tournament)

    def with_drafts(self, loaded: LoadedAggregate) -> Tournament:
        """Return the state as it is shown to those who see drafts."""
        return loaded.derived("state with drafts", lambda: self.private.with_drafts(loaded.state))

    def draws_in(self, format: str) -> bool:
        """Return True if the service draws in tournaments of a format."""
        row = self.handlers.get(KeepDraws)
        return row is not None and (not row.formats or format in row.formats)


def entries_of(events: Sequence[Event]) -> list[Entry]:
    """Return events as the log takes them: each in its catalogue version, with canonical data.

    Raises InvalidRequest if they hold what no event can.
    """
    names = [type(event).__name__ for event in events]
    try:
        return [
            Entry(name, CATALOGUE[name].version, canonical(event)) for name, event in zip(names, events, strict=True)
        ]
    except NotCanonical as error:
        raise _cannot_hold(error) from error


def entries_on_record(
    events: Sequence[Event], command: msgspec.Struct, by: Authority, form: CommandForm
) -> list[Entry]:
    """Return the same with the command on the first event, and who gave it. Raises InvalidRequest."""
    entries = entries_of(events)
    if not entries:
        return []
    try:
        record = recorded_text(command, by, form, [msgspec.to_builtins(event) for event in events])
    except NotCanonical as error:
        raise _cannot_hold(error) from error
    return [msgspec.structs.replace(entries[0], command=record), *entries[1:]]


def _cannot_hold(error: NotCanonical) -> InvalidRequest:
    return InvalidRequest("The log cannot hold this.", [Fault(error.where, error.found, error.expected)])


def tag_of_preview(loaded: LoadedAggregate) -> str:
    """Return the tag of previews of this state, without quotation marks."""
    revision = loaded.state.private.revision
    return preview_tag({**loaded.seen, "private": revision} if revision else loaded.seen)


def venues_of(state: Tournament) -> dict[str, str]:
    """Return the names of the venues of a tournament by id."""
    return {venue.id: venue.name for venue in state.entries.venues.values()}
