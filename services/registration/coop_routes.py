"""Routes and views of parties, invitations and the operator's data."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import UNSET, UnsetType

from services.registration.coop_parties import (
    MEMBER_STATUSES,
    AcceptInvitation,
    DisbandParty,
    FormParty,
    LeaveParty,
    PinOperatorData,
)
from services.registration.guards import NotYours, player_of
from services.registration.handlers import HANDLERS
from services.registration.tokens import Invitations
from shared.coop.entries import COOP, PartyFormed
from shared.coop.ruleset import missing_values
from shared.coop.sessions import operator_data, table_size
from shared.roles import PLAYER, REFEREE_UP
from shared.service.game_lists import AtVenue
from shared.service.routes import CommandBlueprint, Made
from shared.service.views import Appended
from shared.service.wiring import current_part, gateway_of
from shared.shapes import Shape, Text, View
from shared.tournament.state import Tournament
from shared.web.auth import require_caller
from shared.web.request import not_modified


class InvitationView(View, frozen=True, kw_only=True):
    """A survivor's invitation to their table."""

    player: str
    invitation: Annotated[str, "The code that others enter."]
    party: Annotated[str, "The survivor's party; empty: none."]
    players: Annotated[list[str], "The members of the party."]
    places: Annotated[int, "The number of players who can still join."]


class MissingValues(View, frozen=True, kw_only=True):
    """The values that a side of a scenario still lacks. A table with this side cannot be set up."""

    scenario: str
    side: Annotated[int, "1 or 2."]
    missing: list[str]


class OperatorDataView(View, frozen=True, kw_only=True):
    """The latest operator data."""

    version: Annotated[int, "0: none yet."]
    data: dict[str, Any]
    missing: list[MissingValues]


class PartyView(View, frozen=True, kw_only=True):
    """A party of survivors who sit together."""

    id: str
    players: list[str]


class PartiesView(View, frozen=True, kw_only=True):
    """All parties."""

    items: list[PartyView]


def operator_data_view(state: Tournament) -> OperatorDataView:
    """Return the latest operator data, with the values that each side still lacks."""
    data = operator_data(state)
    return OperatorDataView(
        version=len(COOP.of(state).data),
        data=COOP.of(state).data[-1] if data else {},
        missing=[
            MissingValues(scenario=sheet.scenario_id, side=number, missing=missing)
            for sheet in (data.scenarios if data else ())
            for number, side in enumerate(sheet.sides, 1)
            if (missing := missing_values(side))
        ],
    )


def parties_view(state: Tournament, venue: str | UnsetType = UNSET) -> PartiesView:
    """Return all parties, or those with a member at a venue."""
    return PartiesView(
        items=[
            PartyView(id=party, players=list(players))
            for party, players in COOP.of(state).parties.items()
            if any(state.entries.plays_at(player, venue) for player in players)
        ]
    )


def invitation_view(state: Tournament, player: str, code: str) -> InvitationView:
    """Return a survivor's invitation, with the number of free places."""
    party = COOP.of(state).party_of(player)
    members = COOP.of(state).parties.get(party, [player])
    present = sum(state.entries.players[member].status in MEMBER_STATUSES for member in members)
    return InvitationView(
        player=player,
        invitation=code,
        party=party,
        players=list(members) if party else [],
        places=max(0, table_size(state).survivors_max - present),
    )


OVER = ("tournament-unknown", "tournament-over")


# The command records the inviter, never the code.
class Invitation(Shape, frozen=True, kw_only=True):
    """The invitation of a survivor."""

    invitation: Annotated[str, Text(100, minimum=1), "The survivor's code."]


gateway = gateway_of("coop")
invitations = current_part(Invitations)
blueprint = CommandBlueprint(
    "parties", HANDLERS, description="Co-operative events: the game's data, and parties.", may_refuse=("wrong-format",)
)


@blueprint.command(PinOperatorData, "/tournaments/<id:tournament>/operator-data")
@blueprint.may_refuse(*OVER, "operator-data-refused", "event-too-large")
def pin_operator_data(command: PinOperatorData, tournament: str) -> Appended:
    """Enter the contents of the scenario sheets and cards. They apply to tables that are set up from now on."""
    return gateway.run(tournament, command)


@blueprint.get("/tournaments/<id:tournament>/operator-data")
@blueprint.response(200, OperatorDataView)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown")
def show_operator_data(tournament: str) -> Any:
    """Show the latest operator data, and the values that are still missing to set up a table."""
    with gateway.reading(tournament) as loaded:
        return not_modified(gateway.version(loaded)) or operator_data_view(loaded.state)


@blueprint.command(FormParty, "/tournaments/<id:tournament>/parties", makes=Made((PartyFormed,), "party"))
@blueprint.may_refuse(*OVER, "party-refused")
def form_party(command: FormParty, tournament: str) -> Appended:
    """Form a party of players who have joined already. They sit together from the next seating on."""
    return gateway.run(tournament, command)


@blueprint.get("/tournaments/<id:tournament>/parties")
@blueprint.arguments(AtVenue, location="query")
@blueprint.response(200, PartiesView)
@blueprint.may_refuse("tournament-unknown", "venue-unknown")
def list_parties(query: AtVenue, tournament: str) -> PartiesView:
    """List the parties. A party is at each venue where a member plays."""
    with gateway.reading(tournament, venue=query.venue) as loaded:
        return parties_view(loaded.state, query.venue)


@blueprint.command(DisbandParty, "/tournaments/<id:tournament>/parties/<id:party>/disbanding")
@blueprint.may_refuse(*OVER, "party-unknown")
def disband_party(command: DisbandParty, tournament: str) -> Appended:
    """Disband a party. Its members are seated individually again."""
    return gateway.run(tournament, command)


@blueprint.get("/tournaments/<id:tournament>/players/<id:player>/invitation")
@blueprint.allow(*REFEREE_UP, PLAYER)
@blueprint.response(200, InvitationView)
@blueprint.may_refuse("tournament-unknown", "player-unknown", "not-yours")
def show_invitation(tournament: str, player: str) -> InvitationView:
    """Show the code with which others join a survivor's party, at sign-up or afterwards."""
    if require_caller().role == PLAYER and require_caller().player != player:
        raise NotYours("A player invites only to their own table.")
    with gateway.reading(tournament) as loaded:
        player_of(loaded.state.entries, player)
        return invitation_view(loaded.state, player, invitations.code(tournament, player))


@blueprint.post("/tournaments/<id:tournament>/players/<id:player>/party")
@blueprint.allow(*HANDLERS[AcceptInvitation].roles)
@blueprint.previewed
@blueprint.arguments(Invitation)
@blueprint.response(201, Appended)
@blueprint.may_refuse(
    *OVER,
    "other-venue",
    "player-unknown",
    "player-not-active",
    "not-yours",
    "invite-only",
    "registration-closed",
    "invitation-unknown",
    "party-refused",
)
def accept_invitation(body: Invitation, tournament: str, player: str) -> Appended:
    """Join the party of the survivor who gave this invitation, after signing up."""
    with gateway.reading(tournament) as loaded:
        inviter = invitations.inviter(tournament, body.invitation, loaded.state.entries.players)
    return gateway.run(tournament, AcceptInvitation(player=player, invited_by=inviter))


@blueprint.command(LeaveParty, "/tournaments/<id:tournament>/players/<id:player>/party/leaving")
@blueprint.may_refuse(
    *OVER, "other-venue", "player-unknown", "not-yours", "registration-closed", absent=["party-unknown"]
)
def leave_party(command: LeaveParty, tournament: str) -> Appended:
    """Leave a party; a party of two is disbanded."""
    return gateway.run(tournament, command)
