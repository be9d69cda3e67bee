"""A generous allowance for each caller, so that one mistaken script does not take the evening from everybody.

Counted in memory, in each process by itself: with n workers a caller has up to n allowances. The counting is that
of `limits`, the engine of flask-limiter; used without its Flask layer, which costs 60 µs a request against 3.
"""

from __future__ import annotations

import math
import time

from limits import parse
from limits.storage import MemoryStorage
from limits.strategies import FixedWindowRateLimiter

from shared.http.access import rate_key
from shared.http.current import EdgeRequest
from shared.http.refusals import TooManyRequests

UNLIMITED = frozenset({"/healthz", "/readyz", "/metrics"})


class Allowance:
    """So many requests for each caller in a fixed window of time, such as "6000/minute"."""

    def __init__(self, rate: str) -> None:
        """Raises ValueError when the rate cannot be read."""
        self._item = parse(rate)
        self._counter = FixedWindowRateLimiter(MemoryStorage())

    def spend(self, request: EdgeRequest) -> None:
        """Count a request. Raises TooManyRequests, with the seconds until the window ends."""
        if request.path in UNLIMITED:
            return
        key = rate_key(request)
        if not self._counter.hit(self._item, key):
            ends = self._counter.get_window_stats(self._item, key).reset_time
            wait = max(1, math.ceil(ends - time.time()))
            raise TooManyRequests(f"More than {self._item} from one caller.", retry_after=wait)
