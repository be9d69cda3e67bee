"""What scoring shows of groups: rosters as they are, the history of a member, balances with their entries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from services.scoring.campaign.views.dice import marks_of
from services.scoring.campaign.views.phase import MarkedDice, living
from shared.campaign.dice import DieRolled
from shared.campaign.group import group_rating, rating_parts
from shared.campaign.league import playing
from shared.campaign.ledger import Account, entries_of, sheet_of
from shared.campaign.muster import cannot_be_fielded
from shared.campaign.roster import Group, Member
from shared.campaign.state import BY_NAME
from shared.campaign.tables import Rules
from shared.campaign.words import CampaignEvent
from shared.log.event import Head
from shared.service.views import EventView, FaultView, faults_view
from shared.shapes import View
from shared.tournament.state import Tournament
from shared.web.schema import convert


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
    active = playing(state)
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
        playing=group.id in playing(state),
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
