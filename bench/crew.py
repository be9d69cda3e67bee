"""Several processes that do the same thing at the same time: writers of one database, clients of one server."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from types import TracebackType
from typing import Any, Self

START_SECONDS = 0.02
"""Between saying go and going, so that everybody has heard it."""

Work = Callable[..., Any]


class Crew:
    """`size` processes, each with the work that `make(*arguments)` gave it; kept until the `with` block ends.

    make and its arguments must be importable and picklable, since the processes start from nothing.
    """

    def __init__(self, size: int, make: Callable[..., Work], *arguments: Any) -> None:
        context = multiprocessing.get_context("spawn")
        self._members: list[tuple[Any, Connection]] = []
        for _ in range(size):
            here, there = context.Pipe()
            process = context.Process(target=_work, args=(there, make, arguments), daemon=True)
            process.start()
            there.close()
            self._members.append((process, here))
        self._answers()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for _, pipe in self._members:
            pipe.close()
        for process, _ in self._members:
            process.join(5)
            process.kill()

    def __len__(self) -> int:
        return len(self._members)

    def do(self, *each: Any) -> list[Any]:
        """Have each process do its work with its own argument, all from the same moment; returns what each answers.

        each: one argument a process. Raises RuntimeError with the traceback of whoever failed.
        """
        start = time.monotonic() + START_SECONDS
        for (_, pipe), argument in zip(self._members, each, strict=True):
            pipe.send((start, argument))
        return self._answers()

    def _answers(self) -> list[Any]:
        answers = []
        for _, pipe in self._members:
            done, answer = pipe.recv()
            if not done:
                raise RuntimeError(f"a process of the crew failed:\n{answer}")
            answers.append(answer)
        return answers


def _work(pipe: Connection, make: Callable[..., Work], arguments: tuple[Any, ...]) -> None:
    import traceback

    try:
        work = make(*arguments)
        pipe.send((True, None))
        while True:
            start, argument = pipe.recv()
            time.sleep(max(0.0, start - time.monotonic()))
            pipe.send((True, work(argument)))
    except (EOFError, KeyboardInterrupt):
        return
    except BaseException:
        pipe.send((False, traceback.format_exc()))
