"""Routes of a campaign's groups: handed in, completed by their turfs, shown. Groups are public from the beginning."""

from __future__ import annotations

from typing import Any

import msgspec

from services.registration import groups_shown, schemas_groups
from services.registration.domain import campaign_commands as ask
from services.registration.domain.state import player_of
from shared.handling.front import Front, shown
from shared.handling.schemas import ReceiptShown
from shared.http import asked
from shared.http.blueprint import Blueprint
from shared.http.roles import HEAD_REFEREE, OPERATOR, ORGANISER, PLAYER, REFEREE
from shared.rules.campaign.group import Enlisted, Submission
from shared.rules.campaign.rolling import read_rolls
from shared.rules.campaign.roster import Group
from shared.state.ruleset import campaign_of

CREW = (OPERATOR, ORGANISER, HEAD_REFEREE, REFEREE)
OF_PLAYER = (
    "tournament-unknown",
    "tournament-over",
    "player-unknown",
    "player-not-active",
    "not-yours",
    "other-venue",
)


def groups_blueprint(front: Front) -> Blueprint:
    """What a player leads through a campaign, as it is built. No document hides groups, so everybody reads them."""
    blueprint = Blueprint(
        "groups", description="Campaigns: groups as they are built, and their turfs.", may_refuse=("wrong-format",)
    )

    @blueprint.post("/tournaments/<id:tournament>/players/<id:player>/group")
    @blueprint.allow(*CREW, PLAYER)
    @blueprint.arguments(schemas_groups.SubmitGroup)
    @blueprint.response(201, schemas_groups.GroupTaken)
    @blueprint.may_refuse(*OF_PLAYER, "group-refused", "group-locked", "event-too-large")
    def submit_group(body: dict[str, Any], tournament: str, player: str) -> dict[str, Any]:
        """Hand a group in; a legal one is accepted at once, an illegal one refused with every clause.

        Until registration closes or round 1 is paired it may be handed in again; turfs that were rolled stay.
        """
        command = ask.SubmitGroup(player=player, submission=_submission(body))
        receipt = front.command(tournament, command, fresh=True)
        answer = shown(receipt, tournament)
        group = msgspec.convert(answer["events"][0]["data"]["accepted"], Group)
        with front.reading(tournament) as folded:
            rules = campaign_of(folded.state.entries, answer["events"][0]["data"].get("round", 0))
            return answer | {"advice": groups_shown.advice_shown(rules, group)}

    @blueprint.post("/tournaments/<id:tournament>/players/<id:player>/group/turfs")
    @blueprint.allow(*CREW, PLAYER)
    @blueprint.arguments(schemas_groups.RollTurfs)
    @blueprint.response(201, ReceiptShown)
    @blueprint.may_refuse(*OF_PLAYER, "group-missing", "dice-refused", "choice-refused")
    def roll_turfs(body: dict[str, Any], tournament: str, player: str) -> dict[str, Any]:
        """Roll starting turfs, at the table or by the service; with the last come the leader and the rating."""
        command = ask.RollTurfs(player=player, rolls=read_rolls(body["rolls"]))
        return shown(front.command(tournament, command, fresh=True), tournament)

    @blueprint.get("/tournaments/<id:tournament>/players/<id:player>/group")
    @blueprint.response(200, schemas_groups.GroupBuilt)
    @blueprint.versioned()
    @blueprint.may_refuse("tournament-unknown", "player-unknown", "group-missing")
    def show_built_group(tournament: str, player: str) -> Any:
        """Show a group as it was built, with what its rating is made of."""
        with front.reading(tournament) as folded:
            found = player_of(folded.state.entries, player)
            same = asked.not_modified(front.version(folded))
            return same or groups_shown.group_shown(folded.state, found)

    @blueprint.get("/tournaments/<id:tournament>/groups")
    @blueprint.response(200, schemas_groups.GroupsListed)
    @blueprint.versioned()
    @blueprint.may_refuse("tournament-unknown")
    def list_built_groups(tournament: str) -> Any:
        """List every player who takes part or waits, with how far their group is."""
        with front.reading(tournament) as folded:
            same = asked.not_modified(front.version(folded))
            return same or {"groups": groups_shown.groups_listed(folded.state)}

    return blueprint


def _submission(body: dict[str, Any]) -> Submission:
    """What was handed in, as the rules read it; whether ranks and goods exist is theirs to say."""
    members = tuple(Enlisted(told["rank"], told["name"], tuple(told["goods"])) for told in body["members"])
    return Submission(body["force"], members, tuple(body["stash"]))
