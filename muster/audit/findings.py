"""The findings of an audit: each failure with its place, and counts of what was checked."""

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
    """One violation. code: its kind. source, position, event: its place in the logs.

    Codes: form, tournament, order, link, hash, id, owner, schema, seen, time and fold are about events. command: the
    recorded command is missing or unreadable. draw: an answer, a secret or a beacon value is wrong. authority: the
    caller was not allowed to give the command. decision: the events do not follow from the command. rule: a rule was
    due and did not act. roster: an illegal roster was accepted. results: a season took other results than its
    tournaments have. elsewhere: a season repeats facts about a tournament that its log does not have.
    """

    code: str
    source: str
    position: int
    event: str
    found: str
    expected: Expected


class Findings:
    """The failures of an audit in the order found, each once, and counts of what was checked."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self._failures: dict[object, Failure] = {}
        self._times: Counter[object] = Counter()

    @property
    def failures(self) -> list[Failure]:
        """Return the failures. A failure that several events share says how many more there are."""
        return [
            failure
            if (others := self._times[key] - 1) < 1
            else replace(failure, found=f"{failure.found} (and {others} more)")
            for key, failure in self._failures.items()
        ]

    def fail(self, code: str, place: Recorded, found: str, expected: Expected, alike: str = "") -> None:
        """Record a failure.

        alike: a text that is the same for failures of one log that are reported once, at the first of them.
        """
        failure = Failure(code, place.source, place.position, place.id, found, expected)
        key = (code, place.source, alike) if alike else failure
        self._failures.setdefault(key, failure)
        self._times[key] += bool(alike)


LONGEST = 300
"""Characters of a value in a failure."""


def describe_misfit(error: Exception, event: Event | None = None) -> str:
    """Return in plain words why an event or a value cannot follow from the events before it.

    error: the exception from folding or computing. event: the event at hand, if there is one; the text names the member
    whose value is unknown.
    """
    subject = type(event).__name__ if event is not None else "the recorded value"
    if isinstance(error, Refusal) or type(error).__module__.startswith("shared."):
        return f"{subject}: {error}"
    key = error.args[0] if isinstance(error, KeyError) and error.args else None
    if not isinstance(key, str | int) or isinstance(key, bool):
        return f"{subject} does not fit the events before it; an event that it builds on seems to be missing"
    members = _leaf_values("", msgspec.to_builtins(event))
    name = next((name for name, value in members if type(value) is type(key) and value == key), "")
    if name:
        return f"{subject} names the {name.replace('_', ' ')} {key}, which no event before it mentions"
    return f"{subject} builds on {key}, which no event before it mentions"


def _leaf_values(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """Yield every value, at any depth, with the name of the member that holds it."""
    if isinstance(value, list):
        for one in value:
            yield from _leaf_values(name, one)
    elif isinstance(value, dict):
        for inner, one in value.items():
            yield from _leaf_values(inner, one)
    else:
        yield name, value


def difference(found: Struct, due: Struct) -> tuple[str, str] | None:
    """Return the first differences of two structs, as found and as due: `rows/0/name "Zoe", seed "5f"`.

    None if they are equal. Items of a list count from 0.
    """
    if msgspec.json.encode(found) == msgspec.json.encode(due):  # nearly always, and much faster than comparing members
        return None
    pairs = zip(asdict(found).items(), asdict(due).values(), strict=True)
    places = [
        _first_difference(name, msgspec.to_builtins(one), msgspec.to_builtins(other)) for (name, one), other in pairs
    ]
    differing = [place for place in places if place]
    one, other = (", ".join(f"{place[0]} {as_json(place[side])}" for place in differing) for side in (1, 2))
    return (one, other) if differing else None


def as_json(value: object) -> str:
    """Return a value as JSON, cut to LONGEST characters."""
    return "nothing" if value is UNSET else msgspec.json.encode(value).decode()[:LONGEST]


def _first_difference(path: str, found: Any, due: Any) -> tuple[str, Any, Any] | None:
    inner: Iterable[tuple[object, Any, Any]]
    if isinstance(found, dict) and isinstance(due, dict):
        inner = ((name, found.get(name, UNSET), due.get(name, UNSET)) for name in found | due)
    elif isinstance(found, list) and isinstance(due, list):
        inner = ((index, *pair) for index, pair in enumerate(zip_longest(found, due, fillvalue=UNSET)))
    else:
        return None if type(found) is type(due) and found == due else (path, found, due)
    return next(filter(None, (_first_difference(f"{path}/{at}", one, other) for at, one, other in inner)), None)
