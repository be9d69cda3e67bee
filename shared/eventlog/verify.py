"""Verify a log: every position, every link, every hash, from the first event to the last."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from shared.events.recorded import EMPTY, Head, Recorded, event_id, hash_of


class Place(Struct, frozen=True):
    """A position of a log that should hold an event and does not."""

    source: str
    tournament: str
    position: int

    @property
    def id(self) -> str:
        return event_id(self.source, self.tournament, self.position)


class Broken(Exception):
    """A log that does not hold; says at which event, and what was found instead of what."""

    def __init__(self, event: Any, reason: str) -> None:
        super().__init__(f"{event.source} {event.tournament} position {event.position}: {reason}")
        self.event = event
        self.reason = reason


def verify(events: Iterable[Recorded], head: Head = EMPTY) -> Head:
    """Check that `events` of one log follow one another behind `head`; returns the head that they lead to.

    Raises Broken at the first event of another log, out of order, with a broken link, or changed after it was hashed.
    """
    position, previous = head.position, head.hash
    log: tuple[str, str] | None = None
    for event in events:
        position += 1
        log = log or (event.source, event.tournament)
        if (event.source, event.tournament) != log:
            raise Broken(event, f"stands in the log of {log[0]} for {log[1]}")
        if event.position != position:
            raise Broken(event, f"stands where position {position} belongs")
        if event.prev_hash != previous:
            raise Broken(event, f"prev_hash is {event.prev_hash}, the event before has {previous}")
        if hash_of(event) != event.hash:
            raise Broken(event, f"its content hashes to {hash_of(event)}, it carries {event.hash}")
        if event.id != event_id(event.source, event.tournament, position):
            raise Broken(event, f"its id is {event.id}")
        previous = event.hash
    return Head(position, previous)


def ends_elsewhere(source: str, tournament: str, end: Head, head: Head) -> Broken:
    """Return the fault of a log whose events lead to `end`, where the row of its head says `head`."""
    place = Place(source, tournament, min(end.position, head.position) + (end.position != head.position))
    if end.position < head.position:
        return Broken(place, f"is missing; the head of the log is at position {head.position}")
    return Broken(place, f"the head of the log says {head.position} {head.hash}, its events {end.position} {end.hash}")
