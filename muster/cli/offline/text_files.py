"""Text files that commands are given; `-` is standard input."""

from __future__ import annotations

import sys
from pathlib import Path

from shared.refusals import Fault, Refusal


class NotText(Refusal):
    """A file that cannot be read, or is no text."""

    code = "not-text"


def read_text(path: str, wanted: str = "UTF-8 text") -> str:
    """The text of a file, without a byte-order mark. wanted: what is expected of a file that is no text.

    Raises NotText, with the line of the first byte that has no place in UTF-8 text.
    """
    try:
        data = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    except OSError as error:
        fault = Fault(path, (error.strerror or "cannot be read").lower(), "a file that can be read")
        raise NotText(f"{path} cannot be read", [fault]) from error
    bad = data.find(0)
    try:
        text = data.decode("utf-8-sig")
        if bad < 0:
            return text
    except UnicodeDecodeError as error:
        bad = error.start
    line = data[:bad].count(b"\n") + 1
    raise NotText(f"{path} is no text", [Fault(f"{path}:{line}:", f"byte {data[bad]:#04x}", wanted)])
