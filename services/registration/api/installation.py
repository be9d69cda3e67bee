"""Routes of the installation as a whole: tokens that it takes back."""

from __future__ import annotations

from typing import Any

from services.registration import answers, schemas
from services.registration.domain import commands as ask
from shared.events.installation import INSTALLATION, OF_INSTALLATION
from shared.handling.front import Front, shown
from shared.handling.schemas import ReceiptShown
from shared.http.blueprint import Blueprint
from shared.http.paging import page_of
from shared.http.roles import EVERY_TOURNAMENT, OPERATOR


def installation_blueprint(front: Front) -> Blueprint:
    """What an operator does for every tournament at once."""
    blueprint = Blueprint("installation", description="Tokens of the installation that are worth nothing any more.")

    @blueprint.post("/tokens/revocations")
    @blueprint.allow(OPERATOR, within=EVERY_TOURNAMENT)
    @blueprint.arguments(schemas.RevokeToken)
    @blueprint.response(201, ReceiptShown)
    @blueprint.may_refuse("wrong-tournament")
    def revoke_installation_token(body: dict[str, Any]) -> dict[str, Any]:
        """Revoke one token that the command line minted, or one of a service; all others stay good.

        Every service refuses it as soon as it has a copy of the event, as a rule within a second. A token of one
        tournament is revoked there.
        """
        command = ask.RevokeInstallationToken(token=body["token_id"], reason=body["reason"])
        return shown(front.command(INSTALLATION, command, begins=True), INSTALLATION)

    @blueprint.get("/tokens/revocations")
    @blueprint.allow(OPERATOR, within=EVERY_TOURNAMENT)
    @blueprint.response(200, page_of(answers.RevocationShown))
    @blueprint.may_refuse("wrong-tournament")
    def list_revocations() -> dict[str, Any]:
        """List the tokens that the installation took back, the oldest first."""
        events = front.events_about(INSTALLATION, lambda data: True)
        revoked = [event for event in events if event["type"] in OF_INSTALLATION]
        return {"items": [_shown(event) for event in revoked], "next": None}

    return blueprint


def _shown(event: dict[str, Any]) -> dict[str, Any]:
    return {
        "token_id": event["data"]["token"],
        "reason": event["data"].get("reason", ""),
        "actor": event["actor"],
        "time": event["time"],
    }
