"""Rate limiting: a generous allowance per caller, so that one faulty script cannot block all others.

Each process counts in memory. If a service has several processes, each reports what a caller has spent to a shared
`Tally`, a fiftieth of the allowance at a time. So all processes share one allowance, and most callers never cause a
report.
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
"""Most windows in memory; the oldest one is dropped first."""

REPORTS_PER_ALLOWANCE = 50
"""A process reports to the tally after this fraction of the allowance."""

SECONDS = {"second": 1, "minute": 60, "hour": 3600, "day": 86400}
RATE = re.compile(rf"([1-9][0-9]{{0,8}})/({'|'.join(SECONDS)})")

Tally = Callable[[str, int, int], int]
"""(caller, number of the window, new requests) -> total that all processes have reported for this window."""


@dataclass(slots=True)
class _Window:
    """A window of one caller. number: by the clock. until: its end by `time.monotonic()`, which is never set back.

    reported: requests of all processes, as far as known. unreported: requests of this process not reported yet.
    """

    number: int
    until: float
    reported: int = 0
    unreported: int = 0


class Windows:
    """Request counts in memory, by caller.

    A window starts and ends at the same time in every process. It never lasts longer because the clock is set back.
    tally: None if there is only one process. batch: requests reported at once. limit: the counts of a caller above it
    are not reported any more.
    """

    def __init__(self, tally: Tally | None = None, batch: int = 1, limit: int = 0) -> None:
        self._tally = tally
        self._batch = batch
        self._limit = limit
        self._lock = Lock()
        self._windows: dict[str, _Window] = {}

    def count(self, key: str, seconds: int) -> tuple[int, float]:
        """Count a request. Return the count in the current window, and the end of the window.

        seconds: length of a window. The end is a time of `time.monotonic()`.
        """
        with self._lock:
            window = self._windows.get(key)
            if window is None or window.until <= time.monotonic():
                self._windows.pop(key, None)
                while len(self._windows) >= CALLERS:
                    del self._windows[next(iter(self._windows))]
                number, elapsed = divmod(time.time(), seconds)
                window = self._windows[key] = _Window(int(number), time.monotonic() + seconds - elapsed)
            before = window.reported + window.unreported
            window.unreported += 1
            if self._tally is None or window.unreported < self._batch or before > self._limit:
                return before + 1, window.until
            news, window.unreported = window.unreported, 0
            window.reported += news
        total = self._tally(key, window.number, news)
        with self._lock:
            window.reported = max(window.reported, total)
            return window.reported + window.unreported, window.until


class Allowance:
    """A limit of requests per caller in a fixed window, such as "6000/minute". Answers show the remaining requests.

    The headers follow draft-ietf-httpapi-ratelimit-headers-10: `RateLimit-Policy` with quota (q) and window (w),
    `RateLimit` with the remaining requests (r) and the seconds until the window ends (t).
    """

    def __init__(self, rate: str, tally: Tally | None = None) -> None:
        """tally: shared with the other processes of the service. Raises ValueError for an invalid rate."""
        match = RATE.fullmatch(rate)
        if match is None:
            raise ValueError(f"the rate {rate!r}: <number>/<second|minute|hour|day> expected")
        self._rate, self._limit, self._seconds = rate, int(match[1]), SECONDS[match[2]]
        self._windows = Windows(tally, max(1, self._limit // REPORTS_PER_ALLOWANCE), self._limit)
        self._policy = f'"caller";q={self._limit};w={self._seconds}'

    def spend(self, request: EdgeRequest) -> None:
        """Count a request. Raises TooManyRequests, with the seconds until the window ends."""
        if request.path in UNLIMITED:
            return
        spent, ends = self._windows.count(rate_key(request), self._seconds)
        wait = max(1, math.ceil(ends - time.monotonic()))
        request.edge.allowance = {
            "RateLimit-Policy": self._policy,
            "RateLimit": f'"caller";r={max(0, self._limit - spent)};t={wait}',
        }
        if spent > self._limit:
            raise TooManyRequests(f"More than {self._rate} from one caller.", retry_after=wait)


def rate_key(request: EdgeRequest) -> str:
    """Return the key of the allowance that a request counts against: the token's actor, or the client's network."""
    try:
        caller = caller_or_none()
    except Refusal:
        caller = None
    return f"a:{caller.tournament}:{caller.actor}" if caller else f"r:{caller_network(request.remote_addr or '')}"
