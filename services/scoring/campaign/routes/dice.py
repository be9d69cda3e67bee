"""Routes of dice that were told at the table: who says that they fell like this."""

from __future__ import annotations

from typing import Any

from services.scoring.campaign import schemas_dice as shapes
from services.scoring.campaign.commands import ConfirmDice, DisputeDice, RuleDice
from services.scoring.campaign.views.dice import dice_of, die_view
from services.scoring.handlers import HANDLERS
from shared.application.schemas import ReceiptShown
from shared.application.service import gateway_of
from shared.application.views import Appended
from shared.web.blueprint import Blueprint
from shared.web.paging import begins_after, page, page_of

ROUTE = "/tournaments/<id:tournament>/dice"
REFUSED = ("tournament-unknown", "tournament-over", "dice-refused", "not-your-dice")


gateway = gateway_of("campaign")
blueprint = Blueprint(
    "dice",
    description="Campaigns: dice told at the table, confirmed by whoever saw them, disputed, ruled.",
    may_refuse=("wrong-format",),
)


@blueprint.get(ROUTE)
@blueprint.arguments(shapes.DiceQuery, location="query")
@blueprint.response(200, page_of(shapes.DieShown))
@blueprint.may_refuse("tournament-unknown", "invalid-cursor")
def list_dice(query: dict[str, Any], tournament: str) -> Any:
    """List the dice that were told at the table, for example those that rest on one word."""
    after = begins_after(query, int)
    first = after[0] if after else 0
    with gateway.reading(tournament) as folded:
        state = folded.state
        lines = [die_view(state, die, standing) for die, standing in dice_of(state)]
    wanted = [
        (place, line)
        for place, line in enumerate(lines, start=1)
        if place > first and all(query.get(name) in (None, line[name]) for name in ("group", "standing", "waits_for"))
    ]
    items = wanted[: query["limit"]]
    last = (items[-1][0],) if len(wanted) > len(items) else None
    return page([line for _, line in items], last)


@blueprint.post(f"{ROUTE}/confirmation")
@blueprint.allow(*HANDLERS[ConfirmDice].roles)
@blueprint.arguments(shapes.ConfirmDice)
@blueprint.response(201, ReceiptShown)
@blueprint.may_refuse(*REFUSED)
def confirm_dice(body: dict[str, Any], tournament: str) -> Appended:
    """Say that dice fell as they were told: whoever was named with them, or staff."""
    return gateway.run(tournament, ConfirmDice(**body))


@blueprint.post(f"{ROUTE}/dispute")
@blueprint.allow(*HANDLERS[DisputeDice].roles)
@blueprint.arguments(shapes.DisputeDice)
@blueprint.response(201, ReceiptShown)
@blueprint.may_refuse(*REFUSED)
def dispute_dice(body: dict[str, Any], tournament: str) -> Appended:
    """Say that dice did not fall as they were told; staff rule, and the campaign goes on meanwhile."""
    return gateway.run(tournament, DisputeDice(**body))


@blueprint.post(f"{ROUTE}/ruling")
@blueprint.allow(*HANDLERS[RuleDice].roles)
@blueprint.arguments(shapes.RuleDice)
@blueprint.response(201, ReceiptShown)
@blueprint.may_refuse(*REFUSED, "not-your-decision")
def rule_dice(body: dict[str, Any], tournament: str) -> Appended:
    """Rule whether dice stand; what those that do not have brought about is entered in the ledger, or voided."""
    return gateway.run(tournament, RuleDice(**body))
