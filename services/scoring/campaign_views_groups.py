"""Views of groups: members, balances, dice, the post-game phase, consequences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

from msgspec import UNSET, UnsetType

from services.scoring.campaign_rounds import RoundDecision
from shared.campaign.dice import GUESS, DieRolled, Source
from shared.campaign.format import confirmer_of, die_status, die_statuses
from shared.campaign.group import group_rating, rating_parts
from shared.campaign.league import active_groups, current_groups, latest_round
from shared.campaign.ledger import Account, entries_of, sheet_of
from shared.campaign.muster import cannot_be_fielded
from shared.campaign.roster import Group, Member
from shared.campaign.state import BY_NAME, CAMPAIGN, rules_at
from shared.campaign.table_dice import DieStatus, ReportedDie, as_reported
from shared.campaign.tables import Rules
from shared.campaign.words import CampaignEvent
from shared.log.event import Head, event_id
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


NO_STEP = "nothing: no post-game phase is open"

MarkedDice = Annotated[Mapping[str, str], "Rolls of the group whose status is a mark: neither confirmed nor upheld."]


def current_rules_and_groups(state: Tournament, heads: Mapping[str, Head]) -> tuple[Rules, dict[str, Group]]:
    """Return the rules of the current round, and all groups as the next decision sees them.

    Raises UnknownTournament.
    """
    number = latest_round(state)
    if number and not state.results.concluded and require_announced(state).status != "cancelled":
        builder = RoundDecision(state, Context(BY_GUEST, "", heads, "scoring", GUESS), "")
        return builder.rules, builder.groups
    return rules_at(state.entries, number), current_groups(state)


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
