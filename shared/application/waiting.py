"""How many requests of a process may wait for what other services have to say; the others are told to come again.

A request that waits holds a thread. So some threads are always left for those that need not wait, and callers without
a token cannot take all the places from those who have one.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from shared.web.refusals import NotYetSeen

RETRY_AFTER = 1
"""Seconds after which somebody who found no place may try again."""


class Waiting:
    """The places of a process. threads: that answer requests in it."""

    def __init__(self, threads: int) -> None:
        self._places = max(1, threads - max(1, threads // 4))
        self._for_guests = max(1, self._places // 2)
        self._guests = 0
        self._taken = 0
        self._lock = threading.Lock()

    @contextmanager
    def place(self, *, guest: bool) -> Iterator[None]:
        """A place for as long as the block lasts. guest: without a token. Raises NotYetSeen where there is none."""
        with self._lock:
            if self._taken >= self._places or (guest and self._guests >= self._for_guests):
                detail = "Not yet read as far as you ask, and too many wait for that already."
                raise NotYetSeen(detail, retry_after=RETRY_AFTER)
            self._taken += 1
            self._guests += guest
        try:
            yield
        finally:
            with self._lock:
                self._taken -= 1
                self._guests -= guest
