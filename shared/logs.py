"""Structured logs, the same in web processes and workers: one line an occurrence, JSON or for a console.

`begin` and `bind` keep facts for the unit of work at hand (a request, a message); every line written meanwhile
carries them. Tokens are blanked wherever they appear, and members that may hold personal data are dropped.

A database or a disk that is full or away is one line without a traceback: the fault is not in our code, and a traceback
of fifty lines for each request would hide everything else.

Of what a stranger can cause as often as they like a RationedLogger writes so many lines a minute, and then one that
says how many were left out: thirty thousand messages that are no events are worth a few lines.
"""

from __future__ import annotations

import errno
import json
import logging
import re
import sys
import threading
import time
from collections.abc import Iterator, Mapping, MutableMapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from io import StringIO
from typing import Any, TextIO, cast

import orjson

# structlog draws tracebacks with rich wherever that is installed. We write our own, and importing rich takes a tenth of
# the time in which a service starts; the command line, which needs it, imports it after this.
_rich = sys.modules.get("rich")
sys.modules["rich"] = None  # type: ignore[assignment]
try:
    import structlog
    from structlog.typing import EventDict, Processor, WrappedLogger
finally:
    del sys.modules["rich"]
    if _rich is not None:
        sys.modules["rich"] = _rich

SECRET = frozenset({"token", "authorization", "secret", "password", "body"})
PRIVATE = frozenset({"contact", "email", "phone", "legal_name", "needs", "table_reason", "note", "notes"})
DENIED = SECRET | PRIVATE
"""Members that are never written."""

_TOKEN = re.compile(r"eyJ[\w-]*\.[\w-]*\.[\w-]*")
_facts: ContextVar[dict[str, object]] = ContextVar("muster_log_facts")

MINUTE = 60.0
LINES = 20
TRACEBACKS = 5
"""Of each kind, a minute."""
SQLITE_OUTAGES = ("SQLITE_FULL", "SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_IOERR", "SQLITE_CANTOPEN", "SQLITE_READONLY")
"""Beginnings of the names of SQLite's errors; its other operational errors are mistakes in a statement."""
OUTAGES = frozenset({"psycopg.OperationalError", "sqlalchemy.TimeoutError"})
"""Of PostgreSQL: it is away, full, or ended the session; of the pool: every connection is in use."""
DISK_OUTAGES = (errno.ENOSPC, errno.EDQUOT, errno.EROFS)
LONGEST = 300
"""Characters that are repeated of what a database said."""
_lock = threading.Lock()


get_logger = structlog.get_logger


def start_context(**facts: object) -> None:
    """Start a unit of work with these facts; those of the one before are forgotten."""
    _facts.set(facts)


def bind(**facts: object) -> None:
    """Add facts to the unit of work at hand. `events=[...]` adds ids of appended events to those already there."""
    known = _facts.get(None)
    if known is None:
        known = {}
        _facts.set(known)
    events = facts.get("events")
    if events and isinstance(earlier := known.get("events"), list) and isinstance(events, list | tuple):
        facts["events"] = [*earlier, *events]
    known.update(facts)


@contextmanager
def use_context(**facts: object) -> Iterator[None]:
    """Have the lines of a block carry these facts and no others."""
    before = _facts.set(facts)
    try:
        yield
    finally:
        _facts.reset(before)


def current_context() -> Mapping[str, object]:
    """Return the facts of the unit of work at hand."""
    return _facts.get({})


def configure(service: str, *, form: str = "json", level: str = "info", stream: TextIO | None = None) -> None:
    """Set up logging for this process; libraries that use `logging` come out the same way.

    form: `json` or `console`.
    level: debug, info, warning, error. stream: standard output unless given.
    Raises ValueError for another form or level.
    """
    number = logging.getLevelNamesMapping().get(level.upper())
    if form not in ("json", "console") or number is None:
        raise ValueError(f"log form {form!r}, level {level!r}: json or console, and debug to error expected")
    out = stream or sys.stdout
    common: list[Processor] = [
        _with(service),
        structlog.processors.add_log_level,
        shorten_outages,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    last: list[Processor] = [structlog.processors.format_exc_info, redact, structlog.processors.JSONRenderer(_json)]
    if form != "json":
        last = [redact, structlog.dev.ConsoleRenderer(colors=out.isatty(), exception_formatter=_traceback)]
    structlog.configure(
        processors=[*common, *last],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.WriteLoggerFactory(cast(TextIO, _Unfailing(out))),
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(out)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[*common, structlog.stdlib.add_logger_name],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *last],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(max(number, logging.WARNING) if number > logging.DEBUG else number)


class _Unfailing:
    """Where lines go. One that cannot be written (nobody reads any more, the disk is full) is lost, and nothing else:
    what it tells of has happened, and whoever asked for it is answered as ever."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        with suppress(OSError):
            try:
                return self._stream.write(text)
            except UnicodeError:  # half a character of a stranger's, or a terminal that knows ASCII alone
                return self._stream.write(text.encode("ascii", "backslashreplace").decode())
        return 0

    def flush(self) -> None:
        with suppress(OSError):
            self._stream.flush()


def outage_text(error: BaseException) -> str:
    """Return one line about a database or a disk that is full or away; empty for every other error.

    Errors of the drivers are recognised by name, so that a process without PostgreSQL does not import its driver.
    """
    cause = getattr(error, "orig", None) or error
    if isinstance(cause, OSError):
        known = cause.errno in DISK_OUTAGES
    elif (name := getattr(cause, "sqlite_errorname", None)) is not None:
        known = name.startswith(SQLITE_OUTAGES)
    else:
        names = {f"{kind.__module__.partition('.')[0]}.{kind.__name__}" for kind in type(cause).__mro__}
        known = bool(names & OUTAGES)
    return f"{type(cause).__name__}: {' '.join(str(cause).split())[:LONGEST]}" if known else ""


def shorten_outages(_: WrappedLogger, __: str, line: EventDict) -> EventDict:
    """Replace the traceback of an outage by one line."""
    given = line.get("exc_info")
    error = sys.exc_info()[1] if given is True else given[1] if isinstance(given, tuple) else given
    if isinstance(error, BaseException) and (said := outage_text(error)):
        del line["exc_info"]
        line.setdefault("error", said)
    return line


def redact(_: WrappedLogger, __: str, line: EventDict) -> EventDict:
    """Drop members that are never written, and blank whatever looks like a token."""
    for name in DENIED & line.keys():
        del line[name]
    for name, value in line.items():
        if isinstance(value, str) and "eyJ" in value:
            line[name] = _TOKEN.sub("<token>", value)
    return line


def _traceback(out: TextIO, failure: Any) -> None:
    text = StringIO()
    structlog.dev.plain_traceback(text, failure)
    out.write(_TOKEN.sub("<token>", text.getvalue()))


def _with(service: str) -> Processor:
    def add(_: WrappedLogger, __: str, line: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
        return {"service": service, **current_context(), **line}

    return add


def _json(line: object, **_: object) -> str:
    try:
        return orjson.dumps(line, default=str).decode()
    except TypeError:  # half a character, a number beyond 64 bits: orjson writes neither, and the line is needed
        return json.dumps(line, default=str, skipkeys=True)


@dataclass(slots=True)
class _Minute:
    began: float
    method: str
    lines: int = 0
    left_out: int = 0


_kinds: dict[tuple[str, str], _Minute] = {}


class RateLimitedLogger:
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
        report_suppressed()
        with _lock:
            minute = _kinds.setdefault((self._name, event), _Minute(time.monotonic(), method))
            if minute.lines >= most:
                minute.left_out += 1
                return
            minute.lines += 1
        getattr(structlog.get_logger(self._name), method)(event, **facts)


def report_suppressed() -> None:
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
