"""What registration's log says of a co-operative event beside its players: the game's data, and parties."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from msgspec import Struct, field

from shared.events import coop_registration as said

Told = Any
"""The row that an event came in: `position`, `time`, `actor`."""


class CoopEntries(Struct):
    """data: what the operator entered, version by version from 1. parties: id -> members. formed: so many ever."""

    data: list[dict[str, Any]] = field(default_factory=list)
    parties: dict[str, list[str]] = field(default_factory=dict)
    formed: int = 0

    def party_of(self, player: str) -> str:
        """The party of a player; empty for none."""
        return next((party for party, players in self.parties.items() if player in players), "")


def _pinned(coop: CoopEntries, event: said.OperatorDataPinned, told: Told) -> None:
    coop.data.append(event.data)


def _formed(coop: CoopEntries, event: said.PartyFormed, told: Told) -> None:
    coop.parties[event.party] = list(event.players)
    coop.formed += 1


def _joined(coop: CoopEntries, event: said.PartyJoined, told: Told) -> None:
    coop.parties[event.party].append(event.player)


def _left(coop: CoopEntries, event: said.PartyLeft, told: Told) -> None:
    coop.parties[event.party].remove(event.player)


def _disbanded(coop: CoopEntries, event: said.PartyDisbanded, told: Told) -> None:
    del coop.parties[event.party]


EVOLVE: Mapping[type, Callable[[CoopEntries, Any, Told], None]] = MappingProxyType(
    {
        said.OperatorDataPinned: _pinned,
        said.PartyFormed: _formed,
        said.PartyJoined: _joined,
        said.PartyLeft: _left,
        said.PartyDisbanded: _disbanded,
    }
)
"""Event -> what it changes."""
