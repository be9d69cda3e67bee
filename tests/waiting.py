"""Wait for a condition in a test, with one limit that a slow machine never reaches.

    until(lambda: service.is_ready())
    line = until(find_line, "the subscriber prints a line")

MUSTER_PATIENCE=3 multiplies the limit, for a machine that is slower or busier than usual.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import TypeVar

import pytest

PATIENCE = 120.0 * float(os.environ.get("MUSTER_PATIENCE", "1"))
"""Seconds until a wait fails; far longer than anything takes, so that only what never happens fails a test."""
PAUSE = 0.02
LONGEST_PAUSE = 0.25
"""Seconds between two attempts: they begin with PAUSE and grow, since an attempt takes the processor from what it
waits for."""

T = TypeVar("T")


def until(holds: Callable[[], T], what: str | Callable[[], object] = "", *, pause: float = PAUSE) -> T:
    """Return the first true value of `holds`; fail the test with `what` when there is none within PATIENCE.

    what: a text, or a function that describes the state at the end. The failing call is shown as well.
    pause: seconds before the second attempt; later ones follow at up to LONGEST_PAUSE.
    """
    __tracebackhide__ = True
    deadline = time.monotonic() + PATIENCE
    while not (value := holds()):
        if time.monotonic() > deadline:
            described = what() if callable(what) else what
            pytest.fail(f"not within {PATIENCE:g} s: {described or 'the condition of this line'} (last: {value!r})")
        time.sleep(pause)
        pause = max(pause, min(pause * 1.5, LONGEST_PAUSE))
    return value


def remains(holds: Callable[[], object], what: str = "", seconds: float = 0.3) -> None:
    """Fail the test when a condition stops holding within some seconds.

    This passes on any machine on which nothing happens; it finds a fault only where the machine is fast enough to show
    it in time. Wait for an event with `until` wherever there is one to wait for.
    """
    __tracebackhide__ = True
    deadline = time.monotonic() + seconds
    while True:
        if not (value := holds()):
            pytest.fail(f"changed within {seconds:g} s: {what or 'the condition of this line'} (last: {value!r})")
        if time.monotonic() > deadline:
            return
        time.sleep(PAUSE)
