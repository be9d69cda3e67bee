"""Routes before a campaign's game: who plays, which weapons jam, who is evil, the objective."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import jsonify

from services.scoring.campaign import schemas_games as schemas
from services.scoring.campaign.commands import EnterLedger, JudgeEvil, MusterGroup, RollJams, RollObjective
from services.scoring.campaign.views.ledger_preview import ledger_preview
from services.scoring.handlers import HANDLERS
from services.scoring.tournament.routes.results import OPEN_GAME, ROUTE
from shared.application.schemas import ReceiptShown
from shared.application.service import gateway_of
from shared.application.views import Appended
from shared.formats.campaign.rules.dice_source import RollTold
from shared.formats.campaign.rules.ruled import LedgerEntry
from shared.web.blueprint import Blueprint

BEFORE = (*OPEN_GAME, "not-your-game", "own-game", "group-unknown", "result-exists", "step-refused")


gateway = gateway_of("campaign")
blueprint = Blueprint(
    "campaign games",
    description="Before a game of a campaign: musters, jams, judgements, objectives.",
    may_refuse=("wrong-format",),
)


@blueprint.post(f"{ROUTE}/muster")
@blueprint.allow(*HANDLERS[MusterGroup].roles)
@blueprint.arguments(schemas.MusterGroup)
@blueprint.response(201, ReceiptShown)
@blueprint.may_refuse(*BEFORE, "choice-refused", "already-rolled")
def muster_group(body: dict[str, Any], tournament: str, game: str) -> Appended:
    """Say which members of a group play in this game; every reason why some cannot is told."""
    return gateway.run(tournament, MusterGroup(game=game, **body))


@blueprint.post(f"{ROUTE}/jams")
@blueprint.allow(*HANDLERS[RollJams].roles)
@blueprint.arguments(schemas.RollJams)
@blueprint.response(201, ReceiptShown)
@blueprint.may_refuse(*BEFORE, "not-mustered", "already-rolled", "choice-refused", "dice-refused")
def roll_jams(body: dict[str, Any], tournament: str, game: str) -> Appended:
    """Roll whether a ranged weapon works in this game, where a force neglects its weapons."""
    return gateway.run(tournament, RollJams(game=game, **rolled(body)))


@blueprint.post(f"{ROUTE}/evil")
@blueprint.allow(*HANDLERS[JudgeEvil].roles)
@blueprint.arguments(schemas.JudgeEvil)
@blueprint.response(201, ReceiptShown)
@blueprint.may_refuse(*BEFORE, "not-mustered", "already-rolled", "choice-refused", "dice-refused")
def judge_evil(body: dict[str, Any], tournament: str, game: str) -> Appended:
    """Roll whether a rival counts as evil in this game, where one force judges the other; a die for each rival."""
    return gateway.run(tournament, JudgeEvil(game=game, **rolled(body)))


@blueprint.post(f"{ROUTE}/objective")
@blueprint.allow(*HANDLERS[RollObjective].roles)
@blueprint.arguments(schemas.RollOfSide)
@blueprint.response(201, ReceiptShown)
@blueprint.may_refuse(*BEFORE, "not-mustered", "already-rolled", "dice-refused")
def roll_objective(body: dict[str, Any], tournament: str, game: str) -> Appended:
    """Roll the objective of a group."""
    return gateway.run(tournament, RollObjective(game=game, **rolled(body)))


@blueprint.post("/tournaments/<id:tournament>/groups/<id:group>/ledger")
@blueprint.allow(*HANDLERS[EnterLedger].roles)
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
        before, after, events = gateway.preview(tournament, command)
        return jsonify(ledger_preview(before.state, after, group, events))
    return gateway.run(tournament, command)


def rolled(body: dict[str, Any]) -> dict[str, Any]:
    """The body with its roll as the rules know it; one that is left out is the service's."""
    return {**body, "roll": msgspec.convert(body["roll"] or {}, RollTold)}
