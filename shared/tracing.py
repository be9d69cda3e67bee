"""The cause of events and requests: a request id and the W3C trace that it belongs to.

A request brings both, or gets new ones. They are sent with every request to a peer, and with the events that the
request appends: the outbox keeps them for the relay, messages carry them, and subscribers log them. They only help to
read logs. They are in no hash and may be lost.
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
# Later versions may have more fields after these four; version 00 has exactly four, and ff is invalid.
_TRACEPARENT = re.compile(
    r"(?!ff)(?:00|((?!00)[0-9a-f]{2}))-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})(?(1)(?:-[!-~]{0,200})?)",
    re.ASCII,
)
_SAMPLED = 1


class Cause(Struct, frozen=True):
    """A request. trace_id: 32 hex digits. sampled: True if the originator records the trace."""

    request_id: str
    trace_id: str
    sampled: bool = False

    def headers(self) -> dict[str, str]:
        """Return the headers of a request or message that this request causes."""
        return {
            REQUEST_ID: self.request_id,
            TRACEPARENT: f"00-{self.trace_id}-{secrets.token_hex(8)}-{'01' if self.sampled else '00'}",
        }


_cause: ContextVar[Cause | None] = ContextVar("muster_cause", default=None)


def cause_of_request(request_id: object, traceparent: object) -> Cause:
    """Return the request that these headers name, with new values for missing or malformed ones."""
    trace_id, sampled = _trace(traceparent) or (secrets.token_hex(16), False)
    return Cause(_id(request_id) or secrets.token_hex(8), trace_id, sampled)


def cause_of_message(headers: Mapping[str, object]) -> Cause | None:
    """Return the request that the headers of a message name, or None if they are missing or malformed."""
    request_id, trace = _id(headers.get(REQUEST_ID)), _trace(headers.get(TRACEPARENT))
    return Cause(request_id, *trace) if request_id and trace else None


def start(cause: Cause) -> None:
    """Start the unit of work of a request; log lines name the request from now on."""
    _cause.set(cause)
    logs.start_context(request_id=cause.request_id, trace_id=cause.trace_id)


def clear() -> None:
    """End the unit of work; later work of this thread does not belong to the request."""
    _cause.set(None)


@contextmanager
def caused_by(cause: Cause | None) -> Iterator[None]:
    """Run the block as caused by a request of another service, or by none."""
    before = _cause.set(cause)
    with logs.use_context(**({"request_id": cause.request_id, "trace_id": cause.trace_id} if cause else {})):
        try:
            yield
        finally:
            _cause.reset(before)


def outgoing_headers() -> dict[str, str]:
    """Return the headers of a request to a peer: those of the current request, or new ones."""
    return (_cause.get() or cause_of_request(None, None)).headers()


def serialize() -> str:
    """Return the current request as text, for the outbox; empty if there is none."""
    cause = _cause.get()
    return "" if cause is None else f"{cause.request_id} {cause.headers()[TRACEPARENT]}"


def deserialize(text: str) -> Cause | None:
    """Return the request that `serialize` wrote; None for any other text."""
    request_id, _, traceparent = text.partition(" ")
    return cause_of_message({REQUEST_ID: request_id, TRACEPARENT: traceparent})


def _id(value: object) -> str:
    return value if isinstance(value, str) and _REQUEST_ID.fullmatch(value) else ""


def _trace(value: object) -> tuple[str, bool] | None:
    if not isinstance(value, str) or (match := _TRACEPARENT.fullmatch(value)) is None:
        return None
    return match[2], bool(int(match[3], 16) & _SAMPLED)
