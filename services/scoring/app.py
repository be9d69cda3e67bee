"""The wiring of scoring: builds the service and its web application. Importing this module has no side effects."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

from flask import Flask

from services.scoring import season_index
from services.scoring.campaign_routes import dice_blueprint
from services.scoring.campaign_routes import games_blueprint as campaign_games_blueprint
from services.scoring.campaign_routes import groups_blueprint as phase_blueprint
from services.scoring.coop_routes import blueprint as sessions_blueprint
from services.scoring.feed.places import damaged_places, give_places, give_places_again
from services.scoring.feed.readers import Announcements
from services.scoring.feed.results import ResultLines
from services.scoring.feed.routes import blueprint as feed_blueprint
from services.scoring.feed.routes import build_feed, build_streams
from services.scoring.format_views import AffectedSeasons, PendingResults
from services.scoring.handlers import HANDLERS
from services.scoring.previews import PREVIEWS
from services.scoring.problems import PROBLEMS
from services.scoring.rounds import PublishDueStandings
from services.scoring.routes_results import blueprint as results_blueprint
from services.scoring.routes_standings import blueprint as standings_blueprint
from services.scoring.season_index import SeasonProcessManager
from services.scoring.season_routes import blueprint as seasons_blueprint
from services.scoring.swiss_rounds import ROW, StandingsPublication, publication_of, with_publication
from services.scoring.swiss_routes import blueprint as forms_blueprint
from services.scoring.webhooks.deliverer import PART as WEBHOOKS_PART
from services.scoring.webhooks.deliverer import Deliverer
from services.scoring.webhooks.deliveries import Messages, WebhookVault, destroy_deleted_again
from services.scoring.webhooks.management import WebhookManagement
from services.scoring.webhooks.routes import blueprint as webhooks_blueprint
from services.scoring.webhooks.routes import deliveries_blueprint
from services.scoring.webhooks.targets import TargetRules
from shared.clock import utc_now
from shared.log.database import Database
from shared.messaging.worker import PARTS
from shared.service.app import build_app
from shared.service.rebuild import ReadModel
from shared.service.state import PrivateRows
from shared.service.wiring import Service, TableCheck, publish_due
from shared.settings import load
from shared.shapes import Command
from shared.tournament.state import Tournament
from shared.web.streams import STREAMS

PRIVATE = PrivateRows({ROW[0]: StandingsPublication}, with_publication)


def due_publication(state: Tournament, kind: str, id: str) -> Command | None:
    """Return the command that publishes standings whose time has come, or None if the publication is void."""
    return PublishDueStandings() if publication_of(state) else None


SOURCES = ("scoring", "registration", "pairing")
"""The services whose logs are in this database: the own one and the copied ones."""

SEASONS = ReadModel(
    "season_tournaments",
    season_index.index_entries,
    season_index.season_entry,
    season_index.rewrite_index,
    source="registration",
)
"""The read model that `muster rebuild` rebuilds."""


def build(
    env: Mapping[str, str] = os.environ, database: Database | None = None, clock: Callable[[], str] = utc_now
) -> Service:
    """Return the service without its HTTP side, for the worker and tools.

    database: replaces the one of the settings. clock: returns the time of events, RFC 3339.
    """
    return build_with_seasons(env, database, clock)[0]


def build_with_seasons(
    env: Mapping[str, str], database: Database | None = None, clock: Callable[[], str] = utc_now
) -> tuple[Service, SeasonProcessManager]:
    """Return the service and the process manager of its seasons."""
    service = Service(
        load("scoring", env),
        SOURCES,
        HANDLERS,
        private=PRIVATE,
        previews=PREVIEWS,
        clock=clock,
        database=database,
    )
    seasons = SeasonProcessManager(service)

    def on_tick() -> None:
        give_places(service.database, service.sources)
        publish_due(service, due_publication)
        seasons.take_all()

    service.on_copies, service.on_tick = seasons.on_copies, on_tick
    service.on_recovered = destroy_deleted_again
    service.table_checks = (TableCheck("public_feed", damaged_places, give_places_again),)
    service.parts = (*PARTS, WEBHOOKS_PART)
    service.extra_parts = lambda: [build_deliverer(service)]
    return service, seasons


def build_deliverer(service: Service, **options: Any) -> Deliverer:
    """Return the part of the worker that posts to webhooks. options: see `Deliverer`."""
    return Deliverer(service, Announcements(), _target_rules(service), _build_vault(service), **options)


def _build_management(service: Service) -> WebhookManagement:
    messages = Messages(service.database, service.repository, ResultLines(), service.settings.signing_keys[0].seed)
    return WebhookManagement(_target_rules(service), _build_vault(service), messages)


def _target_rules(service: Service) -> TargetRules:
    return TargetRules(service.settings.webhook_networks, service.settings.webhook_http)


def _build_vault(service: Service) -> WebhookVault:
    return WebhookVault([key.seed for key in service.settings.signing_keys])


def build_web(env: Mapping[str, str] = os.environ, database: Database | None = None) -> Flask:
    """Return the web application."""
    service, seasons = build_with_seasons(env, database)
    feed = build_feed(service)
    streams = build_streams(service, feed)
    app = build_app(
        service,
        title="Muster: scoring",
        description="Results, standings and awards.",
        blueprints=[
            results_blueprint,
            standings_blueprint,
            forms_blueprint,
            sessions_blueprint,
            campaign_games_blueprint,
            dice_blueprint,
            phase_blueprint,
            seasons_blueprint,
            feed_blueprint,
            webhooks_blueprint,
            deliveries_blueprint,
        ],
        problems=PROBLEMS,
        parts=[
            seasons,
            PendingResults(seasons.take_new, seasons.pending_commands),
            AffectedSeasons(seasons.consequences_of),
            feed,
            streams,
            _build_management(service),
        ],
        read_models=[SEASONS],
    )
    app.extensions[STREAMS] = streams.tailer
    return app
