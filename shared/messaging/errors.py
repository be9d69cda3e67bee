"""Errors between an outbox and somebody else's copy: which there are, how long to wait, and when to give up.

A deadline is for a whole exchange: a peer that sends a byte every few seconds satisfies a timeout for reads for as long
as it likes, in its headers too.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import local

from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as NoConnectionFree


class MessagingError(Exception):
    """The base of what messaging raises."""


class BrokerUnavailable(MessagingError):
    """The broker cannot be reached, closed the connection, or refuses a declaration; trying again may help."""


class NotConfirmed(MessagingError):
    """The broker took a batch and did not confirm all of it in time; publish it again."""


class QueueRejected(MessagingError):
    """The broker took a batch and says that a queue did not take all of it, mostly because somebody's is full."""


class QueueUnresponsive(NotConfirmed):
    """The broker is well, and a queue that the batch goes to says neither yes nor no, as one without a leader does.

    RabbitMQ lets nothing pass such a queue, so the batch has to wait until somebody repairs or deletes it.
    """


class OwnerUnavailable(MessagingError):
    """The owner of a log cannot be reached, or answers with something else than its log; trying again may help."""


class InvalidOwnerAnswer(OwnerUnavailable):
    """The owner of a log answers, and what it says cannot be its log; somebody has to look."""


class LogUnknown(OwnerUnavailable):
    """The owner answers that it has no such log."""


DATABASE_UNAVAILABLE = (OperationalError, InterfaceError, NoConnectionFree)
"""The database restarts, is locked, is full, or has no connection left; it may be well again in a moment."""


class Backoff:
    """Waits that double from `first` to `longest` seconds, and begin anew after a success."""

    def __init__(self, first: float = 0.2, longest: float = 5.0) -> None:
        self._first = first
        self._longest = longest
        self._next = first

    def next_delay(self) -> float:
        """Seconds to wait now; the next wait is twice as long."""
        seconds, self._next = self._next, min(self._longest, self._next * 2)
        return seconds

    def reset(self) -> None:
        """It worked."""
        self._next = self._first


class RateLimiter:
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


_this_thread = local()


class DeadlineExceeded(Exception):
    """The exchange took too long."""


@contextmanager
def within_deadline(seconds: float) -> Iterator[None]:
    """What this thread reads and writes on a HurriedTransport in the block ends after so many seconds.

    A block inside of another one ends with it at the latest.
    """
    outer: float | None = getattr(_this_thread, "until", None)
    until = time.monotonic() + seconds
    _this_thread.until = until if outer is None else min(outer, until)
    try:
        yield
    finally:
        _this_thread.until = outer


def seconds_left(timeout: float | None) -> float | None:
    """The seconds that a read or a write of this thread may take, of those that it would take. Raises Overdue."""
    until: float | None = getattr(_this_thread, "until", None)
    if until is None:
        return timeout
    rest = until - time.monotonic()
    if rest <= 0:
        raise DeadlineExceeded("the exchange took too long")
    return rest if timeout is None else min(timeout, rest)
