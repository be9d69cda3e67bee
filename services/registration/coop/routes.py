"""Routes of co-operative events: what the operator enters of the game, and survivors who sit together."""

from __future__ import annotations

from typing import Any

from services.registration.coop import schemas as schemas_coop
from services.registration.coop import views
from services.registration.handlers import HANDLERS
from services.registration.tournament.command_schemas import OptionalReason
from services.registration.tournament.commands import (
    AcceptInvitation,
    DisbandParty,
    FormParty,
    LeaveParty,
    PinOperatorData,
)
from services.registration.tournament.invitations import Invitations
from services.registration.tournament.refusals import NotYours
from services.registration.tournament.state import player_of
from shared.application.schemas import ReceiptShown
from shared.application.service import gateway_of, wired
from shared.application.views import Appended
from shared.formats.coop.entries import COOP
from shared.roles import PLAYER, REFEREE_UP
from shared.web.access import caller
from shared.web.blueprint import Blueprint
from shared.web.request import not_modified

OVER = ("tournament-unknown", "tournament-over")


gateway = gateway_of("coop")
invitations = wired(Invitations)
blueprint = Blueprint(
    "parties", description="Co-operative events: the game's data, and parties.", may_refuse=("wrong-format",)
)


@blueprint.post("/tournaments/<id:tournament>/operator-data")
@blueprint.allow(*HANDLERS[PinOperatorData].roles)
@blueprint.arguments(schemas_coop.PinOperatorData)
@blueprint.response(201, ReceiptShown)
@blueprint.may_refuse(*OVER, "operator-data-refused", "event-too-large")
def pin_operator_data(body: dict[str, Any], tournament: str) -> Appended:
    """Enter what the scenario sheets and cards say, whole; tables set up from now on are played by it."""
    return gateway.run(tournament, PinOperatorData(data=body["data"]))


@blueprint.get("/tournaments/<id:tournament>/operator-data")
@blueprint.response(200, schemas_coop.OperatorDataShown)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown")
def show_operator_data(tournament: str) -> Any:
    """Show what was entered last, and what a table could not be set up without."""
    with gateway.reading(tournament) as folded:
        return not_modified(gateway.version(folded)) or views.operator_data_view(folded.state)


@blueprint.post("/tournaments/<id:tournament>/parties")
@blueprint.allow(*HANDLERS[FormParty].roles)
@blueprint.arguments(schemas_coop.FormParty)
@blueprint.response(201, ReceiptShown)
@blueprint.may_refuse(*OVER, "party-refused")
def form_party(body: dict[str, Any], tournament: str) -> Appended:
    """Let players who are here already sit together from the next seating on."""
    return gateway.run(tournament, FormParty(players=body["players"]))


@blueprint.get("/tournaments/<id:tournament>/parties")
@blueprint.response(200, schemas_coop.PartiesShown)
@blueprint.may_refuse("tournament-unknown")
def list_parties(tournament: str) -> dict[str, Any]:
    """List who sits together."""
    with gateway.reading(tournament) as folded:
        parties = COOP.of(folded.state).parties
        return {"parties": [{"party": party, "players": players} for party, players in parties.items()]}


@blueprint.post("/tournaments/<id:tournament>/parties/<id:party>/disbanding")
@blueprint.allow(*HANDLERS[DisbandParty].roles)
@blueprint.arguments(OptionalReason)
@blueprint.response(201, ReceiptShown)
@blueprint.may_refuse(*OVER, "party-unknown")
def disband_party(body: dict[str, Any], tournament: str, party: str) -> Appended:
    """Seat the members of a party each alone again."""
    return gateway.run(tournament, DisbandParty(party=party, **body))


@blueprint.get("/tournaments/<id:tournament>/players/<id:player>/invitation")
@blueprint.allow(*REFEREE_UP, PLAYER)
@blueprint.response(200, schemas_coop.InvitationShown)
@blueprint.may_refuse("tournament-unknown", "player-unknown", "not-yours")
def show_invitation(tournament: str, player: str) -> dict[str, Any]:
    """Show the code by which others come to a survivor's table: for `sign-up`, or for who has signed up already."""
    if caller().role == PLAYER and caller().player != player:
        raise NotYours("A player invites only to their own table.")
    with gateway.reading(tournament) as folded:
        player_of(folded.state.entries, player)
        return views.invitation_view(folded.state, player, invitations.code(tournament, player))


@blueprint.post("/tournaments/<id:tournament>/players/<id:player>/party")
@blueprint.allow(*HANDLERS[AcceptInvitation].roles)
@blueprint.arguments(schemas_coop.AcceptInvitation)
@blueprint.response(201, ReceiptShown)
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
def accept_invitation(body: dict[str, Any], tournament: str, player: str) -> Appended:
    """Sit at every table with whoever gave this invitation; for somebody who has signed up already."""
    with gateway.reading(tournament) as folded:
        inviter = invitations.inviter(tournament, body["invitation"], folded.state.entries.players)
    return gateway.run(tournament, AcceptInvitation(player=player, invited_by=inviter))


@blueprint.post("/tournaments/<id:tournament>/players/<id:player>/party/leaving")
@blueprint.allow(*HANDLERS[LeaveParty].roles)
@blueprint.arguments(OptionalReason)
@blueprint.response(201, ReceiptShown)
@blueprint.may_refuse(
    *OVER, "other-venue", "player-unknown", "not-yours", "registration-closed", absent=["party-unknown"]
)
def leave_party(body: dict[str, Any], tournament: str, player: str) -> Appended:
    """Sit alone again; a party of whom one would be left is disbanded."""
    return gateway.run(tournament, LeaveParty(player=player, **body))
