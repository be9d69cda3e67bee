"""What an audit finds: where something does not hold, and how much was looked at."""

from __future__ import annotations

from collections import Counter
from typing import Protocol

from msgspec import Struct


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

    Codes: form, tournament, order, link, hash, id, owner, schema, seen, time, fold, standings, closing, pairing, draw,
    seed, leaving, cut, winner, roster; of co-operative events data, seating, power, goal, card, table, ending, summary,
    binding, ranking; of seasons identity, results, division, final; of campaigns decision, roll, people, round,
    ruleset.
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
