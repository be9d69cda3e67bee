"""Everything that scoring is made of, put together in one place; importing it does nothing."""

from __future__ import annotations

import os
from collections.abc import Mapping

from flask import Flask

from services.scoring import season_index
from services.scoring.api.campaign_games import campaign_games_blueprint
from services.scoring.api.dice import dice_blueprint
from services.scoring.api.forms import forms_blueprint
from services.scoring.api.phase import phase_blueprint
from services.scoring.api.results import results_blueprint
from services.scoring.api.seasons import seasons_blueprint
from services.scoring.api.sessions import sessions_blueprint
from services.scoring.api.standings import standings_blueprint
from services.scoring.domain.commands import (
    ConfirmSession,
    CorrectResult,
    CorrectSession,
    EndSession,
    PlayMoves,
    ReportSession,
    SetUpSession,
)
from services.scoring.domain.decisions import DECISIONS
from services.scoring.domain.phase_commands import Choose, CloseStep
from services.scoring.domain.venues import VENUES
from services.scoring.problems import PROBLEMS
from services.scoring.seasons import Seasons
from shared.handling.desk import Version
from shared.handling.rebuild import ReadModel
from shared.handling.service import Service
from shared.handling.web import build_app
from shared.settings import load
from shared.state.tournament import Tournament

SOURCES = ("scoring", "registration", "pairing")
"""The own log, and those that are copied."""


def _result(state: Tournament, command: CorrectResult) -> int:
    result = state.results.results.get(command.game)
    return result.changed if result else 0


def _group(state: Tournament, command: Choose | CloseStep) -> int:
    return state.campaign.changed.get(command.group, 0)


OfSession = SetUpSession | PlayMoves | EndSession | ReportSession | ConfirmSession | CorrectSession


def _session(state: Tournament, command: OfSession) -> int:
    session = state.sessions.sessions.get(command.session)
    return session.changed if session else 0


VERSIONS: Mapping[type, Version] = {
    CorrectResult: _result,
    **dict.fromkeys((Choose, CloseStep), _group),
    **dict.fromkeys((SetUpSession, PlayMoves, EndSession, ReportSession, ConfirmSession, CorrectSession), _session),
}
"""Where two people may edit one thing: the position of the last event that touched it."""


SEASONS = ReadModel(
    "season_tournaments", season_index.every_line, season_index.line_of, season_index.rewrite, source="registration"
)
"""What `muster rebuild` makes anew besides caches."""


def build(env: Mapping[str, str] = os.environ) -> Service:
    """The service without its HTTP side, as its worker and tools want it."""
    return build_with_seasons(env)[0]


def build_with_seasons(env: Mapping[str, str]) -> tuple[Service, Seasons]:
    """The service, and what keeps its seasons up to date."""
    service = Service(load("scoring", env), SOURCES, DECISIONS, versions=VERSIONS, venues=VENUES)
    seasons = Seasons(service)
    service.react, service.regularly = seasons.heard, seasons.keep_all
    return service, seasons


def build_web(env: Mapping[str, str] = os.environ) -> Flask:
    """The web application."""
    service, seasons = build_with_seasons(env)
    return build_app(
        service,
        title="Muster: scoring",
        description="Results, standings, awards: where everybody stands, and why.",
        blueprints=[
            results_blueprint(service.front, seasons),
            standings_blueprint(service.front),
            campaign_games_blueprint(service.front.of("campaign")),
            sessions_blueprint(service.front.of("coop"), seasons),
            phase_blueprint(service.front.of("campaign")),
            dice_blueprint(service.front.of("campaign")),
            forms_blueprint(service.front.of("swiss")),
            seasons_blueprint(service.front.of("season"), seasons),
        ],
        problems=PROBLEMS,
        read_models=[SEASONS],
    )
