"""How long a Muster needs after a fault is over, measured while the load goes on.

Two clocks start at the end of the fault. The first stops when every service says that it is ready and a command that
was sent since has been acknowledged; the second when each service holds all that the logs held at that end.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import httpx
from sqlalchemy.exc import DBAPIError

from deploy.stack import Stack
from shared.settings import SERVICES
from tests.faults.auditor import Auditor

LOOK_SECONDS = 0.05


class Recovery:
    """Measures in a thread of its own until `stop`. acknowledged: whether a command sent since then was."""

    def __init__(self, stack: Stack, acknowledged: Callable[[float], bool]) -> None:
        self.answers: float | None = None
        self.agrees: float | None = None
        self._ended = time.monotonic()
        self._acknowledged = acknowledged
        self._auditor = Auditor(stack)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._measure, name="recovery", daemon=True)
        self._thread.start()

    def wait(self, seconds: float) -> None:
        """Wait until both are known, or so many seconds; what never came stays None."""
        self._thread.join(seconds)
        self._stop.set()
        self._thread.join()

    def _measure(self) -> None:
        ends: dict[str, int] = {}
        ready: set[str] = set()
        while not self._stop.wait(LOOK_SECONDS) and None in (self.answers, self.agrees):
            try:
                for name in set(SERVICES) - ends.keys():
                    ends[name] = self._auditor.end(name)
                ready |= {name for name in set(SERVICES) - ready if self._auditor.ready(name)["status"] != "failed"}
                if self.answers is None and len(ready) == len(SERVICES) and self._acknowledged(self._ended):
                    self.answers = time.monotonic() - self._ended
                if self.agrees is None and len(ends) == len(SERVICES) and self._auditor.holds(ends):
                    self.agrees = time.monotonic() - self._ended
            except (httpx.HTTPError, DBAPIError):
                continue  # still away
