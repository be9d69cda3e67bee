"""Entries become events: what a service decided, with positions, ids and hashes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from shared.events.actors import Actor, actor_json
from shared.events.canonical import canonical
from shared.events.recorded import (
    LARGEST_COMMAND,
    LARGEST_EVENT,
    EventTooLarge,
    Head,
    Recorded,
    chain_hash,
    event_id,
    size_of,
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


def chained(
    source: str,
    tournament: str,
    head: Head,
    entries: Sequence[Entry],
    stamp: Stamp,
) -> list[Recorded]:
    """Return the events that entries become after `head`. Raises EventTooLarge."""
    actor, seen = actor_json(stamp.actor), canonical(dict(stamp.seen))
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
    if (size := size_of(entry.data)) > LARGEST_EVENT:
        raise EventTooLarge(f"{entry.type} would hold {size} bytes; an event holds {LARGEST_EVENT} at most.")
    if (size := size_of(entry.command)) > LARGEST_COMMAND:
        raise EventTooLarge(f"The command would have {size} bytes; it has {LARGEST_COMMAND} at most.")
