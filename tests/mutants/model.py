"""A rule broken in one place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Place:
    """A place where a rule can be broken. file: below the repository; line and column: from 1; clauses: whose it is."""

    file: str
    line: int
    column: int
    clauses: frozenset[str]


@dataclass(frozen=True)
class Mutant:
    """A place with one way to break it. text: the whole file, broken; before, after: the lines that differ."""

    place: Place
    kind: str
    text: str
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.place.file}:{self.place.line} {self.before.strip()}  ->  {self.after.strip()}"


class Source(Protocol):
    """A file of rules. text: the whole of it."""

    text: str

    def places(self) -> list[Place]:
        """Every place that can be broken, in order of the file."""

    def ways(self, place: Place) -> int:
        """In how many ways a place can be broken."""

    def broken(self, place: Place, way: int) -> Mutant:
        """A place broken in one of its ways, counted from 0."""


def mutant(place: Place, kind: str, whole: str, broken: str) -> Mutant:
    """The mutant that turns a whole file into a broken one; its lines are those that differ."""
    old, new = whole.splitlines(), broken.splitlines()
    changed = [(a, b) for a, b in zip(old, new, strict=False) if a != b]
    if not changed:
        raise ValueError(f"{place.file}:{place.line} is not changed by {kind}")
    return Mutant(
        place, kind, broken, *(" ".join(line.strip() for line in side) for side in zip(*changed, strict=True))
    )
