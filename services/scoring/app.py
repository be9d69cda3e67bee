"""Everything that scoring is made of, put together in one place; importing it does nothing."""

from __future__ import annotations

import os
from collections.abc import Mapping

from flask import Flask

from services.scoring.campaign.routes.dice import blueprint as dice_blueprint
from services.scoring.campaign.routes.games import blueprint as campaign_games_blueprint
from services.scoring.campaign.routes.phase import blueprint as phase_blueprint
from services.scoring.coop.routes import blueprint as sessions_blueprint
from services.scoring.feed.places import give_places
from services.scoring.feed.routes import blueprint as feed_blueprint
from services.scoring.feed.routes import feed_of
from services.scoring.handlers import HANDLERS
from services.scoring.previews import PREVIEWS
from services.scoring.problems import PROBLEMS
from services.scoring.season import index as season_index
from services.scoring.season.process_manager import SeasonProcessManager
from services.scoring.season.routes import blueprint as seasons_blueprint
from services.scoring.swiss.routes import blueprint as forms_blueprint
from services.scoring.tournament.routes.results import blueprint as results_blueprint
from services.scoring.tournament.routes.standings import blueprint as standings_blueprint
from services.scoring.undo import UNDO
from services.scoring.views import Concerned, TakenFirst
from shared.application.rebuild import ReadModel
from shared.application.service import Service
from shared.application.web import build_app
from shared.eventlog.database import Database
from shared.settings import load

SOURCES = ("scoring", "registration", "pairing")
"""The own log, and those that are copied."""


SEASONS = ReadModel(
    season_index.SEASON_TOURNAMENTS,
    season_index.every_line,
    season_index.line_of,
    season_index.rewrite,
    source="registration",
)
"""What `muster rebuild` makes anew besides caches."""


def build(env: Mapping[str, str] = os.environ, database: Database | None = None) -> Service:
    """The service without its HTTP side, as its worker and tools want it. database: instead of that of the settings."""
    return build_with_seasons(env, database)[0]


def build_with_seasons(
    env: Mapping[str, str], database: Database | None = None
) -> tuple[Service, SeasonProcessManager]:
    """The service, and what keeps its seasons up to date."""
    service = Service(load("scoring", env), SOURCES, HANDLERS, previews=PREVIEWS, undoing=UNDO, database=database)
    seasons = SeasonProcessManager(service)

    def regularly() -> None:
        give_places(service.database, service.sources)
        seasons.keep_all()

    service.react, service.regularly = seasons.heard, regularly
    return service, seasons


def build_web(env: Mapping[str, str] = os.environ, database: Database | None = None) -> Flask:
    """The web application."""
    service, seasons = build_with_seasons(env, database)
    return build_app(
        service,
        title="Muster: scoring",
        description="Results, standings, awards: where everybody stands, and why.",
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
        ],
        problems=PROBLEMS,
        parts=[seasons, TakenFirst(seasons.keep, seasons.to_take), Concerned(seasons.concerned), feed_of(service)],
        read_models=[SEASONS],
    )
