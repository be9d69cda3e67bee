"""Routes of a campaign's groups, and of its move to another version of its ruleset, in the middle of months of play."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import UNSET, UnsetType

from services.registration.campaign.commands import MoveRuleset, RollTurfs, SubmitGroup
from services.registration.campaign.ruleset_moves import options_in_force
from services.registration.campaign.views import (
    GroupsListed,
    GroupTaken,
    GroupView,
    MovesView,
    advice_view,
    group_view,
    groups_listed,
    moves_view,
)
from services.registration.handlers import HANDLERS
from services.registration.tournament.packs import moved_ruleset
from services.registration.tournament.state import player_of
from shared.campaign.roster import GroupBuilt
from shared.campaign.state import campaign_of
from shared.rules.parts import to_json
from shared.service.command_routes import CommandBlueprint
from shared.service.gateway import appended
from shared.service.views import Appended
from shared.service.wiring import gateway_of
from shared.shapes import Reason, Shape, Whole
from shared.web.blueprint import Blueprint
from shared.web.request import not_modified
from shared.web.schema import convert

OF_PLAYER = (
    "tournament-unknown",
    "tournament-over",
    "player-unknown",
    "player-not-active",
    "not-yours",
    "other-venue",
)


gateway = gateway_of("campaign")
blueprint = CommandBlueprint(
    "groups",
    HANDLERS,
    description="Campaigns: groups as they are built, and their turfs.",
    may_refuse=("wrong-format",),
)


@blueprint.command(SubmitGroup, "/tournaments/<id:tournament>/players/<id:player>/group", answer=GroupTaken)
@blueprint.may_refuse(*OF_PLAYER, "group-refused", "group-locked", "event-too-large")
def submit_group(command: SubmitGroup, tournament: str) -> GroupTaken:
    """Hand in a group: a legal one is accepted at once, an illegal one is refused with every fault and clause.

    You can hand it in again until registration closes or round 1 is paired; turfs that were rolled stay.
    """
    done = appended(gateway.command(tournament, command), tournament)
    accepted = done.events[0].data
    with gateway.reading(tournament) as loaded:
        rules = campaign_of(loaded.state.entries, accepted.get("round", 0))
        advice = advice_view(rules, convert(accepted["accepted"], GroupBuilt).state)
    return GroupTaken(id=done.id, events=done.events, advice=advice)


@blueprint.command(RollTurfs, "/tournaments/<id:tournament>/players/<id:player>/group/turfs")
@blueprint.may_refuse(*OF_PLAYER, "group-missing", "dice-refused", "choice-refused")
def roll_turfs(command: RollTurfs, tournament: str) -> Appended:
    """Roll starting turfs, at the table or by the service; the last one also gives the leader and the rating."""
    return gateway.run(tournament, command)


@blueprint.get("/tournaments/<id:tournament>/players/<id:player>/group")
@blueprint.response(200, GroupView)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown", "player-unknown", "group-missing")
def show_built_group(tournament: str, player: str) -> Any:
    """Show a group as it was built, and the parts of its rating."""
    with gateway.reading(tournament) as loaded:
        found = player_of(loaded.state.entries, player)
        return not_modified(gateway.version(loaded)) or group_view(loaded.state, found)


@blueprint.get("/tournaments/<id:tournament>/groups")
@blueprint.response(200, GroupsListed)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown")
def list_built_groups(tournament: str) -> Any:
    """List the players who take part or wait, and how far each one's group is."""
    with gateway.reading(tournament) as loaded:
        return not_modified(gateway.version(loaded)) or groups_listed(loaded.state)


# Beside the command, which holds the whole pack with these options, whichever way it came.
class RulesetToMoveTo(Shape, frozen=True, kw_only=True):
    """`ruleset` names a shipped pack, or `pack` brings one as JSON; options stay as they were announced."""

    from_round: Annotated[int, Whole(1, 10_000), "The first round played by it."]
    ruleset: Annotated[str | UnsetType, "Id of a shipped ruleset: GET /rulesets."] = UNSET
    pack: Annotated[dict[str, Any] | UnsetType, "A whole ruleset pack as JSON, instead of `ruleset`."] = UNSET
    reason: Reason


moves_blueprint = Blueprint(
    "ruleset-moves", description="Campaigns: another version of the ruleset.", may_refuse=("wrong-format",)
)


@moves_blueprint.post("/tournaments/<id:tournament>/ruleset-moves")
@moves_blueprint.allow(*HANDLERS[MoveRuleset].roles)
@moves_blueprint.previewed
@moves_blueprint.arguments(RulesetToMoveTo)
@moves_blueprint.response(201, Appended)
@moves_blueprint.may_refuse(
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


@moves_blueprint.get("/tournaments/<id:tournament>/ruleset-moves")
@moves_blueprint.response(200, MovesView)
@moves_blueprint.versioned
@moves_blueprint.may_refuse("tournament-unknown")
def list_ruleset_moves(tournament: str) -> Any:
    """List the versions of the ruleset that the campaign has used."""
    with gateway.reading(tournament) as loaded:
        return not_modified(gateway.version(loaded)) or moves_view(loaded.state.entries)
