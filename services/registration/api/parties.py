"""Routes of co-operative events: what the operator enters of the game, and survivors who sit together."""

from __future__ import annotations

from typing import Any

from services.registration import queries, schemas_coop
from services.registration.domain import commands as ask
from services.registration.domain.refusals import NotYours
from services.registration.domain.state import player_of
from services.registration.invitations import Invitations
from services.registration.schemas import OptionalReason
from shared.handling.front import Front, shown
from shared.handling.schemas import ReceiptShown
from shared.http import asked
from shared.http.access import caller
from shared.http.blueprint import Blueprint
from shared.http.roles import HEAD_REFEREE, OPERATOR, ORGANISER, PLAYER, REFEREE

CREW = (OPERATOR, ORGANISER, HEAD_REFEREE, REFEREE)
LEADING = (OPERATOR, ORGANISER)
OVER = ("tournament-unknown", "tournament-over")


def parties_blueprint(front: Front, invitations: Invitations) -> Blueprint:
    """Who comes together, and to which game."""
    blueprint = Blueprint(
        "parties", description="Co-operative events: the game's data, and parties.", may_refuse=("wrong-format",)
    )

    def run(tournament: str, command: Any) -> dict[str, Any]:
        return shown(front.command(tournament, command, fresh=True), tournament)

    @blueprint.post("/tournaments/<id:tournament>/operator-data")
    @blueprint.allow(*LEADING)
    @blueprint.arguments(schemas_coop.PinOperatorData)
    @blueprint.response(201, ReceiptShown)
    @blueprint.may_refuse(*OVER, "operator-data-refused", "event-too-large")
    def pin_operator_data(body: dict[str, Any], tournament: str) -> dict[str, Any]:
        """Enter what the scenario sheets and cards say, whole; tables set up from now on are played by it."""
        return run(tournament, ask.PinOperatorData(data=body["data"]))

    @blueprint.get("/tournaments/<id:tournament>/operator-data")
    @blueprint.response(200, schemas_coop.OperatorDataShown)
    @blueprint.versioned()
    @blueprint.may_refuse("tournament-unknown")
    def show_operator_data(tournament: str) -> Any:
        """Show what was entered last, and what a table could not be set up without."""
        with front.reading(tournament) as folded:
            return asked.not_modified(front.version(folded)) or queries.operator_data_shown(folded.state)

    @blueprint.post("/tournaments/<id:tournament>/parties")
    @blueprint.allow(*CREW)
    @blueprint.arguments(schemas_coop.FormParty)
    @blueprint.response(201, ReceiptShown)
    @blueprint.may_refuse(*OVER, "party-refused")
    def form_party(body: dict[str, Any], tournament: str) -> dict[str, Any]:
        """Let players who are here already sit together from the next seating on."""
        return run(tournament, ask.FormParty(players=body["players"]))

    @blueprint.get("/tournaments/<id:tournament>/parties")
    @blueprint.response(200, schemas_coop.PartiesShown)
    @blueprint.may_refuse("tournament-unknown")
    def list_parties(tournament: str) -> dict[str, Any]:
        """List who sits together."""
        with front.reading(tournament) as folded:
            parties = folded.state.coop.parties
            return {"parties": [{"party": party, "players": players} for party, players in parties.items()]}

    @blueprint.post("/tournaments/<id:tournament>/parties/<id:party>/disbanding")
    @blueprint.allow(*CREW)
    @blueprint.arguments(OptionalReason)
    @blueprint.response(201, ReceiptShown)
    @blueprint.may_refuse(*OVER, "party-unknown")
    def disband_party(body: dict[str, Any], tournament: str, party: str) -> dict[str, Any]:
        """Seat the members of a party each alone again."""
        return run(tournament, ask.DisbandParty(party=party, **body))

    @blueprint.get("/tournaments/<id:tournament>/players/<id:player>/invitation")
    @blueprint.allow(*CREW, PLAYER)
    @blueprint.response(200, schemas_coop.InvitationShown)
    @blueprint.may_refuse("tournament-unknown", "player-unknown", "not-yours")
    def show_invitation(tournament: str, player: str) -> dict[str, Any]:
        """Show the code by which others come to a survivor's table: for `sign-up`, or for who has signed up already."""
        if caller().role == PLAYER and caller().player != player:
            raise NotYours("A player invites only to their own table.")
        with front.reading(tournament) as folded:
            player_of(folded.state.entries, player)
            return queries.invitation_shown(folded.state, player, invitations.code(tournament, player))

    @blueprint.post("/tournaments/<id:tournament>/players/<id:player>/party")
    @blueprint.allow(*CREW, PLAYER)
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
    def accept_invitation(body: dict[str, Any], tournament: str, player: str) -> dict[str, Any]:
        """Sit at every table with whoever gave this invitation; for somebody who has signed up already."""
        with front.reading(tournament) as folded:
            inviter = invitations.inviter(tournament, body["invitation"], folded.state.entries.players)
        return run(tournament, ask.AcceptInvitation(player=player, invited_by=inviter))

    @blueprint.post("/tournaments/<id:tournament>/players/<id:player>/party/leaving")
    @blueprint.allow(*CREW, PLAYER)
    @blueprint.arguments(OptionalReason)
    @blueprint.response(201, ReceiptShown)
    @blueprint.may_refuse(
        *OVER, "other-venue", "player-unknown", "not-yours", "registration-closed", absent=["party-unknown"]
    )
    def leave_party(body: dict[str, Any], tournament: str, player: str) -> dict[str, Any]:
        """Sit alone again; a party of whom one would be left is disbanded."""
        return run(tournament, ask.LeaveParty(player=player, **body))

    return blueprint
