"""Routes of a campaign's game: who plays, which weapons jam, who is evil, the objective; dice told at the table."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET, UnsetType

from services.scoring.campaign.commands import (
    ConfirmDice,
    DisputeDice,
    EnterLedger,
    JudgeEvil,
    MusterGroup,
    RollJams,
    RollObjective,
    RuleDice,
)
from services.scoring.campaign.views.dice import DieView, dice_of, die_view, discarded_views
from services.scoring.handlers import HANDLERS
from services.scoring.tournament.routes.results import OPEN_GAME, ROUTE
from shared.campaign.table_dice import Standing
from shared.service.command_routes import CommandBlueprint
from shared.service.views import Appended
from shared.service.wiring import gateway_of
from shared.shapes import Id
from shared.web.paging import Paged, begins_after, page, page_of

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


DICE = "/tournaments/<id:tournament>/dice"
REFUSED = ("tournament-unknown", "tournament-over", "dice-refused", "not-your-dice")


dice_blueprint = CommandBlueprint(
    "dice",
    HANDLERS,
    description="Campaigns: dice told at the table, confirmed by whoever saw them, disputed, ruled.",
    may_refuse=("wrong-format",),
)


class DiceQuery(Paged, frozen=True, kw_only=True):
    """group: dice of one group. standing: only these. waits_for: dice that this player or member of staff confirms."""

    group: Id | UnsetType = UNSET
    standing: Standing | UnsetType = UNSET
    waits_for: Id | UnsetType = UNSET


@dice_blueprint.get(DICE)
@dice_blueprint.arguments(DiceQuery, location="query")
@dice_blueprint.response(200, page_of(DieView))
@dice_blueprint.may_refuse("tournament-unknown", "invalid-cursor")
def list_dice(query: DiceQuery, tournament: str) -> Any:
    """List the dice that were reported from the table, and last those of any source that a correction discarded."""
    after = begins_after(query.after, int)
    first = after[0] if after else 0
    with gateway.reading(tournament) as loaded:
        state = loaded.state
        lines = [die_view(state, die, standing) for die, standing in dice_of(state)]
        lines += discarded_views(state, tournament)
    of_list = [
        (place, line)
        for place, line in enumerate(lines, start=1)
        if query.group in (UNSET, line.group)
        and query.standing in (UNSET, line.standing)
        and query.waits_for in (UNSET, line.waits_for)
    ]
    wanted = [(place, line) for place, line in of_list if place > first]
    items = wanted[: query.limit]
    last = (items[-1][0],) if len(wanted) > len(items) else None
    return page([line for _, line in items], last, len(of_list))


@dice_blueprint.command(ConfirmDice, f"{DICE}/confirmation")
@dice_blueprint.may_refuse(*REFUSED)
def confirm_dice(command: ConfirmDice, tournament: str) -> Appended:
    """Confirm that dice fell as reported. The witness named with the dice may do this, or staff."""
    return gateway.run(tournament, command)


@dice_blueprint.command(DisputeDice, f"{DICE}/dispute")
@dice_blueprint.may_refuse(*REFUSED)
def dispute_dice(command: DisputeDice, tournament: str) -> Appended:
    """Dispute that dice fell as reported; staff rule on it, and the campaign goes on meanwhile."""
    return gateway.run(tournament, command)


@dice_blueprint.command(RuleDice, f"{DICE}/ruling")
@dice_blueprint.may_refuse(*REFUSED, "not-your-decision")
def rule_dice(command: RuleDice, tournament: str) -> Appended:
    """Rule whether dice stand. If they do not, correct their effects in the ledger, or void the game."""
    return gateway.run(tournament, command)
