"""Routes of a campaign's post-game phase, and of groups as they live."""

from __future__ import annotations

from typing import Any, get_args

from services.scoring.campaign.commands import Choose, CloseStep, OpenRecruits
from services.scoring.campaign.views.dice import discarded_views, marked_dice
from services.scoring.campaign.views.groups import (
    BalanceView,
    GroupsView,
    GroupView,
    MemberEventView,
    balance_view,
    group_view,
    groups_view,
    history_of,
)
from services.scoring.campaign.views.phase import AskedView, PhaseView, asked_view, phase_view
from services.scoring.handlers import HANDLERS
from services.scoring.tournament.refusals import AccountUnknown, GroupUnknown
from shared.campaign.choices import CHOICES
from shared.campaign.league import groups_of
from shared.campaign.ledger import Account
from shared.refusals import Fault, expects, one_of
from shared.service.command_routes import CommandBlueprint
from shared.service.views import Appended
from shared.service.wiring import gateway_of
from shared.shapes import Query
from shared.tournament.state import Tournament
from shared.web.paging import all_of, page_of
from shared.web.request import not_modified
from shared.web.schema import NamedBeside

OF_GROUP = ("tournament-unknown", "tournament-over", "group-unknown", "not-your-group")
REFUSED = ("step-refused", "choice-refused", "dice-refused", "balance-too-low")
ROUTE = "/tournaments/<id:tournament>/groups/<id:group>"
ACCOUNTS = get_args(Account)


gateway = gateway_of("campaign")
blueprint = CommandBlueprint(
    "groups",
    HANDLERS,
    opened={"of": NamedBeside("does", {name: choice.takes for name, choice in CHOICES.items()})},
    description="Campaigns: the post-game phase step by step, roster sheets, histories, balances.",
    may_refuse=("wrong-format",),
)


def _known(state: Tournament, group: str) -> str:
    if group not in groups_of(state):
        fault = Fault("/group", group, expects("player-with-built-group"))
        raise GroupUnknown(f"This campaign has no group {group}.", [fault])
    return group


@blueprint.get("/tournaments/<id:tournament>/post-game")
@blueprint.response(200, PhaseView)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown", "round-unknown")
def show_post_game(tournament: str) -> Any:
    """Show which step of the post-game phase is open for each group, what it is waiting for, and the recruits."""
    with gateway.reading(tournament) as loaded:
        return not_modified(gateway.version(loaded)) or phase_view(loaded.state, loaded.heads)


class AskedQuery(Query, frozen=True, kw_only=True):
    """all: choices that are not legal now, too, each with every reason why."""

    all: bool = False


@blueprint.get(f"{ROUTE}/post-game")
@blueprint.arguments(AskedQuery, location="query")
@blueprint.response(200, AskedView)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown", "group-unknown")
def show_what_is_asked(query: AskedQuery, tournament: str, group: str) -> Any:
    """Show the choices that a group has now: every choice of the open step with its dice; with `all`, also the choices
    that are not legal, and why."""
    with gateway.reading(tournament) as loaded:
        id = _known(loaded.state, group)
        return not_modified(gateway.version(loaded)) or asked_view(loaded.state, loaded.heads, id, every=query.all)


@blueprint.command(Choose, f"{ROUTE}/choices")
@blueprint.versioned
@blueprint.may_refuse(*OF_GROUP, *REFUSED, absent=["round-unknown"])
def choose(command: Choose, tournament: str) -> Appended:
    """Make a choice of the open step, with the dice that it needs."""
    return gateway.run(tournament, command)


@blueprint.command(CloseStep, f"{ROUTE}/steps/<id:step>/closing")
@blueprint.versioned
@blueprint.may_refuse(*OF_GROUP, *REFUSED, "staff-only", absent=["round-unknown"])
def close_step(command: CloseStep, tournament: str) -> Appended:
    """Close a group's open step; the last step makes its rating final, and that of the last group closes the round."""
    return gateway.run(tournament, command)


@blueprint.command(OpenRecruits, "/tournaments/<id:tournament>/recruits")
@blueprint.may_refuse("tournament-unknown", "tournament-over", "group-unknown", *REFUSED, absent=["round-unknown"])
def open_recruits(command: OpenRecruits, tournament: str) -> Appended:
    """Open the pool of recruits, once every group has closed step 3."""
    return gateway.run(tournament, command)


@blueprint.get("/tournaments/<id:tournament>/groups")
@blueprint.response(200, GroupsView)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown")
def list_groups(tournament: str) -> Any:
    """List the groups of a campaign in their present state."""
    with gateway.reading(tournament) as loaded:
        return not_modified(gateway.version(loaded)) or groups_view(loaded.state, loaded.heads)


@blueprint.get(ROUTE)
@blueprint.response(200, GroupView)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown", "group-unknown")
def show_group(tournament: str, group: str) -> Any:
    """Show a roster sheet: members, their attributes and where these come from, goods, turfs, parts of the rating."""
    with gateway.reading(tournament) as loaded:
        id = _known(loaded.state, group)
        return not_modified(gateway.version(loaded)) or group_view(loaded.state, loaded.heads, id)


@blueprint.get(f"{ROUTE}/members/<id:member>/history")
@blueprint.response(200, page_of(MemberEventView))
@blueprint.may_refuse("tournament-unknown", "group-unknown")
def show_member_history(tournament: str, group: str, member: str) -> dict[str, Any]:
    """Show everything that was recorded about a member, even one who is gone, and what took some of it back."""
    with gateway.reading(tournament) as loaded:
        _known(loaded.state, group)
        discarded = {die.id: die.discarded_by for die in discarded_views(loaded.state, tournament)}
    events = gateway.events_about(tournament, lambda data: data.get("group") == group, group)
    return all_of(history_of(group, member, events, discarded))


@blueprint.get(f"{ROUTE}/balances/<id:account>")
@blueprint.response(200, BalanceView)
@blueprint.may_refuse("tournament-unknown", "group-unknown", "account-unknown")
def show_balance(tournament: str, group: str, account: Account) -> BalanceView:
    """Show a balance (caps, clean or radiated food) with every entry, its reason, clause and roll."""
    if account not in ACCOUNTS:
        fault = Fault("/account", account, one_of(ACCOUNTS), "FS-PGP-3")
        raise AccountUnknown(f"Groups have no account {account}.", [fault])
    with gateway.reading(tournament) as loaded:
        _known(loaded.state, group)
        marks = marked_dice(loaded.state)
    events = gateway.events_about(tournament, lambda data: data.get("group") == group, group)
    return balance_view(group, account, events, marks)
