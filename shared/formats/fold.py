"""Every event there is: its owner, its version, its class, and how it changes the slice of the state that is its own.

docs/reference/events.md is made from the table.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from shared.formats import FORMATS
from shared.log.event import UPCASTS, Event, Recorded, byte_length, upcast
from shared.tournament import draws, people, results, rounds, webhooks
from shared.tournament.draws import DrawRecord
from shared.tournament.people import Entries
from shared.tournament.results import Results
from shared.tournament.rounds import Rounds
from shared.tournament.state import (
    SOURCES,
    Change,
    LogUsage,
    Slice,
    SliceGetter,
    StoredRow,
    Tournament,
    count_event,
    slice_changes,
)
from shared.tournament.webhooks import Webhooks


def _of_draws(source: str) -> dict[type, tuple[SliceGetter, Change]]:
    """Return the events about the draws of one log, each with the way to its slice."""
    return {event: (lambda state: state.draws[source], change) for event, change in draws.EVOLVE.items()}


_COMMON = {
    "registration": {**slice_changes("entries", people.EVOLVE), **_of_draws("registration")},
    "pairing": {**slice_changes("rounds", rounds.EVOLVE), **_of_draws("pairing")},
    "scoring": {
        **slice_changes("results", results.EVOLVE),
        **slice_changes("webhooks", webhooks.EVOLVE),
        **_of_draws("scoring"),
    },
}
"""Owner -> the events that a tournament of any format has -> the slice of the state that each changes, and how."""

OWNERS: dict[str, tuple[type[Event], ...]] = {
    owner: (*common, *(event for format in FORMATS.values() for event in format.EVENTS.get(owner, ())))
    for owner, common in _COMMON.items()
}
"""Owner -> the events that this service appends; those of a campaign are appended by whoever owns the step."""


class UnknownEvent(Exception):
    """An event of a type or version that this code does not know: it was written by newer code."""


class EventType(msgspec.Struct, frozen=True):
    """A row of the catalogue. version: the one appended today; older ones are upcast when read."""

    name: str
    owners: tuple[str, ...]
    version: int
    schema: type[Event]
    decoder: msgspec.json.Decoder  # type: ignore[type-arg]


def event_type(schema: type[Event]) -> EventType:
    """Return the row of an event."""
    name, owners = schema.__name__, tuple(owner for owner, owned in OWNERS.items() if schema in owned)
    return EventType(name, owners, 1 + len(UPCASTS.get(name, ())), schema, msgspec.json.Decoder(schema))


CATALOGUE: dict[str, EventType] = {
    schema.__name__: event_type(schema) for schemas in OWNERS.values() for schema in schemas
}


def read_event(type: str, version: int, data: str) -> Event:
    """The typed event that stored data means today, upcast when it was written in an older version.

    Raises UnknownEvent for a type or version of the future, msgspec.ValidationError when the data does not fit.
    """
    known = CATALOGUE.get(type)
    if known is None or version > known.version:
        raise UnknownEvent(f"{type} version {version}; this code knows {known.version if known else 'no such type'}")
    if version == known.version:
        return known.decoder.decode(data)  # type: ignore[no-any-return]
    return msgspec.convert(upcast(type, version, msgspec.json.decode(data)), known.schema)


def current_data(recorded: Recorded) -> dict[str, Any]:
    """What a stored event says today, as an object: for answers, which show what was recorded as it is meant now.

    Raises UnknownEvent as `read_event`.
    """
    data: dict[str, Any] = msgspec.json.decode(recorded.data)
    known = CATALOGUE.get(recorded.type)
    if known is None or recorded.version > known.version:
        raise UnknownEvent(f"{recorded.type} version {recorded.version}")
    return data if recorded.version == known.version else upcast(recorded.type, recorded.version, data)


EVOLVE: dict[str, Mapping[type, tuple[SliceGetter, Change]]] = {
    source: {
        **_COMMON[source],
        **{event: way for format in FORMATS.values() for event, way in format.CHANGES.get(source, {}).items()},
    }
    for source in SOURCES
}
"""Source -> event -> the way to the slice that it changes, and how. A slice is changed by one log alone."""


def evolve(state: Tournament, told: StoredRow) -> None:
    """Fold one stored event into the state.

    Raises UnknownEvent when newer code wrote it, KeyError when the owner appended something impossible.
    """
    event = read_event(told.type, told.version, told.data)
    reach, change = EVOLVE[told.source][type(event)]
    change(reach(state), event, told)
    if event.answers:
        state.draws[told.source].answers.update({answer.question: answer for answer in event.answers})
    count_event(state.usage[told.source], told, byte_length(told.data))


def fold(state: Tournament, news: Iterable[StoredRow]) -> Tournament:
    """Fold stored events into the state, in their order; returns the same state."""
    for told in news:
        evolve(state, told)
    return state


class _Stored(msgspec.Struct):
    """A state as it is read: slices of formats are of types that the table of formats knows."""

    entries: Entries
    rounds: Rounds
    results: Results
    formats: dict[str, msgspec.Raw]
    webhooks: Webhooks
    usage: dict[str, LogUsage]
    draws: dict[str, DrawRecord]


def decoder_of(part: Slice[Any]) -> msgspec.msgpack.Decoder[Any]:
    """Return what reads a slice of a format."""
    return msgspec.msgpack.Decoder(part.kind)


_decoder = msgspec.msgpack.Decoder(_Stored)
DECODERS = {part.name: decoder_of(part) for format in FORMATS.values() for part in format.SLICES}
"""Name of a slice of a format -> what reads it."""


def encode(state: Tournament) -> bytes:
    """Return the state as bytes, for snapshots and copies; without private rows, which are not folded."""
    return msgspec.msgpack.encode(
        {
            "entries": state.entries,
            "rounds": state.rounds,
            "results": state.results,
            "formats": state.formats,
            "webhooks": state.webhooks,
            "usage": state.usage,
            "draws": state.draws,
        }
    )


def decode(data: bytes) -> Tournament:
    """The state that `encode` wrote. Raises msgspec.DecodeError when the bytes are of another shape."""
    stored = _decoder.decode(data)
    unknown = stored.formats.keys() - DECODERS.keys()
    if unknown:
        raise msgspec.DecodeError(f"no format has a slice {min(unknown)}")
    parts = {name: DECODERS[name].decode(raw) for name, raw in stored.formats.items()}
    return Tournament(
        stored.entries,
        stored.rounds,
        stored.results,
        parts,
        stored.webhooks,
        stored.usage,
        stored.draws,
    )


def copy_of(state: Tournament) -> Tournament:
    """Return a copy of a state, to try events on."""
    copy = decode(encode(state))
    copy.private = state.private
    return copy
