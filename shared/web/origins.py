"""Which pages of other origins may read answers in a browser (CORS): those that are named, and nobody by default.

Tokens travel in `Authorization` and never in cookies, so that no page needs credentials of the browser, and none is
allowed them. Whoever is not a browser is told nothing here.
"""

from __future__ import annotations

from collections.abc import Collection

from flask import Flask, Response

from shared.web.request import this_request

ORIGIN = "Origin"
METHOD = "Access-Control-Request-Method"
SENT = (
    "Authorization",
    "Content-Type",
    "Idempotency-Key",
    "If-Match",
    "If-None-Match",
    "Last-Event-ID",
    "Muster-Seen",
    "traceparent",
    "X-Request-Id",
)
"""Headers that a page may send beside those that every page may."""
SHOWN = (
    "Allow",
    "Content-Disposition",
    "ETag",
    "Idempotent-Replayed",
    "Link",
    "Location",
    "Muster-Feed-Cursor",
    "Muster-Feed-End",
    "Muster-Seen",
    "RateLimit",
    "RateLimit-Policy",
    "Retry-After",
    "WWW-Authenticate",
    "X-Request-Id",
)
"""Headers of an answer that a page may read beside those that every page may."""
PREFLIGHT_SECONDS = 7200
"""For how long a browser need not ask again whether it may send something; Chromium keeps it no longer."""


def allow_origins(app: Flask, origins: Collection[str]) -> None:
    """Have answers say that pages of these origins may read them.

    origins: as browsers write them, `https://club.example`; without any, nothing is said at all.
    """
    allowed = frozenset(origins)

    def after(response: Response) -> Response:
        request, headers = this_request(), response.headers
        # A cache must not hand one origin's answer to another.
        response.vary.add(ORIGIN)
        origin = request.headers.get(ORIGIN)
        if origin not in allowed:
            return response
        headers["Access-Control-Allow-Origin"] = origin
        if request.method == "OPTIONS" and METHOD in request.headers:
            headers["Access-Control-Allow-Methods"] = headers.get("Allow", "")
            headers["Access-Control-Allow-Headers"] = ", ".join(SENT)
            headers["Access-Control-Max-Age"] = str(PREFLIGHT_SECONDS)
        else:
            headers["Access-Control-Expose-Headers"] = ", ".join(SHOWN)
        return response

    if allowed:
        app.after_request(after)
