"""Routes of dice that were told at the table: who says that they fell like this."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET, UnsetType

from services.scoring.campaign.commands import ConfirmDice, DisputeDice, RuleDice
from services.scoring.campaign.views.dice import DieView, dice_of, die_view
from services.scoring.handlers import HANDLERS
from shared.application.command_routes import CommandBlueprint
from shared.application.service import gateway_of
from shared.application.views import Appended
from shared.formats.campaign.table_dice import Standing
from shared.shapes import Id
from shared.web.paging import Paged, begins_after, page, page_of

ROUTE = "/tournaments/<id:tournament>/dice"
REFUSED = ("tournament-unknown", "tournament-over", "dice-refused", "not-your-dice")


gateway = gateway_of("campaign")
blueprint = CommandBlueprint(
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


@blueprint.get(ROUTE)
@blueprint.arguments(DiceQuery, location="query")
@blueprint.response(200, page_of(DieView))
@blueprint.may_refuse("tournament-unknown", "invalid-cursor")
def list_dice(query: DiceQuery, tournament: str) -> Any:
    """List the dice that were reported from the table, for example those that only one person has vouched for."""
    after = begins_after(query.after, int)
    first = after[0] if after else 0
    with gateway.reading(tournament) as loaded:
        state = loaded.state
        lines = [die_view(state, die, standing) for die, standing in dice_of(state)]
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


@blueprint.command(ConfirmDice, f"{ROUTE}/confirmation")
@blueprint.may_refuse(*REFUSED)
def confirm_dice(command: ConfirmDice, tournament: str) -> Appended:
    """Confirm that dice fell as reported. The witness named with the dice may do this, or staff."""
    return gateway.run(tournament, command)


@blueprint.command(DisputeDice, f"{ROUTE}/dispute")
@blueprint.may_refuse(*REFUSED)
def dispute_dice(command: DisputeDice, tournament: str) -> Appended:
    """Dispute that dice fell as reported; staff rule on it, and the campaign goes on meanwhile."""
    return gateway.run(tournament, command)


@blueprint.command(RuleDice, f"{ROUTE}/ruling")
@blueprint.may_refuse(*REFUSED, "not-your-decision")
def rule_dice(command: RuleDice, tournament: str) -> Appended:
    """Rule whether dice stand. If they do not, correct their effects in the ledger, or void the game."""
    return gateway.run(tournament, command)
