"""A generous allowance for each caller, so that one mistaken script does not take the evening from everybody.

Counted in the memory of each process. Where a service has several, each tells the others what a caller has spent, a
fiftieth of the allowance at a time, by a `Tally` that they share: so the allowance is one, and most callers never reach
the first telling.
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock

from shared.environment import caller_network
from shared.refusals import Refusal
from shared.web.auth import caller_or_none
from shared.web.refusals import TooManyRequests
from shared.web.request import EdgeRequest

UNLIMITED = frozenset({"/healthz", "/readyz", "/metrics"})

CALLERS = 50_000
"""Windows held; the one begun longest ago goes first."""

TELLINGS = 50
"""Into so many parts an allowance is told to the other processes."""

SECONDS = {"second": 1, "minute": 60, "hour": 3600, "day": 86400}
RATE = re.compile(rf"([1-9][0-9]{{0,8}})/({'|'.join(SECONDS)})")

Tally = Callable[[str, int, int], int]
"""(caller, number of the window, requests) -> what all processes together have told of this window, these included."""


@dataclass(slots=True)
class _Window:
    """number: of the window, by the clock. until: when it ends, by time.monotonic(), which nobody sets.

    told: requests of all processes that are known of; own: those of this one that nobody was told of yet.
    """

    number: int
    until: float
    told: int = 0
    own: int = 0


class Windows:
    """Counts in memory.

    A window begins and ends by the clock, at the same moment in every process; one that runs lasts no longer than it
    would have, though the clock is set back. tally: see Tally; None: there is one
    process alone. share: how many requests are told at once. enough: a caller who has so many is told of no more.
    """

    def __init__(self, tally: Tally | None = None, share: int = 1, enough: int = 0) -> None:
        self._tally = tally
        self._share = share
        self._enough = enough
        self._lock = Lock()
        self._windows: dict[str, _Window] = {}

    def count(self, key: str, seconds: int) -> tuple[int, float]:
        """Count a request; returns how many there are by now in a window of so many seconds, and when it ends.

        The end is of time.monotonic().
        """
        with self._lock:
            window = self._windows.get(key)
            if window is None or window.until <= time.monotonic():
                self._windows.pop(key, None)
                while len(self._windows) >= CALLERS:
                    del self._windows[next(iter(self._windows))]
                number, gone = divmod(time.time(), seconds)
                window = self._windows[key] = _Window(int(number), time.monotonic() + seconds - gone)
            known, window.own = window.told + window.own, window.own + 1
            if self._tally is None or window.own < self._share or known > self._enough:
                return known + 1, window.until
            news, window.own = window.own, 0
            window.told += news
        told = self._tally(key, window.number, news)
        with self._lock:
            window.told = max(window.told, told)
            return window.told + window.own, window.until


class Allowance:
    """So many requests for each caller in a fixed window of time, such as "6000/minute"; answers say what is left.

    The headers are those of draft-ietf-httpapi-ratelimit-headers-10: `RateLimit-Policy` with quota (q) and window (w),
    `RateLimit` with what remains (r) and the seconds until it is given anew (t).
    """

    def __init__(self, rate: str, tally: Tally | None = None) -> None:
        """tally: shared with the other processes of the service. Raises ValueError when the rate cannot be read."""
        said = RATE.fullmatch(rate)
        if said is None:
            raise ValueError(f"the rate {rate!r}: <number>/<second|minute|hour|day> expected")
        self._rate, self._most, self._seconds = rate, int(said[1]), SECONDS[said[2]]
        self._windows = Windows(tally, max(1, self._most // TELLINGS), self._most)
        self._policy = f'"caller";q={self._most};w={self._seconds}'

    def spend(self, request: EdgeRequest) -> None:
        """Count a request. Raises TooManyRequests, with the seconds until the window ends."""
        if request.path in UNLIMITED:
            return
        spent, ends = self._windows.count(rate_key(request), self._seconds)
        wait = max(1, math.ceil(ends - time.monotonic()))
        request.edge.allowance = {
            "RateLimit-Policy": self._policy,
            "RateLimit": f'"caller";r={max(0, self._most - spent)};t={wait}',
        }
        if spent > self._most:
            raise TooManyRequests(f"More than {self._rate} from one caller.", retry_after=wait)


def rate_key(request: EdgeRequest) -> str:
    """Return whose allowance a request counts against: the actor of a good token, else the address it came from."""
    try:
        who = caller_or_none()
    except Refusal:
        who = None
    return f"a:{who.tournament}:{who.actor}" if who else f"r:{caller_network(request.remote_addr or '')}"
