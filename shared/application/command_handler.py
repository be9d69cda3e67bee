"""The way of one command: state as of now, decide, append; again on the newer state when somebody was faster."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from msgspec.structs import replace

from shared import metrics
from shared.application.deciding import (
    FORESEEN,
    CommandEnvelope,
    CommandResult,
    Decider,
    InlineProjection,
    Projection,
    venues_of,
)
from shared.application.group_commit import GroupCommit, Waiting, settled
from shared.application.handlers import Handler
from shared.application.previews import OTHER_GUESSES, Foreseen, ForeseenDraws, Uncertain, compared, later, made_anew
from shared.application.private_rows import answer_of
from shared.application.refusals import Busy
from shared.application.repository import LoadedAggregate, Repository
from shared.eventlog.append import Entry, HeadMoved, append
from shared.eventlog.database import Connection, Database
from shared.eventlog.read import events_of_command
from shared.eventlog.statements import NO_COPIES
from shared.events.recorded import Recorded
from shared.formats.fold import copy_of
from shared.refusals import Refusal
from shared.rules.draw import Draws
from shared.sealing import Sealer
from shared.tournament.context import By
from shared.tournament.drawing import KeepDraws
from shared.tournament.private import Private, PrivateRow
from shared.web.idempotency import key_of
from shared.web.refusals import IdempotencyKeyReused

ATTEMPTS = 50
"""How often a command is decided anew when others append first; each failure means somebody else succeeded."""


class CommandHandler:
    """One service's way of handling commands.

    handlers: command type -> its row. clock: the time as events have it.
    projection: a read model that moves with the log.
    after: called when something was appended (it wakes the relay).
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
        self._clock = clock
        self._after = after
        self._projection = projection
        self._may_append = may_append
        self.private = repository.private
        self._decider = Decider(source, handlers, self.private, sealer)
        self._group = GroupCommit(repository, self._decider, clock, projection)

    def now(self) -> str:
        """The time as events have it."""
        return self._clock()

    def draws_in(self, format: str) -> bool:
        """Return True if the service draws in tournaments of a format."""
        row = self.handlers.get(KeepDraws)
        return row is not None and (not row.formats or format in row.formats)

    def run(self, envelope: CommandEnvelope) -> CommandResult:
        """Decide and append. Raises what the decision refuses, PreconditionFailed, IdempotencyKeyReused, Busy, and what
        `may_append` does.

        Commands of one tournament that wait for one another are appended in one transaction, except where a command
        writes more beside its events, or where its decision looks at the whole event and may take long.
        """
        self._may_append()
        row = self.handlers[type(envelope.command)]
        if envelope.also is not None or row.fresh or row.private:
            return self._alone(envelope)
        return settled(envelope, self.repository.turn(envelope.tournament), self._write)

    def _write(self, waiting: Sequence[Waiting]) -> None:
        """Settle commands of one tournament whose turn it is."""
        first = waiting[0].envelope
        if len(waiting) == 1 and not _rekeyed(first) and self.repository.is_quiet(first.tournament):
            waiting[0].settle(lambda: self._once(first, 0))
            waiting = [one for one in waiting if not one.settled]
        left = self._group.write(waiting) if waiting else []
        if any(one.result is not None and one.result.events for one in waiting):
            self._after()
        for one in left:
            one.settle(partial(self._alone, one.envelope, 1))

    def _alone(self, envelope: CommandEnvelope, first: int = 0) -> CommandResult:
        """Decide and append one command. first: attempt; the one numbered 0 trusts what this process knows."""
        for attempt in range(first, ATTEMPTS):
            if (result := self._once(envelope, attempt)) is not None:
                return result
        raise Busy(f"Other commands were faster {ATTEMPTS} times in a row; nothing was appended.", retry_after=1)

    def _once(self, envelope: CommandEnvelope, attempt: int) -> CommandResult | None:
        """One attempt; None where it has to be decided anew."""
        # The append looks for the key it is given; one that the log has in another form is looked for before.
        row = self.handlers[type(envelope.command)]
        certain = bool(attempt) or _rekeyed(envelope) or row.private or row.drafts
        state = self.repository.now if certain else self.repository.optimistic
        with state(envelope.tournament) as loaded:
            # The append itself refuses a key that was there before; so it is looked for only when there is a doubt.
            if certain and (earlier := self._earlier(envelope, loaded)):
                return earlier
            moment = self._clock()
            try:
                decided = self._decider.decided(envelope, loaded, moment)
            except Refusal:
                if loaded.possibly_stale:
                    return None
                if earlier := self._earlier(envelope, loaded):
                    return earlier
                raise
            entries, rows = decided.entries, decided.rows
            if not entries and loaded.possibly_stale:
                return None
            if not entries and not rows:
                nothing = CommandResult((), loaded.seen, venues=venues_of(loaded.state))
                return self._earlier(envelope, loaded) or nothing
            if not entries:
                return self._written(envelope, loaded, rows)
            copies = {source: head for source, head in loaded.heads.items() if source != self.source}
            try:
                recorded = append(
                    self.database,
                    self.source,
                    envelope.tournament,
                    loaded.heads[self.source],
                    entries,
                    self._decider.stamp(envelope, loaded, moment),
                    self._beside(envelope, entries, rows, loaded.state.private),
                    nothing_newer=copies if loaded.possibly_stale else NO_COPIES,
                )
            except HeadMoved:
                metrics.DECIDE_RETRIES.labels(self.source).inc()
                return None
            result = _result(recorded, rows, loaded)
        self._after()
        return result

    def _written(
        self, envelope: CommandEnvelope, loaded: LoadedAggregate, rows: Sequence[PrivateRow]
    ) -> CommandResult | None:
        """Write the private rows of a command without events; None where it has to be decided again."""
        try:
            with self.database.writing() as connection:
                known = loaded.state.private
                self.private.write(connection, envelope.tournament, known, rows, _key_and_id(envelope))
        except HeadMoved:
            metrics.DECIDE_RETRIES.labels(self.source).inc()
            return None
        return _result((), rows, loaded)

    def preview(self, envelope: CommandEnvelope, first: Sequence[CommandEnvelope] = ()) -> Foreseen:
        """What the command would append, and what would follow; nothing is appended. Raises as `run` does.

        That staff have seen what a draw would make is noted, see `Oracle.changes`.
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
            rows: Sequence[PrivateRow] = ()
            if not self._earlier(envelope, loaded):
                oracle = self._decider.oracle(envelope.tournament, base)
                draws = ForeseenDraws(oracle)
                told, rows = self._decider.recorded(envelope, base, moment, draws)
                if oracle.looks:
                    try:
                        with self.database.writing() as connection:
                            known = loaded.state.private
                            self.private.write(connection, envelope.tournament, known, oracle.looks)
                    except HeadMoved:
                        return self.preview(envelope, first)
                    for one in (loaded, before, after):
                        one.take_rows(oracle.looks)
                begins = not base.heads[self.source].position  # with an id that is made for this request
                other = replace(
                    envelope,
                    command=made_anew(envelope.command),
                    tournament=FORESEEN if begins else envelope.tournament,
                )
                anew = self._if_not_refused(other, base, later(moment), draws)
                others = [ForeseenDraws(oracle, guess) for guess in OTHER_GUESSES] if draws.guessed else []
                rolled = [self._if_not_refused(envelope, base, moment, one) for one in others]
                certain, uncertain = compared(told, anew, rolled, len(ahead))
        after.take(certain)
        after.take_rows(rows)
        return Foreseen(envelope.tournament, envelope.command, before, after, [*ahead, *certain], uncertain)

    def foresee(self, tournament: str, commands: Sequence[Any], by: By) -> LoadedAggregate:
        """A tournament as it would be after commands, one after the other; nothing is appended. Raises as `run`."""
        with self.repository.now(tournament) as loaded:
            after = LoadedAggregate(copy_of(loaded.state), dict(loaded.heads))
        for command in commands:
            after.foreseen |= bool(self._taken(CommandEnvelope(tournament, command, by, FORESEEN), after))
        return after

    def _taken(self, envelope: CommandEnvelope, after: LoadedAggregate) -> list[Recorded]:
        """The events of a command, which `after` takes, and no log."""
        draws = ForeseenDraws(self._decider.oracle(envelope.tournament, after))
        recorded, rows = self._decider.recorded(envelope, after, self._clock(), draws)
        after.take(recorded)
        after.take_rows(rows)
        return recorded

    def _if_not_refused(
        self, envelope: CommandEnvelope, loaded: LoadedAggregate, moment: str, draws: Draws
    ) -> list[Recorded]:
        try:
            return self._decider.recorded(envelope, loaded, moment, draws)[0]
        except Refusal:
            return []

    def _beside(
        self,
        envelope: CommandEnvelope,
        entries: Sequence[Entry],
        rows: Sequence[PrivateRow],
        known: Private,
    ) -> InlineProjection | None:
        """Return what writes the rows that belong to events. known: the private rows before the command."""
        projection = self._projection
        projected = projection is not None and any(entry.type in projection.types for entry in entries)
        if not projected and not rows:
            return envelope.also

        def write(connection: Connection, recorded: Sequence[Recorded]) -> None:
            if projection is not None and projected:
                projection.write(connection, recorded)
            if rows:
                self.private.write(connection, envelope.tournament, known, rows, _key_and_id(envelope))
            if envelope.also is not None:
                envelope.also(connection, recorded)

        return write

    def _earlier(self, envelope: CommandEnvelope, loaded: LoadedAggregate) -> CommandResult | None:
        """Return what this command did when it came before. Raises as `admit` does, and IdempotencyKeyReused."""
        if not envelope.key:
            return None
        if envelope.admit is not None:
            envelope.admit(loaded.state)
        ids = (envelope.command_id, *envelope.other_ids)
        keys = list(dict.fromkeys(key_of(id) or "" for id in ids))
        found: list[Recorded] = []
        with self.database.reading() as connection:
            for key in keys:
                found = found or events_of_command(connection, self.source, envelope.tournament, key)
            written = self.private.earlier(connection, envelope.tournament, keys)
        if not found and written is None:
            return None
        before, answer = written or (found[0].command_id, {})
        if before not in ids:
            said = "with another request, or before the token keys of this installation were exchanged"
            raise IdempotencyKeyReused(f"This Idempotency-Key was used before, {said}.", key=envelope.key)
        return CommandResult(found, loaded.seen, again=True, answer=answer, venues=venues_of(loaded.state))


def _result(recorded: Sequence[Recorded], rows: Sequence[PrivateRow], loaded: LoadedAggregate) -> CommandResult:
    """Take in what a command wrote, and return it."""
    loaded.take(recorded)
    loaded.take_rows(rows)
    return CommandResult(
        recorded,
        loaded.seen,
        answer=answer_of(rows),
        private=loaded.state.private.revision,
        venues=venues_of(loaded.state),
    )


def _key_and_id(envelope: CommandEnvelope) -> tuple[str, str] | None:
    return (envelope.key, envelope.command_id) if envelope.key else None


def _rekeyed(envelope: CommandEnvelope) -> bool:
    """Whether the same request may stand in the log under another key."""
    return any(key_of(id) != envelope.key for id in envelope.other_ids)
