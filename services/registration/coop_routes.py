"""Routes and views of parties, invitations and the operator's data."""

from __future__ import annotations

from typing import Annotated, Any

from services.registration.coop_parties import (
    STILL_WITH,
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
from shared.service.routes import CommandBlueprint, Made
from shared.service.views import Appended
from shared.service.wiring import current_part, gateway_of
from shared.shapes import Shape, Text, View
from shared.tournament.state import Tournament
from shared.web.auth import caller
from shared.web.request import not_modified


class InvitationView(View, frozen=True, kw_only=True):
    """What a survivor tells those whom they want at their table."""

    player: str
    invitation: str
    party: Annotated[str, "Their party so far; empty for none."]
    players: Annotated[list[str], "Who is in it."]
    places: Annotated[int, "How many more fit at a table."]


class MissingValues(View, frozen=True, kw_only=True):
    """A side without which values a table with it is not set up."""

    scenario: str
    side: Annotated[int, "1 or 2."]
    missing: list[str]


class OperatorDataView(View, frozen=True, kw_only=True):
    """What was entered last. version 0: nothing yet."""

    version: int
    data: dict[str, Any]
    missing: list[MissingValues]


class PartyView(View, frozen=True, kw_only=True):
    """Survivors who sit together."""

    id: str
    players: list[str]


class PartiesView(View, frozen=True, kw_only=True):
    """Every party there is."""

    items: list[PartyView]


def operator_data_view(state: Tournament) -> OperatorDataView:
    """What the operator entered last, with the values of each side that are still missing."""
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


def parties_view(state: Tournament) -> PartiesView:
    """Who sits together."""
    parties = COOP.of(state).parties.items()
    return PartiesView(items=[PartyView(id=party, players=list(players)) for party, players in parties])


def invitation_view(state: Tournament, player: str, code: str) -> InvitationView:
    """The code by which others come to a survivor's table, and how many more it has places for."""
    party = COOP.of(state).party_of(player)
    members = COOP.of(state).parties.get(party, [player])
    there = sum(state.entries.players[member].status in STILL_WITH for member in members)
    return InvitationView(
        player=player,
        invitation=code,
        party=party,
        players=list(members) if party else [],
        places=max(0, table_size(state).survivors_max - there),
    )


OVER = ("tournament-unknown", "tournament-over")


# Beside the command, which says who that is, and never the code.
class Invitation(Shape, frozen=True, kw_only=True):
    """invitation: the code that somebody who comes as well has told."""

    invitation: Annotated[str, Text(100, minimum=1)]


gateway = gateway_of("coop")
invitations = current_part(Invitations)
blueprint = CommandBlueprint(
    "parties", HANDLERS, description="Co-operative events: the game's data, and parties.", may_refuse=("wrong-format",)
)


@blueprint.command(PinOperatorData, "/tournaments/<id:tournament>/operator-data")
@blueprint.may_refuse(*OVER, "operator-data-refused", "event-too-large")
def pin_operator_data(command: PinOperatorData, tournament: str) -> Appended:
    """Enter everything that the scenario sheets and cards say; it applies to tables that are set up from now on."""
    return gateway.run(tournament, command)


@blueprint.get("/tournaments/<id:tournament>/operator-data")
@blueprint.response(200, OperatorDataView)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown")
def show_operator_data(tournament: str) -> Any:
    """Show the data entered last, and what is still missing for setting up a table."""
    with gateway.reading(tournament) as loaded:
        return not_modified(gateway.version(loaded)) or operator_data_view(loaded.state)


@blueprint.command(FormParty, "/tournaments/<id:tournament>/parties", makes=Made((PartyFormed,), "party"))
@blueprint.may_refuse(*OVER, "party-refused")
def form_party(command: FormParty, tournament: str) -> Appended:
    """Form a party of players who have signed up already; they sit together from the next seating on."""
    return gateway.run(tournament, command)


@blueprint.get("/tournaments/<id:tournament>/parties")
@blueprint.response(200, PartiesView)
@blueprint.may_refuse("tournament-unknown")
def list_parties(tournament: str) -> PartiesView:
    """List the parties."""
    with gateway.reading(tournament) as loaded:
        return parties_view(loaded.state)


@blueprint.command(DisbandParty, "/tournaments/<id:tournament>/parties/<id:party>/disbanding")
@blueprint.may_refuse(*OVER, "party-unknown")
def disband_party(command: DisbandParty, tournament: str) -> Appended:
    """Disband a party; its members are seated one by one again."""
    return gateway.run(tournament, command)


@blueprint.get("/tournaments/<id:tournament>/players/<id:player>/invitation")
@blueprint.allow(*REFEREE_UP, PLAYER)
@blueprint.response(200, InvitationView)
@blueprint.may_refuse("tournament-unknown", "player-unknown", "not-yours")
def show_invitation(tournament: str, player: str) -> InvitationView:
    """Show the code that brings others to a survivor's table, at sign-up or after it."""
    if caller().role == PLAYER and caller().player != player:
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
