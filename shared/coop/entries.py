"""Registration's part of a co-op event: the operator's data about the game, and parties."""

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
    """The operator's data about the game was recorded. Tables set up from now on use it.

    - `version`: number of this event in the log, from 1.
    - `data`: the data in full: scenarios with their sides, cards, table sizes, with defaults filled in.
    """

    version: int
    data: dict[str, Any]


class PartyFormed(Event, frozen=True, kw_only=True):
    """Survivors formed a party to sit together at every table.

    - `party`: id of the party.
    - `players`: ids of the survivors.
    """

    party: str
    players: list[str]


class PartyJoined(Event, frozen=True, kw_only=True):
    """A survivor joined a party after an invitation by one of its members.

    - `party`: id of the party.
    - `player`: id of the survivor.
    """

    party: str
    player: str


class PartyLeft(Event, frozen=True, kw_only=True):
    """A survivor left a party and is seated alone. The others stay together.

    - `party`: id of the party.
    - `player`: id of the survivor.
    - `reason`: why the survivor left; public.
    """

    party: str
    player: str
    reason: str = ""


class PartyDisbanded(Event, frozen=True, kw_only=True):
    """A party was disbanded. Its members are seated individually.

    - `party`: id of the party.
    - `reason`: why it was disbanded; public.
    """

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
    """Return the ruleset of a co-op event. Raise PackRefused for a ruleset of another format."""
    return read_ruleset(entries.ruleset, CoopRuleset)


class CoopEntries(FormatState):
    """State of registration's log of a co-op event.

    data: the operator's data, by version from 1.
    parties: party -> members.
    formed: number of parties ever formed.
    """

    data: list[dict[str, Any]] = field(default_factory=list)
    parties: dict[str, list[str]] = field(default_factory=dict)
    formed: int = 0

    def party_of(self, player: str) -> str:
        """Return the party of a player; empty if it has none."""
        return next((party for party, players in self.parties.items() if player in players), "")


COOP = Slice("coop", CoopEntries)


def _add_data(coop: CoopEntries, event: OperatorDataPinned, stored: StoredEvent) -> None:
    coop.data.append(event.data)


def _form_party(coop: CoopEntries, event: PartyFormed, stored: StoredEvent) -> None:
    coop.parties[event.party] = list(event.players)
    coop.formed += 1


def _join_party(coop: CoopEntries, event: PartyJoined, stored: StoredEvent) -> None:
    coop.parties[event.party].append(event.player)


def _leave_party(coop: CoopEntries, event: PartyLeft, stored: StoredEvent) -> None:
    coop.parties[event.party].remove(event.player)


def _disband_party(coop: CoopEntries, event: PartyDisbanded, stored: StoredEvent) -> None:
    del coop.parties[event.party]


EVOLVE: Mapping[type, Callable[[CoopEntries, Any, StoredEvent], None]] = MappingProxyType(
    {
        OperatorDataPinned: _add_data,
        PartyFormed: _form_party,
        PartyJoined: _join_party,
        PartyLeft: _leave_party,
        PartyDisbanded: _disband_party,
    }
)
"""Event -> its change of the state."""
