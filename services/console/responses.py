"""Responses: their headers, gzip, and static files at addresses that change with their content."""

from __future__ import annotations

import gzip
import hashlib
import re
from functools import lru_cache
from pathlib import Path

from flask import Flask, Response, g, request, send_from_directory
from flask.typing import ResponseReturnValue

FOREVER = "public, max-age=31536000, immutable"
LATEST = "public, max-age=300"
"""For an address without a digest or with an outdated one: serve the current file."""
VERSIONED = re.compile(r"[0-9a-f]{12}/")
ICON = "icon.svg"


def serve_static_files(app: Flask, folder: Path) -> None:
    """Answer the files of a folder, and name them by their digest wherever a page asks `url_for('static', …)`."""
    version = digest_of(folder)

    def static(filename: str) -> ResponseReturnValue:
        given = VERSIONED.match(filename)
        name = filename[given.end() :] if given else filename
        answer = send_from_directory(folder, name)
        answer.headers["Cache-Control"] = FOREVER if given and given[0] == f"{version}/" else LATEST
        return _read(answer)

    def add_version(endpoint: str, values: dict[str, object]) -> None:
        if endpoint == "static" and "filename" in values:
            values["filename"] = f"{version}/{values['filename']}"

    app.add_url_rule("/static/<path:filename>", "static", static)
    app.add_url_rule("/favicon.ico", "favicon", lambda: _icon(folder))
    app.url_defaults(add_version)


def digest_of(folder: Path) -> str:
    """Return twelve hexadecimal digits that change with any file of a folder."""
    whole = hashlib.sha256()
    for file in sorted(file for file in folder.rglob("*") if file.is_file()):
        whole.update(file.relative_to(folder).as_posix().encode() + b"\0" + hashlib.sha256(file.read_bytes()).digest())
    return whole.hexdigest()[:12]


def _icon(folder: Path) -> Response:
    """Return the icon that browsers request by default; a browser without SVG shows its own."""
    answer = send_from_directory(folder, ICON, mimetype="image/svg+xml")
    answer.headers["Cache-Control"] = LATEST
    return _read(answer)


def _read(answer: Response) -> Response:
    """Load a file into memory so that it can be compressed; no file is large."""
    answer.direct_passthrough = False
    return answer


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
    """Add the security headers. Pages belong to the caller, so they are never cached."""
    response.headers.update(HEADERS)
    if response.mimetype == "text/html":
        response.headers["Cache-Control"] = "no-store"
    return response


LEAST = 1024
"""Bytes below which compression is not worth its headers."""
OF_PAGES, OF_FILES = 4, 9
"""Compression levels: a page is rendered for one reader, a file for all."""
KINDS = ("text/html", "text/css", "text/csv", "text/plain", "text/javascript", "image/svg+xml", "application/json")


PART = 206
"""Status of a partial file, whose range counts plain bytes."""
_PLAIN = "left_plain"


def leave_plain() -> None:
    """Do not compress the page being rendered: it shows a key."""
    setattr(g, _PLAIN, True)


def compress(response: Response) -> Response:
    """Compress a response if it is large enough and the browser accepts it."""
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
