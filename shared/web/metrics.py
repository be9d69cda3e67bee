"""Prometheus: seconds of every request by method, route template and status, and everything in shared.metrics."""

from __future__ import annotations

from functools import lru_cache

from flask import Response
from prometheus_client import Histogram

from shared.metrics import HTTP_SECONDS, exposition
from shared.web.current import EdgeRequest, this_request

TYPES = ("text/plain", "application/openmetrics-text")
"""Prometheus asks for one of them."""

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


def observe(request: EdgeRequest, status: int, seconds: float) -> None:
    """Count a finished request. Addresses that match no route and unknown methods are counted as one each."""
    rule = request.url_rule
    method = request.method if request.method in METHODS else "other"
    _series(method, rule.rule if rule else "unmatched", status).observe(seconds)


@lru_cache(maxsize=4096)
def _series(method: str, route: str, status: int) -> Histogram:
    return HTTP_SECONDS.labels(method, route, str(status))


def show() -> Response:
    """Answer /metrics."""
    text, content_type = exposition(this_request().headers.get("Accept", ""))
    return Response(text, content_type=content_type)
