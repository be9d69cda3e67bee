"""What registration's log says of a co-operative event beside its players: its ruleset, the game's data, parties."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from msgspec import field

from shared.coop.ruleset import CoopRuleset
from shared.log.event import Event, StoredEvent
from shared.tournament.format import read_ruleset
from shared.tournament.people import Entries
from shared.tournament.state import FormatState, Slice


class OperatorDataPinned(Event, frozen=True, kw_only=True):
    """What the operator entered of the game, whole: tables set up from now on are played by it.

    version: 1, 2 … of this event. data: scenarios with their sides, cards, table sizes; defaults are written out.
    """

    version: int
    data: dict[str, Any]


class PartyFormed(Event, frozen=True, kw_only=True):
    """Survivors who want to sit together at every table."""

    party: str
    players: list[str]


class PartyJoined(Event, frozen=True, kw_only=True):
    """One more survivor sits with a party, as somebody of it has invited them to."""

    party: str
    player: str


class PartyLeft(Event, frozen=True, kw_only=True):
    """A survivor is seated alone again; the others stay together."""

    party: str
    player: str
    reason: str = ""


class PartyDisbanded(Event, frozen=True, kw_only=True):
    """The members of a party are seated each alone again."""

    party: str
    reason: str = ""


REGISTRATION_EVENTS = (
    OperatorDataPinned,
    PartyFormed,
    PartyJoined,
    PartyLeft,
    PartyDisbanded,
)


def coop_of(entries: Entries) -> CoopRuleset:
    """The ruleset of a co-operative event. Raises PackRefused for another format, which nobody asks for this."""
    return read_ruleset(entries.ruleset, CoopRuleset)


class CoopEntries(FormatState):
    """data: what the operator entered, version by version from 1. parties: id -> members. formed: so many ever."""

    data: list[dict[str, Any]] = field(default_factory=list)
    parties: dict[str, list[str]] = field(default_factory=dict)
    formed: int = 0

    def party_of(self, player: str) -> str:
        """The party of a player; empty for none."""
        return next((party for party, players in self.parties.items() if player in players), "")


COOP = Slice("coop", CoopEntries)


def _pinned(coop: CoopEntries, event: OperatorDataPinned, told: StoredEvent) -> None:
    coop.data.append(event.data)


def _formed(coop: CoopEntries, event: PartyFormed, told: StoredEvent) -> None:
    coop.parties[event.party] = list(event.players)
    coop.formed += 1


def _joined(coop: CoopEntries, event: PartyJoined, told: StoredEvent) -> None:
    coop.parties[event.party].append(event.player)


def _left(coop: CoopEntries, event: PartyLeft, told: StoredEvent) -> None:
    coop.parties[event.party].remove(event.player)


def _disbanded(coop: CoopEntries, event: PartyDisbanded, told: StoredEvent) -> None:
    del coop.parties[event.party]


EVOLVE: Mapping[type, Callable[[CoopEntries, Any, StoredEvent], None]] = MappingProxyType(
    {
        OperatorDataPinned: _pinned,
        PartyFormed: _formed,
        PartyJoined: _joined,
        PartyLeft: _left,
        PartyDisbanded: _disbanded,
    }
)
"""Event -> what it changes."""
