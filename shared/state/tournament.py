"""One tournament as its three logs tell it. Each log touches a slice of its own, so that it does not matter how
the logs interleave; within a log, order is all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, Protocol

import msgspec
from msgspec import Struct, field

from shared.events.catalogue import read_event
from shared.events.recorded import size_of
from shared.state import (
    campaign,
    coop_entries,
    enlisted,
    entries,
    growth,
    results,
    rounds,
    season,
    season_entries,
    seating,
    sessions,
)
from shared.state.campaign import Campaign
from shared.state.coop_entries import CoopEntries
from shared.state.enlisted import Enlisted
from shared.state.entries import Entries
from shared.state.growth import Growth
from shared.state.results import Results
from shared.state.rounds import Rounds
from shared.state.season import Season
from shared.state.season_entries import SeasonEntries
from shared.state.seating import Seating
from shared.state.sessions import Sessions


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
    """The state of a tournament: slices that one log each changes. Only `evolve` changes it; everybody else reads.

    `entries` is of every format; `rounds` and `results` of Swiss and of campaigns, and of every format the end of the
    event and awards; `coop`, `seating` and `sessions` of co-operative events; `enlisted` and `campaign` of campaigns;
    `season_entries` and `season` of seasons; `growth` of every format: source -> what its log holds, and by whom.
    """

    entries: Entries = field(default_factory=Entries)
    rounds: Rounds = field(default_factory=Rounds)
    results: Results = field(default_factory=Results)
    coop: CoopEntries = field(default_factory=CoopEntries)
    seating: Seating = field(default_factory=Seating)
    sessions: Sessions = field(default_factory=Sessions)
    enlisted: Enlisted = field(default_factory=Enlisted)
    campaign: Campaign = field(default_factory=Campaign)
    season_entries: SeasonEntries = field(default_factory=SeasonEntries)
    season: Season = field(default_factory=Season)
    growth: dict[str, Growth] = field(default_factory=lambda: {source: Growth() for source in EVOLVE})

    @property
    def begun(self) -> bool:
        """Whether a round is paired, or of sessions seated."""
        return bool(self.rounds.rounds or self.seating.rounds)

    def rounds_closed(self) -> int:
        """The number of the last round that is closed, of whatever kind rounds are here."""
        return self.results.rounds_closed() or self.seating.rounds_closed()

    def copy(self) -> Tournament:
        """A state of its own, to try events on."""
        return decode(encode(self))


Change = Callable[[Any, Any, Any], None]
"""What an event does to a slice; called with the slice, the event and the row that it came in."""


def _into(member: str, changes: Mapping[type, Change]) -> dict[type, tuple[str, Change]]:
    return {event: (member, change) for event, change in changes.items()}


EVOLVE: Mapping[str, Mapping[type, tuple[str, Change]]] = MappingProxyType(
    {
        "registration": _into("entries", entries.EVOLVE)
        | _into("coop", coop_entries.EVOLVE)
        | _into("enlisted", enlisted.EVOLVE)
        | _into("season_entries", season_entries.EVOLVE),
        "pairing": _into("rounds", rounds.EVOLVE) | _into("seating", seating.EVOLVE),
        "scoring": _into("results", results.EVOLVE)
        | _into("sessions", sessions.EVOLVE)
        | _into("campaign", campaign.EVOLVE)
        | _into("season", season.EVOLVE),
    }
)
"""Source -> event -> the member of Tournament that it changes, and how. A member is changed by one log alone."""


def evolve(state: Tournament, told: Told) -> None:
    """Fold one stored event into the state.

    Raises UnknownEvent when newer code wrote it, KeyError when the owner appended something impossible.
    """
    event = read_event(told.type, told.version, told.data)
    member, change = EVOLVE[told.source][type(event)]
    change(getattr(state, member), event, told)
    growth.take(state.growth[told.source], told, size_of(told.data))


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
