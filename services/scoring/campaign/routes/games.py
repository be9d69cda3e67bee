"""Routes before a campaign's game: who plays, which weapons jam, who is evil, the objective."""

from __future__ import annotations

from services.scoring.campaign.commands import EnterLedger, JudgeEvil, MusterGroup, RollJams, RollObjective
from services.scoring.handlers import HANDLERS
from services.scoring.tournament.routes.results import OPEN_GAME, ROUTE
from shared.application.command_routes import CommandBlueprint
from shared.application.service import gateway_of
from shared.application.views import Appended

BEFORE = (*OPEN_GAME, "not-your-game", "own-game", "group-unknown", "result-exists", "step-refused")


gateway = gateway_of("campaign")
blueprint = CommandBlueprint(
    "campaign games",
    HANDLERS,
    description="Before a game of a campaign: musters, jams, judgements, objectives.",
    may_refuse=("wrong-format",),
)


@blueprint.command(MusterGroup, f"{ROUTE}/muster")
@blueprint.may_refuse(*BEFORE, "choice-refused", "already-rolled")
def muster_group(command: MusterGroup, tournament: str) -> Appended:
    """State which members of a group play in this game; a refusal lists every reason why some cannot."""
    return gateway.run(tournament, command)


@blueprint.command(RollJams, f"{ROUTE}/jams")
@blueprint.may_refuse(*BEFORE, "not-mustered", "already-rolled", "choice-refused", "dice-refused")
def roll_jams(command: RollJams, tournament: str) -> Appended:
    """Roll whether a ranged weapon works in this game, if the force neglects its weapons."""
    return gateway.run(tournament, command)


@blueprint.command(JudgeEvil, f"{ROUTE}/evil")
@blueprint.may_refuse(*BEFORE, "not-mustered", "already-rolled", "choice-refused", "dice-refused")
def judge_evil(command: JudgeEvil, tournament: str) -> Appended:
    """Roll whether a rival counts as evil in this game, if one force judges the other; one die for each rival."""
    return gateway.run(tournament, command)


@blueprint.command(RollObjective, f"{ROUTE}/objective")
@blueprint.may_refuse(*BEFORE, "not-mustered", "already-rolled", "dice-refused")
def roll_objective(command: RollObjective, tournament: str) -> Appended:
    """Roll the objective of a group."""
    return gateway.run(tournament, command)


@blueprint.command(EnterLedger, "/tournaments/<id:tournament>/groups/<id:group>/ledger")
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
def enter_ledger(command: EnterLedger, tournament: str) -> Appended:
    """Enter what a ruling changes for a group once its game cannot be voided: caps, food, goods, experience."""
    return gateway.run(tournament, command)
