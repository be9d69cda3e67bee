"""Everything that pairing is made of, put together in one place; importing it does nothing."""

from __future__ import annotations

import os
from collections.abc import Mapping

from flask import Flask

from services.pairing.api.floor import floor_blueprint
from services.pairing.api.rounds import rounds_blueprint
from services.pairing.api.seating import seating_blueprint
from services.pairing.api.stages import stages_blueprint
from services.pairing.domain.commands import (
    AmendPairings,
    MoveTable,
    RepairRound,
    ReseatTable,
    StartRound,
    WithdrawRound,
)
from services.pairing.domain.decisions import DECISIONS
from services.pairing.domain.state import round_of
from services.pairing.domain.venues import VENUES
from services.pairing.problems import PROBLEMS
from shared.handling.desk import Version
from shared.handling.service import Service
from shared.handling.web import build_app
from shared.settings import load
from shared.state.tournament import Tournament

SOURCES = ("pairing", "registration", "scoring")
"""The own log, and those that are copied."""


def _round(state: Tournament, command: AmendPairings | MoveTable | RepairRound | StartRound | WithdrawRound) -> int:
    return round_of(state, command.round).changed


def _table(state: Tournament, command: ReseatTable) -> int:
    table = state.seating.table(command.session)
    return table.changed if table else 0


VERSIONS: Mapping[type, Version] = {
    **dict.fromkeys((AmendPairings, MoveTable, RepairRound, StartRound, WithdrawRound), _round),
    ReseatTable: _table,
}
"""Where two people may edit one thing: the position of the last event that touched the round."""


def build(env: Mapping[str, str] = os.environ) -> Service:
    """The service without its HTTP side, as its worker and tools want it."""
    return Service(load("pairing", env), SOURCES, DECISIONS, versions=VERSIONS, venues=VENUES)


def build_web(env: Mapping[str, str] = os.environ) -> Flask:
    """The web application."""
    service = build(env)
    swiss, coop = service.front.of("swiss"), service.front.of("coop")
    opponents = service.front.of("swiss", "campaign")
    return build_app(
        service,
        title="Muster: pairing",
        description="Rounds, pairings, tables, clocks, the cut: who meets whom, where and until when.",
        blueprints=[
            rounds_blueprint(opponents),
            floor_blueprint(swiss, opponents, service.clock),
            stages_blueprint(swiss),
            seating_blueprint(coop),
        ],
        problems=PROBLEMS,
    )
