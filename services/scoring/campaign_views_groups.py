"""Views of groups: members, balances, dice, the post-game phase, consequences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

from msgspec import UNSET, UnsetType

from services.scoring.campaign_phase import faults_of_unplayed, rivals_of
from services.scoring.campaign_rounds import RoundDecision
from services.scoring.guards import RoundUnknown
from shared.campaign import recruits
from shared.campaign.choices import available_actions, faults_of_closing
from shared.campaign.dice import GUESS, DieRolled, Source
from shared.campaign.format import confirmer_of, die_status, die_statuses
from shared.campaign.group import group_rating, rating_parts
from shared.campaign.league import active_groups, current_groups, latest_round, unfinished_groups
from shared.campaign.ledger import Account, entries_of, sheet_of
from shared.campaign.muster import cannot_be_fielded
from shared.campaign.roster import Group, Member
from shared.campaign.state import BY_NAME, CAMPAIGN, rules_at
from shared.campaign.statements import has_dice, is_players_own
from shared.campaign.steps import NAMES
from shared.campaign.table_dice import DieStatus, ReportedDie, as_reported
from shared.campaign.tables import Rules
from shared.campaign.words import CampaignEvent
from shared.log.event import Head, event_id
from shared.refusals import Fault
from shared.service.views import EventView, FaultView, faults_view
from shared.shapes import View
from shared.tournament.guards import BY_GUEST, Context, require_announced
from shared.tournament.state import Tournament
from shared.web.schema import convert

_STATUS_TEXT = (
    "The status of the roll. `unconfirmed`: reported by one person. `reported_by_staff`: the person named with it has "
    "not spoken. `disputed`: that person denies it. "
    "`confirmed`. `upheld`, `rejected`: ruled by staff. `not_asked`: `fs.dice.witness` requires no "
    "confirmation, or the "
    "roll was discarded."
)

_WAITING: tuple[DieStatus, ...] = ("unconfirmed", "reported_by_staff")
"""Statuses of rolls that a named person has still to confirm or deny."""

_OPEN: tuple[DieStatus, ...] = (*_WAITING, "disputed")
"""Statuses that still need a confirmation or a ruling."""

_MARKED: tuple[DieStatus, ...] = (*_OPEN, "rejected")
"""Statuses that are marked wherever a roll is shown."""


class DieView(View, frozen=True, kw_only=True):
    """A roll that was reported from the table, with its status."""

    id: Annotated[str, "The id of the roll, for `rolls` of commands."]
    group: str
    round: int
    purpose: Annotated[str, "The clause that requires the roll."]
    faces: list[int]
    rolled_by: str
    witnessed_by: str
    told_by: Annotated[str, "The person who reported the roll."]
    standing: Annotated[str, _STATUS_TEXT]
    waits_for: Annotated[str, "The person who has to confirm it, as an alternative to staff. Empty: no one."]
    member: Annotated[str, "The member that it was rolled for. Empty: none."] = ""
    source: Annotated[Source, "`table`: rolled at the table. `service`: rolled by Muster."] = "table"
    discarded_by: Annotated[
        str, "The id of the event that discarded it without a new roll. Empty: it was not discarded."
    ] = ""


def dice_of(state: Tournament) -> Iterator[tuple[ReportedDie, DieStatus]]:
    """Yield every reported die of a campaign with its status."""
    requires_witness: dict[int, bool] = {}

    def in_round(round: int) -> bool:
        if round not in requires_witness:
            requires_witness[round] = rules_at(state.entries, round).options.witness == "confirms"
        return requires_witness[round]

    return die_statuses(state, in_round)


def die_view(state: Tournament, die: ReportedDie, standing: DieStatus) -> DieView:
    """Return the view of a die."""
    return _view(die, standing, waits_for=confirmer_of(state, die) if standing in _OPEN else "")


def discarded_views(state: Tournament, tournament: str) -> Iterator[DieView]:
    """Yield the views of rolls that a correction discarded, whoever rolled them."""
    for roll in CAMPAIGN.of(state).discarded_dice():
        die = as_reported(roll)
        discarded_by = event_id("scoring", tournament, roll.discarded_by)
        yield _view(
            die, die_status(state, die, needs_confirmation=False), source=roll.source, discarded_by=discarded_by
        )


def _view(
    die: ReportedDie, standing: DieStatus, *, waits_for: str = "", source: Source = "table", discarded_by: str = ""
) -> DieView:
    return DieView(
        id=die.roll,
        group=die.group,
        round=die.round,
        purpose=die.purpose,
        faces=list(die.faces),
        rolled_by=die.rolled_by,
        witnessed_by=die.witnessed_by,
        told_by=die.reported_by,
        standing=standing,
        waits_for=waits_for,
        member=die.member,
        source=source,
        discarded_by=discarded_by,
    )


Marks = tuple[dict[str, dict[str, DieStatus]], dict[str, list[str]]]
"""Group -> its marked rolls with their status; player -> rolls that the player has to confirm."""


def marked_dice(state: Tournament) -> dict[str, DieStatus]:
    """Return marked rolls -> their status."""
    return {die.roll: standing for die, standing in dice_of(state) if standing in _MARKED}


def marks_of(state: Tournament) -> Marks:
    """Return the marked rolls by group, and the rolls to confirm by person."""
    marked: dict[str, dict[str, DieStatus]] = {}
    to_confirm: dict[str, list[str]] = {}
    for die, standing in dice_of(state):
        if standing in _MARKED:
            marked.setdefault(die.group, {})[die.roll] = standing
        if standing in _WAITING:
            to_confirm.setdefault(confirmer_of(state, die), []).append(die.roll)
    return marked, to_confirm


_NO_STEP = "nothing: no post-game phase is open"

MarkedDice = Annotated[Mapping[str, str], "Rolls of the group whose status is a mark: neither confirmed nor upheld."]


class ChoiceView(View, frozen=True, kw_only=True):
    """A choice of a group."""

    does: str
    of: Annotated[dict[str, Any], "The subject of the choice. Send it back unchanged."]
    dice: Annotated[list[str], "The dice that the choice needs, in order."]
    legal: bool
    errors: Annotated[list[FaultView], "The reasons why the choice is not legal. Empty: it is."]


class StepView(View, frozen=True, kw_only=True):
    """The step of a group in its post-game phase."""

    group: str
    name: Annotated[str, "The player's public name."]
    step: Annotated[str | None, "The open step. null: none."]
    step_name: str
    waits_for: Annotated[list[FaultView], "What must be done before the step closes."]
    done: Annotated[bool, "The round is over for this group."]
    marked_dice: MarkedDice
    dice_to_confirm: Annotated[list[str], "Rolls that this player has to confirm."]


class AskedView(StepView, frozen=True, kw_only=True):
    """The open step of a group with its choices."""

    choices: list[ChoiceView]


class RecruitView(View, frozen=True, kw_only=True):
    """A recruit in the pool."""

    id: str
    rank: str
    roll: str


class PoolView(View, frozen=True, kw_only=True):
    """The pool of recruits in step 4. order: the groups that still have to act, the next one first."""

    open: bool
    recruits: list[RecruitView]
    order: list[str]
    waits_for: Annotated[list[FaultView], "The reasons why recruits cannot be opened yet."]


class PhaseView(View, frozen=True, kw_only=True):
    """The post-game phase of a round for all groups."""

    round: int
    closed: bool
    groups: list[StepView]
    recruits: PoolView


def current_rules_and_groups(state: Tournament, heads: Mapping[str, Head]) -> tuple[Rules, dict[str, Group]]:
    """Return the rules of the current round, and all groups as the next decision sees them.

    Raises UnknownTournament.
    """
    number = latest_round(state)
    if number and not state.results.concluded and require_announced(state).status != "cancelled":
        builder = RoundDecision(state, Context(BY_GUEST, "", heads, "scoring", GUESS), "")
        return builder.rules, builder.groups
    return rules_at(state.entries, number), current_groups(state)


def phase_view(state: Tournament, heads: Mapping[str, Head]) -> PhaseView:
    """Return the post-game phase of the current round. Raises RoundUnknown if no round is paired."""
    number = latest_round(state)
    if not number:
        raise RoundUnknown("No round of this campaign is paired.", round=1)
    rules, groups = current_rules_and_groups(state, heads)
    unfinished, marks = unfinished_groups(state, number), marks_of(state)
    seated = [player for seat in state.rounds.rounds[number].seats.values() for player in seat.players]
    return PhaseView(
        round=number,
        closed=number in state.results.closed,
        groups=[
            _step(state, groups[id], faults_of_closing(rules, groups[id]), id not in unfinished, marks)
            for id in seated
            if id in groups
        ],
        recruits=_pool(state, groups, unfinished),
    )


def asked_view(state: Tournament, heads: Mapping[str, Head], id: str, *, every: bool) -> AskedView:
    """Return the choices of an existing group. every: include choices that are not legal."""
    rules, groups = current_rules_and_groups(state, heads)
    group, number = groups[id], latest_round(state)
    actions = available_actions(rules, group, rivals_of(state, rules, groups, id), CAMPAIGN.of(state).pool)
    done = not number or id not in unfinished_groups(state, number)
    choices = [
        ChoiceView(
            does=choice.does,
            of=dict(choice.of),
            dice=list(choice.dice),
            legal=choice.legal,
            errors=faults_view(choice.errors),
        )
        for choice in (actions.choices if actions else ())
        if every or choice.legal
    ]
    step = _step(state, group, actions.waits_for if actions else (), done, marks_of(state))
    return AskedView(
        group=step.group,
        name=step.name,
        step=step.step,
        step_name=step.step_name,
        waits_for=step.waits_for,
        done=step.done,
        marked_dice=step.marked_dice,
        dice_to_confirm=step.dice_to_confirm,
        choices=choices,
    )


def _step(state: Tournament, group: Group, reasons: Sequence[Fault], done: bool, marks: Marks) -> StepView:
    step = group.phase.step if group.phase else None
    marked, to_confirm = marks
    return StepView(
        group=group.id,
        name=state.entries.name_of(group.id),
        step=step,
        step_name=NAMES[step] if step else _NO_STEP,
        waits_for=faults_view(reasons),
        done=done,
        marked_dice=marked.get(group.id, {}),
        dice_to_confirm=to_confirm.get(group.id, []),
    )


def _pool(state: Tournament, groups: Mapping[str, Group], unfinished: Sequence[str]) -> PoolView:
    pool = CAMPAIGN.of(state).pool
    active = {id: groups[id] for id in active_groups(state)}
    return PoolView(
        open=pool is not None,
        recruits=[
            RecruitView(id=recruit.id, rank=recruit.rank, roll=recruit.roll)
            for recruit in (pool.recruits if pool else ())
        ],
        order=list(pool.order) if pool else [],
        waits_for=[]
        if pool
        else faults_view([*faults_of_unplayed(groups, unfinished), *recruits.faults_of_opening(active)]),
    )


class StatementView(View, frozen=True, kw_only=True):
    """A statement of a running phase."""

    id: Annotated[int, "Its number, for `statement` of the request that takes it back."]
    does: Annotated[str, "The choice, or `CloseStep` or `EnterLedger`."]
    of: Annotated[dict[str, Any], "The members of the choice."]
    time: str
    by: Annotated[str, "The id of the person who made it."]
    role: str
    dice: Annotated[bool, "A die fell or a lot was drawn for it."]
    player_can: Annotated[bool, "The player of the group can take it back. Staff can take back any of them."]


def statement_views(state: Tournament, group: str) -> list[StatementView]:
    """Return what was said for a group in its running phase, in order."""
    running = CAMPAIGN.of(state).phases.get(group)
    if running is None:
        return []
    return [
        StatementView(
            id=statement.position,
            does=statement.does,
            of=statement.record.data.get("of", {}),
            time=statement.time,
            by=statement.by.actor,
            role=statement.by.role,
            dice=has_dice(statement),
            player_can=is_players_own(running, statement, group),
        )
        for statement in running.statements
        if statement.command
    ]


class PartView(View, frozen=True, kw_only=True):
    """A part of a value with its source."""

    source: str
    value: int


class AttributeView(View, frozen=True, kw_only=True):
    """The current value of an attribute with its parts."""

    value: int
    parts: list[PartView]


class MemberView(View, frozen=True, kw_only=True):
    """The sheet of a member."""

    id: str
    name: str
    rank: str
    attributes: dict[str, AttributeView]
    perks: Annotated[dict[str, bool], "Perk -> it is active."]
    xp: int
    level: int
    injuries: list[str]
    addictions: list[str]
    rads: int
    hunger: int
    critical_failure: Annotated[int, "The lowest face that counts as a critical failure."]
    carries: list[str]
    away: Annotated[bool, "The member is in jail until the end of the next game."]
    stays_home: Annotated[list[FaultView], "The reasons why the member cannot be fielded. Empty: it can."]


class ItemView(View, frozen=True, kw_only=True):
    """A good. holder: the member who carries it; empty: the stash."""

    id: str
    good: str
    holder: str


class TurfView(View, frozen=True, kw_only=True):
    """A turf."""

    id: str
    turf: str


class GroupLine(View, frozen=True, kw_only=True):
    """A summary of a group."""

    id: str
    name: str
    force: str
    members: int
    leader: str
    rating: Annotated[int, "The last final rating."]
    caps: int
    playing: bool


class GroupsView(View, frozen=True, kw_only=True):
    """Every group of a campaign."""

    items: list[GroupLine]


class GroupView(GroupLine, frozen=True, kw_only=True):
    """The roster sheet of a group."""

    clean: Annotated[int, "Units of clean food."]
    radiated: Annotated[int, "Units of radiated food."]
    centaurs: int
    sheets: list[MemberView]
    items: list[ItemView]
    turfs: list[TurfView]
    marked_dice: MarkedDice
    rating_now: int
    rating_parts: list[PartView]


class EntryView(View, frozen=True, kw_only=True):
    """An entry of a balance."""

    event: Annotated[str, "The id of the event."]
    time: str
    round: int
    amount: int
    balance: int
    reason: str
    clause: str
    roll: str
    mark: Annotated[str, "The status of the roll, if it is one of `marked_dice`. Empty: no marked roll."]


class BalanceView(View, frozen=True, kw_only=True):
    """A balance with all its entries."""

    id: Annotated[str, "The account: `caps`, `clean` or `radiated`."]
    group: str
    balance: int
    entries: list[EntryView]


def groups_view(state: Tournament, heads: Mapping[str, Head], venue: str | UnsetType = UNSET) -> GroupsView:
    """Return the summaries of all groups, or of those of a venue."""
    _, groups = current_rules_and_groups(state, heads)
    active = active_groups(state)
    return GroupsView(
        items=[
            GroupLine(
                id=group.id,
                name=state.entries.name_of(group.id),
                force=group.force,
                members=len(group.members),
                leader=group.leader,
                rating=group.rating,
                caps=group.caps,
                playing=group.id in active,
            )
            for group in groups.values()
            if state.entries.plays_at(group.id, venue)
        ]
    )


def group_view(state: Tournament, heads: Mapping[str, Head], id: str) -> GroupView:
    """Return the roster sheet of a group."""
    rules, groups = current_rules_and_groups(state, heads)
    group = groups[id]
    return GroupView(
        id=group.id,
        name=state.entries.name_of(group.id),
        force=group.force,
        members=len(group.members),
        leader=group.leader,
        rating=group.rating,
        caps=group.caps,
        playing=group.id in active_groups(state),
        clean=group.clean,
        radiated=group.radiated,
        centaurs=group.centaurs,
        sheets=[member_view(rules, group, member) for member in group.members],
        items=[ItemView(id=item.id, good=item.good, holder=item.holder) for item in group.items],
        turfs=[TurfView(id=owned.id, turf=owned.turf) for owned in group.turfs],
        marked_dice=marks_of(state)[0].get(id, {}),
        rating_now=group_rating(rules, group),
        rating_parts=[PartView(source=name, value=value) for name, value in rating_parts(rules, group).items()],
    )


def member_view(rules: Rules, group: Group, member: Member) -> MemberView:
    """Return the sheet of a member."""
    sheet = sheet_of(rules, group, member)
    return MemberView(
        id=sheet.id,
        name=sheet.name,
        rank=sheet.rank,
        attributes={
            name: AttributeView(
                value=attribute.value,
                parts=[PartView(source=part.source, value=part.value) for part in attribute.parts],
            )
            for name, attribute in sheet.attributes.items()
        },
        perks=sheet.perks,
        xp=sheet.xp,
        level=sheet.level,
        injuries=list(sheet.injuries),
        addictions=list(sheet.addictions),
        rads=sheet.rads,
        hunger=sheet.hunger,
        critical_failure=sheet.critical_failure,
        carries=list(sheet.carries),
        away=member.away,
        stays_home=faults_view(cannot_be_fielded(rules, group, member)),
    )


class MemberEventView(EventView, frozen=True, kw_only=True):
    """An event about a member."""

    discarded_by: Annotated[str, "For rolls: the id of the event that discarded it. Empty: it was not discarded."] = ""


def history_of(
    group: str, member: str, events: Sequence[EventView], discarded: Mapping[str, str]
) -> list[MemberEventView]:
    """Return the events about a member, including those that undid earlier ones.

    events: about the group, in order. discarded: roll -> id of the event that discarded it.
    """
    history: list[MemberEventView] = []
    for event in events:
        restored = event.data.get("restored")
        was_here = history or any(each["id"] == member for each in (restored or {}).get("members", ()))
        if concerns(event.data, group, member) or (restored and was_here and event.data.get("group") == group):
            by = discarded.get(event.data["roll"], "") if event.type == DieRolled.__name__ else ""
            history.append(
                MemberEventView(
                    id=event.id,
                    source=event.source,
                    type=event.type,
                    position=event.position,
                    time=event.time,
                    actor=event.actor,
                    actor_text=event.actor_text,
                    data=event.data,
                    discarded_by=by,
                )
            )
    return history


def concerns(event: Mapping[str, Any], group: str, member: str) -> bool:
    """Return True if an event is about a member of a group. event: its data."""
    named = event.get("member")
    is_named = named == member or (isinstance(named, dict) and named.get("id") == member)
    return event.get("group") == group and (is_named or ("statement" in event and member in event.get("members", ())))


def balance_view(group: str, account: Account, events: Sequence[EventView], marks: Mapping[str, str]) -> BalanceView:
    """Return a balance with its entries (FS-PGP-3). events: about the group, in order. marks: roll -> its status."""
    typed = [(event, outcome) for event in events if (outcome := event_in(event)) is not None]
    entries = [
        EntryView(
            event=typed[entry.place][0].id,
            time=typed[entry.place][0].time,
            round=typed[entry.place][0].data.get("round", 0),
            amount=entry.amount,
            balance=entry.balance,
            reason=entry.reason,
            clause=entry.clause,
            roll=entry.roll,
            mark=marks.get(entry.roll, ""),
        )
        for entry in entries_of([outcome for _, outcome in typed], account)
    ]
    return BalanceView(id=account, group=group, balance=entries[-1].balance if entries else 0, entries=entries)


def event_in(answer: EventView) -> CampaignEvent | None:
    """Return the campaign event of a view, or None for other events."""
    kind = BY_NAME.get(answer.type)
    return None if kind is None else convert(answer.data, kind)


class NumberMoved(View, frozen=True, kw_only=True):
    """A number before and after a command."""

    before: int
    after: int


class MemberMoved(View, frozen=True, kw_only=True):
    """A member who would change. lost, gained: attributes and perks from advancements, one entry each."""

    member: str
    xp: NumberMoved
    level: NumberMoved
    advances: Annotated[NumberMoved, "Pending advancements."]
    lost: list[str]
    gained: list[str]


class GroupMoved(View, frozen=True, kw_only=True):
    """A group that would change."""

    group: str
    balances: Annotated[dict[str, NumberMoved], "`caps`, `clean`, `radiated` and `rating`, if they would change."]
    members: list[MemberMoved]
    items_lost: list[str]
    items_gained: list[str]


def groups_moved(before: Tournament, after: Tournament) -> list[GroupMoved]:
    """Return the groups that differ between two states."""
    old_groups, new_groups = current_groups(before), current_groups(after)
    changed = [id for id, group in new_groups.items() if id in old_groups and old_groups[id] != group]
    if not changed:
        return []
    rules = rules_at(before.entries, latest_round(before))
    return [_group_moved(rules, old_groups[id], new_groups[id]) for id in changed]


def _group_moved(rules: Rules, old: Group, new: Group) -> GroupMoved:
    old_items, new_items = ({item.id: item.good for item in group.items} for group in (old, new))
    return GroupMoved(
        group=new.id,
        balances={name: move for name, move in _balances(rules, old, new).items() if move.before != move.after},
        members=[
            _member_moved(member, changed)
            for member in old.members
            if (changed := new.member(member.id)) is not None and changed != member
        ],
        items_lost=[good for item, good in old_items.items() if item not in new_items],
        items_gained=[good for item, good in new_items.items() if item not in old_items],
    )


def _balances(rules: Rules, old: Group, new: Group) -> dict[str, NumberMoved]:
    return {
        "caps": _number_moved(old.caps, new.caps),
        "clean": _number_moved(old.clean, new.clean),
        "radiated": _number_moved(old.radiated, new.radiated),
        "rating": _number_moved(group_rating(rules, old), group_rating(rules, new)),
    }


def _member_moved(old: Member, new: Member) -> MemberMoved:
    lost, gained = Counter(old.gained) - Counter(new.gained), Counter(new.gained) - Counter(old.gained)
    return MemberMoved(
        member=old.id,
        xp=_number_moved(old.xp, new.xp),
        level=_number_moved(old.level, new.level),
        advances=_number_moved(old.advances, new.advances),
        lost=sorted(lost.elements()),
        gained=sorted(gained.elements()),
    )


def _number_moved(before: int, after: int) -> NumberMoved:
    return NumberMoved(before=before, after=after)
