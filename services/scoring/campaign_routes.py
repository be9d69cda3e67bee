"""Routes of a campaign: preparation of games, ledger, dice, the post-game phase, groups."""

from __future__ import annotations

from typing import Any, get_args

from msgspec import UNSET, UnsetType

from services.scoring.campaign_choice_lists import ChooseSeveral
from services.scoring.campaign_dice import ConfirmDice, DisputeDice
from services.scoring.campaign_dice_rulings import RuleDice
from services.scoring.campaign_games import JudgeEvil, MusterGroup, RollJams, RollObjective
from services.scoring.campaign_phase import Choose, CloseStep, OpenRecruits
from services.scoring.campaign_rounds import GroupUnknown
from services.scoring.campaign_rulings import EnterLedger
from services.scoring.campaign_taking_back import TakeBack
from services.scoring.campaign_views_groups import (
    BalanceView,
    DieView,
    GroupsView,
    GroupView,
    MemberEventView,
    balance_view,
    dice_of,
    die_view,
    discarded_views,
    group_view,
    groups_view,
    history_of,
    marked_dice,
)
from services.scoring.campaign_views_phase import (
    AskedView,
    PhaseView,
    StatementView,
    asked_view,
    phase_view,
    statement_views,
)
from services.scoring.handlers import HANDLERS
from services.scoring.routes_results import OPEN_GAME, ROUTE
from shared.campaign.choices import CHOICES
from shared.campaign.league import current_groups
from shared.campaign.ledger import Account
from shared.campaign.table_dice import DieStatus
from shared.refusals import Fault, Refusal, expects, one_of
from shared.service.game_lists import AtVenue, VenueFilter
from shared.service.routes import CommandBlueprint
from shared.service.views import Appended
from shared.service.wiring import gateway_of
from shared.shapes import Id, Query
from shared.tournament.state import Tournament
from shared.web.paging import Paged, page, page_of, parse_after, single_page
from shared.web.request import not_modified
from shared.web.schema import NamedVariants

_PREPARATION_REFUSALS = (*OPEN_GAME, "not-your-game", "own-game", "group-unknown", "result-exists", "step-refused")


gateway = gateway_of("campaign")
games_blueprint = CommandBlueprint(
    "campaign games",
    HANDLERS,
    description="Campaigns: preparation of games (musters, jams, judgements, objectives) and the ledger.",
    may_refuse=("wrong-format",),
)


@games_blueprint.command(MusterGroup, f"{ROUTE}/muster")
@games_blueprint.may_refuse(*_PREPARATION_REFUSALS, "choice-refused", "already-rolled")
def muster_group(command: MusterGroup, tournament: str) -> Appended:
    """Muster a group for a game. A refusal lists all reasons why members cannot play."""
    return gateway.run(tournament, command)


@games_blueprint.command(RollJams, f"{ROUTE}/jams")
@games_blueprint.may_refuse(*_PREPARATION_REFUSALS, "not-mustered", "already-rolled", "choice-refused", "dice-refused")
def roll_jams(command: RollJams, tournament: str) -> Appended:
    """Roll whether ranged weapons jam in this game, if the force neglects its weapons."""
    return gateway.run(tournament, command)


@games_blueprint.command(JudgeEvil, f"{ROUTE}/evil")
@games_blueprint.may_refuse(*_PREPARATION_REFUSALS, "not-mustered", "already-rolled", "choice-refused", "dice-refused")
def judge_evil(command: JudgeEvil, tournament: str) -> Appended:
    """Roll whether a rival counts as evil in this game, if one force judges the other. Roll once for each rival."""
    return gateway.run(tournament, command)


@games_blueprint.command(RollObjective, f"{ROUTE}/objective")
@games_blueprint.may_refuse(*_PREPARATION_REFUSALS, "not-mustered", "already-rolled", "dice-refused")
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
    """Enter the effects of a ruling on a group whose game can no longer be voided: caps, food, goods, experience."""
    return gateway.run(tournament, command)


_DICE = "/tournaments/<id:tournament>/dice"
_DICE_REFUSALS = ("tournament-unknown", "tournament-over", "dice-refused", "not-your-dice")


dice_blueprint = CommandBlueprint(
    "dice",
    HANDLERS,
    description="Campaigns: dice reported from the table, which witnesses confirm or dispute and staff rule on.",
    may_refuse=("wrong-format",),
)


class DiceQuery(Paged, frozen=True, kw_only=True):
    """Query of dice.

    group, standing: include only dice of this group or with this status. waits_for: include only dice that this player
    or member of staff has to confirm.
    """

    group: Id | UnsetType = UNSET
    standing: DieStatus | UnsetType = UNSET
    waits_for: Id | UnsetType = UNSET
    venue: VenueFilter = UNSET


@dice_blueprint.get(_DICE)
@dice_blueprint.arguments(DiceQuery, location="query")
@dice_blueprint.response(200, page_of(DieView))
@dice_blueprint.may_refuse("tournament-unknown", "venue-unknown", "invalid-cursor")
def list_dice(query: DiceQuery, tournament: str) -> Any:
    """List the dice that were reported from the table, followed by all dice that a correction discarded."""
    after = parse_after(query.after, int)
    first = after[0] if after else 0
    with gateway.reading(tournament, venue=query.venue) as loaded:
        state = loaded.state
        lines = [die_view(state, die, standing) for die, standing in dice_of(state)]
        lines += discarded_views(state, tournament)
    matching = [
        (place, line)
        for place, line in enumerate(lines, start=1)
        if query.group in (UNSET, line.group)
        and state.entries.plays_at(line.group, query.venue)
        and query.standing in (UNSET, line.standing)
        and query.waits_for in (UNSET, line.waits_for)
    ]
    following = [(place, line) for place, line in matching if place > first]
    items = following[: query.limit]
    last = (items[-1][0],) if len(following) > len(items) else None
    return page([line for _, line in items], last, len(matching))


@dice_blueprint.command(ConfirmDice, f"{_DICE}/confirmation")
@dice_blueprint.may_refuse(*_DICE_REFUSALS)
def confirm_dice(command: ConfirmDice, tournament: str) -> Appended:
    """Confirm reported dice. The other person named with the dice or staff may do this."""
    return gateway.run(tournament, command)


@dice_blueprint.command(DisputeDice, f"{_DICE}/dispute")
@dice_blueprint.may_refuse(*_DICE_REFUSALS)
def dispute_dice(command: DisputeDice, tournament: str) -> Appended:
    """Dispute reported dice. Staff then rule on them; the campaign continues in the meantime."""
    return gateway.run(tournament, command)


@dice_blueprint.command(RuleDice, f"{_DICE}/ruling")
@dice_blueprint.may_refuse(
    *_DICE_REFUSALS,
    "not-your-decision",
    "choice-refused",
    "statements-fall",
    "others-rely-on-it",
    absent=["round-unknown"],
)
def rule_dice(command: RuleDice, tournament: str) -> Appended:
    """Rule whether dice count. If they do not, dice of a running phase are rolled again, with all that hung on them.

    A preview shows the effects, without faces. Other dice are marked: correct their effects in the ledger, or void the
    game.
    """
    return gateway.run(tournament, command)


_GROUP_REFUSALS = ("tournament-unknown", "tournament-over", "group-unknown", "not-your-group")
_CHOICE_REFUSALS = ("step-refused", "choice-refused", "dice-refused", "balance-too-low")
_GROUP = "/tournaments/<id:tournament>/groups/<id:group>"
_ACCOUNTS = get_args(Account)


groups_blueprint = CommandBlueprint(
    "groups",
    HANDLERS,
    opened={"of": NamedVariants("does", {name: choice.takes for name, choice in CHOICES.items()})},
    description="Campaigns: the post-game phase, roster sheets, histories, balances.",
    may_refuse=("wrong-format",),
)


def _require_group(state: Tournament, group: str) -> str:
    if group not in current_groups(state):
        fault = Fault("/group", group, expects("player-with-built-group"))
        raise GroupUnknown(f"This campaign has no group {group}.", [fault])
    return group


@groups_blueprint.get("/tournaments/<id:tournament>/post-game")
@groups_blueprint.response(200, PhaseView)
@groups_blueprint.versioned
@groups_blueprint.may_refuse("tournament-unknown", "round-unknown")
def show_post_game(tournament: str) -> Any:
    """Show the open step of each group in the post-game phase, what it waits for, and the pool of recruits."""
    with gateway.reading(tournament) as loaded:
        return not_modified(gateway.version(loaded)) or phase_view(loaded.state, loaded.heads)


class AskedQuery(Query, frozen=True, kw_only=True):
    """Query of choices. all: also list choices that are not legal, with all reasons."""

    all: bool = False


@groups_blueprint.get(f"{_GROUP}/post-game")
@groups_blueprint.arguments(AskedQuery, location="query")
@groups_blueprint.response(200, AskedView)
@groups_blueprint.versioned
@groups_blueprint.may_refuse("tournament-unknown", "group-unknown")
def show_what_is_asked(query: AskedQuery, tournament: str, group: str) -> Any:
    """Show the choices of a group in its open step, with their dice. `all` adds choices that are not legal."""
    with gateway.reading(tournament) as loaded:
        id = _require_group(loaded.state, group)
        return not_modified(gateway.version(loaded)) or asked_view(loaded.state, loaded.heads, id, every=query.all)


@groups_blueprint.command(Choose, f"{_GROUP}/choices")
@groups_blueprint.versioned
@groups_blueprint.may_refuse(*_GROUP_REFUSALS, *_CHOICE_REFUSALS, "leaves-open", absent=["round-unknown"])
def choose(command: Choose, tournament: str) -> Appended:
    """Make a choice of the open step, with the dice that it needs."""
    return gateway.run(tournament, command)


@groups_blueprint.command(ChooseSeveral, f"{_GROUP}/choices/list")
@groups_blueprint.versioned
@groups_blueprint.may_refuse(*_GROUP_REFUSALS, *_CHOICE_REFUSALS, "leaves-open", absent=["round-unknown"])
def choose_several(command: ChooseSeveral, tournament: str) -> Appended:
    """Make several choices in order, and close steps between them: all or none."""
    return gateway.run(tournament, command)


@groups_blueprint.command(CloseStep, f"{_GROUP}/steps/<id:step>/closing")
@groups_blueprint.versioned
@groups_blueprint.may_refuse(
    *_GROUP_REFUSALS, *_CHOICE_REFUSALS, "leaves-open", "staff-only", "too-early", absent=["round-unknown"]
)
def close_step(command: CloseStep, tournament: str) -> Appended:
    """Close the open step of a group. The last step makes its rating final; with the last group, the round closes."""
    return gateway.run(tournament, command)


@groups_blueprint.get(f"{_GROUP}/statements")
@groups_blueprint.response(200, page_of(StatementView))
@groups_blueprint.may_refuse("tournament-unknown", "group-unknown")
def list_statements(tournament: str, group: str) -> dict[str, Any]:
    """List what was said for a group in its running phase, in order, and who can take each statement back."""
    with gateway.reading(tournament) as loaded:
        _require_group(loaded.state, group)
        return single_page(statement_views(loaded.state, group))


@groups_blueprint.command(TakeBack, f"{_GROUP}/statements/<number:statement>/taking-back")
@groups_blueprint.versioned
@groups_blueprint.may_refuse(
    *_GROUP_REFUSALS,
    "step-refused",
    "statement-unknown",
    "staff-only",
    "reason-needed",
    "others-rely-on-it",
    "statements-fall",
    absent=["round-unknown"],
)
def take_back(command: TakeBack, tournament: str) -> Appended:
    """Take back a statement of a group's running phase. Its later statements are decided again, in order.

    The player takes back the last statement, unless a die fell for it; staff take back any, with a reason. Dice stay:
    the same question has the same answer when it is asked again. A preview shows what changes.
    """
    return gateway.run(tournament, command)


@groups_blueprint.command(OpenRecruits, "/tournaments/<id:tournament>/recruits")
@groups_blueprint.may_refuse(
    "tournament-unknown", "tournament-over", "group-unknown", *_CHOICE_REFUSALS, absent=["round-unknown"]
)
def open_recruits(command: OpenRecruits, tournament: str) -> Appended:
    """Open the pool of recruits. Every group must have closed step 3."""
    return gateway.run(tournament, command)


@groups_blueprint.get("/tournaments/<id:tournament>/groups")
@groups_blueprint.arguments(AtVenue, location="query")
@groups_blueprint.response(200, GroupsView)
@groups_blueprint.versioned
@groups_blueprint.may_refuse("tournament-unknown", "venue-unknown")
def list_groups(query: AtVenue, tournament: str) -> Any:
    """List the groups of a campaign in their current state."""
    with gateway.reading(tournament, venue=query.venue) as loaded:
        return not_modified(gateway.version(loaded)) or groups_view(loaded.state, loaded.heads, query.venue)


@groups_blueprint.get(_GROUP)
@groups_blueprint.response(200, GroupView)
@groups_blueprint.versioned
@groups_blueprint.may_refuse("tournament-unknown", "group-unknown")
def show_group(tournament: str, group: str) -> Any:
    """Show the roster sheet of a group: members with the parts of their attributes, goods, turfs, the rating."""
    with gateway.reading(tournament) as loaded:
        id = _require_group(loaded.state, group)
        return not_modified(gateway.version(loaded)) or group_view(loaded.state, loaded.heads, id)


@groups_blueprint.get(f"{_GROUP}/members/<id:member>/history")
@groups_blueprint.response(200, page_of(MemberEventView))
@groups_blueprint.may_refuse("tournament-unknown", "group-unknown")
def show_member_history(tournament: str, group: str, member: str) -> dict[str, Any]:
    """List all events about a member, including removed members, and the events that undid some of them."""
    with gateway.reading(tournament) as loaded:
        _require_group(loaded.state, group)
        discarded = {die.id: die.discarded_by for die in discarded_views(loaded.state, tournament)}
    events = gateway.events_about(tournament, lambda data: data.get("group") == group, group)
    return single_page(history_of(group, member, events, discarded))


@groups_blueprint.get(f"{_GROUP}/balances/<id:account>")
@groups_blueprint.response(200, BalanceView)
@groups_blueprint.may_refuse("tournament-unknown", "group-unknown", "account-unknown")
def show_balance(tournament: str, group: str, account: Account) -> BalanceView:
    """Show a balance (caps, clean or radiated food) with all entries, their reasons, clauses and rolls."""
    if account not in _ACCOUNTS:
        fault = Fault("/account", account, one_of(_ACCOUNTS), "FS-PGP-3")
        raise AccountUnknown(f"Groups have no account {account}.", [fault])
    with gateway.reading(tournament) as loaded:
        _require_group(loaded.state, group)
        marks = marked_dice(loaded.state)
    events = gateway.events_about(tournament, lambda data: data.get("group") == group, group)
    return balance_view(group, account, events, marks)


class AccountUnknown(Refusal):
    """Groups have no balance with this name."""

    code = "account-unknown"
