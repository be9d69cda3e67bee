"""A service's worker: relay, consumer and sweep, each in a thread, under one stop signal.

A part that dies takes the worker with it, with a traceback and exit code 1: the supervisor starts it anew. So does
a part that hangs: each of them leaves a sign of life on its way.
"""

from __future__ import annotations

import faulthandler
import signal
import sys
import threading
import time
from collections.abc import Collection, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from types import FrameType
from typing import Protocol

import structlog

from shared.messaging.status import status_served

PARTS = ("relay", "consumer", "sweep")
HANGS_SECONDS = 180.0
"""Without a sign of life for so long, a part hangs; longer than any wait that ends by itself."""
FINISH_SECONDS = 15.0
"""How long a stop may take: the batch at hand is finished."""

_log = structlog.get_logger("muster.messaging")


class Part(Protocol):
    """What a worker runs. beat: time.monotonic() of the last sign of life."""

    name: str
    beat: float

    def run(self, stop: threading.Event) -> None: ...


@dataclass(slots=True)
class _Running:
    part: Part
    thread: threading.Thread


class Worker:
    """Runs parts until `stop` is set, a signal comes, or one of them fails."""

    def __init__(self, parts: Sequence[Part], hangs_seconds: float = HANGS_SECONDS) -> None:
        self.stop = threading.Event()
        self.parts = parts
        self._hangs_seconds = hangs_seconds
        self._failed: list[str] = []

    def run(self) -> int:
        """Returns the exit code: 0 after a stop that was asked for, 1 when a part died or hung."""
        running = [
            _Running(part, threading.Thread(target=self._guard, args=(part,), name=part.name, daemon=True))
            for part in self.parts
        ]
        for each in running:
            each.part.beat = time.monotonic()
            each.thread.start()
        while not self.stop.wait(0.5):
            for each in running:
                if time.monotonic() - each.part.beat > self._hangs_seconds:
                    _log.error("a part of the worker hangs", part=each.part.name)
                    faulthandler.dump_traceback(file=sys.stderr)
                    self._failed.append(each.part.name)
                    self.stop.set()
        deadline = time.monotonic() + FINISH_SECONDS
        for each in running:
            each.thread.join(max(0.1, deadline - time.monotonic()))
            if each.thread.is_alive():
                _log.error("a part of the worker did not stop in time", part=each.part.name)
                self._failed.append(each.part.name)
        return 1 if self._failed else 0

    def _guard(self, part: Part) -> None:
        try:
            part.run(self.stop)
        except BaseException:
            _log.exception("a part of the worker died", part=part.name)
            self._failed.append(part.name)
        finally:
            if not self.stop.is_set() and part.name not in self._failed:
                _log.error("a part of the worker ended by itself", part=part.name)
                self._failed.append(part.name)
            self.stop.set()


def run_worker(parts: Sequence[Part], only: Collection[str] = PARTS, status: tuple[str, int] | None = None) -> int:
    """Run the parts named in `only` until SIGTERM or SIGINT; returns the exit code for `sys.exit`.

    status: host and port to answer /healthz and /metrics on (see status.py); None for not at all.
    Call it from the main thread of a process.
    """
    worker = Worker([part for part in parts if part.name in only])

    def on_signal(number: int, frame: FrameType | None) -> None:
        worker.stop.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, on_signal)
    with status_served(status, worker.parts, HANGS_SECONDS) if status else nullcontext():
        return worker.run()
