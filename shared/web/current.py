"""What belongs to the one request at hand: kept on the request itself, so that nothing outlives it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import IO, Any, NoReturn, cast

from flask import Flask, Request, current_app, request
from marshmallow import Schema
from werkzeug.utils import cached_property
from werkzeug.wsgi import LimitedStream

from shared.web.kinds import Kind
from shared.web.refusals import IncompleteBody
from shared.web.tokens import Caller, Verifier

EXTENSION = "muster"


@dataclass(frozen=True, slots=True)
class Edge:
    """What `create_app` was given and every request needs."""

    service: str
    kinds: Mapping[str, Kind]
    verifier: Verifier
    is_revoked: Callable[[Caller], bool]
    fingerprint_keys: tuple[bytes, ...]


@dataclass(slots=True)
class State:
    """Of one request. started: seconds of `time.perf_counter`; seen, etag: what the answer will carry.

    schema: what the body was loaded through. replayed: a command that was done before is answered again.
    allowance: how much of it the caller has left. events: whether the operation hands out events alone.
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


class WholeBody(LimitedStream):
    """A body that is as long as Content-Length announced, or a refusal, whichever server it comes from."""

    def on_disconnect(self, error: Exception | None = None) -> NoReturn:
        """Raises IncompleteBody."""
        announced, received = self.limit, self.tell()
        detail = f"{received} bytes of the body came; Content-Length announced {announced}."
        raise IncompleteBody(detail, announced=announced, received=received) from error


class EdgeRequest(Request):
    """Flask's request with a place for what the edge knows about it, and a body that is never cut short."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.edge = State()

    @cached_property
    def stream(self) -> IO[bytes]:
        """What the client sends: every way of reading a body goes through here.

        Raises RequestEntityTooLarge for one that is announced as too long; reading raises IncompleteBody.
        """
        announced = self.content_length
        stream = super().stream
        return stream if announced is None else cast(IO[bytes], WholeBody(self.environ["wsgi.input"], announced))


def this_request() -> EdgeRequest:
    """Return the request at hand. Raises RuntimeError outside of one."""
    return cast(EdgeRequest, request._get_current_object())  # type: ignore[attr-defined]


def edge_of(app: Flask) -> Edge:
    """Return what `create_app` laid down in an application."""
    return cast(Edge, app.extensions[EXTENSION])


def this_edge() -> Edge:
    """Return what `create_app` laid down in the application at hand."""
    return edge_of(current_app)
