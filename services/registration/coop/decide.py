"""Decisions about co-operative events: what the operator enters of the game, and parties that come together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from services.registration.tournament.commands import (
    AnnounceTournament,
    DisbandParty,
    FormParty,
    JoinParty,
    JoinPlayers,
    PinOperatorData,
)
from services.registration.tournament.decide.players import join
from services.registration.tournament.refusals import PartyRefused, PartyUnknown
from shared.events.base import Event
from shared.formats.coop.at_tables import table_size
from shared.formats.coop.entries import COOP
from shared.formats.coop.registration_events import OperatorDataPinned, PartyDisbanded, PartyFormed
from shared.formats.coop.rules.data import read_data
from shared.refusals import Fault
from shared.rules.refusals import DataRefused
from shared.tournament.context import Context
from shared.tournament.events.registration import PlayerJoined, PlayerWaitlisted
from shared.tournament.guards import running
from shared.tournament.state import Tournament

TAKING_PART = ("active", "waiting")


def announced_with(command: AnnounceTournament) -> list[Event]:
    """What the operator entered with the announcement. Raises DataRefused."""
    assert command.operator_data is not None  # else nobody asks
    return [_pinned(command.operator_data, 1, command.rehearsal, "/operator_data")]


def pin_data(state: Tournament, command: PinOperatorData, context: Context) -> Sequence[Event]:
    """What tables are played by that are set up from now on; versions count from 1 (AB-OPS-1)."""
    entries = running(state)
    event = _pinned(command.data, len(COOP.of(state).data) + 1, entries.rehearsal, "")
    return [] if COOP.of(state).data and COOP.of(state).data[-1] == event.data else [event]


def _pinned(data: Mapping[str, Any], version: int, rehearsal: bool, where: str) -> OperatorDataPinned:
    """Raises DataRefused for faults, and for made-up data in an event that counts (AB-OPS-2)."""
    found = read_data(data, where)
    if found.placeholder and not rehearsal:
        fault = Fault(f"{where}/placeholder", "true", "false, or an event announced as a rehearsal", "AB-OPS-2")
        raise DataRefused("These data are made up, and this event counts.", [fault])
    return OperatorDataPinned(version=version, data=msgspec.to_builtins(found))


def join_party(state: Tournament, command: JoinParty, context: Context) -> Sequence[Event]:
    """Players who come together: entered as each alone would be, and a party."""
    joined = join(state, JoinPlayers(entries=command.entries, late=command.late), context)
    players = [event.player for event in joined if isinstance(event, PlayerJoined | PlayerWaitlisted)]
    refuse_size(state, players)
    return [*joined, formed(state, players)]


def form_party(state: Tournament, command: FormParty, context: Context) -> Sequence[Event]:
    """Players who are here already, and in no other party."""
    entries = running(state)
    faults = []
    for index, player in enumerate(command.players):
        known = entries.players.get(player)
        party = COOP.of(state).party_of(player)
        if known is None or known.status not in TAKING_PART:
            faults.append(Fault(f"/players/{index}", player, "the id of a player who takes part or waits"))
        elif party:
            faults.append(Fault(f"/players/{index}", f"{player} is in the party {party}", "somebody in no party"))
        elif player in command.players[:index]:
            faults.append(Fault(f"/players/{index}", f"{player} for the second time", "everybody once"))
    if faults:
        raise PartyRefused("These players make no party.", faults)
    refuse_size(state, command.players)
    return [formed(state, command.players)]


def disband_party(state: Tournament, command: DisbandParty, context: Context) -> Sequence[Event]:
    """Its members are seated each alone from the next seating on."""
    running(state)
    if command.party not in COOP.of(state).parties:
        raise PartyUnknown(f"No party has the id {command.party}.")
    return [PartyDisbanded(party=command.party, reason=command.reason)]


def formed(state: Tournament, players: Sequence[str]) -> PartyFormed:
    """A party of these; its id is g1, g2 …"""
    return PartyFormed(party=f"g{COOP.of(state).formed + 1}", players=list(players))


def refuse_size(state: Tournament, players: Sequence[str], where: str = "/players") -> None:
    """Raises PartyRefused where no table holds so many, or where it takes more to be together."""
    most = table_size(state).survivors_max
    if not 2 <= len(players) <= most:
        fault = Fault(where, f"{len(players)} players", f"2 to {most}, who fit at a table", "AB-SET-8")
        raise PartyRefused("No party is of this size.", [fault])
