"""What an event, or what is computed from events, runs into where another one is lost: told in a sentence. Pure."""

from __future__ import annotations

from typing import Any

import msgspec

from shared.events.base import Event
from shared.refusals import Refusal

LOST = "one that it builds on seems to be lost"


def misfit(error: Exception, event: Event | None = None) -> str:
    """Say why something cannot follow from the events before it; never in the words of Python.

    error: what folding or computing raised. event: the one at hand, where there is one; its members name what misses.
    """
    subject = type(event).__name__ if event is not None else "what is recorded here"
    if isinstance(error, Refusal):
        return f"{subject}: {error.detail}"
    if type(error).__module__.startswith("shared."):
        return f"{subject}: {error}"
    key = error.args[0] if isinstance(error, KeyError) and error.args else None
    if isinstance(key, str | int) and not isinstance(key, bool):
        member = _member(msgspec.to_builtins(event), key) if event is not None else ""
        if member:
            return f"{subject} names the {member.replace('_', ' ')} {key}, and no event before it tells of that one"
        return f"{subject} builds on {key}, and no event before it tells of that"
    return f"{subject} does not fit the events before it; {LOST}"


def _member(data: Any, key: str | int) -> str:
    """The member that holds this very value, in whatever depth; empty where none does."""
    if not isinstance(data, dict):
        return ""
    for name, value in data.items():
        inner = value if isinstance(value, list) else [value]
        if any(type(one) is type(key) and one == key for one in inner):
            return str(name)
        for one in inner:
            if found := _member(one, key):
                return found
    return ""
