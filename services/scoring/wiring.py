"""Everything that scoring is made of, put together in one place; importing it does nothing."""

from __future__ import annotations

import os
from collections.abc import Mapping

from flask import Flask

from services.scoring.api.forms import forms_blueprint
from services.scoring.api.results import results_blueprint
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
from services.scoring.domain.venues import VENUES
from services.scoring.problems import PROBLEMS
from shared.handling.desk import Version
from shared.handling.service import Service
from shared.handling.web import build_app
from shared.settings import load
from shared.state.tournament import Tournament

SOURCES = ("scoring", "registration", "pairing")
"""The own log, and those that are copied."""


def _result(state: Tournament, command: CorrectResult) -> int:
    result = state.results.results.get(command.game)
    return result.changed if result else 0


OfSession = SetUpSession | PlayMoves | EndSession | ReportSession | ConfirmSession | CorrectSession


def _session(state: Tournament, command: OfSession) -> int:
    session = state.sessions.sessions.get(command.session)
    return session.changed if session else 0


VERSIONS: Mapping[type, Version] = {
    CorrectResult: _result,
    **dict.fromkeys((SetUpSession, PlayMoves, EndSession, ReportSession, ConfirmSession, CorrectSession), _session),
}
"""Where two people may edit one thing: the position of the last event that touched it."""


def build(env: Mapping[str, str] = os.environ) -> Service:
    """The service without its HTTP side, as its worker and tools want it."""
    return Service(load("scoring", env), SOURCES, DECISIONS, versions=VERSIONS, venues=VENUES)


def build_web(env: Mapping[str, str] = os.environ) -> Flask:
    """The web application."""
    service = build(env)
    return build_app(
        service,
        title="Muster: scoring",
        description="Results, standings, awards: where everybody stands, and why.",
        blueprints=[
            results_blueprint(service.front.of("swiss")),
            standings_blueprint(service.front),
            sessions_blueprint(service.front.of("coop")),
            forms_blueprint(service.front.of("swiss")),
        ],
        problems=PROBLEMS,
    )
