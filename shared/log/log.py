"""The hash chain of a log: append entries, verify events, repair a damaged log. Pure.

A damaged log is repaired from its own intact events and those of the peers' copies.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from shared.log.event import (
    EMPTY_HEAD,
    GENESIS,
    LARGEST_COMMAND,
    LARGEST_EVENT,
    Actor,
    EventTooLarge,
    Head,
    Recorded,
    actor_json,
    byte_length,
    canonical_json,
    chain_hash,
    compute_hash,
    event_id,
)


class Entry(msgspec.Struct, frozen=True, gc=False):
    """An event to append: its type, its version, and its data as canonical JSON.

    command: the record of the command as canonical JSON, on its first event; else empty.
    """

    type: str
    version: int
    data: str
    command: str = ""


class Stamp(msgspec.Struct, frozen=True, gc=False):
    """The values that all events of one command share.

    time: RFC 3339, UTC, milliseconds. seen: source -> position.
    """

    actor: Actor
    command_id: str
    time: str
    seen: Mapping[str, int]


class HeadMoved(Exception):
    """Another writer appended first. Nothing was written; read the new events and decide again."""


def chain_events(
    source: str,
    tournament: str,
    head: Head,
    entries: Sequence[Entry],
    stamp: Stamp,
) -> list[Recorded]:
    """Return entries as events that follow `head`. Raises EventTooLarge."""
    actor, seen = actor_json(stamp.actor), canonical_json(dict(stamp.seen))
    recorded = []
    position, previous = head.position, head.hash
    for entry in entries:
        position += 1
        _require_size(entry)
        id = event_id(source, tournament, position)
        shared = (
            source,
            tournament,
            position,
            id,
            entry.type,
            entry.version,
            stamp.time,
            actor,
            stamp.command_id,
        )
        hash = chain_hash(previous, *shared, seen, entry.data, entry.command)
        recorded.append(Recorded(*shared, seen, previous, hash, entry.data, entry.command))
        previous = hash
    return recorded


def _require_size(entry: Entry) -> None:
    if (size := byte_length(entry.data)) > LARGEST_EVENT:
        raise EventTooLarge(f"{entry.type} would hold {size} bytes; an event holds {LARGEST_EVENT} at most.")
    if (size := byte_length(entry.command)) > LARGEST_COMMAND:
        raise EventTooLarge(f"The command would have {size} bytes; it has {LARGEST_COMMAND} at most.")


class MissingEvent(Struct, frozen=True):
    """A position of a log whose event is missing."""

    source: str
    tournament: str
    position: int

    @property
    def id(self) -> str:
        return event_id(self.source, self.tournament, self.position)


class BrokenLog(Exception):
    """A log with an invalid event: the event, and what is wrong with it."""

    def __init__(self, event: Any, reason: str) -> None:
        super().__init__(f"{event.source} {event.tournament} position {event.position}: {reason}")
        self.event = event
        self.reason = reason


def verify(events: Iterable[Recorded], head: Head = EMPTY_HEAD) -> Head:
    """Verify that `events` of one log follow `head` and each other. Return the new head.

    Raises BrokenLog at the first event that belongs to another log, is out of order, has a wrong `prev_hash`, or was
    changed after it was hashed.
    """
    position, previous = head.position, head.hash
    log: tuple[str, str] | None = None
    for event in events:
        position += 1
        log = log or (event.source, event.tournament)
        if (event.source, event.tournament) != log:
            raise BrokenLog(event, f"is in the log of {log[0]} for {log[1]}")
        if event.position != position:
            raise BrokenLog(event, f"is at the place of position {position}")
        if event.prev_hash != previous:
            raise BrokenLog(event, f"prev_hash is {event.prev_hash}, the event before has {previous}")
        if compute_hash(event) != event.hash:
            raise BrokenLog(event, f"its content hashes to {compute_hash(event)}, it carries {event.hash}")
        if event.id != event_id(event.source, event.tournament, position):
            raise BrokenLog(event, f"its id is {event.id}")
        previous = event.hash
    return Head(position, previous)


def head_mismatch(source: str, tournament: str, end: Head, head: Head) -> BrokenLog:
    """Return the fault of a log whose events end at `end` although its stored head is `head`."""
    place = MissingEvent(source, tournament, min(end.position, head.position) + (end.position != head.position))
    if end.position < head.position:
        return BrokenLog(place, f"is missing; the head of the log is at position {head.position}")
    return BrokenLog(
        place, f"the head of the log says {head.position} {head.hash}, its events {end.position} {end.hash}"
    )


class RepairedLog(Struct, frozen=True):
    """A log as it was recorded, as far as it can be restored.

    taken: number of events that came from peers. lost: the first damaged or missing event that no peer holds.
    forked: an intact event at a position where the peers hold another one. If `lost` or `forked` is set, `events` is
    not the whole log.
    """

    events: Sequence[Recorded]
    taken: int
    lost: MissingEvent | None = None
    forked: Recorded | None = None


def is_intact(event: Recorded) -> bool:
    """Return True if the hash and id of an event match its members."""
    return compute_hash(event) == event.hash and event.id == event_id(event.source, event.tournament, event.position)


def repair_log(
    log: tuple[str, str], own: Sequence[Recorded], head: Head, copies: Sequence[Sequence[Recorded]]
) -> RepairedLog:
    """Restore a log up to its head from intact events that follow each other.

    At each position an own event is preferred to those of the copies.
    log: source and tournament. own: all rows of the log, including damaged ones. head: the stored head, which may be
    damaged. copies: the log as each peer holds it.
    """
    kept = {event.position: event for event in own if is_intact(event)}
    candidates = [kept, *({event.position: event for event in copy if is_intact(event)} for copy in copies)]
    chain: list[Recorded] = []
    while True:
        previous, position = (chain[-1].hash if chain else GENESIS), len(chain) + 1
        at_position = [events[position] for events in candidates if position in events]
        successor = next((event for event in at_position if event.prev_hash == previous), None)
        if successor is None:
            break
        chain.append(successor)
    hashes = [GENESIS, *(event.hash for event in chain)]
    last = max(kept, default=0)
    end = hashes.index(head.hash) if head.hash in hashes else head.position
    end = max(end, last)
    if end > len(chain):
        return RepairedLog(chain, 0, lost=MissingEvent(*log, len(chain) + 1))
    recorded = {head.hash, *(event.hash for event in own if event.position == end)}
    if end and chain[end - 1].hash not in recorded:
        return RepairedLog(chain, 0, lost=MissingEvent(*log, end))  # a peer holds another event there
    chain = chain[:end]
    forked = next((event for event in kept.values() if chain[event.position - 1] != event), None)
    taken = sum(event.position not in kept for event in chain)
    return RepairedLog(chain, taken, forked=forked)
