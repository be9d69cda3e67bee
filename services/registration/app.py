"""The wiring of registration. Importing this module has no side effects."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import partial

from flask import Flask

from services.registration import directory
from services.registration.campaign_routes import blueprint as groups_blueprint
from services.registration.campaign_routes import moves_blueprint
from services.registration.coop_routes import blueprint as parties_blueprint
from services.registration.directory import ProcessManager
from services.registration.handlers import HANDLERS
from services.registration.personal_data import PersonalDataVault, reapply_erasures
from services.registration.personal_data import blueprint as personal_blueprint
from services.registration.previews import PREVIEWS
from services.registration.problems import PROBLEMS
from services.registration.routes_joining import blueprint as joining_blueprint
from services.registration.routes_players import blueprint as players_blueprint
from services.registration.routes_tournaments import blueprint as tournaments_blueprint
from services.registration.season_routes import identities_blueprint, seasons_blueprint
from services.registration.swiss_routes import blueprint as rosters_blueprint
from services.registration.swiss_sealed_rosters import AbsenceWatch, RosterOpener, find_lost_rosters
from services.registration.tokens import Invitations, SignUpAddresses, TokenIssuer, installation_blueprint, me_blueprint
from services.registration.tokens import blueprint as links_blueprint
from shared.keys import TICKETS
from shared.log.database import Database
from shared.service.app import build_app
from shared.service.rebuild import ReadModel
from shared.service.wiring import Service, TableCheck
from shared.settings import load
from shared.web.tokens import Issuer

SOURCES = ("registration", "pairing", "scoring")
"""The service's own log, and the logs that it copies."""


DIRECTORY = ReadModel("directory", directory.every_line, directory.line_of, directory.rewrite)
"""The read model that `muster rebuild` rebuilds."""


def build(env: Mapping[str, str] = os.environ, database: Database | None = None) -> Service:
    """Return the service without its HTTP side, for workers and tools. database: overrides the one in the settings."""
    settings = load("registration", env)
    service = Service(
        settings, SOURCES, HANDLERS, projection=directory.PROJECTION, previews=PREVIEWS, database=database
    )
    reactions = (ProcessManager(service), AbsenceWatch(service), opener := RosterOpener(service))

    def react(tournament: str, source: str) -> None:
        for reaction in reactions:
            reaction(tournament, source)

    service.on_copies, service.on_tick, service.find_lost_rows = (
        react,
        opener.open_over,
        partial(find_lost_rosters, service),
    )
    return service


def build_web(env: Mapping[str, str] = os.environ, database: Database | None = None) -> Flask:
    """Return the web application."""
    service = build(env, database)
    settings = service.settings
    assert settings.personal_key is not None  # settings of registration always have one
    tickets = TokenIssuer(
        Issuer(TICKETS, settings.ticket_keys[0]),
        settings.public_urls["registration"],
        days=settings.token_days,
        after_end=settings.after_end_days,
    )
    vault = PersonalDataVault(settings.personal_key)
    invitations = Invitations([key.seed for key in settings.ticket_keys])
    service.on_recovered = reapply_erasures(vault)
    service.table_checks = (TableCheck("personal", vault.damaged),)
    return build_app(
        service,
        title="Muster: registration",
        description="Tournaments, venues, staff, players and rosters.",
        blueprints=[
            tournaments_blueprint,
            joining_blueprint,
            players_blueprint,
            links_blueprint,
            me_blueprint,
            rosters_blueprint,
            personal_blueprint,
            parties_blueprint,
            groups_blueprint,
            moves_blueprint,
            seasons_blueprint,
            identities_blueprint,
            installation_blueprint,
        ],
        problems=PROBLEMS,
        parts=[tickets, vault, invitations, SignUpAddresses(settings.personal_key)],
        read_models=[DIRECTORY],
    )
