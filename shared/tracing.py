"""What brought something about: the id of a request, and the trace (W3C Trace Context) that it is part of.

A request brings both, or gets new ones. They go on with every question to a peer (`headers`), and with the events that
the request appends: the outbox keeps them until the relay has them, messages carry them as headers, and whoever copies
the events names them. They are a help for reading logs and nothing else. No hash holds them, and they may be lost.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

from msgspec import Struct

from shared import logs

REQUEST_ID, TRACEPARENT = "X-Request-Id", "traceparent"

_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}", re.ASCII)
# A later version may have more members behind these four; version 00 has none, and ff is none.
_TRACEPARENT = re.compile(
    r"(?!ff)(?:00|((?!00)[0-9a-f]{2}))-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})(?(1)(?:-[!-~]{0,200})?)",
    re.ASCII,
)
_SAMPLED = 1


class Cause(Struct, frozen=True):
    """A request. trace_id: 32 hex digits. sampled: whether whoever began the trace records it."""

    request_id: str
    trace_id: str
    sampled: bool = False

    def headers(self) -> dict[str, str]:
        """The headers of a question, or of a message, that follows from this request."""
        return {
            REQUEST_ID: self.request_id,
            TRACEPARENT: f"00-{self.trace_id}-{secrets.token_hex(8)}-{'01' if self.sampled else '00'}",
        }


_cause: ContextVar[Cause | None] = ContextVar("muster_cause", default=None)


def cause_of_request(request_id: object, traceparent: object) -> Cause:
    """The request that these headers name. Whatever of them is missing or malformed is made anew."""
    trace_id, sampled = _trace(traceparent) or (secrets.token_hex(16), False)
    return Cause(_id(request_id) or secrets.token_hex(8), trace_id, sampled)


def cause_of_message(outgoing_headers: Mapping[str, object]) -> Cause | None:
    """The request that the headers of a message name; None where they name none in a form that may be written."""
    request_id, trace = _id(outgoing_headers.get(REQUEST_ID)), _trace(outgoing_headers.get(TRACEPARENT))
    return Cause(request_id, *trace) if request_id and trace else None


def start(cause: Cause) -> None:
    """Start a unit of work for a request: lines of the log name it from here on."""
    _cause.set(cause)
    logs.start_context(request_id=cause.request_id, trace_id=cause.trace_id)


def clear() -> None:
    """The request is over: what its thread does next has nothing to do with it."""
    _cause.set(None)


@contextmanager
def caused_by(cause: Cause | None) -> Iterator[None]:
    """What happens in the block follows from a request of somewhere else, or from none."""
    before = _cause.set(cause)
    with logs.use_context(**({"request_id": cause.request_id, "trace_id": cause.trace_id} if cause else {})):
        try:
            yield
        finally:
            _cause.reset(before)


def outgoing_headers() -> dict[str, str]:
    """What a question to a peer carries: the request at hand, or a new one where nobody asked for it."""
    return (_cause.get() or cause_of_request(None, None)).headers()


def serialize() -> str:
    """The request at hand as one text, for the outbox; empty where there is none."""
    cause = _cause.get()
    return "" if cause is None else f"{cause.request_id} {cause.headers()[TRACEPARENT]}"


def deserialize(text: str) -> Cause | None:
    """What `written` wrote; None for anything else."""
    request_id, _, traceparent = text.partition(" ")
    return cause_of_message({REQUEST_ID: request_id, TRACEPARENT: traceparent})


def _id(given: object) -> str:
    return given if isinstance(given, str) and _REQUEST_ID.fullmatch(given) else ""


def _trace(given: object) -> tuple[str, bool] | None:
    if not isinstance(given, str) or (found := _TRACEPARENT.fullmatch(given)) is None:
        return None
    return found[2], bool(int(found[3], 16) & _SAMPLED)
