"""So many lines of one kind a minute, and then a line that says how many were left out.

For what a stranger can cause as often as they like: thirty thousand messages that are no events are worth a few lines.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass

import structlog

MINUTE = 60.0
LINES = 20
TRACEBACKS = 5
"""Of each kind, a minute."""


@dataclass(slots=True)
class _Minute:
    began: float
    method: str
    lines: int = 0
    left_out: int = 0


_lock = threading.Lock()
_kinds: dict[tuple[str, str], _Minute] = {}


class RationedLogger:
    """A logger of structlog whose lines are counted by their event, which has to be a text of our own."""

    def __init__(self, name: str) -> None:
        self._name = name

    def info(self, event: str, **facts: object) -> None:
        self._write("info", event, LINES, facts)

    def warning(self, event: str, **facts: object) -> None:
        self._write("warning", event, LINES, facts)

    def error(self, event: str, **facts: object) -> None:
        self._write("error", event, TRACEBACKS if "exc_info" in facts else LINES, facts)

    def exception(self, event: str, **facts: object) -> None:
        self._write("exception", event, TRACEBACKS, facts)

    def _write(self, method: str, event: str, most: int, facts: dict[str, object]) -> None:
        tell_left_out()
        with _lock:
            minute = _kinds.setdefault((self._name, event), _Minute(time.monotonic(), method))
            if minute.lines >= most:
                minute.left_out += 1
                return
            minute.lines += 1
        getattr(structlog.get_logger(self._name), method)(event, **facts)


def tell_left_out() -> None:
    """Write how many lines of each kind were left out in the minutes that are over; call it now and then."""
    now, over = time.monotonic(), []
    with _lock:
        for kind, minute in list(_kinds.items()):
            if now - minute.began > MINUTE:
                over.append((*kind, minute))
                del _kinds[kind]
    for name, event, minute in over:
        if minute.left_out:
            method = "error" if minute.method == "exception" else minute.method
            logger = structlog.get_logger(name)
            getattr(logger, method)("lines of one kind were left out", kind=event, number=minute.left_out)
