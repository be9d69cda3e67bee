"""How long to wait before trying again, and which database errors are worth another try."""

from __future__ import annotations

import threading
import time

from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as NoConnectionFree

DATABASE_AWAY = (OperationalError, InterfaceError, NoConnectionFree)
"""The database restarts, is locked, is full, or has no connection left; it may be well again in a moment."""


class Backoff:
    """Waits that double from `first` to `longest` seconds, and begin anew after a success."""

    def __init__(self, first: float = 0.2, longest: float = 5.0) -> None:
        self._first = first
        self._longest = longest
        self._next = first

    def more(self) -> float:
        """Seconds to wait now; the next wait is twice as long."""
        seconds, self._next = self._next, min(self._longest, self._next * 2)
        return seconds

    def reset(self) -> None:
        """It worked."""
        self._next = self._first


class Allowance:
    """So many a minute, and no more of them at once; may be used from several threads."""

    def __init__(self, a_minute: int) -> None:
        self._most = float(a_minute)
        self._left = self._most
        self._at = time.monotonic()
        self._lock = threading.Lock()

    def take(self) -> bool:
        """Whether there is one left; it is taken then."""
        with self._lock:
            now = time.monotonic()
            self._left = min(self._most, self._left + (now - self._at) * self._most / 60)
            self._at = now
            if self._left < 1:
                return False
            self._left -= 1
            return True
