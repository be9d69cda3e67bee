"""Folding: each event of the three logs changes the one slice of a tournament's state that is its own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from shared.events.recorded import size_of
from shared.formats import FORMATS
from shared.formats.catalogue import read_event
from shared.tournament import calls, entries, growth, results, rounds, screens, webhooks
from shared.tournament.calls import Calls
from shared.tournament.entries import Entries
from shared.tournament.growth import Growth
from shared.tournament.results import Results
from shared.tournament.rounds import Rounds
from shared.tournament.screens import Screens
from shared.tournament.state import SOURCES, Change, Reach, Slice, StoredEvent, Tournament, of_all
from shared.tournament.webhooks import Webhooks

_COMMON = {
    "registration": {**of_all("entries", entries.EVOLVE), **of_all("screens", screens.EVOLVE)},
    "pairing": {**of_all("rounds", rounds.EVOLVE), **of_all("calls", calls.EVOLVE)},
    "scoring": {**of_all("results", results.EVOLVE), **of_all("webhooks", webhooks.EVOLVE)},
}

EVOLVE: dict[str, Mapping[type, tuple[Reach, Change]]] = FORMATS.following(
    lambda: {
        source: {
            **_COMMON[source],
            **{event: way for format in FORMATS.values() for event, way in format.changes.get(source, {}).items()},
        }
        for source in SOURCES
    }
)
"""Source -> event -> the way to the slice that it changes, and how. A slice is changed by one log alone."""


def evolve(state: Tournament, told: StoredEvent) -> None:
    """Fold one stored event into the state.

    Raises UnknownEvent when newer code wrote it, KeyError when the owner appended something impossible.
    """
    event = read_event(told.type, told.version, told.data)
    reach, change = EVOLVE[told.source][type(event)]
    change(reach(state), event, told)
    growth.take(state.growth[told.source], told, size_of(told.data))


def fold(state: Tournament, news: Iterable[StoredEvent]) -> Tournament:
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
    calls: Calls
    screens: Screens
    growth: dict[str, Growth]


def _decoder_of(part: Slice[Any]) -> msgspec.msgpack.Decoder[Any]:
    return msgspec.msgpack.Decoder(part.kind)


_decoder = msgspec.msgpack.Decoder(_Stored)
_decoders = FORMATS.following(
    lambda: {part.name: _decoder_of(part) for format in FORMATS.values() for part in format.slices}
)


def encode(state: Tournament) -> bytes:
    """The state as bytes, for snapshots and copies."""
    return msgspec.msgpack.encode(state)


def decode(data: bytes) -> Tournament:
    """The state that `encode` wrote. Raises msgspec.DecodeError when the bytes are of another shape."""
    stored = _decoder.decode(data)
    unknown = stored.formats.keys() - _decoders.keys()
    if unknown:
        raise msgspec.DecodeError(f"no format has a slice {min(unknown)}")
    parts = {name: _decoders[name].decode(raw) for name, raw in stored.formats.items()}
    return Tournament(
        stored.entries,
        stored.rounds,
        stored.results,
        parts,
        stored.webhooks,
        stored.calls,
        stored.screens,
        stored.growth,
    )


def copy_of(state: Tournament) -> Tournament:
    """A state of its own, to try events on."""
    return decode(encode(state))
