"""Exceptions of messaging, backoff, rate limits and deadlines.

A deadline covers a whole exchange. A read timeout is not enough: a peer that sends a byte every few seconds, in headers
or body, never exceeds it.
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
    """Base class of the messaging exceptions."""


class BrokerUnavailable(MessagingError):
    """The broker is unreachable, closed the connection, or refused a declaration; a retry may help."""


class NotConfirmed(MessagingError):
    """The broker did not confirm the whole batch in time; publish it again."""


class QueueRejected(MessagingError):
    """A queue rejected messages of the batch, usually because it is full."""


class QueueUnresponsive(NotConfirmed):
    """The broker works, but a queue neither confirms nor rejects, as a quorum queue without a leader.

    RabbitMQ delivers nothing past such a queue, so the batch has to wait until the queue is repaired or deleted.
    """


class OwnerUnavailable(MessagingError):
    """The owner of a log is unreachable or did not answer with its log; a retry may help."""


class InvalidOwnerAnswer(OwnerUnavailable):
    """The owner of a log answered with something that cannot be its log; an operator has to look."""


class LogUnknown(OwnerUnavailable):
    """The owner has no such log."""


DATABASE_UNAVAILABLE = (OperationalError, InterfaceError, NoConnectionFree)
"""Exceptions of a database that restarts, is locked or full, or has no free connection; a retry may help."""


class Backoff:
    """Exponential backoff: delays double from `first` to `longest` seconds and restart after a success."""

    def __init__(self, first: float = 0.2, longest: float = 5.0) -> None:
        self._first = first
        self._longest = longest
        self._next = first

    def next_delay(self) -> float:
        """Return the current delay in seconds and double the next one."""
        seconds, self._next = self._next, min(self._longest, self._next * 2)
        return seconds

    def reset(self) -> None:
        """Restart with the first delay."""
        self._next = self._first


class RateLimiter:
    """A token bucket: `per_minute` tokens a minute, and at most as many at once. Thread-safe."""

    def __init__(self, per_minute: int) -> None:
        self._capacity = float(per_minute)
        self._tokens = self._capacity
        self._updated = time.monotonic()
        self._lock = threading.Lock()

    def take(self) -> bool:
        """Take a token. Return False if there is none."""
        with self._lock:
            now = time.monotonic()
            self._tokens = min(self._capacity, self._tokens + (now - self._updated) * self._capacity / 60)
            self._updated = now
            if self._tokens < 1:
                return False
            self._tokens -= 1
            return True


_this_thread = local()


class DeadlineExceeded(Exception):
    """An exchange exceeded its deadline."""


@contextmanager
def within_deadline(seconds: float) -> Iterator[None]:
    """Limit the reads and writes of this thread on a DeadlineTransport in the block to so many seconds in total.

    A nested block does not extend the deadline of the outer one.
    """
    outer: float | None = getattr(_this_thread, "until", None)
    until = time.monotonic() + seconds
    _this_thread.until = until if outer is None else min(outer, until)
    try:
        yield
    finally:
        _this_thread.until = outer


def seconds_left(timeout: float | None) -> float | None:
    """Return the timeout of the next read or write: `timeout`, shortened by the deadline. Raises DeadlineExceeded."""
    until: float | None = getattr(_this_thread, "until", None)
    if until is None:
        return timeout
    remaining = until - time.monotonic()
    if remaining <= 0:
        raise DeadlineExceeded("the exchange took too long")
    return remaining if timeout is None else min(timeout, remaining)
