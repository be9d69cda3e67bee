"""Routes of a campaign's groups: handed in, completed by their turfs, shown. Groups are public from the beginning."""

from __future__ import annotations

from typing import Any

from msgspec.structs import asdict

from services.registration.campaign.commands import RollTurfs, SubmitGroup
from services.registration.campaign.views import (
    GroupsListed,
    GroupTaken,
    GroupView,
    advice_view,
    group_view,
    groups_listed,
)
from services.registration.handlers import HANDLERS
from services.registration.tournament.state import player_of
from shared.application.command_routes import CommandBlueprint
from shared.application.gateway import appended
from shared.application.service import gateway_of
from shared.application.views import Appended
from shared.formats.campaign.rules.roster import Group
from shared.formats.campaign.ruleset import campaign_of
from shared.web.deferred import convert
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
        advice = advice_view(rules, convert(accepted["accepted"], Group))
    return GroupTaken(**asdict(done), advice=advice)


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
