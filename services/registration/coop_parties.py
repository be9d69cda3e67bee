"""Parties of co-operative events: formed, joined, disbanded; the operator's data."""

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
    """data: scenarios with their two sides, cards, how many sit at a table (docs/reference/packs.md)."""

    data: dict[str, Any]


class FormParty(Command, frozen=True, kw_only=True):
    """players: two or more who are here already and sit together, as many as fit at a table."""

    players: Annotated[list[Id], Size(100, 1)]


class DisbandParty(Command, frozen=True, kw_only=True):
    """Why, if anybody should know; it stands in the public log."""

    party: Id
    reason: OptionalReason = ""


class AcceptInvitation(Command, frozen=True, kw_only=True):
    """A player who has joined already sits with the survivor who invited them."""

    player: Id
    invited_by: Id


class LeaveParty(Command, frozen=True, kw_only=True):
    """Why, if anybody should know; it stands in the public log."""

    player: Id
    reason: OptionalReason = ""


TAKING_PART = ("active", "waiting")


def operator_data_events(command: tournaments.AnnounceTournament) -> list[Event]:
    """What the operator entered with the announcement. Raises DataRefused, also if another format is announced."""
    if command.operator_data is None:
        return []
    if command.ruleset["format"] != "coop":
        fault = Fault(
            "/operator_data", to_short_json(command.operator_data), expects("ruleset-with-data", formats=["coop"])
        )
        raise DataRefused("Only co-operative events use an operator's data.", [fault])
    return [_pinned(command.operator_data, 1, command.rehearsal, "/operator_data")]


def pin_data(state: Tournament, command: PinOperatorData, context: Context) -> Sequence[Event]:
    """What tables are played by that are set up from now on; versions count from 1 (AB-OPS-1)."""
    entries = require_running(state)
    event = _pinned(command.data, len(COOP.of(state).data) + 1, entries.rehearsal, "")
    return [] if COOP.of(state).data and COOP.of(state).data[-1] == event.data else [event]


def _pinned(data: Mapping[str, Any], version: int, rehearsal: bool, where: str) -> OperatorDataPinned:
    """Raises DataRefused for faults, and for made-up data in an event that counts (AB-OPS-2)."""
    found = read_data(data, where)
    if found.placeholder and not rehearsal:
        fault = Fault(f"{where}/placeholder", "true", expects("data-of-game-or-rehearsal"), "AB-OPS-2")
        raise DataRefused("These data are made up, and this event is not a rehearsal.", [fault])
    return OperatorDataPinned(version=version, data=msgspec.to_builtins(found))


def join_party(state: Tournament, command: JoinParty, context: Context) -> Sequence[Event]:
    """Players who come together: entered as each alone would be, and a party."""
    joined = join(state, JoinPlayers(entries=command.entries, late=command.late), context)
    players = [event.player for event in joined if isinstance(event, PlayerJoined | PlayerWaitlisted)]
    require_party_size(state, players)
    return [*joined, party_formed(state, players)]


def form_party(state: Tournament, command: FormParty, context: Context) -> Sequence[Event]:
    """Players who are here already, and in no other party."""
    entries = require_running(state)
    faults = []
    for index, player in enumerate(command.players):
        known = entries.players.get(player)
        party = COOP.of(state).party_of(player)
        if known is None or known.status not in TAKING_PART:
            faults.append(Fault(f"/players/{index}", player, expects("participant")))
        elif party:
            right = expects("player-without-party", player=player, party=party)
            faults.append(Fault(f"/players/{index}", player, right))
        elif player in command.players[:index]:
            faults.append(Fault(f"/players/{index}", player, expects("everybody-once")))
    if faults:
        raise PartyRefused("These players cannot form a party.", faults)
    require_party_size(state, command.players)
    return [party_formed(state, command.players)]


def disband_party(state: Tournament, command: DisbandParty, context: Context) -> Sequence[Event]:
    """Its members are seated each alone from the next seating on."""
    require_running(state)
    if command.party not in COOP.of(state).parties:
        raise PartyUnknown(f"No party has the id {command.party}.")
    return [PartyDisbanded(party=command.party, reason=command.reason)]


def party_formed(state: Tournament, players: Sequence[str]) -> PartyFormed:
    """A party of these; its id is g1, g2 …"""
    return PartyFormed(party=f"g{COOP.of(state).formed + 1}", players=list(players))


def require_party_size(state: Tournament, players: Sequence[str], where: str = "/players") -> None:
    """Raises PartyRefused where no table holds so many, or where it takes more to be together."""
    most = table_size(state).survivors_max
    if not 2 <= len(players) <= most:
        fault = Fault(where, f"{len(players)}", expects("party-size", least=2, most=most), "AB-SET-8")
        raise PartyRefused("A party cannot have this size.", [fault])


STILL_WITH = (*TAKING_PART, "dropped")
"""Who counts in a party: somebody who has dropped may come back to it."""


def sign_up_party(state: Tournament, command: SignUpParty, context: Context) -> Sequence[Event]:
    """A company asks for seats: each as alone, and together a party. AB-SVC-2."""
    require_invitation(require_running(state), context)
    return join_party(state, JoinParty(entries=command.entries), context)


def sign_up_invited(state: Tournament, command: SignUpInvited, context: Context) -> Sequence[Event]:
    """A seat, or a place on the waiting list, and a place in the party of whoever invited them. AB-SVC-2."""
    joined = sign_up(state, SignUp(entry=command.entry), context)
    (player,) = (event.player for event in joined if isinstance(event, PlayerJoined | PlayerWaitlisted))
    return [*joined, _beside(state, player, command.invited_by)]


def accept_invitation(state: Tournament, command: AcceptInvitation, context: Context) -> Sequence[Event]:
    """Somebody who has signed up sits with whoever invited them, as long as players may sign up. AB-SVC-2."""
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
        wrong = f"{player.id} is in the party {own}" if own else "it is their own invitation"
        fault = Fault("/invitation", command.invited_by, expects("invitation-of-other-player"))
        raise PartyRefused(f"This player cannot accept the invitation: {wrong}.", [fault])
    return [_beside(state, player.id, command.invited_by)]


def leave_party(state: Tournament, command: LeaveParty, context: Context) -> Sequence[Event]:
    """A survivor goes on alone; a party of whom one is left is none. Themselves until registration closes. AB-SVC-2."""
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


def _beside(state: Tournament, player: str, invited_by: str) -> Event:
    """One more in the party of whoever invited them, or a new party of both. Raises PartyRefused."""
    players = state.entries.players
    if players[invited_by].status not in TAKING_PART:
        fault = Fault("/invitation", invited_by, expects("invitation-of-participant"))
        raise PartyRefused("The player who gave this invitation is not taking part.", [fault])
    party = COOP.of(state).party_of(invited_by)
    members = [one for one in COOP.of(state).parties.get(party, [invited_by]) if players[one].status in STILL_WITH]
    require_party_size(state, [*members, player], "/invitation")
    return PartyJoined(party=party, player=player) if party else party_formed(state, [invited_by, player])


class PartyRefused(Refusal):
    """A party that cannot be: too large for a table, or with somebody who is in another or does not take part."""

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
