"""Waiting for something new in the feed: for a while, and in few places.

A request that waits holds a thread. So a process has a few places for that, half of them for callers without a token,
and whoever finds none is answered at once. However many wait, one of them looks.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from services.scoring.feed.places import Place

POLL = 0.1
"""Seconds between two looks at the logs."""


class FeedWaiting:
    """The places of a process. look: gives places in the feed and says where it ends; threads: that answer requests."""

    def __init__(self, look: Callable[[], Place], threads: int) -> None:
        self._look = look
        self._places = threads // 2
        self._for_guests = (self._places + 1) // 2
        self._taken = self._guests = 0
        self._lock = threading.Lock()
        self._looks = threading.Lock()
        self._end = 0

    @contextmanager
    def place(self, *, guest: bool) -> Iterator[bool]:
        """A place for as long as the block lasts; False where there is none. guest: without a token."""
        with self._lock:
            found = self._taken < self._places and not (guest and self._guests >= self._for_guests)
            self._taken += found
            self._guests += found and guest
        try:
            yield found
        finally:
            with self._lock:
                self._taken -= found
                self._guests -= found and guest

    def until_beyond(self, feed: int, deadline: float) -> None:
        """Wait until the feed goes beyond a position, until `deadline` (time.monotonic) at most."""
        while True:
            if self._looks.acquire(blocking=False):
                try:
                    self._end = self._look().feed
                finally:
                    self._looks.release()
            left = deadline - time.monotonic()
            if self._end > feed or left <= 0:
                return
            time.sleep(min(POLL, left))
