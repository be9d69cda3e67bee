"""One tournament as its three logs tell it. Each log touches a slice of its own, so that it does not matter how
the logs interleave; within a log, order is all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, Protocol

import msgspec
from msgspec import Struct, field

from shared.events.catalogue import read_event
from shared.state import entries, results, rounds
from shared.state.entries import Entries
from shared.state.results import Results
from shared.state.rounds import Rounds


class Told(Protocol):
    """What folding needs of a stored event."""

    @property
    def source(self) -> str: ...
    @property
    def position(self) -> int: ...
    @property
    def type(self) -> str: ...
    @property
    def version(self) -> int: ...
    @property
    def time(self) -> str: ...
    @property
    def actor(self) -> str: ...
    @property
    def data(self) -> str: ...


class Tournament(Struct):
    """The state of a Swiss tournament: a slice for each log. Only `evolve` changes it; everybody else reads."""

    entries: Entries = field(default_factory=Entries)
    rounds: Rounds = field(default_factory=Rounds)
    results: Results = field(default_factory=Results)

    def copy(self) -> Tournament:
        """A state of its own, to try events on."""
        return decode(encode(self))


SLICES: Mapping[str, str] = MappingProxyType({"registration": "entries", "pairing": "rounds", "scoring": "results"})
"""Source -> the member of Tournament that its events change."""

EVOLVE: Mapping[str, Mapping[type, Callable[[Any, Any, Any], None]]] = MappingProxyType(
    {"registration": entries.EVOLVE, "pairing": rounds.EVOLVE, "scoring": results.EVOLVE}
)


def evolve(state: Tournament, told: Told) -> None:
    """Fold one stored event into the state.

    Raises UnknownEvent when newer code wrote it, KeyError when the owner appended something impossible.
    """
    event = read_event(told.type, told.version, told.data)
    EVOLVE[told.source][type(event)](getattr(state, SLICES[told.source]), event, told)


def fold(state: Tournament, news: Iterable[Told]) -> Tournament:
    """Fold stored events into the state, in their order; returns the same state."""
    for told in news:
        evolve(state, told)
    return state


_decoder = msgspec.msgpack.Decoder(Tournament)


def encode(state: Tournament) -> bytes:
    """The state as bytes, for snapshots and copies."""
    return msgspec.msgpack.encode(state)


def decode(data: bytes) -> Tournament:
    """The state that `encode` wrote. Raises msgspec.DecodeError when the bytes are of another shape."""
    return _decoder.decode(data)
