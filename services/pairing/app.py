"""The wiring of pairing, and its reaction to corrected results of the bracket."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

from flask import Flask

from services.pairing.coop_routes import blueprint as seating_blueprint
from services.pairing.handlers import HANDLERS
from services.pairing.previews import PREVIEWS
from services.pairing.problems import PROBLEMS
from services.pairing.publication import (
    CUT_ROW,
    DRAFT,
    ROUND_ROW,
    CutDraft,
    PublishDueRound,
    RoundDraft,
    cut_draft,
    round_draft,
    with_drafts,
)
from services.pairing.routes_rounds import blueprint as rounds_blueprint
from services.pairing.routes_rounds import calls_blueprint
from services.pairing.swiss_bracket import FollowBracket
from services.pairing.swiss_cut import PublishDueCut
from services.pairing.swiss_routes import clock_blueprint as floor_blueprint
from services.pairing.swiss_routes import stages_blueprint
from shared.clock import utc_now
from shared.log.database import Database
from shared.log.event import event_id
from shared.service.app import build_app
from shared.service.commands import CommandEnvelope
from shared.service.state import PrivateRows
from shared.service.wiring import Service, publish_due
from shared.settings import load
from shared.shapes import Command
from shared.swiss.games import ruleset_of
from shared.swiss.ranking import are_standings_current, misplaced_players
from shared.tournament.guards import By, by_rule
from shared.tournament.state import CALL, Call, Tournament


class ProcessManager:
    """Reacts to copied events: called with (tournament, source) after they are committed.

    It acts on the state, not on the message, so the next call makes up for one that was lost.
    """

    def __init__(self, service: Service) -> None:
        self._service = service

    def __call__(self, tournament: str, source: str) -> None:
        """Pair places of the bracket again if a corrected result changes who plays there."""
        if source != "scoring":
            return
        with self._service.repository.now(tournament) as loaded:
            due = due_follow_up(with_drafts(loaded.state), tournament)
        if due is not None:
            command, by = due
            key = f"bracket-{by.cause}"
            self._service.handler.run(CommandEnvelope(tournament, command, by, command_id=f"{key}~muster", key=key))


def due_follow_up(state: Tournament, tournament: str) -> tuple[FollowBracket, By] | None:
    """Return the command that brings the bracket in line with the results, and its actor; None if it is in line."""
    latest, results = state.rounds.latest(), state.results
    if latest is None or latest.stage != "elimination" or latest.method == "manual":
        return None
    if results.concluded or state.entries.status == "cancelled" or latest.number in results.closed:
        return None
    before = latest.number - 1
    if not are_standings_current(state, before) or not misplaced_players(state, latest):
        return None
    cause = event_id("scoring", tournament, results.standings_changed_at(before))
    return FollowBracket(round=latest.number), by_rule(ruleset_of(state.entries).cut.clause, cause)


PRIVATE = PrivateRows({CALL: Call, ROUND_ROW: RoundDraft, CUT_ROW: CutDraft}, with_drafts)


def due_publication(state: Tournament, kind: str, id: str) -> Command | None:
    """Return the command that publishes a draft whose time has come; None if the draft is superseded."""
    if kind == ROUND_ROW:
        venue = "" if id == DRAFT else id
        draft = round_draft(state, venue)
        return PublishDueRound(round=draft.paired.round, venue=venue) if draft else None
    return PublishDueCut() if cut_draft(state) else None


SOURCES = ("pairing", "registration", "scoring")
"""The service's own log, and the logs that it copies."""


def build(
    env: Mapping[str, str] = os.environ, database: Database | None = None, clock: Callable[[], str] = utc_now
) -> Service:
    """Return the service without its HTTP side, for workers and tools.

    database: overrides the one in the settings. clock: returns the time of events and of scheduled publication.
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

    service.on_copies, service.on_tick = ProcessManager(service), regularly
    return service


def build_web(env: Mapping[str, str] = os.environ, database: Database | None = None) -> Flask:
    """Return the web application."""
    service = build(env, database)
    return build_app(
        service,
        title="Muster: pairing",
        description="Rounds, pairings, tables, clocks and the cut.",
        blueprints=[
            rounds_blueprint,
            floor_blueprint,
            stages_blueprint,
            seating_blueprint,
            calls_blueprint,
        ],
        problems=PROBLEMS,
    )
