"""Everything that pairing is made of, put together in one place; importing it does nothing."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

from flask import Flask

from services.pairing.coop.routes import blueprint as seating_blueprint
from services.pairing.handlers import HANDLERS
from services.pairing.previews import PREVIEWS
from services.pairing.problems import PROBLEMS
from services.pairing.process_manager import ProcessManager
from services.pairing.swiss.clock_routes import blueprint as floor_blueprint
from services.pairing.swiss.routes import blueprint as stages_blueprint
from services.pairing.tournament.commands import PublishDueCut, PublishDueRound
from services.pairing.tournament.routes.floor import calls_blueprint
from services.pairing.tournament.routes.rounds import blueprint as rounds_blueprint
from services.pairing.tournament.unpublished import (
    CUT_ROW,
    ROUND_ROW,
    CutDraft,
    RoundDraft,
    cut_draft,
    round_draft,
    with_drafts,
)
from shared.clock import utc_now
from shared.log.database import Database
from shared.service.app import build_app
from shared.service.state import PrivateRows
from shared.service.wiring import Service, publish_due
from shared.settings import load
from shared.shapes import Command
from shared.tournament.state import CALL, Call, Tournament

PRIVATE = PrivateRows({CALL: Call, ROUND_ROW: RoundDraft, CUT_ROW: CutDraft}, with_drafts)


def due_publication(state: Tournament, kind: str) -> Command | None:
    """Return the command that publishes a row whose time has come; None if the row is superseded."""
    if kind == ROUND_ROW:
        draft = round_draft(state)
        return PublishDueRound(round=draft.paired.round) if draft else None
    return PublishDueCut() if cut_draft(state) else None


SOURCES = ("pairing", "registration", "scoring")
"""The own log, and those that are copied."""


def build(
    env: Mapping[str, str] = os.environ, database: Database | None = None, clock: Callable[[], str] = utc_now
) -> Service:
    """The service without its HTTP side, as its worker and tools want it.

    database: instead of that of the settings. clock: the time as events have it, by which drafts are published, too.
    """
    service = Service(
        load("pairing", env),
        SOURCES,
        HANDLERS,
        private=PRIVATE,
        previews=PREVIEWS,
        clock=clock,
        database=database,
    )

    def regularly() -> None:
        publish_due(service, due_publication)

    service.react, service.regularly = ProcessManager(service), regularly
    return service


def build_web(env: Mapping[str, str] = os.environ, database: Database | None = None) -> Flask:
    """The web application."""
    service = build(env, database)
    return build_app(
        service,
        title="Muster: pairing",
        description="Rounds, pairings, tables, clocks, the cut: who meets whom, where and until when.",
        blueprints=[
            rounds_blueprint,
            floor_blueprint,
            stages_blueprint,
            seating_blueprint,
            calls_blueprint,
        ],
        problems=PROBLEMS,
    )
