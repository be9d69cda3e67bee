"""Commands of one tournament that arrive while another is being written: whoever comes next takes them all along."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence

from shared import tracing
from shared.application.deciding import CommandEnvelope, CommandResult
from shared.application.repository import Turn

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
