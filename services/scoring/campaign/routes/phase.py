"""Routes of a campaign's post-game phase, and of groups as they live."""

from __future__ import annotations

from typing import Any

import msgspec

from services.scoring.campaign import schemas_phase as shapes
from services.scoring.campaign.commands import Choose, CloseStep, OpenRecruits, RollOfGroup
from services.scoring.campaign.views.dice import marked_dice
from services.scoring.campaign.views.groups import balance_view, concerns, group_view, groups_view
from services.scoring.campaign.views.phase import asked_view, phase_view
from services.scoring.handlers import HANDLERS
from services.scoring.tournament.refusals import AccountUnknown, GroupUnknown
from shared.application.schemas import EventShown, ReceiptShown
from shared.application.service import gateway_of
from shared.application.views import Appended
from shared.formats.campaign.league import groups_of
from shared.formats.campaign.rules.dice_source import RollTold
from shared.refusals import Fault
from shared.tournament.state import Tournament
from shared.web.blueprint import Blueprint
from shared.web.paging import page_of
from shared.web.request import not_modified

OF_GROUP = ("tournament-unknown", "tournament-over", "group-unknown", "not-your-group")
REFUSED = ("step-refused", "choice-refused", "dice-refused", "balance-too-low")
ROUTE = "/tournaments/<id:tournament>/groups/<id:group>"


gateway = gateway_of("campaign")
blueprint = Blueprint(
    "groups",
    description="Campaigns: the post-game phase step by step, roster sheets, histories, balances.",
    may_refuse=("wrong-format",),
)


def _known(state: Tournament, group: str) -> str:
    if group not in groups_of(state):
        fault = Fault("/group", group, "the id of a player whose group is built")
        raise GroupUnknown(f"No group {group} is in this campaign.", [fault])
    return group


@blueprint.get("/tournaments/<id:tournament>/post-game")
@blueprint.response(200, shapes.PhaseShown)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown", "round-unknown")
def show_post_game(tournament: str) -> Any:
    """Show which step of the post-game phase is open for which group, what it waits for, and the recruits."""
    with gateway.reading(tournament) as folded:
        return not_modified(gateway.version(folded)) or phase_view(folded.state, folded.heads)


@blueprint.get(f"{ROUTE}/post-game")
@blueprint.arguments(shapes.AskedQuery, location="query")
@blueprint.response(200, shapes.AskedShown)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown", "group-unknown")
def show_what_is_asked(query: dict[str, Any], tournament: str, group: str) -> Any:
    """Show what a group is asked now: every choice of the open step with its dice; with `all` why others are not
    legal."""
    with gateway.reading(tournament) as folded:
        id = _known(folded.state, group)
        return not_modified(gateway.version(folded)) or asked_view(folded.state, folded.heads, id, every=query["all"])


@blueprint.post(f"{ROUTE}/choices")
@blueprint.allow(*HANDLERS[Choose].roles)
@blueprint.arguments(shapes.Choose)
@blueprint.response(201, ReceiptShown)
@blueprint.versioned
@blueprint.may_refuse(*OF_GROUP, *REFUSED, absent=["round-unknown"])
def choose(body: dict[str, Any], tournament: str, group: str) -> Appended:
    """Make a choice of the open step, with the dice that it asks for."""
    rolls = msgspec.convert(body["rolls"], list[RollTold])
    command = Choose(group=group, does=body["does"], of=body["of"], rolls=rolls, service=body["service"])
    return gateway.run(tournament, command)


@blueprint.post(f"{ROUTE}/steps/<id:step>/closing")
@blueprint.allow(*HANDLERS[CloseStep].roles)
@blueprint.arguments(shapes.CloseStep)
@blueprint.response(201, ReceiptShown)
@blueprint.versioned
@blueprint.may_refuse(*OF_GROUP, *REFUSED, "staff-only", absent=["round-unknown"])
def close_step(body: dict[str, Any], tournament: str, group: str, step: str) -> Appended:
    """Close the open step of a group; the last one makes its rating final, and of the last group the round."""
    return gateway.run(tournament, CloseStep(group=group, step=step, absent=body["absent"]))


@blueprint.post("/tournaments/<id:tournament>/recruits")
@blueprint.allow(*HANDLERS[OpenRecruits].roles)
@blueprint.arguments(shapes.OpenRecruits)
@blueprint.response(201, ReceiptShown)
@blueprint.may_refuse("tournament-unknown", "tournament-over", "group-unknown", *REFUSED, absent=["round-unknown"])
def open_recruits(body: dict[str, Any], tournament: str) -> Appended:
    """Open the pool of recruits, once every group has closed step 3."""
    rolls = msgspec.convert(body["rolls"], list[RollOfGroup])
    return gateway.run(tournament, OpenRecruits(rolls=rolls))


@blueprint.get("/tournaments/<id:tournament>/groups")
@blueprint.response(200, shapes.GroupsShown)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown")
def list_groups(tournament: str) -> Any:
    """List the groups of a campaign as they live."""
    with gateway.reading(tournament) as folded:
        lines = groups_view(folded.state, folded.heads)
        return not_modified(gateway.version(folded)) or {"groups": lines}


@blueprint.get(ROUTE)
@blueprint.response(200, shapes.GroupShown)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown", "group-unknown")
def show_group(tournament: str, group: str) -> Any:
    """Show a roster sheet: members with attributes and their parts, goods, turfs, what the rating is made of."""
    with gateway.reading(tournament) as folded:
        id = _known(folded.state, group)
        return not_modified(gateway.version(folded)) or group_view(folded.state, folded.heads, id)


@blueprint.get(f"{ROUTE}/members/<id:member>/history")
@blueprint.response(200, page_of(EventShown))
@blueprint.may_refuse("tournament-unknown", "group-unknown")
def show_member_history(tournament: str, group: str, member: str) -> dict[str, Any]:
    """Show everything that was said of a member, also of one that is gone: where a scar came from."""
    with gateway.reading(tournament) as folded:
        _known(folded.state, group)
    items = gateway.events_about(tournament, lambda data: concerns(data, group, member))
    return {"items": items, "next": None}


@blueprint.get(f"{ROUTE}/balances/<id:account>")
@blueprint.response(200, shapes.BalanceShown)
@blueprint.may_refuse("tournament-unknown", "group-unknown", "account-unknown")
def show_balance(tournament: str, group: str, account: str) -> dict[str, Any]:
    """Show a balance (caps, clean or radiated food) with every entry, its reason, clause and roll."""
    if account not in shapes.ACCOUNTS:
        fault = Fault("/account", account, "one of " + ", ".join(shapes.ACCOUNTS), "FS-PGP-3")
        raise AccountUnknown(f"Groups have no account {account}.", [fault])
    with gateway.reading(tournament) as folded:
        _known(folded.state, group)
        marks = marked_dice(folded.state)
    events = gateway.events_about(tournament, lambda data: data.get("group") == group)
    return balance_view(group, account, events, marks)  # type: ignore[arg-type]
