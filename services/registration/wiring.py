"""Everything that registration is made of, put together in one place; importing it does nothing."""

from __future__ import annotations

import os
from collections.abc import Mapping

from flask import Flask

from services.registration import directory
from services.registration.api.groups import groups_blueprint
from services.registration.api.identities import identities_blueprint
from services.registration.api.installation import installation_blueprint
from services.registration.api.joining import joining_blueprint
from services.registration.api.links import links_blueprint
from services.registration.api.me import me_blueprint
from services.registration.api.moves import moves_blueprint
from services.registration.api.parties import parties_blueprint
from services.registration.api.personal import erased_again, personal_blueprint
from services.registration.api.players import players_blueprint
from services.registration.api.rosters import rosters_blueprint
from services.registration.api.seasons import seasons_blueprint
from services.registration.api.tournaments import tournaments_blueprint
from services.registration.domain.commands import AmendPlayer, AmendTournament, ChangeTables
from services.registration.domain.decisions import DECISIONS
from services.registration.domain.venues import VENUES
from services.registration.invitations import Invitations
from services.registration.personal import Safe
from services.registration.problems import PROBLEMS
from services.registration.reactions import Reactions
from services.registration.tickets import Tickets
from shared.handling.desk import Version
from shared.handling.rebuild import ReadModel
from shared.handling.service import Service
from shared.handling.web import build_app
from shared.http.issuers import Issuer
from shared.secret_keys import TICKETS
from shared.settings import load
from shared.state.entries import Player, Venue

SOURCES = ("registration", "pairing", "scoring")
"""The own log, and those that are copied."""


def _changed(thing: Player | Venue | None) -> int:
    return thing.changed if thing else 0


VERSIONS: Mapping[type, Version] = {
    AmendTournament: lambda state, command: state.entries.changed,
    AmendPlayer: lambda state, command: _changed(state.entries.players.get(command.player)),
    ChangeTables: lambda state, command: _changed(state.entries.venues.get(command.venue)),
}
"""Where two people may edit one thing: the position of the last event that touched it; 0 where there is none."""


DIRECTORY = ReadModel("directory", directory.every_line, directory.line_of, directory.rewrite)
"""What `muster rebuild` makes anew besides caches."""


def build(env: Mapping[str, str] = os.environ) -> Service:
    """The service without its HTTP side, as its worker and tools want it."""
    settings = load("registration", env)
    service = Service(settings, SOURCES, DECISIONS, versions=VERSIONS, projection=directory.PROJECTION, venues=VENUES)
    service.react = Reactions(service)
    return service


def build_web(env: Mapping[str, str] = os.environ) -> Flask:
    """The web application."""
    service = build(env)
    settings = service.settings
    assert settings.personal_key is not None  # settings of registration always have one
    tickets = Tickets(
        Issuer(TICKETS, settings.ticket_keys[0]),
        settings.urls["registration"],
        days=settings.token_days,
        after_end=settings.after_end_days,
    )
    safe, invitations = Safe(settings.personal_key), Invitations([key.seed for key in settings.ticket_keys])
    service.taken_back = erased_again(safe)
    return build_app(
        service,
        title="Muster: registration",
        description="Tournaments, venues, staff, players, rosters: who plays.",
        blueprints=[
            tournaments_blueprint(service.front, tickets),
            joining_blueprint(service.front, tickets, safe, invitations),
            players_blueprint(service.front, safe),
            links_blueprint(service.front, tickets),
            personal_blueprint(service.front, safe, service.own_copies.require_none_ahead),
            parties_blueprint(service.front.of("coop"), invitations),
            rosters_blueprint(service.front.of("swiss")),
            seasons_blueprint(service.front.of("season")),
            identities_blueprint(service.front.of("season"), tickets),
            groups_blueprint(service.front.of("campaign")),
            moves_blueprint(service.front.of("campaign")),
            installation_blueprint(service.front),
            me_blueprint(service.front, settings.urls),
        ],
        problems=PROBLEMS,
        read_models=[DIRECTORY],
    )
