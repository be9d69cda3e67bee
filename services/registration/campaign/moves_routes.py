"""Routes of a campaign's move to another version of its ruleset, in the middle of months of play."""

from __future__ import annotations

from typing import Any

from flask import jsonify

from services.registration.campaign import schemas_moves
from services.registration.campaign.commands import MoveRuleset
from services.registration.campaign.ruleset_moves import options_in_force
from services.registration.handlers import HANDLERS
from services.registration.tournament.packs import moved_ruleset
from shared.application.schemas import ReceiptShown
from shared.application.service import gateway_of
from shared.formats.differences import differences
from shared.rules.ruleset import to_json
from shared.tournament.entries import Entries
from shared.web.blueprint import Blueprint
from shared.web.request import not_modified

BESIDE_RULES = ("options", "chosen")
"""Members of a pack that stay as they were announced, whatever their defaults are."""


gateway = gateway_of("campaign")
blueprint = Blueprint(
    "ruleset-moves", description="Campaigns: another version of the ruleset.", may_refuse=("wrong-format",)
)


@blueprint.post("/tournaments/<id:tournament>/ruleset-moves")
@blueprint.allow(*HANDLERS[MoveRuleset].roles)
@blueprint.arguments(schemas_moves.PreviewMove, location="query")
@blueprint.arguments(schemas_moves.MoveRuleset)
@blueprint.response(201, ReceiptShown)
@blueprint.alternative(200, schemas_moves.MovePreviewed, description="A preview; nothing was moved.")
@blueprint.may_refuse(
    "tournament-unknown",
    "tournament-over",
    "unknown-ruleset",
    "ruleset-refused",
    "ruleset-option-refused",
    "ruleset-move-refused",
    "event-too-large",
)
def move_ruleset(query: dict[str, Any], body: dict[str, Any], tournament: str) -> Any:
    """Play a campaign by another version of its ruleset, from a round on that is not paired yet."""
    with gateway.reading(tournament) as folded:
        format, options = folded.state.entries.format, options_in_force(folded.state.entries, body["from_round"])
    moved = moved_ruleset(body.get("ruleset"), body.get("pack"), format, options)
    given = "ruleset" if body.get("pack") is None else "pack"
    command = MoveRuleset(from_round=body["from_round"], ruleset=to_json(moved), given=given, reason=body["reason"])
    if query["preview"] == "true":
        before, _, _ = gateway.preview(tournament, command)
        return jsonify(_previewed(before.state.entries, command))
    return gateway.run(tournament, command)


@blueprint.get("/tournaments/<id:tournament>/ruleset-moves")
@blueprint.response(200, schemas_moves.MovesShown)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown")
def list_ruleset_moves(tournament: str) -> Any:
    """List the versions of the ruleset that the campaign has been played by."""
    with gateway.reading(tournament) as folded:
        entries = folded.state.entries
        versions = [(0, entries.ruleset), *((move.from_round, move.ruleset) for move in entries.moves)]
        return not_modified(gateway.version(folded)) or {
            "versions": [{"from_round": number, **_version(pack)} for number, pack in versions]
        }


def _previewed(entries: Entries, command: MoveRuleset) -> dict[str, Any]:
    """What would differ from the ruleset that the round has now."""
    packs = [move.ruleset for move in entries.moves if move.from_round <= command.from_round]
    now = packs[-1] if packs else entries.ruleset
    found = differences(_rules(now), _rules(command.ruleset))
    return {
        "from_round": command.from_round,
        "before": _version(now),
        "after": _version(command.ruleset),
        "differences": [{"where": one.where, "before": one.before, "after": one.after} for one in found],
    }


def _rules(pack: dict[str, Any]) -> dict[str, Any]:
    """A pack without what stays as it was announced."""
    return {member: value for member, value in pack.items() if member not in BESIDE_RULES}


def _version(pack: dict[str, Any]) -> dict[str, str]:
    return {"id": pack["id"], "version": pack["version"]}
