"""A generous allowance for each caller, so that one mistaken script does not take the evening from everybody.

Counted in memory, in each process by itself: with n workers a caller has up to n allowances. The rates and windows are
those of `limits`, the engine of flask-limiter; used without its Flask layer, which costs 60 µs a request against 3.
"""

from __future__ import annotations

import math
import time
from threading import Lock

from limits import parse
from limits.storage import Storage
from limits.strategies import FixedWindowRateLimiter

from shared.http.access import rate_key
from shared.http.current import EdgeRequest
from shared.http.refusals import TooManyRequests

UNLIMITED = frozenset({"/healthz", "/readyz", "/metrics"})


CALLERS = 10_000
"""Windows held before those that have ended are thrown away."""


class Windows(Storage):
    """Counts in memory. That of the library starts a thread for nearly every request to forget what has ended."""

    STORAGE_SCHEME = None

    def __init__(self) -> None:
        super().__init__()
        self._lock = Lock()
        self._windows: dict[str, tuple[int, float]] = {}

    @property
    def base_exceptions(self) -> tuple[type[Exception], ...]:
        """None: nothing that is in memory can fail."""
        return ()

    def incr(self, key: str, expiry: float, amount: int = 1) -> int:
        """Count; the first of a window decides when it ends. expiry: seconds."""
        now = time.time()
        with self._lock:
            count, ends = self._windows.get(key, (0, 0.0))
            if ends <= now:
                count, ends = 0, now + expiry
                if len(self._windows) >= CALLERS:
                    self._windows = {key: window for key, window in self._windows.items() if window[1] > now}
            self._windows[key] = (count + amount, ends)
        return count + amount

    def get(self, key: str) -> int:
        """How many were counted in the window that runs."""
        count, ends = self._windows.get(key, (0, 0.0))
        return count if ends > time.time() else 0

    def get_expiry(self, key: str) -> float:
        """When the window ends, in seconds since 1970; now where none runs."""
        return max(self._windows.get(key, (0, 0.0))[1], time.time())

    def check(self) -> bool:
        """Memory is always there."""
        return True

    def reset(self) -> int:
        """Forget every window; returns how many there were."""
        with self._lock:
            many = len(self._windows)
            self._windows = {}
        return many

    def clear(self, key: str) -> None:
        """Forget one window."""
        with self._lock:
            self._windows.pop(key, None)


class Allowance:
    """So many requests for each caller in a fixed window of time, such as "6000/minute"."""

    def __init__(self, rate: str) -> None:
        """Raises ValueError when the rate cannot be read."""
        self._item = parse(rate)
        self._counter = FixedWindowRateLimiter(Windows())

    def spend(self, request: EdgeRequest) -> None:
        """Count a request. Raises TooManyRequests, with the seconds until the window ends."""
        if request.path in UNLIMITED:
            return
        key = rate_key(request)
        if not self._counter.hit(self._item, key):
            ends = self._counter.get_window_stats(self._item, key).reset_time
            wait = max(1, math.ceil(ends - time.time()))
            raise TooManyRequests(f"More than {self._item} from one caller.", retry_after=wait)
