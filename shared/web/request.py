"""The current request: the state that the edge keeps on it, its start and its end.

Each finished request writes one log line (method, route, status, milliseconds, request id, trace, actor, tournament,
appended events) and updates one metric. Both have the route template instead of the address, so no token in a query and
no name in a path is stored.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from time import perf_counter
from typing import IO, Any, NoReturn, cast

from flask import Request, Response, current_app, request
from marshmallow import Schema
from msgspec import Struct
from prometheus_client import Histogram
from werkzeug.utils import cached_property
from werkzeug.wsgi import LimitedStream

from shared import tracing
from shared.logs import get_logger
from shared.metrics import HTTP_FAILURES, HTTP_SECONDS
from shared.roles import SERVICE
from shared.web.refusals import IncompleteBody, Kind
from shared.web.tokens import Caller, Verifier
from shared.web.versions import is_unchanged, with_form

EXTENSION = "muster"

QUIET = frozenset({"/healthz", "/readyz", "/metrics"})
"""Routes polled by machines; they are logged only if they fail."""

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_log = get_logger("muster.http")


@dataclass(frozen=True, slots=True)
class Edge:
    """The parts of an application that requests need.

    kinds: problem code -> its kind. is_revoked: returns True for a token that the installation revoked.
    fingerprint_keys: keys of the fingerprints in command ids. previewed: the struct of preview answers.
    """

    service: str
    kinds: Mapping[str, Kind]
    verifier: Verifier
    is_revoked: Callable[[Caller], bool]
    fingerprint_keys: tuple[bytes, ...]
    previewed: type[Struct] | None = None


@dataclass(slots=True)
class State:
    """The state of one request.

    started: from `time.perf_counter()`. schema: the schema that loaded the body.
    seen, etag, allowance: for the headers of the answer. replayed: an earlier result is answered again.
    for_roles: the operation is restricted to roles in one tournament. events: the operation returns only events.
    preview: `preview=true` was sent; None if the operation is not a command.
    media: media type of the answer. several_media: the operation offers several, so Accept decides.
    """

    request_id: str = ""
    started: float = 0.0
    caller: Caller | None = None
    body: Any = None
    body_read: bool = False
    schema: Schema | None = None
    seen: Mapping[str, int] | None = None
    etag: str | None = None
    replayed: bool = False
    allowance: Mapping[str, str] | None = None
    events: bool = False
    for_roles: bool = False
    preview: bool | None = None
    media: str = "application/json"
    several_media: bool = False


class WholeBody(LimitedStream):
    """A body stream that refuses a body shorter than its Content-Length, on every WSGI server."""

    def on_disconnect(self, error: Exception | None = None) -> NoReturn:
        """Raises IncompleteBody."""
        announced, received = self.limit, self.tell()
        detail = f"{received} bytes of the body arrived; Content-Length announced {announced}."
        raise IncompleteBody(detail, announced=announced, received=received) from error


class EdgeRequest(Request):
    """Flask's request with the state of the edge, and a body that is never cut short."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.edge = State()

    @cached_property
    def stream(self) -> IO[bytes]:
        """The body stream. Every way of reading a body uses it.

        Raises RequestEntityTooLarge if Content-Length is too large; reading raises IncompleteBody.
        """
        announced = self.content_length
        stream = super().stream
        return stream if announced is None else cast(IO[bytes], WholeBody(self.environ["wsgi.input"], announced))


def this_request() -> EdgeRequest:
    """Return the current request. Raises RuntimeError outside of a request."""
    return cast(EdgeRequest, request._get_current_object())  # type: ignore[attr-defined]


def is_preview() -> bool:
    """Return True if the current command is only previewed, so its route must have no side effects."""
    return bool(this_request().edge.preview)


def this_edge() -> Edge:
    """Return the edge of the current application."""
    return cast(Edge, current_app.extensions[EXTENSION])


def not_modified(etag: str) -> Response | None:
    """Set the ETag of the answer. Return an empty 304 if the caller already has that version, else None."""
    request = this_request()
    if request.edge.media == "text/csv":
        etag = with_form("csv", etag)
    request.edge.etag = etag
    return Response(status=304) if is_unchanged(request.environ.get("HTTP_IF_NONE_MATCH"), etag) else None


def cache_briefly(public: bool) -> dict[str, str]:
    """Return headers that let a cache keep a public answer for two seconds.

    public: everyone may see the answer, and the request had no token. A thousand viewers of a page then cause one
    request every two seconds behind a cache.
    """
    return {"Cache-Control": "public, max-age=2"} if public else {}


def begin_request(request: EdgeRequest) -> None:
    """Start a request: set its id and trace (the caller's, if valid), and start its clock."""
    cause = tracing.cause_of_request(request.environ.get("HTTP_X_REQUEST_ID"), request.environ.get("HTTP_TRACEPARENT"))
    state = request.edge
    state.request_id = cause.request_id
    state.started = perf_counter()
    tracing.start(cause)


def end_request(request: EdgeRequest, status: int) -> None:
    """Record the metric and the log line of a finished request.

    All addresses without a route share one label, and so do all unknown methods.
    """
    tracing.clear()
    state = request.edge
    seconds = perf_counter() - state.started
    route = request.url_rule.rule if request.url_rule else "unmatched"
    _series(request.method if request.method in METHODS else "other", route, status).observe(seconds)
    if status >= 500:
        HTTP_FAILURES.labels(str(status)).inc()
    if route in QUIET and status < 400:
        return
    facts: dict[str, object] = {"tournament": (request.view_args or {}).get("tournament")}
    if state.caller is not None:
        facts["actor"] = state.caller.actor
        facts["role"] = state.caller.role
    # Services read from each other every other second; such a request is interesting only if it fails.
    write = _log.debug if state.caller is not None and state.caller.role == SERVICE and status < 400 else _log.info
    write(
        "request",
        method=request.method,
        route=route,
        status=status,
        ms=round(seconds * 1000, 2),
        **{name: value for name, value in facts.items() if value is not None},
    )


@lru_cache(maxsize=4096)
def _series(method: str, route: str, status: int) -> Histogram:
    return HTTP_SECONDS.labels(method, route, str(status))
