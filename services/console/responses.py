"""What becomes of every response: headers that tell the browser what it may do, and gzip for one that takes it.

A page holds the token of its forms beside what an address may have put there. It is signed anew each second, and other
sites' requests come without the cookie, so lengths tell nobody what it is. Nor can another site send a form, whose
answer may be as large as any page. A page that hands out a key stays as it is all the same: see `leave_plain`."""

from __future__ import annotations

import gzip
from functools import lru_cache

from flask import Response, g, request

POLICY = "; ".join(
    (
        "default-src 'none'",
        "style-src 'self'",
        "font-src 'self'",
        "img-src 'self' data:",
        "script-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
}


def add_headers(response: Response) -> Response:
    """Add them. Pages belong to the person who asked, so no cache keeps them."""
    response.headers.update(HEADERS)
    if response.mimetype == "text/html":
        response.headers["Cache-Control"] = "no-store"
    return response


LEAST = 1024
"""Bytes: below, the headers cost as much as is won."""
OF_PAGES, OF_FILES = 4, 9
"""Levels: a page is made for one reader, a file for all."""
KINDS = ("text/html", "text/css", "text/csv", "text/plain", "text/javascript", "image/svg+xml", "application/json")


PART = 206
"""Status of a piece of a file, whose place is counted in plain bytes."""
_PLAIN = "left_plain"


def leave_plain() -> None:
    """Compress nothing of the page that is being made: it shows a key."""
    setattr(g, _PLAIN, True)


def compress(response: Response) -> Response:
    """Compress an answer where that is worth while and the browser takes it."""
    kind = response.mimetype or ""
    if kind not in KINDS or response.direct_passthrough or response.status_code == PART or getattr(g, _PLAIN, False):
        return response
    response.vary.add("Accept-Encoding")
    if "Content-Encoding" in response.headers or not request.accept_encodings["gzip"]:
        return response
    whole = response.get_data()
    if len(whole) < LEAST:
        return response
    if request.endpoint == "static":
        response.set_data(_of_file(whole))
    else:
        response.set_data(gzip.compress(whole, OF_PAGES, mtime=0))
    response.headers["Content-Encoding"] = "gzip"
    etag, _weak = response.get_etag()
    if etag:
        response.set_etag(etag, weak=True)  # the bytes are others, what they say is the same
    return response


@lru_cache(maxsize=64)
def _of_file(whole: bytes) -> bytes:
    return gzip.compress(whole, OF_FILES, mtime=0)
