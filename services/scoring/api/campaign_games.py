"""Routes before a campaign's game: who plays, which weapons jam, who is evil, the objective."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import jsonify

from services.scoring import schemas_campaign_games as schemas
from services.scoring.api.results import CREW, HEADS, OPEN_GAME, ROUTE
from services.scoring.domain import game_commands as ask
from services.scoring.domain.ruling_commands import EnterLedger
from services.scoring.ledger_preview import ledger_preview
from shared.handling.front import Front, shown
from shared.handling.schemas import ReceiptShown
from shared.http.blueprint import Blueprint
from shared.http.roles import PLAYER
from shared.rules.campaign.rolling import Told
from shared.rules.campaign.ruled import LedgerEntry

BEFORE = (*OPEN_GAME, "not-your-game", "own-game", "group-unknown", "result-exists", "step-refused")


def campaign_games_blueprint(front: Front) -> Blueprint:
    """What both sides record before their game begins."""
    blueprint = Blueprint(
        "campaign games",
        description="Before a game of a campaign: musters, jams, judgements, objectives.",
        may_refuse=("wrong-format",),
    )

    def run(tournament: str, command: Any) -> dict[str, Any]:
        return shown(front.command(tournament, command, fresh=True), tournament)

    @blueprint.post(f"{ROUTE}/muster")
    @blueprint.allow(*CREW, PLAYER)
    @blueprint.arguments(schemas.MusterGroup)
    @blueprint.response(201, ReceiptShown)
    @blueprint.may_refuse(*BEFORE, "choice-refused", "already-rolled")
    def muster_group(body: dict[str, Any], tournament: str, game: str) -> dict[str, Any]:
        """Say which members of a group play in this game; every reason why some cannot is told."""
        return run(tournament, ask.MusterGroup(game=game, **body))

    @blueprint.post(f"{ROUTE}/jams")
    @blueprint.allow(*CREW, PLAYER)
    @blueprint.arguments(schemas.RollJams)
    @blueprint.response(201, ReceiptShown)
    @blueprint.may_refuse(*BEFORE, "not-mustered", "already-rolled", "choice-refused", "dice-refused")
    def roll_jams(body: dict[str, Any], tournament: str, game: str) -> dict[str, Any]:
        """Roll whether a ranged weapon works in this game, where a force neglects its weapons."""
        return run(tournament, ask.RollJams(game=game, **rolled(body)))

    @blueprint.post(f"{ROUTE}/evil")
    @blueprint.allow(*CREW, PLAYER)
    @blueprint.arguments(schemas.RollOfSide)
    @blueprint.response(201, ReceiptShown)
    @blueprint.may_refuse(*BEFORE, "not-mustered", "already-rolled", "choice-refused", "dice-refused")
    def judge_evil(body: dict[str, Any], tournament: str, game: str) -> dict[str, Any]:
        """Roll whether the rival counts as evil in this game, where one force judges the other."""
        return run(tournament, ask.JudgeEvil(game=game, **rolled(body)))

    @blueprint.post(f"{ROUTE}/objective")
    @blueprint.allow(*CREW, PLAYER)
    @blueprint.arguments(schemas.RollOfSide)
    @blueprint.response(201, ReceiptShown)
    @blueprint.may_refuse(*BEFORE, "not-mustered", "already-rolled", "dice-refused")
    def roll_objective(body: dict[str, Any], tournament: str, game: str) -> dict[str, Any]:
        """Roll the objective of a side."""
        return run(tournament, ask.RollObjective(game=game, **rolled(body)))

    @blueprint.post("/tournaments/<id:tournament>/groups/<id:group>/ledger")
    @blueprint.allow(*HEADS)
    @blueprint.arguments(schemas.LedgerQuery, location="query")
    @blueprint.arguments(schemas.EnterLedger)
    @blueprint.response(201, ReceiptShown)
    @blueprint.alternative(200, schemas.LedgerPreview, description="With `preview=true`: what would change.")
    @blueprint.may_refuse(
        "tournament-unknown",
        "tournament-over",
        "group-unknown",
        "not-your-decision",
        "step-refused",
        "choice-refused",
        "balance-too-low",
        absent=["round-unknown"],
    )
    def enter_ledger(query: dict[str, Any], body: dict[str, Any], tournament: str, group: str) -> Any:
        """Enter what a ruling changes of a group, once its game cannot be voided: caps, food, goods, experience."""
        command = EnterLedger(group=group, entries=msgspec.convert(body["entries"], list[LedgerEntry]))
        if query["preview"]:
            before, after, events = front.preview(tournament, command, fresh=True)
            return jsonify(ledger_preview(before.state, after, group, events))
        return run(tournament, command)

    return blueprint


def rolled(body: dict[str, Any]) -> dict[str, Any]:
    """The body with its roll as the rules know it; one that is left out is the service's."""
    return {**body, "roll": msgspec.convert(body["roll"] or {}, Told)}
