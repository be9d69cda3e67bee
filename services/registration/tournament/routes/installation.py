"""Routes of the installation as a whole: tokens that it takes back."""

from __future__ import annotations

from typing import Any

from services.registration.handlers import HANDLERS
from services.registration.tournament import command_schemas as schemas
from services.registration.tournament import view_schemas
from services.registration.tournament.commands import RevokeInstallationToken
from shared.application.schemas import ReceiptShown
from shared.application.service import gateway
from shared.application.views import Appended
from shared.roles import EVERY_TOURNAMENT, OPERATOR
from shared.tournament.events.installation import INSTALLATION, OF_INSTALLATION
from shared.web.blueprint import Blueprint
from shared.web.paging import page_of

blueprint = Blueprint("installation", description="Tokens of the installation that are worth nothing any more.")


@blueprint.post("/tokens/revocations")
@blueprint.allow(*HANDLERS[RevokeInstallationToken].roles, within=EVERY_TOURNAMENT)
@blueprint.arguments(schemas.RevokeToken)
@blueprint.response(201, ReceiptShown)
@blueprint.may_refuse("wrong-tournament")
def revoke_installation_token(body: dict[str, Any]) -> Appended:
    """Revoke one token that the command line minted, or one of a service; all others stay good.

    Every service refuses it as soon as it has a copy of the event, as a rule within a second. A token of one
    tournament is revoked there.
    """
    command = RevokeInstallationToken(token=body["token_id"], reason=body["reason"])
    return gateway.run(INSTALLATION, command, begins=True)


@blueprint.get("/tokens/revocations")
@blueprint.allow(OPERATOR, within=EVERY_TOURNAMENT)
@blueprint.response(200, page_of(view_schemas.RevocationShown))
@blueprint.may_refuse("wrong-tournament")
def list_revocations() -> dict[str, Any]:
    """List the tokens that the installation took back, the oldest first."""
    events = gateway.events_about(INSTALLATION, lambda data: True)
    revoked = [event for event in events if event["type"] in OF_INSTALLATION]
    return {"items": [_shown(event) for event in revoked], "next": None}


def _shown(event: dict[str, Any]) -> dict[str, Any]:
    return {
        "token_id": event["data"]["token"],
        "reason": event["data"].get("reason", ""),
        "actor": event["actor"],
        "time": event["time"],
    }
