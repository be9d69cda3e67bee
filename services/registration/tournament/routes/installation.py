"""Routes of the installation as a whole: tokens that it takes back."""

from __future__ import annotations

from typing import Any

from services.registration.handlers import HANDLERS
from services.registration.tournament.staff_commands import RevokeInstallationToken
from services.registration.tournament.views_links import RevocationView
from shared.application.command_routes import CommandBlueprint
from shared.application.made import Made
from shared.application.service import gateway
from shared.application.views import Appended, EventView
from shared.roles import EVERY_TOURNAMENT, OPERATOR
from shared.tournament.events.installation import INSTALLATION, OF_INSTALLATION, InstallationTokenRevoked
from shared.web.paging import all_of, page_of

blueprint = CommandBlueprint("installation", HANDLERS, description="Tokens of the installation that were revoked.")


@blueprint.command(
    RevokeInstallationToken,
    "/tokens/revocations",
    within=EVERY_TOURNAMENT,
    makes=Made((InstallationTokenRevoked,), "token"),
)
@blueprint.may_refuse("wrong-tournament")
def revoke_installation_token(command: RevokeInstallationToken) -> Appended:
    """Revoke one token that the command line issued, or one of a service; all others stay valid.

    Every service refuses the token as soon as it has a copy of the event, usually within a second. A token of one
    tournament is revoked at that tournament.
    """
    return gateway.run(INSTALLATION, command, begins=True)


@blueprint.get("/tokens/revocations")
@blueprint.allow(OPERATOR, within=EVERY_TOURNAMENT)
@blueprint.response(200, page_of(RevocationView))
@blueprint.may_refuse("wrong-tournament")
def list_revocations() -> dict[str, Any]:
    """List the tokens that the installation has revoked, oldest first."""
    events = gateway.events_about(INSTALLATION, lambda data: True)
    revoked = [event for event in events if event.type in OF_INSTALLATION]
    return all_of([_revocation_view(event) for event in revoked])


def _revocation_view(event: EventView) -> RevocationView:
    data = event.data
    return RevocationView(id=data["token"], reason=data.get("reason", ""), actor=event.actor, time=event.time)
