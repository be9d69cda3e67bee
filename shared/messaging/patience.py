"""How long to wait before trying again, and which database errors are worth another try."""

from __future__ import annotations

from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as NoConnectionFree

DATABASE_AWAY = (OperationalError, InterfaceError, NoConnectionFree)
"""The database restarts, is locked, is full, or has no connection left; it may be well again in a moment."""


class Patience:
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
