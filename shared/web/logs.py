"""One log line a request: method, route, status, milliseconds, request id, actor, tournament, events appended.

The route is the template and not the address, so that neither a token in an address nor a name in a path is kept.
"""

from __future__ import annotations

import re
import secrets
from time import perf_counter

import structlog

from shared import logs
from shared.roles import SERVICE
from shared.web.current import EdgeRequest

bind = logs.bind

QUIET = frozenset({"/healthz", "/readyz", "/metrics"})
"""Routes asked every few seconds by machines: written only when they fail."""

REQUEST_ID_HEADER = "X-Request-Id"
_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}", re.ASCII)
_log = structlog.get_logger("muster.http")


def start(request: EdgeRequest) -> None:
    """Begin a request: its id (the caller's, where it can be used) and its clock."""
    given = request.environ.get("HTTP_X_REQUEST_ID")
    state = request.edge
    state.request_id = given if given and _REQUEST_ID.fullmatch(given) else secrets.token_hex(8)
    state.started = perf_counter()
    logs.begin(request_id=state.request_id)


def write_line(request: EdgeRequest, status: int, seconds: float) -> None:
    """Write the line of a finished request."""
    rule = request.url_rule
    route = rule.rule if rule else "unmatched"
    if route in QUIET and status < 400:
        return
    state = request.edge
    facts: dict[str, object] = {"tournament": (request.view_args or {}).get("tournament")}
    if state.caller is not None:
        facts["actor"] = state.caller.actor
        facts["role"] = state.caller.role
    # What one service reads of another every other second is of no interest unless it fails.
    write = _log.debug if state.caller is not None and state.caller.role == SERVICE and status < 400 else _log.info
    write(
        "request",
        method=request.method,
        route=route,
        status=status,
        ms=round(seconds * 1000, 2),
        **{name: value for name, value in facts.items() if value is not None},
    )
