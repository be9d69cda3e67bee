"""The wall clock, read in the shell only; decisions are handed the time."""

from __future__ import annotations

from datetime import UTC, datetime


def utc_now() -> str:
    """Now: RFC 3339, UTC, milliseconds, `Z`."""
    return _text(datetime.now(UTC))


def format_utc(milliseconds: int) -> str:
    """A moment in milliseconds since 1970, in the same form."""
    return _text(datetime.fromtimestamp(milliseconds / 1000, UTC))


def to_milliseconds(moment: str) -> int:
    """Milliseconds since 1970 of a moment in that form."""
    return int(datetime.fromisoformat(moment).timestamp() * 1000)


def _text(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
