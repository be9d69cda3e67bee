"""The catalogue of events: owner, version and class of each, and the slice of the state that it changes.

docs/reference/events.md is generated from this table.
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
    """Return the events about one log's draws, each with the getter of its slice and its change."""
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
"""Owner -> events of every format -> the slice that each changes, and the change."""

OWNERS: dict[str, tuple[type[Event], ...]] = {
    owner: (*common, *(event for format in FORMATS.values() for event in format.EVENTS.get(owner, ())))
    for owner, common in _COMMON.items()
}
"""Owner -> the events it appends. Each step of a campaign belongs to one service, which appends its events."""


class UnknownEvent(Exception):
    """The event has a type or version that this code does not know: newer code wrote it."""


class EventType(msgspec.Struct, frozen=True):
    """A row of the catalogue. `version` is the current one; older events are upcast when read."""

    name: str
    owners: tuple[str, ...]
    version: int
    schema: type[Event]
    decoder: msgspec.json.Decoder  # type: ignore[type-arg]


def event_type(schema: type[Event]) -> EventType:
    """Return the catalogue row of an event."""
    name, owners = schema.__name__, tuple(owner for owner, owned in OWNERS.items() if schema in owned)
    return EventType(name, owners, 1 + len(UPCASTS.get(name, ())), schema, msgspec.json.Decoder(schema))


CATALOGUE: dict[str, EventType] = {
    schema.__name__: event_type(schema) for schemas in OWNERS.values() for schema in schemas
}


def read_event(type: str, version: int, data: str) -> Event:
    """Return the typed event of stored data, upcast to the current version.

    Raise UnknownEvent for a newer type or version, msgspec.ValidationError if the data does not fit.
    """
    known = CATALOGUE.get(type)
    if known is None or version > known.version:
        raise UnknownEvent(f"{type} version {version}; this code knows {known.version if known else 'no such type'}")
    if version == known.version:
        return known.decoder.decode(data)  # type: ignore[no-any-return]
    return msgspec.convert(upcast(type, version, msgspec.json.decode(data)), known.schema)


def current_data(recorded: Recorded) -> dict[str, Any]:
    """Return the data of a stored event in its current version, as an object for answers.

    Raise UnknownEvent for a newer type or version.
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
"""Source -> event -> the slice that it changes, and the change. Only one log changes a slice."""


def evolve(state: Tournament, row: StoredRow) -> None:
    """Fold one stored event into the state.

    Raise UnknownEvent if newer code wrote it, KeyError if the owner appended an impossible event.
    """
    event = read_event(row.type, row.version, row.data)
    reach, change = EVOLVE[row.source][type(event)]
    change(reach(state), event, row)
    if event.answers:
        state.draws[row.source].answers.update({answer.question: answer for answer in event.answers})
    count_event(state.usage[row.source], row, byte_length(row.data))


def fold(state: Tournament, rows: Iterable[StoredRow]) -> Tournament:
    """Fold stored events into the state in order. Return the same state."""
    for row in rows:
        evolve(state, row)
    return state


class _Encoded(msgspec.Struct):
    """An encoded state. Slices of formats stay raw until their type is known."""

    entries: Entries
    rounds: Rounds
    results: Results
    formats: dict[str, msgspec.Raw]
    webhooks: Webhooks
    usage: dict[str, LogUsage]
    draws: dict[str, DrawRecord]


def decoder_of(part: Slice[Any]) -> msgspec.msgpack.Decoder[Any]:
    """Return the decoder of a format's slice."""
    return msgspec.msgpack.Decoder(part.kind)


_decoder = msgspec.msgpack.Decoder(_Encoded)
DECODERS = {part.name: decoder_of(part) for format in FORMATS.values() for part in format.SLICES}
"""Name of a format's slice -> its decoder."""


def encode(state: Tournament) -> bytes:
    """Encode the state for snapshots and copies, without private rows, which are not folded."""
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
    """Return the state that `encode` wrote. Raise msgspec.DecodeError if the bytes do not fit."""
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
    """Return a copy of a state, including its private rows, to try events on.

    Rulesets are never changed and stay the same objects, so that what was derived from them stays known.
    """
    copy = decode(encode(state))
    copy.private = state.private
    copy.entries.ruleset = state.entries.ruleset
    for moved, own in zip(copy.entries.moves, state.entries.moves, strict=True):
        moved.ruleset = own.ruleset
    return copy
