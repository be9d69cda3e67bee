"""The address by which whoever started Muster on this machine comes in as its operator: good once, for an hour.

The greeting leaves an operator's token in the data folder, under the digest of a code, and prints the code alone. So
nothing that stands in a window, or in its history, opens anything later. The keys that could sign such a token lie in
the same folder, for the same user.
"""

from __future__ import annotations

import hmac
import os
import secrets
from hashlib import sha256
from pathlib import Path

import msgspec

FILE = "operator-door.json"
SECONDS = 3600
"""For which a code opens."""


class Door(msgspec.Struct, frozen=True):
    """code: its SHA-256. until: seconds since 1970."""

    code: str
    token: str
    until: float


def leave(data: Path, token: str, now: float) -> str:
    """Leave a token behind a code, and return the code; an earlier one opens nothing any more. Raises OSError."""
    code = secrets.token_urlsafe(24)
    new = data / f"{FILE}.new"
    new.unlink(missing_ok=True)
    with open(new, "xb", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
        file.write(msgspec.json.encode(Door(_digest(code), token, now + SECONDS)))
    new.replace(data / FILE)
    return code


def open_once(data: Path, code: str, now: float) -> str:
    """The token behind a code; empty where it opens nothing. Of two who come at once one gets it."""
    file = data / FILE
    try:
        door = msgspec.json.decode(file.read_bytes(), type=Door)
    except (FileNotFoundError, msgspec.MsgspecError):
        return ""
    if not hmac.compare_digest(door.code, _digest(code)) or now >= door.until:
        return ""
    try:
        file.unlink()
    except FileNotFoundError:
        return ""
    return door.token


def _digest(code: str) -> str:
    return sha256(code.encode()).hexdigest()
