"""Commands of one tournament that arrive while another is being written: whoever comes next takes them all along.

They are decided one after the other on the state in memory, and appended in one transaction. The head of the log is
locked first, so nobody else appends meanwhile and no decision has to be made again. Each command is decided on what
those before it have done. Refusals refuse only themselves."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from time import perf_counter

from msgspec import Struct

from shared import metrics, tracing
from shared.application.deciding import CommandEnvelope, CommandResult, Decider, Projection, venues_of
from shared.application.repository import LoadedAggregate, Repository, Turn, Unfoldable
from shared.eventlog.append import HeadMoved
from shared.events.recorded import Recorded
from shared.web.idempotency import key_of

TOGETHER = 64
"""Commands in one transaction, at most."""


class Waiting:
    """A command that waits for its turn, and what came of it. cause: the request, as the outbox keeps it."""

    def __init__(self, envelope: CommandEnvelope) -> None:
        self.envelope = envelope
        self.cause = tracing.written()
        self.result: CommandResult | None = None
        self.error: BaseException | None = None

    @property
    def settled(self) -> bool:
        """Whether it is known what came of it."""
        return self.result is not None or self.error is not None

    def settle(self, run: Callable[[], CommandResult | None]) -> None:
        """Run it, and keep what comes of it for whoever asked; None leaves it open."""
        try:
            self.result = run()
        except Exception as error:
            self.error = error

    def outcome(self) -> CommandResult:
        """What came of it. Raises what it was refused with."""
        if self.error is not None:
            raise self.error
        assert self.result is not None
        return self.result


def settled(envelope: CommandEnvelope, turn: Turn, write: Callable[[Sequence[Waiting]], None]) -> CommandResult:
    """Have a command settled, by this thread or by one that was faster. Raises what it was refused with.

    turn: of its tournament. write: settles every one of the commands that it is given, in their order.
    """
    mine = Waiting(envelope)
    turn.waiting.append(mine)
    with turn.lock:
        while not mine.settled:
            batch = _next(turn.waiting)
            try:
                write(batch)
            except BaseException as error:
                for one in batch:
                    one.error = one.error or (None if one.result else error)
                raise
    return mine.outcome()


def _next(waiting: deque[Waiting]) -> list[Waiting]:
    return [waiting.popleft() for _ in range(min(len(waiting), TOGETHER))]


class _Outcome(Struct):
    """What one command comes to once the transaction is committed; nothing yet if it has to be run alone."""

    recorded: Sequence[Recorded] = ()
    result: CommandResult | None = None
    error: Exception | None = None


class GroupCommit:
    """Writes commands of one tournament that wait. clock: the time as events have it. projection: as the handler's."""

    def __init__(
        self, repository: Repository, decider: Decider, clock: Callable[[], str], projection: Projection | None
    ) -> None:
        self._repository = repository
        self._decider = decider
        self._clock = clock
        self._projection = projection

    def write(self, waiting: Sequence[Waiting]) -> list[Waiting]:
        """Settle commands together; returns those that have to be run alone, in order.

        Alone run those that may have been done before and those that write private rows; and all of them where the
        first event of a log is written by somebody else at this moment, or where the state cannot take what one of them
        would append.
        """
        started, source = perf_counter(), self._decider.source
        outcomes: list[tuple[Waiting, _Outcome]] = []
        try:
            with self._repository.writing(waiting[0].envelope.tournament, _keys(waiting)) as (loaded, held):
                connection, head = held.connection, loaded.heads[source]
                used = {key_of(id) for id, _ in held.done}
                for one in waiting:
                    if used.isdisjoint(keys := _keys([one])):
                        outcomes.append((one, self._decided(one, loaded)))
                        used.update(keys)
                recorded = [event for _, outcome in outcomes for event in outcome.recorded]
                causes = [one.cause for one, outcome in outcomes for _ in outcome.recorded]
                projection = self._projection if self._projected(recorded) else None
                if recorded and not connection.extend(head, recorded, own=True, causes=causes, last=projection is None):
                    raise HeadMoved
                if projection is not None:
                    projection.write(connection, recorded)
        except (HeadMoved, Unfoldable):
            metrics.DECIDE_RETRIES.labels(source).inc()
            return list(waiting)
        metrics.APPEND_SECONDS.labels(source).observe(perf_counter() - started)
        metrics.APPENDED_TOGETHER.labels(source).observe(len(outcomes))
        for one, outcome in outcomes:
            one.result, one.error = outcome.result, outcome.error
        return [one for one in waiting if not one.settled]

    def _projected(self, recorded: Sequence[Recorded]) -> bool:
        """Whether a read model moves with any of these events."""
        return self._projection is not None and any(event.type in self._projection.types for event in recorded)

    def _decided(self, one: Waiting, loaded: LoadedAggregate) -> _Outcome:
        """What a command does, on a state that takes it; whatever its decision raises is its own."""
        envelope, moment, decider = one.envelope, self._clock(), self._decider
        try:
            recorded, rows = decider.recorded(envelope, loaded, moment)
        except Exception as error:
            return _Outcome(error=error)
        if rows:  # of a secret that it makes or reveals
            return _Outcome()
        loaded.take(recorded)
        return _Outcome(recorded, CommandResult(recorded, loaded.seen, venues=venues_of(loaded.state)))


def _keys(waiting: Sequence[Waiting]) -> list[str]:
    """The idempotency keys of commands, also in the forms in which they stood before."""
    ids = [id for one in waiting if one.envelope.key for id in (one.envelope.command_id, *one.envelope.other_ids)]
    return list(dict.fromkeys(filter(None, map(key_of, ids))))
