"""A log: what a service decided becomes events, chained by position, id and hash; verified, and mended. Pure.

A log is verified from the first event to the last. A damaged one is put together again from its own intact events and
from those that peers hold.
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
    """An event about to be appended: its type's name, its version, and its data as canonical JSON.

    command: what was asked for, as canonical JSON, on the first event of a command; else empty.
    """

    type: str
    version: int
    data: str
    command: str = ""


class Stamp(msgspec.Struct, frozen=True, gc=False):
    """What every event of one command shares.

    actor: who acted. command_id: which command. time: RFC 3339, UTC, milliseconds. seen: source -> position.
    """

    actor: Actor
    command_id: str
    time: str
    seen: Mapping[str, int]


class HeadMoved(Exception):
    """The log does not end where the writer expected: nothing was written; read the news and decide again."""


def chain_events(
    source: str,
    tournament: str,
    head: Head,
    entries: Sequence[Entry],
    stamp: Stamp,
) -> list[Recorded]:
    """Return the events that entries become after `head`. Raises EventTooLarge."""
    actor, seen = actor_json(stamp.actor), canonical_json(dict(stamp.seen))
    recorded = []
    position, previous = head.position, head.hash
    for entry in entries:
        position += 1
        _refuse_large(entry)
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


def _refuse_large(entry: Entry) -> None:
    if (size := byte_length(entry.data)) > LARGEST_EVENT:
        raise EventTooLarge(f"{entry.type} would hold {size} bytes; an event holds {LARGEST_EVENT} at most.")
    if (size := byte_length(entry.command)) > LARGEST_COMMAND:
        raise EventTooLarge(f"The command would have {size} bytes; it has {LARGEST_COMMAND} at most.")


class MissingEvent(Struct, frozen=True):
    """A position of a log that should hold an event and does not."""

    source: str
    tournament: str
    position: int

    @property
    def id(self) -> str:
        return event_id(self.source, self.tournament, self.position)


class BrokenLog(Exception):
    """A log that does not hold; says at which event, and what was found instead of what."""

    def __init__(self, event: Any, reason: str) -> None:
        super().__init__(f"{event.source} {event.tournament} position {event.position}: {reason}")
        self.event = event
        self.reason = reason


def verify(events: Iterable[Recorded], head: Head = EMPTY_HEAD) -> Head:
    """Check that `events` of one log follow one another behind `head`; returns the head that they lead to.

    Raises Broken at the first event of another log, out of order, with a broken link, or changed after it was hashed.
    """
    position, previous = head.position, head.hash
    log: tuple[str, str] | None = None
    for event in events:
        position += 1
        log = log or (event.source, event.tournament)
        if (event.source, event.tournament) != log:
            raise BrokenLog(event, f"stands in the log of {log[0]} for {log[1]}")
        if event.position != position:
            raise BrokenLog(event, f"stands where position {position} belongs")
        if event.prev_hash != previous:
            raise BrokenLog(event, f"prev_hash is {event.prev_hash}, the event before has {previous}")
        if compute_hash(event) != event.hash:
            raise BrokenLog(event, f"its content hashes to {compute_hash(event)}, it carries {event.hash}")
        if event.id != event_id(event.source, event.tournament, position):
            raise BrokenLog(event, f"its id is {event.id}")
        previous = event.hash
    return Head(position, previous)


def head_mismatch(source: str, tournament: str, end: Head, head: Head) -> BrokenLog:
    """Return the fault of a log whose events lead to `end`, where the row of its head says `head`."""
    place = MissingEvent(source, tournament, min(end.position, head.position) + (end.position != head.position))
    if end.position < head.position:
        return BrokenLog(place, f"is missing; the head of the log is at position {head.position}")
    return BrokenLog(
        place, f"the head of the log says {head.position} {head.hash}, its events {end.position} {end.hash}"
    )


class RepairedLog(Struct, frozen=True):
    """A log as it was recorded, as far as that is known.

    taken: events that come from peers. lost: the first event that is damaged or missing here and that no peer holds.
    forked: an intact event of the log whose place the peers' events take. Where one of the two is set, `events` is not
    the whole log.
    """

    events: Sequence[Recorded]
    taken: int
    lost: MissingEvent | None = None
    forked: Recorded | None = None


def is_intact(event: Recorded) -> bool:
    """Return True if an event is what was recorded: its members give its hash and its id."""
    return compute_hash(event) == event.hash and event.id == event_id(event.source, event.tournament, event.position)


def repair_log(
    log: tuple[str, str], own: Sequence[Recorded], head: Head, copies: Sequence[Sequence[Recorded]]
) -> RepairedLog:
    """Put a log together up to its head. The own event at a position goes before those of the copies.

    log: source and tournament. own: all rows of the log, damaged ones too. head: as its row says, damaged or not.
    copies: the log as peers hold it. An event is taken where it is intact and follows the one before.
    """
    kept = {event.position: event for event in own if is_intact(event)}
    candidates = [kept, *({event.position: event for event in copy if is_intact(event)} for copy in copies)]
    chain: list[Recorded] = []
    while True:
        previous, position = (chain[-1].hash if chain else GENESIS), len(chain) + 1
        at = [events[position] for events in candidates if position in events]
        follows = next((event for event in at if event.prev_hash == previous), None)
        if follows is None:
            break
        chain.append(follows)
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
