"""What registration's log says of a co-operative event beside its players: the game's data, and parties."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from msgspec import field

from shared.formats.coop.registration_events import (
    OperatorDataPinned,
    PartyDisbanded,
    PartyFormed,
    PartyJoined,
    PartyLeft,
)
from shared.tournament.state import OfFormat, Slice

Told = Any
"""The row that an event came in: `position`, `time`, `actor`."""


class CoopEntries(OfFormat):
    """data: what the operator entered, version by version from 1. parties: id -> members. formed: so many ever."""

    data: list[dict[str, Any]] = field(default_factory=list)
    parties: dict[str, list[str]] = field(default_factory=dict)
    formed: int = 0

    def party_of(self, player: str) -> str:
        """The party of a player; empty for none."""
        return next((party for party, players in self.parties.items() if player in players), "")


COOP = Slice("coop", CoopEntries)


def _pinned(coop: CoopEntries, event: OperatorDataPinned, told: Told) -> None:
    coop.data.append(event.data)


def _formed(coop: CoopEntries, event: PartyFormed, told: Told) -> None:
    coop.parties[event.party] = list(event.players)
    coop.formed += 1


def _joined(coop: CoopEntries, event: PartyJoined, told: Told) -> None:
    coop.parties[event.party].append(event.player)


def _left(coop: CoopEntries, event: PartyLeft, told: Told) -> None:
    coop.parties[event.party].remove(event.player)


def _disbanded(coop: CoopEntries, event: PartyDisbanded, told: Told) -> None:
    del coop.parties[event.party]


EVOLVE: Mapping[type, Callable[[CoopEntries, Any, Told], None]] = MappingProxyType(
    {
        OperatorDataPinned: _pinned,
        PartyFormed: _formed,
        PartyJoined: _joined,
        PartyLeft: _left,
        PartyDisbanded: _disbanded,
    }
)
"""Event -> what it changes."""
