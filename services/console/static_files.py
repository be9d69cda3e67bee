"""Static files at addresses that change with them, so that a browser asks for each once.

One digest stands for the whole folder, in front of each name: the fonts that the style sheet names by their place
beside it are found under the same digest.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from flask import Flask, Response, send_from_directory
from flask.typing import ResponseReturnValue

FOREVER = "public, max-age=31536000, immutable"
LATEST = "public, max-age=300"
"""For an address without a digest, or with one of another version: what is there now is answered."""
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
    """Twelve hexadecimal digits that change when any file of a folder does."""
    whole = hashlib.sha256()
    for file in sorted(file for file in folder.rglob("*") if file.is_file()):
        whole.update(file.relative_to(folder).as_posix().encode() + b"\0" + hashlib.sha256(file.read_bytes()).digest())
    return whole.hexdigest()[:12]


def _icon(folder: Path) -> Response:
    """What browsers ask for unasked; one that knows no SVG shows its own sign."""
    answer = send_from_directory(folder, ICON, mimetype="image/svg+xml")
    answer.headers["Cache-Control"] = LATEST
    return _read(answer)


def _read(answer: Response) -> Response:
    """As bytes in hand, which can be compressed; no file is large."""
    answer.direct_passthrough = False
    return answer
