"""Routes of a campaign's move to another version of its ruleset, in the middle of months of play."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import UNSET, UnsetType

from services.registration.campaign.commands import MoveRuleset
from services.registration.campaign.ruleset_moves import options_in_force
from services.registration.campaign.views_moves import MovesView, moves_view
from services.registration.handlers import HANDLERS
from services.registration.tournament.packs import moved_ruleset
from shared.application.service import gateway_of
from shared.application.views import Appended
from shared.rules.ruleset import to_json
from shared.shapes import Reason, Shape, Whole
from shared.web.blueprint import Blueprint
from shared.web.request import not_modified


# Beside the command, which holds the whole pack with these options, whichever way it came.
class RulesetToMoveTo(Shape, frozen=True, kw_only=True):
    """`ruleset` names a shipped pack, or `pack` brings one as JSON; options stay as they were announced."""

    from_round: Annotated[int, Whole(1, 10_000), "The first round played by it."]
    ruleset: Annotated[str | UnsetType, "Id of a shipped ruleset: GET /rulesets."] = UNSET
    pack: Annotated[dict[str, Any] | UnsetType, "A whole ruleset pack as JSON, instead of `ruleset`."] = UNSET
    reason: Reason


gateway = gateway_of("campaign")
blueprint = Blueprint(
    "ruleset-moves", description="Campaigns: another version of the ruleset.", may_refuse=("wrong-format",)
)


@blueprint.post("/tournaments/<id:tournament>/ruleset-moves")
@blueprint.allow(*HANDLERS[MoveRuleset].roles)
@blueprint.previewed
@blueprint.arguments(RulesetToMoveTo)
@blueprint.response(201, Appended)
@blueprint.may_refuse(
    "tournament-unknown",
    "tournament-over",
    "unknown-ruleset",
    "ruleset-refused",
    "ruleset-option-refused",
    "ruleset-move-refused",
    "event-too-large",
)
def move_ruleset(body: RulesetToMoveTo, tournament: str) -> Appended:
    """Move a campaign to another version of its ruleset, from a round that is not paired yet."""
    with gateway.reading(tournament) as loaded:
        format, options = loaded.state.entries.format, options_in_force(loaded.state.entries, body.from_round)
    id = None if body.ruleset is UNSET else body.ruleset
    pack = None if body.pack is UNSET else body.pack
    moved = moved_ruleset(id, pack, format, options)
    command = MoveRuleset(
        from_round=body.from_round,
        ruleset=to_json(moved),
        given="ruleset" if pack is None else "pack",
        reason=body.reason,
    )
    return gateway.run(tournament, command)


@blueprint.get("/tournaments/<id:tournament>/ruleset-moves")
@blueprint.response(200, MovesView)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown")
def list_ruleset_moves(tournament: str) -> Any:
    """List the versions of the ruleset that the campaign has used."""
    with gateway.reading(tournament) as loaded:
        return not_modified(gateway.version(loaded)) or moves_view(loaded.state.entries)
