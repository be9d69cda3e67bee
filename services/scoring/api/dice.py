"""Routes of dice that were told at the table: who says that they fell like this."""

from __future__ import annotations

from typing import Any

from services.scoring import schemas_dice as shapes
from services.scoring.api.results import CREW
from services.scoring.dice_shown import dice_of, die_shown
from services.scoring.domain import dice_commands as ask
from shared.handling.front import Front, shown
from shared.handling.schemas import ReceiptShown
from shared.http.blueprint import Blueprint
from shared.http.paging import begins_after, page, page_of
from shared.http.roles import PLAYER

ROUTE = "/tournaments/<id:tournament>/dice"
REFUSED = ("tournament-unknown", "tournament-over", "dice-refused", "not-your-dice")


def dice_blueprint(front: Front) -> Blueprint:
    """Whose word a told die rests on, and the word of somebody else who was there."""
    blueprint = Blueprint(
        "dice",
        description="Campaigns: dice told at the table, confirmed by whoever saw them, disputed, ruled.",
        may_refuse=("wrong-format",),
    )

    def run(tournament: str, command: Any) -> dict[str, Any]:
        return shown(front.command(tournament, command, fresh=True), tournament)

    @blueprint.get(ROUTE)
    @blueprint.arguments(shapes.DiceQuery, location="query")
    @blueprint.response(200, page_of(shapes.DieShown))
    @blueprint.may_refuse("tournament-unknown", "invalid-cursor")
    def list_dice(query: dict[str, Any], tournament: str) -> Any:
        """List the dice that were told at the table, for example those that rest on one word."""
        after = begins_after(query, int)
        first = after[0] if after else 0
        with front.reading(tournament) as folded:
            state = folded.state
            lines = [die_shown(state, die, standing) for die, standing in dice_of(state)]
        wanted = [
            (place, line)
            for place, line in enumerate(lines, start=1)
            if place > first
            and all(query.get(name) in (None, line[name]) for name in ("group", "standing", "waits_for"))
        ]
        items = wanted[: query["limit"]]
        last = (items[-1][0],) if len(wanted) > len(items) else None
        return page([line for _, line in items], last)

    @blueprint.post(f"{ROUTE}/confirmation")
    @blueprint.allow(*CREW, PLAYER)
    @blueprint.arguments(shapes.ConfirmDice)
    @blueprint.response(201, ReceiptShown)
    @blueprint.may_refuse(*REFUSED)
    def confirm_dice(body: dict[str, Any], tournament: str) -> dict[str, Any]:
        """Say that dice fell as they were told: whoever was named with them, or staff."""
        return run(tournament, ask.ConfirmDice(**body))

    @blueprint.post(f"{ROUTE}/dispute")
    @blueprint.allow(*CREW, PLAYER)
    @blueprint.arguments(shapes.DisputeDice)
    @blueprint.response(201, ReceiptShown)
    @blueprint.may_refuse(*REFUSED)
    def dispute_dice(body: dict[str, Any], tournament: str) -> dict[str, Any]:
        """Say that dice did not fall as they were told; staff rule, and the campaign goes on meanwhile."""
        return run(tournament, ask.DisputeDice(**body))

    @blueprint.post(f"{ROUTE}/ruling")
    @blueprint.allow(*CREW)
    @blueprint.arguments(shapes.RuleDice)
    @blueprint.response(201, ReceiptShown)
    @blueprint.may_refuse(*REFUSED, "not-your-decision")
    def rule_dice(body: dict[str, Any], tournament: str) -> dict[str, Any]:
        """Rule whether dice stand; what those that do not have brought about is entered in the ledger, or voided."""
        return run(tournament, ask.RuleDice(**body))

    return blueprint
