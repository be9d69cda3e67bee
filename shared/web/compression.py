"""Answers that are smaller on the wire: gzip for whoever takes it.

A version that is answered in gzip has an ETag of its own, `"gzip/…"`: the bytes are others. As If-Match it means what
it stands for (`versions.position_meant`). Services ask each other for plain bytes, since between them time is dearer.
What is compressed holds no secret beside what a stranger may have put there: tokens are answered to commands, which
stay as they are.
"""

from __future__ import annotations

import gzip

from flask import Response

from shared.web.request import EdgeRequest
from shared.web.versions import in_form, is_among

LEAST = 1024
"""Bytes: below, the headers cost as much as is won."""
LEVEL = 4
GZIP = "gzip"
_PLAIN = ("application/json", "application/x-ndjson", "application/openmetrics-text")


def compress(request: EdgeRequest, response: Response) -> None:
    """Compress an answer where that is worth while and the caller takes it; its ETag and Vary say so."""
    if request.method not in ("GET", "HEAD") or response.status_code not in (200, 304):
        return
    response.vary.add("Accept-Encoding")
    if not _takes_gzip(request):
        return
    etag = response.headers.get("ETag")
    if response.status_code == 304:
        if etag and is_among(request.environ.get("HTTP_IF_NONE_MATCH"), in_form(GZIP, etag)):
            response.headers["ETag"] = in_form(GZIP, etag)
        return
    if response.direct_passthrough or not response.is_sequence or "Content-Encoding" in response.headers:
        return
    kind = response.mimetype or ""
    if not (kind.startswith("text/") or kind in _PLAIN):
        return
    whole = response.get_data()
    if len(whole) < LEAST:
        return
    response.set_data(gzip.compress(whole, LEVEL, mtime=0))
    response.headers["Content-Encoding"] = GZIP
    if etag:
        response.headers["ETag"] = in_form(GZIP, etag)


def _takes_gzip(request: EdgeRequest) -> bool:
    """Whether gzip is at least as welcome as the plain bytes (RFC 9110, 12.5.3)."""
    if "HTTP_ACCEPT_ENCODING" not in request.environ:
        return False
    taken = request.accept_encodings
    return taken[GZIP] > 0 and taken[GZIP] >= dict(taken).get("identity", 0)
