"""Views of groups: members, balances, dice, the post-game phase, consequences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

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

STANDING = (
    "`unconfirmed`: it rests on one word; `disputed`: whoever was named denies it; `confirmed`; `upheld` and "
    "`rejected` by staff; or `not_asked` where `fs.dice.witness` asks nobody, and of discarded rolls."
)

OPEN: tuple[DieStatus, ...] = ("unconfirmed", "disputed")
"""What somebody has still to say something about."""

MARKED: tuple[DieStatus, ...] = ("unconfirmed", "disputed", "rejected")
"""What is marked wherever it is shown."""


class DieView(View, frozen=True, kw_only=True):
    """A roll that was told at the table, and how far it is vouched for."""

    id: Annotated[str, "The id of the roll; commands take it in `rolls`."]
    group: str
    round: int
    purpose: Annotated[str, "The clause that asked for it."]
    faces: list[int]
    rolled_by: str
    witnessed_by: str
    told_by: Annotated[str, "Who entered it."]
    standing: Annotated[str, STANDING]
    waits_for: Annotated[str, "Who has to confirm it, besides staff; empty: nobody."]
    member: Annotated[str, "The member that it was rolled for; empty: none."] = ""
    source: Annotated[Source, "`table`, or `service` where Muster rolled."] = "table"
    discarded_by: Annotated[
        str, "The id of the event that took it back, where its question was not asked again; empty: it stands."
    ] = ""


def dice_of(state: Tournament) -> Iterator[tuple[ReportedDie, DieStatus]]:
    """Every told die of a campaign with how far it is vouched for."""
    asked: dict[int, bool] = {}

    def in_round(round: int) -> bool:
        if round not in asked:
            asked[round] = rules_at(state.entries, round).options.witness == "confirms"
        return asked[round]

    return die_statuses(state, in_round)


def die_view(state: Tournament, die: ReportedDie, standing: DieStatus) -> DieView:
    """A die as the list of dice shows it."""
    return _view(die, standing, waits_for=confirmer_of(state, die) if standing in OPEN else "")


def discarded_views(state: Tournament, tournament: str) -> Iterator[DieView]:
    """Yield the rolls that a correction discarded, of the table and of the service."""
    for roll in CAMPAIGN.of(state).discarded_dice():
        die = as_reported(roll)
        discarded_by = event_id("scoring", tournament, roll.discarded_by)
        yield _view(die, die_status(state, die, asked=False), source=roll.source, discarded_by=discarded_by)


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
"""Group -> its marked rolls with their marks; player -> rolls that wait for that player's word."""


def marked_dice(state: Tournament) -> dict[str, DieStatus]:
    """Rolls that rest on one word, or that somebody denies -> their mark."""
    return {die.roll: standing for die, standing in dice_of(state) if standing in MARKED}


def marks_of(state: Tournament) -> Marks:
    """What is marked of all dice, and who is asked about which."""
    marked: dict[str, dict[str, DieStatus]] = {}
    asked: dict[str, list[str]] = {}
    for die, standing in dice_of(state):
        if standing in MARKED:
            marked.setdefault(die.group, {})[die.roll] = standing
        if standing == "unconfirmed":
            asked.setdefault(confirmer_of(state, die), []).append(die.roll)
    return marked, asked


NOTHING = "nothing: no post-game phase is open"

MarkedDice = Annotated[
    Mapping[str, str], "Rolls of the group that rest on one word or are denied: `unconfirmed`, `disputed`, `rejected`."
]


class ChoiceView(View, frozen=True, kw_only=True):
    """One thing that a group may do, or may not."""

    does: str
    of: Annotated[dict[str, Any], "What it is about; send it back."]
    dice: Annotated[list[str], "What is rolled for it, in order."]
    legal: bool
    errors: Annotated[list[FaultView], "Every reason why it is not legal; none where it is."]


class StepView(View, frozen=True, kw_only=True):
    """Where a group stands in its post-game phase."""

    group: str
    name: Annotated[str, "The player's public name."]
    step: Annotated[str | None, "The open one; null: none is."]
    step_name: str
    waits_for: Annotated[list[FaultView], "What has to be done before it closes."]
    done: Annotated[bool, "Whether the round is over for this group."]
    marked_dice: MarkedDice
    dice_to_confirm: Annotated[list[str], "Rolls that wait for the word of this player."]


class AskedView(StepView, frozen=True, kw_only=True):
    """What one group is asked now."""

    choices: list[ChoiceView]


class RecruitView(View, frozen=True, kw_only=True):
    """Somebody who can be hired."""

    id: str
    rank: str
    roll: str


class PoolView(View, frozen=True, kw_only=True):
    """Step 4 of the whole campaign. order: who has still to act, the next one first."""

    open: bool
    recruits: list[RecruitView]
    order: list[str]
    waits_for: Annotated[list[FaultView], "Why recruits cannot be opened yet."]


class PhaseView(View, frozen=True, kw_only=True):
    """The post-game phase of a round, over all groups."""

    round: int
    closed: bool
    groups: list[StepView]
    recruits: PoolView


def living(state: Tournament, heads: Mapping[str, Head]) -> tuple[Rules, dict[str, Group]]:
    """The rules of the round at hand, and every group as the next decision will find it. Raises UnknownTournament."""
    number = latest_round(state)
    if number and not state.results.concluded and require_announced(state).status != "cancelled":
        builder = RoundDecision(state, Context(BY_GUEST, "", heads, "scoring", GUESS), "")
        return builder.rules, builder.groups
    return rules_at(state.entries, number), current_groups(state)


def phase_view(state: Tournament, heads: Mapping[str, Head]) -> PhaseView:
    """Where every group stands, and the pool of recruits. Raises RoundUnknown before a round is paired."""
    number = latest_round(state)
    if not number:
        raise RoundUnknown("No round of this campaign is paired.", round=1)
    rules, groups = living(state, heads)
    left, marks = unfinished_groups(state, number), marks_of(state)
    seated = [player for seat in state.rounds.rounds[number].seats.values() for player in seat.players]
    return PhaseView(
        round=number,
        closed=number in state.results.closed,
        groups=[
            _step(state, groups[id], faults_of_closing(rules, groups[id]), id not in left, marks)
            for id in seated
            if id in groups
        ],
        recruits=_pool(state, groups, left),
    )


def asked_view(state: Tournament, heads: Mapping[str, Head], id: str, *, every: bool) -> AskedView:
    """What a group is asked now. every: what it may not do, too. The caller knows that the group is here."""
    rules, groups = living(state, heads)
    group, number = groups[id], latest_round(state)
    asked = available_actions(rules, group, rivals_of(state, rules, groups, id), CAMPAIGN.of(state).pool)
    done = not number or id not in unfinished_groups(state, number)
    choices = [
        ChoiceView(
            does=choice.does,
            of=dict(choice.of),
            dice=list(choice.dice),
            legal=choice.legal,
            errors=faults_view(choice.errors),
        )
        for choice in (asked.choices if asked else ())
        if every or choice.legal
    ]
    step = _step(state, group, asked.waits_for if asked else (), done, marks_of(state))
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


def _step(state: Tournament, group: Group, waits: Sequence[Fault], done: bool, marks: Marks) -> StepView:
    step = group.phase.step if group.phase else None
    marked, asked = marks
    return StepView(
        group=group.id,
        name=state.entries.name_of(group.id),
        step=step,
        step_name=NAMES[step] if step else NOTHING,
        waits_for=faults_view(waits),
        done=done,
        marked_dice=marked.get(group.id, {}),
        dice_to_confirm=asked.get(group.id, []),
    )


def _pool(state: Tournament, groups: Mapping[str, Group], left: Sequence[str]) -> PoolView:
    pool = CAMPAIGN.of(state).pool
    active = {id: groups[id] for id in active_groups(state)}
    return PoolView(
        open=pool is not None,
        recruits=[RecruitView(id=one.id, rank=one.rank, roll=one.roll) for one in (pool.recruits if pool else ())],
        order=list(pool.order) if pool else [],
        waits_for=[] if pool else faults_view([*faults_of_unplayed(groups, left), *recruits.faults_of_opening(active)]),
    )


class PartView(View, frozen=True, kw_only=True):
    """A part of a value, and where it comes from."""

    source: str
    value: int


class AttributeView(View, frozen=True, kw_only=True):
    """An attribute as it is now, with its parts."""

    value: int
    parts: list[PartView]


class MemberView(View, frozen=True, kw_only=True):
    """A member's sheet."""

    id: str
    name: str
    rank: str
    attributes: dict[str, AttributeView]
    perks: Annotated[dict[str, bool], "Whether it is awake."]
    xp: int
    level: int
    injuries: list[str]
    addictions: list[str]
    rads: int
    hunger: int
    critical_failure: Annotated[int, "The face from which it is checked."]
    carries: list[str]
    away: Annotated[bool, "In jail until the next game is over."]
    stays_home: Annotated[list[FaultView], "Why, if it must."]


class ItemView(View, frozen=True, kw_only=True):
    """One good. holder: empty for the stash."""

    id: str
    good: str
    holder: str


class TurfView(View, frozen=True, kw_only=True):
    """A turf."""

    id: str
    turf: str


class GroupLine(View, frozen=True, kw_only=True):
    """A group in short."""

    id: str
    name: str
    force: str
    members: int
    leader: str
    rating: Annotated[int, "As it was last made final."]
    caps: int
    playing: bool


class GroupsView(View, frozen=True, kw_only=True):
    """Every group of a campaign."""

    items: list[GroupLine]


class GroupView(GroupLine, frozen=True, kw_only=True):
    """A group as it lives now: its roster sheet."""

    clean: Annotated[int, "Clean food."]
    radiated: Annotated[int, "Radiated food."]
    centaurs: int
    sheets: list[MemberView]
    items: list[ItemView]
    turfs: list[TurfView]
    marked_dice: MarkedDice
    rating_now: int
    rating_parts: list[PartView]


class EntryView(View, frozen=True, kw_only=True):
    """A line of a balance."""

    event: Annotated[str, "The id of the event."]
    time: str
    round: int
    amount: int
    balance: int
    reason: str
    clause: str
    roll: str
    mark: Annotated[str, "The mark of the roll, as in `marked_dice`; otherwise empty."]


class BalanceView(View, frozen=True, kw_only=True):
    """A balance with every entry that made it."""

    id: Annotated[str, "The account: caps, clean or radiated."]
    group: str
    balance: int
    entries: list[EntryView]


def groups_view(state: Tournament, heads: Mapping[str, Head]) -> GroupsView:
    """Every group in short."""
    _, groups = living(state, heads)
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
        ]
    )


def group_view(state: Tournament, heads: Mapping[str, Head], id: str) -> GroupView:
    """A group as its player looks at it: sheets, goods, turfs, and what its rating is made of."""
    rules, groups = living(state, heads)
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
                value=shown.value, parts=[PartView(source=part.source, value=part.value) for part in shown.parts]
            )
            for name, shown in sheet.attributes.items()
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

    discarded_by: Annotated[str, "Of a roll: the id of the event that took it back for good; empty: it stands."] = ""


def history_of(
    group: str, member: str, events: Sequence[EventView], discarded: Mapping[str, str]
) -> list[MemberEventView]:
    """Return what was recorded about a member, with the events that took something of it back.

    events: about the group, in order. discarded: roll -> id of the event that took it back.
    """
    found: list[MemberEventView] = []
    for event in events:
        restored = event.data.get("restored")
        was_here = found or any(one["id"] == member for one in (restored or {}).get("members", ()))
        if concerns(event.data, group, member) or (restored and was_here and event.data.get("group") == group):
            by = discarded.get(event.data["roll"], "") if event.type == DieRolled.__name__ else ""
            found.append(
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
    return found


def concerns(event: Mapping[str, Any], group: str, member: str) -> bool:
    """Return True if the data of an event are about a member of a group."""
    named = event.get("member")
    return event.get("group") == group and (named == member or (isinstance(named, dict) and named.get("id") == member))


def balance_view(group: str, account: Account, events: Sequence[EventView], marks: Mapping[str, str]) -> BalanceView:
    """A balance with its entries. events: about the group, as answers show them, in order. FS-PGP-3.

    marks: of rolls that rest on one word.
    """
    shown = [(event, said) for event in events if (said := event_in(event)) is not None]
    entries = [
        EntryView(
            event=shown[entry.place][0].id,
            time=shown[entry.place][0].time,
            round=shown[entry.place][0].data.get("round", 0),
            amount=entry.amount,
            balance=entry.balance,
            reason=entry.reason,
            clause=entry.clause,
            roll=entry.roll,
            mark=marks.get(entry.roll, ""),
        )
        for entry in entries_of([said for _, said in shown], account)
    ]
    return BalanceView(id=account, group=group, balance=entries[-1].balance if entries else 0, entries=entries)


def event_in(answer: EventView) -> CampaignEvent | None:
    """The event of a campaign that an answer shows; nothing for other events."""
    kind = BY_NAME.get(answer.type)
    return None if kind is None else convert(answer.data, kind)


class NumberMoved(View, frozen=True, kw_only=True):
    """A number as it is, and as it would be."""

    before: int
    after: int


class MemberMoved(View, frozen=True, kw_only=True):
    """A member of whom something would change. lost, gained: attributes and perks by advancements, one entry each."""

    member: str
    xp: NumberMoved
    level: NumberMoved
    advances: Annotated[NumberMoved, "Advancements owed."]
    lost: list[str]
    gained: list[str]


class GroupMoved(View, frozen=True, kw_only=True):
    """A group of which something would change."""

    group: str
    balances: Annotated[dict[str, NumberMoved], "caps, clean, radiated and rating, where they would change."]
    members: list[MemberMoved]
    items_lost: list[str]
    items_gained: list[str]


def groups_moved(before: Tournament, after: Tournament) -> list[GroupMoved]:
    """Every group that would be another; nothing of it is appended."""
    was, would = current_groups(before), current_groups(after)
    changed = [id for id, group in would.items() if id in was and was[id] != group]
    if not changed:
        return []
    rules = rules_at(before.entries, latest_round(before))
    return [_group(rules, was[id], would[id]) for id in changed]


def _group(rules: Rules, was: Group, would: Group) -> GroupMoved:
    held, kept = ({item.id: item.good for item in group.items} for group in (was, would))
    return GroupMoved(
        group=would.id,
        balances={name: move for name, move in _balances(rules, was, would).items() if move.before != move.after},
        members=[
            _member(member, found)
            for member in was.members
            if (found := would.member(member.id)) is not None and found != member
        ],
        items_lost=[good for item, good in held.items() if item not in kept],
        items_gained=[good for item, good in kept.items() if item not in held],
    )


def _balances(rules: Rules, was: Group, would: Group) -> dict[str, NumberMoved]:
    return {
        "caps": _move(was.caps, would.caps),
        "clean": _move(was.clean, would.clean),
        "radiated": _move(was.radiated, would.radiated),
        "rating": _move(group_rating(rules, was), group_rating(rules, would)),
    }


def _member(was: Member, would: Member) -> MemberMoved:
    lost, gained = Counter(was.gained) - Counter(would.gained), Counter(would.gained) - Counter(was.gained)
    return MemberMoved(
        member=was.id,
        xp=_move(was.xp, would.xp),
        level=_move(was.level, would.level),
        advances=_move(was.advances, would.advances),
        lost=sorted(lost.elements()),
        gained=sorted(gained.elements()),
    )


def _move(before: int, after: int) -> NumberMoved:
    return NumberMoved(before=before, after=after)
