"""Structured logs of web processes and workers: one line for each occurrence, as JSON or for a console.

`start_context` and `bind` set facts of the current unit of work (a request, a message), which are added to all its
lines. Tokens are masked wherever they appear, and members that may hold personal data are dropped.

A database or disk that is full or unavailable is logged in one line without a traceback: the fault is not in the code,
and fifty lines for each request would hide everything else.

Lines that untrusted clients can cause at will are written by a RateLimitedLogger: a few lines a minute, and then the
number of suppressed ones.
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

# structlog imports rich if it is installed, to format tracebacks. This module formats them itself, and importing rich
# would take a tenth of a service's start-up time. The command line, which needs rich, imports it later.
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
"""Members that are never logged."""

_TOKEN = re.compile(r"eyJ[\w-]*\.[\w-]*\.[\w-]*")
_facts: ContextVar[dict[str, object]] = ContextVar("muster_log_facts")

MINUTE = 60.0
LINES = 20
TRACEBACKS = 5
"""Maximum lines and tracebacks per minute of one kind."""
SQLITE_OUTAGES = ("SQLITE_FULL", "SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_IOERR", "SQLITE_CANTOPEN", "SQLITE_READONLY")
"""Prefixes of the names of SQLite errors that are outages; other operational errors are mistakes in a statement."""
OUTAGES = frozenset({"psycopg.OperationalError", "sqlalchemy.TimeoutError"})
"""Errors of PostgreSQL (unavailable, full, ended the session) and of the pool (all connections in use)."""
DISK_OUTAGES = (errno.ENOSPC, errno.EDQUOT, errno.EROFS)
LONGEST = 300
"""Maximum characters of a database's message."""
_lock = threading.Lock()


get_logger = structlog.get_logger


def start_context(**facts: object) -> None:
    """Start a unit of work with these facts, and discard those of the previous one."""
    _facts.set(facts)


def bind(**facts: object) -> None:
    """Add facts to the current unit of work. `events=[...]` extends the list of appended events."""
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
    """Replace the facts of the current unit of work during the block."""
    before = _facts.set(facts)
    try:
        yield
    finally:
        _facts.reset(before)


def current_context() -> Mapping[str, object]:
    """Return the facts of the current unit of work."""
    return _facts.get({})


def configure(service: str, *, form: str = "json", level: str = "info", stream: TextIO | None = None) -> None:
    """Set up logging for this process, including libraries that use `logging`.

    form: `json` or `console`. level: `debug`, `info`, `warning` or `error`. stream: standard output by default.
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
    """A stream without write errors: a closed pipe or a full disk loses a line, but must not fail a request."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        with suppress(OSError):
            try:
                return self._stream.write(text)
            except UnicodeError:  # a lone surrogate in untrusted text, or a terminal with ASCII only
                return self._stream.write(text.encode("ascii", "backslashreplace").decode())
        return 0

    def flush(self) -> None:
        with suppress(OSError):
            self._stream.flush()


def outage_text(error: BaseException) -> str:
    """Return one line about a database or disk that is full or unavailable; empty for every other error.

    Driver errors are recognised by name, so that a process without PostgreSQL need not import its driver.
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
    exc_info = line.get("exc_info")
    error = sys.exc_info()[1] if exc_info is True else exc_info[1] if isinstance(exc_info, tuple) else exc_info
    if isinstance(error, BaseException) and (text := outage_text(error)):
        del line["exc_info"]
        line.setdefault("error", text)
    return line


def redact(_: WrappedLogger, __: str, line: EventDict) -> EventDict:
    """Drop members that are never logged, and mask tokens."""
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
    except TypeError:  # a lone surrogate or an integer above 64 bits, which orjson cannot write
        return json.dumps(line, default=str, skipkeys=True)


@dataclass(slots=True)
class _Minute:
    began: float
    method: str
    lines: int = 0
    left_out: int = 0


_kinds: dict[tuple[str, str], _Minute] = {}


class RateLimitedLogger:
    """A structlog logger that limits the lines of each event per minute; events must be constant texts."""

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
    """Log the number of suppressed lines of each kind in past minutes; call this regularly."""
    now, past = time.monotonic(), []
    with _lock:
        for kind, minute in list(_kinds.items()):
            if now - minute.began > MINUTE:
                past.append((*kind, minute))
                del _kinds[kind]
    for name, event, minute in past:
        if minute.left_out:
            method = "error" if minute.method == "exception" else minute.method
            logger = structlog.get_logger(name)
            getattr(logger, method)("lines of one kind were left out", kind=event, number=minute.left_out)
