"""The worker of a service: relay, consumer and catch-up, each in a thread, with one stop signal.

A part that dies is restarted in its thread after pauses of up to a minute, while the others continue: a failing
consumer must not stop the relay. /readyz shows failed parts (status.py). A part that hangs cannot be restarted. Parts
give signs of life; if one stops doing so, the worker exits with code 1 and its supervisor starts another.
"""

from __future__ import annotations

import faulthandler
import signal
import sys
import threading
import time
from collections.abc import Callable, Collection, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from types import FrameType
from typing import Protocol

from shared.log.database import Database
from shared.logs import RateLimitedLogger
from shared.messaging.errors import Backoff
from shared.messaging.status import Down, report_parts, serve_status

PARTS = ("relay", "consumer", "catch_up")
HANGS_SECONDS = 180.0
"""Time without a sign of life after which a part counts as hanging; longer than any legitimate wait."""
FINISH_SECONDS = 15.0
"""Maximum time to finish the current batch after a stop."""
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0
"""Seconds before a dead part is restarted; doubled each time."""
LOOK_SECONDS = 1.0
"""Interval of checking whether a hindrance is gone."""
SETTLED_SECONDS = 60.0
"""A restarted part that runs for this long counts as healthy again."""

_log = RateLimitedLogger("muster.messaging")


class Part(Protocol):
    """A part of a worker. beat: time.monotonic() of its last sign of life."""

    name: str
    beat: float

    def run(self, stop: threading.Event) -> None: ...


@dataclass(slots=True)
class _Running:
    part: Part
    thread: threading.Thread


def no_hindrance() -> str:
    """Return that nothing prevents parts from running."""
    return ""


class Worker:
    """Runs parts until `stop` is set, a signal arrives, or one of them hangs.

    hindrance: returns why parts may not run now, empty if they may; called before a part runs, and until it is empty.
    down: name -> state of parts that died and have not run well since, or that wait. changed: set on every change.
    """

    def __init__(
        self,
        parts: Sequence[Part],
        hangs_seconds: float = HANGS_SECONDS,
        hindrance: Callable[[], str] = no_hindrance,
    ) -> None:
        self.stop = threading.Event()
        self.changed = threading.Event()
        self.parts = parts
        self.down: dict[str, Down] = {}
        self._hangs_seconds = hangs_seconds
        self._hindrance = hindrance
        self._failed: list[str] = []

    def run(self) -> int:
        """Run the parts. Return the exit code: 0 after a requested stop, 1 if a part hung or did not stop in time."""
        running = [
            _Running(part, threading.Thread(target=self._keep, args=(part,), name=part.name, daemon=True))
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

    def _keep(self, part: Part) -> None:
        """Run a part and restart it when it dies; a BaseException that is no Exception ends the worker."""
        backoff, deaths = Backoff(FIRST_PAUSE, LONGEST_PAUSE), 0
        while self._may_run(part):
            started, why = time.monotonic(), "it ended without an error"
            settled = threading.Timer(SETTLED_SECONDS, self._settled, [part.name])
            settled.daemon = True
            settled.start()
            try:
                part.run(self.stop)
            except Exception as error:
                why = f"it died of {type(error).__name__}; the log says where"
                _log.exception("a part of the worker died", part=part.name)
            except BaseException:
                _log.exception("a part of the worker ends it", part=part.name)
                self._failed.append(part.name)
                self.stop.set()
            finally:
                settled.cancel()
            if self.stop.is_set():
                return
            if time.monotonic() - started > SETTLED_SECONDS:
                backoff.reset()
                deaths = 0
            deaths += 1
            self._pause(part, deaths, backoff.next_delay(), why)

    def _may_run(self, part: Part) -> bool:
        """Wait until nothing prevents a part from running. Return False if the worker stops."""
        last = ""
        while not self.stop.is_set() and (why := self._hindrance()):
            if why != last:
                _log.error("a part of the worker waits", part=part.name, why=why)
                self.down[part.name] = Down(0, 0.0, why)
                self.changed.set()
            last = why
            part.beat = time.monotonic()
            self.stop.wait(LOOK_SECONDS)
        part.beat = time.monotonic()
        if last and not self.stop.is_set():
            self._settled(part.name)
        return not self.stop.is_set()

    def _pause(self, part: Part, deaths: int, seconds: float, why: str) -> None:
        _log.error("a part of the worker is down", part=part.name, deaths=deaths, seconds=seconds, why=why)
        self.down[part.name] = Down(deaths, time.time() + seconds, why)
        self.changed.set()
        until = time.monotonic() + seconds
        while (remaining := until - time.monotonic()) > 0 and not self.stop.wait(min(1.0, remaining)):
            part.beat = time.monotonic()
        part.beat = time.monotonic()

    def _settled(self, name: str) -> None:
        if self.down.pop(name, None) is not None:
            _log.warning("a part of the worker is well again", part=name)
            self.changed.set()


def run_worker(
    parts: Sequence[Part],
    only: Collection[str] = PARTS,
    status: tuple[str, int] | None = None,
    database: Database | None = None,
    hindrance: Callable[[], str] = no_hindrance,
) -> int:
    """Run the parts named in `only` until SIGTERM or SIGINT. Return the exit code for `sys.exit`.

    Must be called from the main thread of a process.
    status: host and port of /healthz and /metrics (see status.py), or None. database: stores the states of parts for
    /readyz, or None. hindrance: see Worker.
    """
    worker = Worker([part for part in parts if part.name in only], hindrance=hindrance)

    def on_signal(number: int, frame: FrameType | None) -> None:
        worker.stop.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, on_signal)
    status_server = serve_status(status, worker.parts, HANGS_SECONDS, worker.down) if status else nullcontext()
    reporter = report_parts(database, worker.parts, worker.down, worker.changed) if database else nullcontext()
    with status_server, reporter:
        return worker.run()
