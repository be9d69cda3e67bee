"""What belongs to the one request at hand: kept on the request itself, so that nothing outlives it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from flask import Flask, Request, current_app, request

from shared.http.kinds import Kind
from shared.http.tokens import Caller, Verifier

EXTENSION = "muster"


@dataclass(frozen=True, slots=True)
class Edge:
    """What `create_app` was given and every request needs."""

    kinds: Mapping[str, Kind]
    verifier: Verifier
    is_revoked: Callable[[str, str], bool]


@dataclass(slots=True)
class State:
    """Of one request. started: seconds of `time.perf_counter`; seen, etag: what the answer will carry."""

    request_id: str = ""
    started: float = 0.0
    caller: Caller | None = None
    body: Any = None
    body_read: bool = False
    seen: Mapping[str, int] | None = None
    etag: str | None = None


class EdgeRequest(Request):
    """Flask's request with a place for what the edge knows about it."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.edge = State()


def this_request() -> EdgeRequest:
    """Return the request at hand. Raises RuntimeError outside of one."""
    return cast(EdgeRequest, request._get_current_object())  # type: ignore[attr-defined]


def edge_of(app: Flask) -> Edge:
    """Return what `create_app` laid down in an application."""
    return cast(Edge, app.extensions[EXTENSION])


def this_edge() -> Edge:
    """Return what `create_app` laid down in the application at hand."""
    return edge_of(current_app)
