"""The pulse of a worker: how each of its parts is, written into the service's database every few seconds.

The web side reads it there for /readyz, wherever the worker runs.
"""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Protocol
from uuid import uuid4

import msgspec
from sqlalchemy.exc import SQLAlchemyError

from shared.eventlog.database import Database
from shared.eventlog.parts import PartSaid, leave, say_parts
from shared.messaging.log_ration import RationedLogger, tell_left_out

PULSE_SECONDS = 10.0
"""So seldom that an idle laptop's disk may sleep in between."""
GOODBYE_SECONDS = 2.0

_log = RationedLogger("muster.messaging")


class Down(msgspec.Struct, frozen=True):
    """A part that died and has not settled since. due: when it is or was started again, seconds since the epoch."""

    deaths: int
    due: float
    why: str


class Beating(Protocol):
    """A part that leaves signs of life. beat: time.monotonic() of the last one."""

    name: str
    beat: float


@contextmanager
def pulse(
    database: Database, parts: Sequence[Beating], down: Mapping[str, Down], changed: threading.Event
) -> Iterator[None]:
    """Write down how the parts are for the block: every few seconds, and at once when `changed` is set."""
    holder = f"{socket.gethostname()}:{os.getpid()}:{uuid4().hex[:8]}"[:200]
    ended = threading.Event()

    def beat() -> None:
        while not ended.is_set():
            changed.clear()
            try:
                with database.writing() as connection:
                    say_parts(connection, [_said(part, holder, down.get(part.name)) for part in parts])
            except SQLAlchemyError as error:  # it is away, or has no such table yet
                _log.warning("cannot write down how the parts are", error=str(error))
            except Exception:
                _log.exception("cannot write down how the parts are")
            tell_left_out()
            changed.wait(PULSE_SECONDS)

    thread = threading.Thread(target=beat, name="pulse", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        changed.set()
        thread.join(GOODBYE_SECONDS)
        if not thread.is_alive():
            _say_goodbye(database, holder)


def _said(part: Beating, holder: str, down: Down | None) -> PartSaid:
    now = time.time()
    trouble = str(getattr(part, "trouble", ""))
    if down is None:
        return PartSaid(part.name, holder, int((now - (time.monotonic() - part.beat)) * 1000), trouble=trouble)
    due = int(down.due * 1000) if down.due > now else 0
    return PartSaid(part.name, holder, int(now * 1000), down.deaths, due, down.why)


def _say_goodbye(database: Database, holder: str) -> None:
    try:
        with database.writing() as connection:
            leave(connection, holder)
    except SQLAlchemyError as error:  # it is away, or has no such table yet
        _log.warning("cannot write down that the worker stops", error=str(error))
