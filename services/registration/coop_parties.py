"""Parties of co-operative events: forming, joining, leaving, disbanding; the operator's data."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Annotated, Any

import msgspec

from services.registration import tournaments
from services.registration.guards import NotYours, RegistrationIsClosed, is_self_or_staff, player_not_active, player_of
from services.registration.players import (
    JoinParty,
    JoinPlayers,
    SignUp,
    SignUpInvited,
    SignUpParty,
    join,
    require_invitation,
    sign_up,
)
from shared.coop.entries import COOP, OperatorDataPinned, PartyDisbanded, PartyFormed, PartyJoined, PartyLeft
from shared.coop.ruleset import read_data
from shared.coop.sessions import table_size
from shared.log.event import Event
from shared.refusals import Fault, Refusal, expects, to_short_json
from shared.rules.model import DataRefused
from shared.shapes import Command, Id, OptionalReason, Size
from shared.tournament.guards import Context, require_running
from shared.tournament.registration import PlayerJoined, PlayerWaitlisted
from shared.tournament.state import Tournament


class PinOperatorData(Command, frozen=True, kw_only=True):
    """Enter the operator's data of the game."""

    data: Annotated[
        dict[str, Any], "Scenarios with their two sides, cards, and the table size (docs/reference/packs.md)."
    ]


class FormParty(Command, frozen=True, kw_only=True):
    """Form a party of players who have joined already."""

    players: Annotated[list[Id], Size(100, 1), "Two or more players, at most as many as fit at a table."]


class DisbandParty(Command, frozen=True, kw_only=True):
    """Disband a party."""

    party: Id
    reason: Annotated[OptionalReason, "Public."] = ""


class AcceptInvitation(Command, frozen=True, kw_only=True):
    """Accept a survivor's invitation for a player who has joined already."""

    player: Id
    invited_by: Id


class LeaveParty(Command, frozen=True, kw_only=True):
    """Leave a party."""

    player: Id
    reason: Annotated[OptionalReason, "Public."] = ""


TAKING_PART = ("active", "waiting")


def operator_data_events(command: tournaments.AnnounceTournament) -> list[Event]:
    """Return the event of operator data that are part of an announcement.

    Raises DataRefused for faults, and if the announced format is not co-operative.
    """
    if command.operator_data is None:
        return []
    if command.ruleset["format"] != "coop":
        fault = Fault(
            "/operator_data", to_short_json(command.operator_data), expects("ruleset-with-data", formats=["coop"])
        )
        raise DataRefused("Only co-operative events use an operator's data.", [fault])
    return [_data_pinned(command.operator_data, 1, command.rehearsal, "/operator_data")]


def pin_data(state: Tournament, command: PinOperatorData, context: Context) -> Sequence[Event]:
    """Pin the data for tables that are set up from now on, with the next version number (AB-OPS-1)."""
    entries = require_running(state)
    event = _data_pinned(command.data, len(COOP.of(state).data) + 1, entries.rehearsal, "")
    return [] if COOP.of(state).data and COOP.of(state).data[-1] == event.data else [event]


def _data_pinned(data: Mapping[str, Any], version: int, rehearsal: bool, where: str) -> OperatorDataPinned:
    """Return the event. Raises DataRefused for faults, and for placeholder data outside a rehearsal (AB-OPS-2)."""
    operator_data = read_data(data, where)
    if operator_data.placeholder and not rehearsal:
        fault = Fault(f"{where}/placeholder", "true", expects("data-of-game-or-rehearsal"), "AB-OPS-2")
        raise DataRefused("These data are made up, and this event is not a rehearsal.", [fault])
    return OperatorDataPinned(version=version, data=msgspec.to_builtins(operator_data))


def join_party(state: Tournament, command: JoinParty, context: Context) -> Sequence[Event]:
    """Enter players, and form a party of them."""
    joined = join(state, JoinPlayers(entries=command.entries, late=command.late), context)
    players = [event.player for event in joined if isinstance(event, PlayerJoined | PlayerWaitlisted)]
    require_party_size(state, players)
    return [*joined, party_formed(state, players)]


def form_party(state: Tournament, command: FormParty, context: Context) -> Sequence[Event]:
    """Form a party of players who have joined already and are in no other party."""
    entries = require_running(state)
    faults = []
    for index, id in enumerate(command.players):
        player = entries.players.get(id)
        party = COOP.of(state).party_of(id)
        if player is None or player.status not in TAKING_PART:
            faults.append(Fault(f"/players/{index}", id, expects("participant")))
        elif party:
            expected = expects("player-without-party", player=id, party=party)
            faults.append(Fault(f"/players/{index}", id, expected))
        elif id in command.players[:index]:
            faults.append(Fault(f"/players/{index}", id, expects("everybody-once")))
    if faults:
        raise PartyRefused("These players cannot form a party.", faults)
    require_party_size(state, command.players)
    return [party_formed(state, command.players)]


def disband_party(state: Tournament, command: DisbandParty, context: Context) -> Sequence[Event]:
    """Disband a party. Its members are seated individually from the next seating on."""
    require_running(state)
    if command.party not in COOP.of(state).parties:
        raise PartyUnknown(f"No party has the id {command.party}.")
    return [PartyDisbanded(party=command.party, reason=command.reason)]


def party_formed(state: Tournament, players: Sequence[str]) -> PartyFormed:
    """Return the event of a new party with the next id: g1, g2, …"""
    return PartyFormed(party=f"g{COOP.of(state).formed + 1}", players=list(players))


def require_party_size(state: Tournament, players: Sequence[str], where: str = "/players") -> None:
    """Raise PartyRefused unless the party has at least two players, and fits at a table."""
    maximum = table_size(state).survivors_max
    if not 2 <= len(players) <= maximum:
        fault = Fault(where, f"{len(players)}", expects("party-size", least=2, most=maximum), "AB-SET-8")
        raise PartyRefused("A party cannot have this size.", [fault])


MEMBER_STATUSES = (*TAKING_PART, "dropped")
"""Statuses that count as party members: dropped players may come back."""


def sign_up_party(state: Tournament, command: SignUpParty, context: Context) -> Sequence[Event]:
    """Sign players up, and form a party of them (AB-SVC-2)."""
    require_invitation(require_running(state), context)
    return join_party(state, JoinParty(entries=command.entries), context)


def sign_up_invited(state: Tournament, command: SignUpInvited, context: Context) -> Sequence[Event]:
    """Sign a player up, and add them to the party of the survivor who invited them (AB-SVC-2)."""
    joined = sign_up(state, SignUp(entry=command.entry), context)
    (player,) = (event.player for event in joined if isinstance(event, PlayerJoined | PlayerWaitlisted))
    return [*joined, _join_inviter(state, player, command.invited_by)]


def accept_invitation(state: Tournament, command: AcceptInvitation, context: Context) -> Sequence[Event]:
    """Add a player to the party of the survivor who invited them, while players may sign up (AB-SVC-2)."""
    entries = require_running(state)
    player = player_of(entries, command.player)
    if not is_self_or_staff(context, command.player):
        raise NotYours("A player accepts invitations only for themselves.")
    require_invitation(entries, context)
    if state.has_begun or not entries.registration_open:
        raise RegistrationIsClosed("Registration is closed; staff may still form parties: POST …/parties.")
    if player.status not in TAKING_PART:
        raise player_not_active(player)
    own = COOP.of(state).party_of(player.id)
    if own and own == COOP.of(state).party_of(command.invited_by):
        return []
    if own or player.id == command.invited_by:
        problem = f"{player.id} is in the party {own}" if own else "it is their own invitation"
        fault = Fault("/invitation", command.invited_by, expects("invitation-of-other-player"))
        raise PartyRefused(f"This player cannot accept the invitation: {problem}.", [fault])
    return [_join_inviter(state, player.id, command.invited_by)]


def leave_party(state: Tournament, command: LeaveParty, context: Context) -> Sequence[Event]:
    """Take a survivor out of a party; a party of two is disbanded (AB-SVC-2).

    Players may leave their own party until registration closes; staff may act at any time.
    """
    entries = require_running(state)
    player = player_of(entries, command.player)
    if not is_self_or_staff(context, command.player):
        raise NotYours("A player may leave only their own party.")
    if not context.by.staff and (state.has_begun or not entries.registration_open):
        raise RegistrationIsClosed("Registration is closed; staff may still take somebody out of a party.")
    party = COOP.of(state).party_of(player.id)
    if not party:
        raise PartyUnknown(f"{player.id} is in no party.")
    if len(COOP.of(state).parties[party]) > 2:
        return [PartyLeft(party=party, player=player.id, reason=command.reason)]
    return [PartyDisbanded(party=party, reason=command.reason)]


def _join_inviter(state: Tournament, player: str, invited_by: str) -> Event:
    """Return the event that adds a player to the inviter's party, or forms a party of both. Raises PartyRefused."""
    players = state.entries.players
    if players[invited_by].status not in TAKING_PART:
        fault = Fault("/invitation", invited_by, expects("invitation-of-participant"))
        raise PartyRefused("The player who gave this invitation is not taking part.", [fault])
    party = COOP.of(state).party_of(invited_by)
    members = [id for id in COOP.of(state).parties.get(party, [invited_by]) if players[id].status in MEMBER_STATUSES]
    require_party_size(state, [*members, player], "/invitation")
    return PartyJoined(party=party, player=player) if party else party_formed(state, [invited_by, player])


class PartyRefused(Refusal):
    """The party does not fit at a table, or a player is in another party or does not take part."""

    code = "party-refused"


class PartyUnknown(Refusal):
    code = "party-unknown"


LINKS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "invitation": ("registration", "/players/{player}/invitation"),
        "tables": ("pairing", "/session-rounds"),
        "games": ("scoring", "/sessions"),
        "standing": ("scoring", "/ranking/{player}"),
    }
)
ON_PURPOSE: Collection[str] = ()
