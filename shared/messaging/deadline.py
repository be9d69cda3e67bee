"""A deadline for whole exchanges with a peer, not only for each of their reads.

A peer that sends a byte every few seconds satisfies a timeout for reads for as long as it likes, in its headers too.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import local

_this_thread = local()


class Overdue(Exception):
    """The exchange took too long."""


@contextmanager
def within(seconds: float) -> Iterator[None]:
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


def left(timeout: float | None) -> float | None:
    """The seconds that a read or a write of this thread may take, of those that it would take. Raises Overdue."""
    until: float | None = getattr(_this_thread, "until", None)
    if until is None:
        return timeout
    rest = until - time.monotonic()
    if rest <= 0:
        raise Overdue("the exchange took too long")
    return rest if timeout is None else min(timeout, rest)
