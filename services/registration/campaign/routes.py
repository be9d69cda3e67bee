"""Routes of a campaign's groups: handed in, completed by their turfs, shown. Groups are public from the beginning."""

from __future__ import annotations

from typing import Any

import msgspec

from services.registration.campaign import schemas as schemas_groups
from services.registration.campaign import views as groups_view
from services.registration.campaign.commands import RollTurfs, SubmitGroup
from services.registration.handlers import HANDLERS
from services.registration.tournament.state import player_of
from shared.application.gateway import shown
from shared.application.schemas import ReceiptShown
from shared.application.service import gateway_of
from shared.application.views import Appended
from shared.formats.campaign.rules.dice_source import read_rolls
from shared.formats.campaign.rules.group import Enlisted, Submission
from shared.formats.campaign.rules.roster import Group
from shared.formats.campaign.ruleset import campaign_of
from shared.web.blueprint import Blueprint
from shared.web.request import not_modified

OF_PLAYER = (
    "tournament-unknown",
    "tournament-over",
    "player-unknown",
    "player-not-active",
    "not-yours",
    "other-venue",
)


gateway = gateway_of("campaign")
blueprint = Blueprint(
    "groups", description="Campaigns: groups as they are built, and their turfs.", may_refuse=("wrong-format",)
)


@blueprint.post("/tournaments/<id:tournament>/players/<id:player>/group")
@blueprint.allow(*HANDLERS[SubmitGroup].roles)
@blueprint.arguments(schemas_groups.SubmitGroup)
@blueprint.response(201, schemas_groups.GroupTaken)
@blueprint.may_refuse(*OF_PLAYER, "group-refused", "group-locked", "event-too-large")
def submit_group(body: dict[str, Any], tournament: str, player: str) -> dict[str, Any]:
    """Hand a group in; a legal one is accepted at once, an illegal one refused with every clause.

    Until registration closes or round 1 is paired it may be handed in again; turfs that were rolled stay.
    """
    command = SubmitGroup(player=player, submission=_submission(body))
    receipt = gateway.command(tournament, command)
    answer = shown(receipt, tournament)
    group = msgspec.convert(answer["events"][0]["data"]["accepted"], Group)
    with gateway.reading(tournament) as folded:
        rules = campaign_of(folded.state.entries, answer["events"][0]["data"].get("round", 0))
        return answer | {"advice": groups_view.advice_view(rules, group)}


@blueprint.post("/tournaments/<id:tournament>/players/<id:player>/group/turfs")
@blueprint.allow(*HANDLERS[RollTurfs].roles)
@blueprint.arguments(schemas_groups.RollTurfs)
@blueprint.response(201, ReceiptShown)
@blueprint.may_refuse(*OF_PLAYER, "group-missing", "dice-refused", "choice-refused")
def roll_turfs(body: dict[str, Any], tournament: str, player: str) -> Appended:
    """Roll starting turfs, at the table or by the service; with the last come the leader and the rating."""
    command = RollTurfs(player=player, rolls=read_rolls(body["rolls"]))
    return gateway.run(tournament, command)


@blueprint.get("/tournaments/<id:tournament>/players/<id:player>/group")
@blueprint.response(200, schemas_groups.GroupBuilt)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown", "player-unknown", "group-missing")
def show_built_group(tournament: str, player: str) -> Any:
    """Show a group as it was built, with what its rating is made of."""
    with gateway.reading(tournament) as folded:
        found = player_of(folded.state.entries, player)
        same = not_modified(gateway.version(folded))
        return same or groups_view.group_view(folded.state, found)


@blueprint.get("/tournaments/<id:tournament>/groups")
@blueprint.response(200, schemas_groups.GroupsListed)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown")
def list_built_groups(tournament: str) -> Any:
    """List every player who takes part or waits, with how far their group is."""
    with gateway.reading(tournament) as folded:
        same = not_modified(gateway.version(folded))
        return same or {"groups": groups_view.groups_listed(folded.state)}


def _submission(body: dict[str, Any]) -> Submission:
    """What was handed in, as the rules read it; whether ranks and goods exist is theirs to say."""
    members = tuple(Enlisted(told["rank"], told["name"], tuple(told["goods"])) for told in body["members"])
    return Submission(body["force"], members, tuple(body["stash"]))
