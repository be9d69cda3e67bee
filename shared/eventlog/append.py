"""Append: what was decided becomes events of the service's own log."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from time import perf_counter

import msgspec

from shared import metrics, tracing
from shared.eventlog.database import Connection, Database
from shared.eventlog.statements import NO_COPIES
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
    """Somebody else appended first, or this command was done before: nothing was written; read and decide again."""


def chained(
    source: str,
    tournament: str,
    head: Head,
    entries: Sequence[Entry],
    stamp: Stamp,
) -> list[Recorded]:
    """The events that `entries` become behind `head`: positions, ids and hashes filled in."""
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


def append(
    database: Database,
    source: str,
    tournament: str,
    head: Head,
    entries: Sequence[Entry],
    stamp: Stamp,
    also: Callable[[Connection, Sequence[Recorded]], None] | None = None,
    nothing_newer: Mapping[str, Head] = NO_COPIES,
) -> list[Recorded]:
    """Append `entries` behind `head` together with their outbox rows, or nothing at all; durable on return.

    also: more to write in the same transaction (a read model, personal data). nothing_newer: only when the copies end
    at these heads, for a decision made without looking; not for the first event of a log.
    Returns the recorded events. Raises HeadMoved when the log does not end at `head` any more, or holds events of a
    command with the same idempotency key, or a copy has moved; and EventTooLarge.
    """
    started = perf_counter()
    recorded = chained(source, tournament, head, entries, stamp)
    causes = [tracing.written()] * len(recorded)
    with database.appending() if also is None else database.writing() as connection:
        if not connection.extend(head, recorded, own=True, copies=nothing_newer, causes=causes):
            raise HeadMoved
        if also is not None:
            also(connection, recorded)
    metrics.APPEND_SECONDS.labels(source).observe(perf_counter() - started)
    return recorded
