"""Decisions about parties that survivors make themselves while anybody may sign up: a company, or by invitation."""

from __future__ import annotations

from collections.abc import Sequence

from services.registration.coop.decide import TAKING_PART, formed, join_party, refuse_size
from services.registration.tournament.commands import (
    AcceptInvitation,
    JoinParty,
    LeaveParty,
    SignUp,
    SignUpInvited,
    SignUpParty,
)
from services.registration.tournament.decide.players import refuse_uninvited, sign_up
from services.registration.tournament.refusals import NotYours, PartyRefused, PartyUnknown, RegistrationIsClosed
from services.registration.tournament.state import not_active, own_or_staff, player_of
from shared.events.base import Event
from shared.formats.coop.entries import COOP
from shared.formats.coop.registration_events import PartyDisbanded, PartyJoined, PartyLeft
from shared.refusals import Fault
from shared.tournament.context import Context
from shared.tournament.events.registration import PlayerJoined, PlayerWaitlisted
from shared.tournament.guards import running
from shared.tournament.state import Tournament

STILL_WITH = (*TAKING_PART, "dropped")
"""Who counts in a party: somebody who has dropped may come back to it."""


def sign_up_party(state: Tournament, command: SignUpParty, context: Context) -> Sequence[Event]:
    """A company asks for seats: each as alone, and together a party. AB-SVC-2."""
    refuse_uninvited(running(state), context)
    return join_party(state, JoinParty(entries=command.entries), context)


def sign_up_invited(state: Tournament, command: SignUpInvited, context: Context) -> Sequence[Event]:
    """A seat, or a place on the waiting list, and a place in the party of whoever invited them. AB-SVC-2."""
    joined = sign_up(state, SignUp(entry=command.entry), context)
    (player,) = (event.player for event in joined if isinstance(event, PlayerJoined | PlayerWaitlisted))
    return [*joined, _beside(state, player, command.invited_by)]


def accept_invitation(state: Tournament, command: AcceptInvitation, context: Context) -> Sequence[Event]:
    """Somebody who has signed up sits with whoever invited them, as long as players may sign up. AB-SVC-2."""
    entries = running(state)
    player = player_of(entries, command.player)
    if not own_or_staff(context, command.player):
        raise NotYours("A player accepts invitations only for themselves.")
    refuse_uninvited(entries, context)
    if state.begun or not entries.registration_open:
        raise RegistrationIsClosed("Registration is closed; staff may still form parties: POST …/parties.")
    if player.status not in TAKING_PART:
        raise not_active(player)
    own = COOP.of(state).party_of(player.id)
    if own and own == COOP.of(state).party_of(command.invited_by):
        return []
    if own or player.id == command.invited_by:
        wrong = f"{player.id} is in the party {own}" if own else "their own invitation"
        fault = Fault("/invitation", wrong, "the invitation of somebody else, to somebody in no party")
        raise PartyRefused("This player cannot sit there as well.", [fault])
    return [_beside(state, player.id, command.invited_by)]


def leave_party(state: Tournament, command: LeaveParty, context: Context) -> Sequence[Event]:
    """A survivor goes on alone; a party of whom one is left is none. Themselves until registration closes. AB-SVC-2."""
    entries = running(state)
    player = player_of(entries, command.player)
    if not own_or_staff(context, command.player):
        raise NotYours("A player may leave only their own party.")
    if not context.by.staff and (state.begun or not entries.registration_open):
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
        fault = Fault("/invitation", f"{invited_by} takes no part any more", "of somebody who takes part or waits")
        raise PartyRefused("Whoever invited this player will not be there.", [fault])
    party = COOP.of(state).party_of(invited_by)
    members = [one for one in COOP.of(state).parties.get(party, [invited_by]) if players[one].status in STILL_WITH]
    refuse_size(state, [*members, player], "/invitation")
    return PartyJoined(party=party, player=player) if party else formed(state, [invited_by, player])
