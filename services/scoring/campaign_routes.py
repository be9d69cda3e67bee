"""Routes of a campaign: before and after games, dice, the post-game phase, groups."""

from __future__ import annotations

from typing import Any, get_args

from msgspec import UNSET, UnsetType

from services.scoring.campaign_dice import ConfirmDice, DisputeDice, RuleDice
from services.scoring.campaign_games import JudgeEvil, MusterGroup, RollJams, RollObjective
from services.scoring.campaign_phase import Choose, CloseStep, OpenRecruits
from services.scoring.campaign_rounds import GroupUnknown
from services.scoring.campaign_rulings import EnterLedger
from services.scoring.campaign_views_groups import (
    AskedView,
    BalanceView,
    DieView,
    GroupsView,
    GroupView,
    MemberEventView,
    PhaseView,
    asked_view,
    balance_view,
    dice_of,
    die_view,
    discarded_views,
    group_view,
    groups_view,
    history_of,
    marked_dice,
    phase_view,
)
from services.scoring.handlers import HANDLERS
from services.scoring.routes_results import OPEN_GAME, ROUTE
from shared.campaign.choices import CHOICES
from shared.campaign.league import current_groups
from shared.campaign.ledger import Account
from shared.campaign.table_dice import DieStatus
from shared.refusals import Fault, Refusal, expects, one_of
from shared.service.routes import CommandBlueprint
from shared.service.views import Appended
from shared.service.wiring import gateway_of
from shared.shapes import Id, Query
from shared.tournament.state import Tournament
from shared.web.paging import Paged, page, page_of, parse_after, single_page
from shared.web.request import not_modified
from shared.web.schema import NamedVariants

BEFORE = (*OPEN_GAME, "not-your-game", "own-game", "group-unknown", "result-exists", "step-refused")


gateway = gateway_of("campaign")
games_blueprint = CommandBlueprint(
    "campaign games",
    HANDLERS,
    description="Before a game of a campaign: musters, jams, judgements, objectives.",
    may_refuse=("wrong-format",),
)


@games_blueprint.command(MusterGroup, f"{ROUTE}/muster")
@games_blueprint.may_refuse(*BEFORE, "choice-refused", "already-rolled")
def muster_group(command: MusterGroup, tournament: str) -> Appended:
    """State which members of a group play in this game; a refusal lists every reason why some cannot."""
    return gateway.run(tournament, command)


@games_blueprint.command(RollJams, f"{ROUTE}/jams")
@games_blueprint.may_refuse(*BEFORE, "not-mustered", "already-rolled", "choice-refused", "dice-refused")
def roll_jams(command: RollJams, tournament: str) -> Appended:
    """Roll whether a ranged weapon works in this game, if the force neglects its weapons."""
    return gateway.run(tournament, command)


@games_blueprint.command(JudgeEvil, f"{ROUTE}/evil")
@games_blueprint.may_refuse(*BEFORE, "not-mustered", "already-rolled", "choice-refused", "dice-refused")
def judge_evil(command: JudgeEvil, tournament: str) -> Appended:
    """Roll whether a rival counts as evil in this game, if one force judges the other; one die for each rival."""
    return gateway.run(tournament, command)


@games_blueprint.command(RollObjective, f"{ROUTE}/objective")
@games_blueprint.may_refuse(*BEFORE, "not-mustered", "already-rolled", "dice-refused")
def roll_objective(command: RollObjective, tournament: str) -> Appended:
    """Roll the objective of a group."""
    return gateway.run(tournament, command)


@games_blueprint.command(EnterLedger, "/tournaments/<id:tournament>/groups/<id:group>/ledger")
@games_blueprint.may_refuse(
    "tournament-unknown",
    "tournament-over",
    "group-unknown",
    "not-your-decision",
    "step-refused",
    "choice-refused",
    "balance-too-low",
    absent=["round-unknown"],
)
def enter_ledger(command: EnterLedger, tournament: str) -> Appended:
    """Enter what a ruling changes for a group once its game cannot be voided: caps, food, goods, experience."""
    return gateway.run(tournament, command)


DICE = "/tournaments/<id:tournament>/dice"
DICE_REFUSALS = ("tournament-unknown", "tournament-over", "dice-refused", "not-your-dice")


dice_blueprint = CommandBlueprint(
    "dice",
    HANDLERS,
    description="Campaigns: dice told at the table, confirmed by whoever saw them, disputed, ruled.",
    may_refuse=("wrong-format",),
)


class DiceQuery(Paged, frozen=True, kw_only=True):
    """group: dice of one group. standing: only these. waits_for: dice that this player or member of staff confirms."""

    group: Id | UnsetType = UNSET
    standing: DieStatus | UnsetType = UNSET
    waits_for: Id | UnsetType = UNSET


@dice_blueprint.get(DICE)
@dice_blueprint.arguments(DiceQuery, location="query")
@dice_blueprint.response(200, page_of(DieView))
@dice_blueprint.may_refuse("tournament-unknown", "invalid-cursor")
def list_dice(query: DiceQuery, tournament: str) -> Any:
    """List the dice that were reported from the table, and last those of any source that a correction discarded."""
    after = parse_after(query.after, int)
    first = after[0] if after else 0
    with gateway.reading(tournament) as loaded:
        state = loaded.state
        lines = [die_view(state, die, standing) for die, standing in dice_of(state)]
        lines += discarded_views(state, tournament)
    of_list = [
        (place, line)
        for place, line in enumerate(lines, start=1)
        if query.group in (UNSET, line.group)
        and query.standing in (UNSET, line.standing)
        and query.waits_for in (UNSET, line.waits_for)
    ]
    wanted = [(place, line) for place, line in of_list if place > first]
    items = wanted[: query.limit]
    last = (items[-1][0],) if len(wanted) > len(items) else None
    return page([line for _, line in items], last, len(of_list))


@dice_blueprint.command(ConfirmDice, f"{DICE}/confirmation")
@dice_blueprint.may_refuse(*DICE_REFUSALS)
def confirm_dice(command: ConfirmDice, tournament: str) -> Appended:
    """Confirm that dice fell as reported. The witness named with the dice may do this, or staff."""
    return gateway.run(tournament, command)


@dice_blueprint.command(DisputeDice, f"{DICE}/dispute")
@dice_blueprint.may_refuse(*DICE_REFUSALS)
def dispute_dice(command: DisputeDice, tournament: str) -> Appended:
    """Dispute that dice fell as reported; staff rule on it, and the campaign goes on meanwhile."""
    return gateway.run(tournament, command)


@dice_blueprint.command(RuleDice, f"{DICE}/ruling")
@dice_blueprint.may_refuse(*DICE_REFUSALS, "not-your-decision")
def rule_dice(command: RuleDice, tournament: str) -> Appended:
    """Rule whether dice stand. If they do not, correct their effects in the ledger, or void the game."""
    return gateway.run(tournament, command)


OF_GROUP = ("tournament-unknown", "tournament-over", "group-unknown", "not-your-group")
CHOICE_REFUSALS = ("step-refused", "choice-refused", "dice-refused", "balance-too-low")
GROUP_ROUTE = "/tournaments/<id:tournament>/groups/<id:group>"
ACCOUNTS = get_args(Account)


groups_blueprint = CommandBlueprint(
    "groups",
    HANDLERS,
    opened={"of": NamedVariants("does", {name: choice.takes for name, choice in CHOICES.items()})},
    description="Campaigns: the post-game phase step by step, roster sheets, histories, balances.",
    may_refuse=("wrong-format",),
)


def _known(state: Tournament, group: str) -> str:
    if group not in current_groups(state):
        fault = Fault("/group", group, expects("player-with-built-group"))
        raise GroupUnknown(f"This campaign has no group {group}.", [fault])
    return group


@groups_blueprint.get("/tournaments/<id:tournament>/post-game")
@groups_blueprint.response(200, PhaseView)
@groups_blueprint.versioned
@groups_blueprint.may_refuse("tournament-unknown", "round-unknown")
def show_post_game(tournament: str) -> Any:
    """Show which step of the post-game phase is open for each group, what it is waiting for, and the recruits."""
    with gateway.reading(tournament) as loaded:
        return not_modified(gateway.version(loaded)) or phase_view(loaded.state, loaded.heads)


class AskedQuery(Query, frozen=True, kw_only=True):
    """all: choices that are not legal now, too, each with every reason why."""

    all: bool = False


@groups_blueprint.get(f"{GROUP_ROUTE}/post-game")
@groups_blueprint.arguments(AskedQuery, location="query")
@groups_blueprint.response(200, AskedView)
@groups_blueprint.versioned
@groups_blueprint.may_refuse("tournament-unknown", "group-unknown")
def show_what_is_asked(query: AskedQuery, tournament: str, group: str) -> Any:
    """Show the choices that a group has now: every choice of the open step with its dice; with `all`, also the choices
    that are not legal, and why."""
    with gateway.reading(tournament) as loaded:
        id = _known(loaded.state, group)
        return not_modified(gateway.version(loaded)) or asked_view(loaded.state, loaded.heads, id, every=query.all)


@groups_blueprint.command(Choose, f"{GROUP_ROUTE}/choices")
@groups_blueprint.versioned
@groups_blueprint.may_refuse(*OF_GROUP, *CHOICE_REFUSALS, absent=["round-unknown"])
def choose(command: Choose, tournament: str) -> Appended:
    """Make a choice of the open step, with the dice that it needs."""
    return gateway.run(tournament, command)


@groups_blueprint.command(CloseStep, f"{GROUP_ROUTE}/steps/<id:step>/closing")
@groups_blueprint.versioned
@groups_blueprint.may_refuse(*OF_GROUP, *CHOICE_REFUSALS, "staff-only", absent=["round-unknown"])
def close_step(command: CloseStep, tournament: str) -> Appended:
    """Close a group's open step; the last step makes its rating final, and that of the last group closes the round."""
    return gateway.run(tournament, command)


@groups_blueprint.command(OpenRecruits, "/tournaments/<id:tournament>/recruits")
@groups_blueprint.may_refuse(
    "tournament-unknown", "tournament-over", "group-unknown", *CHOICE_REFUSALS, absent=["round-unknown"]
)
def open_recruits(command: OpenRecruits, tournament: str) -> Appended:
    """Open the pool of recruits, once every group has closed step 3."""
    return gateway.run(tournament, command)


@groups_blueprint.get("/tournaments/<id:tournament>/groups")
@groups_blueprint.response(200, GroupsView)
@groups_blueprint.versioned
@groups_blueprint.may_refuse("tournament-unknown")
def list_groups(tournament: str) -> Any:
    """List the groups of a campaign in their present state."""
    with gateway.reading(tournament) as loaded:
        return not_modified(gateway.version(loaded)) or groups_view(loaded.state, loaded.heads)


@groups_blueprint.get(GROUP_ROUTE)
@groups_blueprint.response(200, GroupView)
@groups_blueprint.versioned
@groups_blueprint.may_refuse("tournament-unknown", "group-unknown")
def show_group(tournament: str, group: str) -> Any:
    """Show a roster sheet: members, their attributes and where these come from, goods, turfs, parts of the rating."""
    with gateway.reading(tournament) as loaded:
        id = _known(loaded.state, group)
        return not_modified(gateway.version(loaded)) or group_view(loaded.state, loaded.heads, id)


@groups_blueprint.get(f"{GROUP_ROUTE}/members/<id:member>/history")
@groups_blueprint.response(200, page_of(MemberEventView))
@groups_blueprint.may_refuse("tournament-unknown", "group-unknown")
def show_member_history(tournament: str, group: str, member: str) -> dict[str, Any]:
    """Show everything that was recorded about a member, even one who is gone, and what took some of it back."""
    with gateway.reading(tournament) as loaded:
        _known(loaded.state, group)
        discarded = {die.id: die.discarded_by for die in discarded_views(loaded.state, tournament)}
    events = gateway.events_about(tournament, lambda data: data.get("group") == group, group)
    return single_page(history_of(group, member, events, discarded))


@groups_blueprint.get(f"{GROUP_ROUTE}/balances/<id:account>")
@groups_blueprint.response(200, BalanceView)
@groups_blueprint.may_refuse("tournament-unknown", "group-unknown", "account-unknown")
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


class AccountUnknown(Refusal):
    """A group has no balance of this name."""

    code = "account-unknown"
