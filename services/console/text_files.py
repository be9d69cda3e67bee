"""Text files that commands are given; `-` is standard input."""

from __future__ import annotations

import sys
from pathlib import Path

from shared.refusals import Fault, Refusal


class NotText(Refusal):
    """A file that cannot be read, or is no text."""

    code = "not-text"


def read_text(path: str) -> str:
    """The text of a file, without a byte-order mark. Raises NotText."""
    try:
        data = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
        return data.decode("utf-8-sig")
    except OSError as error:
        fault = Fault(path, (error.strerror or "cannot be read").lower(), "a file that can be read")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        fault = Fault(f"{path}:{line}", f"byte {data[error.start]:#04x}", "UTF-8 text")
    raise NotText(f"{path} cannot be read as text", [fault])
