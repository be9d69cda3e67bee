"""What an audit finds: where something does not hold, how it is told, and how much was looked at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import zip_longest
from typing import Any

import msgspec
from msgspec import UNSET, Struct
from msgspec.structs import asdict, replace

from shared.log.event import Event, Recorded
from shared.refusals import Expected, Refusal


class Failure(Struct, frozen=True):
    """One thing that does not hold. code: what kind of thing; source, position, event: where.

    Codes: form, tournament, order, link, hash, id, owner, schema, seen, time, fold; command: on record, and what it
    says; draw: an answer or a secret; authority: whether somebody might give it; decision: what came of it; rule: one
    that was due; roster: an illegal one that was taken; results, elsewhere: what a season took of other tournaments,
    and what it was told of them.
    """

    code: str
    source: str
    position: int
    event: str
    found: str
    expected: Expected


class Findings:
    """Every failure, once, in the order found; and counts of what was recomputed."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self._failures: dict[object, Failure] = {}
        self._times: Counter[object] = Counter()

    @property
    def failures(self) -> list[Failure]:
        """Each failure; one that several events have in common with the number of the others."""
        return [
            one if (more := self._times[key] - 1) < 1 else replace(one, found=f"{one.found} (and {more} more)")
            for key, one in self._failures.items()
        ]

    def fail(self, code: str, place: Recorded, found: str, expected: Expected, alike: str = "") -> None:
        """Note a failure. alike: what events of one log may have in common; they are told of by the first of them."""
        failure = Failure(code, place.source, place.position, place.id, found, expected)
        key = (code, place.source, alike) if alike else failure
        self._failures.setdefault(key, failure)
        self._times[key] += bool(alike)


LONGEST = 300
"""Characters of a value that is told."""


def misfit(error: Exception, event: Event | None = None) -> str:
    """Say why something cannot follow from the events before it; never in the words of Python.

    error: what folding or computing raised. event: the one at hand, where there is one; its members name what misses.
    """
    subject = type(event).__name__ if event is not None else "what is recorded here"
    if isinstance(error, Refusal) or type(error).__module__.startswith("shared."):
        return f"{subject}: {error}"
    key = error.args[0] if isinstance(error, KeyError) and error.args else None
    if not isinstance(key, str | int) or isinstance(key, bool):
        return f"{subject} does not fit the events before it; one that it builds on seems to be lost"
    members = _members("", msgspec.to_builtins(event))
    name = next((name for name, value in members if type(value) is type(key) and value == key), "")
    if name:
        return f"{subject} names the {name.replace('_', ' ')} {key}, and no event before it tells of that one"
    return f"{subject} builds on {key}, and no event before it tells of that"


def _members(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """Every value with the member that holds it, in whatever depth."""
    if isinstance(value, list):
        for one in value:
            yield from _members(name, one)
    elif isinstance(value, dict):
        for inner, one in value.items():
            yield from _members(inner, one)
    else:
        yield name, value


def difference(found: Struct, due: Struct) -> tuple[str, str] | None:
    """What is found and what is right where members of two structs first differ: `rows/0/name "Zoe", seed "5f"`.

    None where they are the same. Items of a list count from 0.
    """
    if msgspec.json.encode(found) == msgspec.json.encode(due):  # as nearly always, and far quicker than looking
        return None
    pairs = zip(asdict(found).items(), asdict(due).values(), strict=True)
    places = [_first(name, msgspec.to_builtins(one), msgspec.to_builtins(other)) for (name, one), other in pairs]
    differing = [place for place in places if place]
    one, other = (", ".join(f"{place[0]} {told(place[side])}" for place in differing) for side in (1, 2))
    return (one, other) if differing else None


def told(value: object) -> str:
    """A value as JSON, cut off where it is long."""
    return "nothing" if value is UNSET else msgspec.json.encode(value).decode()[:LONGEST]


def _first(path: str, found: Any, due: Any) -> tuple[str, Any, Any] | None:
    inner: Iterable[tuple[object, Any, Any]]
    if isinstance(found, dict) and isinstance(due, dict):
        inner = ((name, found.get(name, UNSET), due.get(name, UNSET)) for name in found | due)
    elif isinstance(found, list) and isinstance(due, list):
        inner = ((index, *pair) for index, pair in enumerate(zip_longest(found, due, fillvalue=UNSET)))
    else:
        return None if type(found) is type(due) and found == due else (path, found, due)
    return next(filter(None, (_first(f"{path}/{at}", one, other) for at, one, other in inner)), None)
