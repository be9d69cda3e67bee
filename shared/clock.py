"""The wall clock. Decisions take the time as an argument instead."""

from __future__ import annotations

from datetime import UTC, datetime


def utc_now() -> str:
    """Return the current time in RFC 3339: UTC, milliseconds, `Z`."""
    return _text(datetime.now(UTC))


def format_utc(milliseconds: int) -> str:
    """Return a time, given in milliseconds since 1970, in the format of `utc_now`."""
    return _text(datetime.fromtimestamp(milliseconds / 1000, UTC))


def to_milliseconds(moment: str) -> int:
    """Return a time in that format as milliseconds since 1970."""
    return int(datetime.fromisoformat(moment).timestamp() * 1000)


def _text(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
