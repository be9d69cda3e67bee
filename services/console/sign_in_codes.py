"""Codes that sign a browser in once, within an hour: for the operator and the organiser of a Muster on this machine.

The greeting of `make run` leaves a token for each role in the data folder, under the digest of a code, and prints the
code. So nothing in a terminal's history, in a log or in a journal opens anything later. The keys that can sign such a
token are in the same folder, for the same user.
"""

from __future__ import annotations

import hmac
import os
import secrets
from hashlib import sha256
from pathlib import Path

import msgspec

ROLES = ("operator", "organiser")
"""Roles that a code can be for."""
SECONDS = 3600
"""How long a code is valid."""


class LeftToken(msgspec.Struct, frozen=True):
    """A token behind a code. code: its SHA-256. until: seconds since 1970."""

    code: str
    token: str
    until: float


def leave(data: Path, role: str, token: str, now: float) -> str:
    """Leave a token behind a new code, which replaces that of an earlier start. Return the code. Raises OSError."""
    code = secrets.token_urlsafe(24)
    file = file_of(data, role)
    new = file.with_name(f"{file.name}.new")
    new.unlink(missing_ok=True)
    with open(new, "xb", opener=lambda path, flags: os.open(path, flags, 0o600)) as opened:
        opened.write(msgspec.json.encode(LeftToken(_digest(code), token, now + SECONDS)))
    new.replace(file)
    return code


def open_once(data: Path, role: str, code: str, now: float) -> str:
    """Return the token behind a code, and remove it; empty if there is none. Of two callers at once, one gets it."""
    file = file_of(data, role)
    try:
        left = msgspec.json.decode(file.read_bytes(), type=LeftToken)
    except (FileNotFoundError, msgspec.MsgspecError):
        return ""
    if not hmac.compare_digest(left.code, _digest(code)) or now >= left.until:
        return ""
    try:
        file.unlink()
    except FileNotFoundError:
        return ""
    return left.token


def file_of(data: Path, role: str) -> Path:
    """Return the file of the token that a code of this role opens."""
    return data / f"sign-in-{role}.json"


def _digest(code: str) -> str:
    return sha256(code.encode()).hexdigest()
