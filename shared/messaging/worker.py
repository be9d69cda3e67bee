"""A service's worker: relay, consumer and catch-up, each in a thread, under one stop signal.

A part that dies is started again in its thread, after pauses that grow to a minute, and the others go on: what the
consumer cannot bear must not keep the relay from publishing. Who reads /readyz sees it (status.py). A part that hangs
cannot be started again beside itself: each leaves a sign of life on its way, and one without ends the worker with exit
code 1; whoever supervises it starts another.
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
"""Without a sign of life for so long, a part hangs; longer than any wait that ends by itself."""
FINISH_SECONDS = 15.0
"""How long a stop may take: the batch at hand is finished."""
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0
"""Seconds between the death of a part and its next try; doubled each time."""
LOOK_SECONDS = 1.0
"""Between two looks whether what hinders a part is gone."""
SETTLED_SECONDS = 60.0
"""A part that has lived for so long is well again."""

_log = RateLimitedLogger("muster.messaging")


class Part(Protocol):
    """What a worker runs. beat: time.monotonic() of the last sign of life."""

    name: str
    beat: float

    def run(self, stop: threading.Event) -> None: ...


@dataclass(slots=True)
class _Running:
    part: Part
    thread: threading.Thread


def no_hindrance() -> str:
    """Hinders nobody."""
    return ""


class Worker:
    """Runs parts until `stop` is set, a signal comes, or one of them hangs.

    hindrance: why no part may run now, empty where they may; asked before a part runs, and until it is gone.
    down: the parts that died and have not settled since, or wait, by name. changed: set whenever that changes.
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
        """Returns the exit code: 0 after a stop that was asked for, 1 when a part hung or did not stop well."""
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
        """Run a part, again and again where it dies; what is no Exception ends the worker."""
        backoff, deaths = Backoff(FIRST_PAUSE, LONGEST_PAUSE), 0
        while self._may_run(part):
            started, why = time.monotonic(), "it ended by itself"
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
        """Wait until nothing hinders a part; False when told to stop."""
        said = ""
        while not self.stop.is_set() and (why := self._hindrance()):
            if why != said:
                _log.error("a part of the worker waits", part=part.name, why=why)
                self.down[part.name] = Down(0, 0.0, why)
                self.changed.set()
            said = why
            part.beat = time.monotonic()
            self.stop.wait(LOOK_SECONDS)
        part.beat = time.monotonic()
        if said and not self.stop.is_set():
            self._settled(part.name)
        return not self.stop.is_set()

    def _pause(self, part: Part, deaths: int, seconds: float, why: str) -> None:
        _log.error("a part of the worker is down", part=part.name, deaths=deaths, seconds=seconds, why=why)
        self.down[part.name] = Down(deaths, time.time() + seconds, why)
        self.changed.set()
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0 and not self.stop.wait(min(1.0, left)):
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
    """Run the parts named in `only` until SIGTERM or SIGINT; returns the exit code for `sys.exit`.

    status: host and port to answer /healthz and /metrics on (see status.py); None for not at all.
    database: where it is written down how the parts are, for /readyz; None for nowhere. hindrance: see Worker.
    Call it from the main thread of a process.
    """
    worker = Worker([part for part in parts if part.name in only], hindrance=hindrance)

    def on_signal(number: int, frame: FrameType | None) -> None:
        worker.stop.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, on_signal)
    served = serve_status(status, worker.parts, HANGS_SECONDS, worker.down) if status else nullcontext()
    felt = report_parts(database, worker.parts, worker.down, worker.changed) if database else nullcontext()
    with served, felt:
        return worker.run()
