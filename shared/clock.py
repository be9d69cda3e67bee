"""The wall clock, read in the shell only; decisions are handed the time."""

from __future__ import annotations

from datetime import UTC, datetime


def utc_now() -> str:
    """Now: RFC 3339, UTC, milliseconds, `Z`."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
