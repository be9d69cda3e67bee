"""What an audit finds: where something does not hold, and how much was looked at."""

from __future__ import annotations

from collections import Counter
from typing import Any, Protocol

import msgspec
from msgspec import Struct

from shared.events.base import Event
from shared.refusals import Refusal


class Place(Protocol):
    """An event, read or not."""

    @property
    def source(self) -> str: ...
    @property
    def position(self) -> int: ...
    @property
    def id(self) -> str: ...


class Failure(Struct, frozen=True):
    """One thing that does not hold. code: what kind of thing; source, position, event: where.

    Codes: form, tournament, order, link, hash, id, owner, schema, seen, time, fold; command: on record, and what it
    says; authority: whether somebody might give it; decision: what came of it; rule: one that was due; results,
    elsewhere: what a season took of other tournaments, and what it was told of them.
    """

    code: str
    source: str
    position: int
    event: str
    found: str
    expected: str


class Findings:
    """Every failure, once, in the order found; and counts of what was recomputed."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self._failures: dict[Failure, None] = {}

    @property
    def failures(self) -> list[Failure]:
        return list(self._failures)

    def fail(self, code: str, place: Place, found: str, expected: str) -> None:
        """Note a failure."""
        self._failures[Failure(code, place.source, place.position, place.id, found, expected)] = None


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
