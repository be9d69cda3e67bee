"""The ledger: entries ruled by an organiser (FS-REP-5, FS-PGP-3), and a group's sheets, history and balances."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Literal, get_args

from msgspec import Struct
from msgspec.structs import replace

from shared.campaign import corrections, tables
from shared.campaign.corrections import Corrected
from shared.campaign.dice import GUESS, Modifier
from shared.campaign.experience import change_xp, experience_of_deeds, take_back
from shared.campaign.food import critical_failure_from
from shared.campaign.outcomes import GroupAccepted, GroupEntered, GroupRestored
from shared.campaign.post_game_outcomes import CapsMoved, FoodMoved, ItemLost
from shared.campaign.roster import Group, Member, MemberBuilt, attribute_parts, is_perk_active, rank_name
from shared.campaign.statements import StatementTakenBack
from shared.campaign.steps import DecisionBuilder, gain, pay, require, room_for, use_food
from shared.campaign.tables import Rules
from shared.campaign.words import Attribute, CampaignEvent, ChoiceRefused, Events, Food
from shared.refusals import Fault, Refusal, expects, one_of
from shared.rules.model import Draws
from shared.shapes import Id, Name, Pattern, Reason, Size, Text, Whole

Entered = Literal["caps", "food", "item_gained", "item_lost", "experience", "experience_unearned", Corrected]


MANY = 1000
MOST_DEEDS = 50

Change = Annotated[int, Whole(-MANY, MANY)]


class LedgerEntry(Struct, frozen=True, omit_defaults=True):
    """An entry of a ruling.

    entry: what it is about, such as `caps`, `item_lost` or `injury_gained`.
    reason: why, in the public log.
    clause: the clause behind the entry.
    amount: caps, units of food, rads, or unearned experience; below 0 if the group or the member loses it.
    food: the kind of food.
    good: name or key of the good gained.
    item: id of the item lost.
    member: id of the member whom the entry is about. `death_undone` brings back one who was removed.
    deeds: deed -> count, such as `{"wound": 2, "kill": 1}`; they set the amount of `experience`.
    injury: name or key. advancement: an attribute, or the name or key of a perk.
    turf: name or key of the turf gained; id of the turf lost.
    rank, name: of the member gained.

    `experience_unearned` needs an amount below 0; levels and advancements that it gave are removed too.
    """

    entry: Entered
    reason: Reason
    clause: Annotated[str, Text(40, minimum=1), Pattern(r"FS-[A-Z]+-\d+", "a clause of the ruleset, such as FS-REP-5")]
    amount: Change = 0
    food: Food = "clean"
    good: Annotated[str, Text(64), "Key or name."] = ""
    item: Id = ""
    member: Id = ""
    deeds: Annotated[dict[Id, Change], Size(MOST_DEEDS)] = {}
    injury: Annotated[str, Text(64), "Key or name."] = ""
    advancement: Annotated[str, Text(64), "Attribute, or key or name of a perk."] = ""
    turf: Annotated[str, Text(64), "Key or name, or the id of a turf of the group."] = ""
    rank: Annotated[str, Text(64)] = ""
    name: Annotated[str, Name()] = ""


class Ruling(Struct, frozen=True):
    """What a ruling may need. gone: members who left the group, by id. draws: lots for a leader."""

    gone: Mapping[str, Member] = {}
    draws: Draws = GUESS


PLAIN_RULING = Ruling()
"""A ruling that brings back no one, and whose lots are samples."""


def ruled_entries(rules: Rules, group: Group, entries: Sequence[LedgerEntry], ruling: Ruling = PLAIN_RULING) -> Events:
    """Return the events of all entries. Raise BalanceTooLow or ChoiceRefused at the place of the entry."""
    builder = DecisionBuilder(group)
    for number, entry in enumerate(entries):
        where = f"/entries/{number}"
        try:
            builder.record(*_events_of_entry(rules, builder.group, entry, ruling))
        except Refusal as refused:
            faults = [replace(fault, where=where + fault.where) for fault in refused.faults]
            raise type(refused)(refused.detail, faults, **refused.data) from refused
    return builder.events


def _change_caps(rules: Rules, group: Group, entry: LedgerEntry) -> Sequence[CampaignEvent]:
    _require_amount(entry)
    if entry.amount < 0:
        return [pay(group, -entry.amount, entry.reason, entry.clause)]
    return [CapsMoved(entry.amount, entry.reason, entry.clause)]


def _change_food(rules: Rules, group: Group, entry: LedgerEntry) -> Sequence[CampaignEvent]:
    _require_amount(entry)
    if entry.amount < 0:
        return [use_food(group, entry.food, -entry.amount, entry.reason, entry.clause)]
    return [FoodMoved(entry.food, entry.amount, entry.reason, entry.clause)]


def _gain_item(rules: Rules, group: Group, entry: LedgerEntry) -> Sequence[CampaignEvent]:
    good = tables.key_of(tables.goods(rules), entry.good)
    fault = Fault("/good", entry.good or "nothing", tables.one_of(tables.goods(rules), rules.goods), "FS-PGP-3")
    require([] if good in rules.goods else [fault], "no such good")
    require(room_for(rules, group, good), "the group has enough of this good")
    return list(gain(group, [good], entry.reason, entry.clause))


def _lose_item(rules: Rules, group: Group, entry: LedgerEntry) -> Sequence[CampaignEvent]:
    goods = tables.goods(rules)
    held = [expects("item-of-good", item=item.id, good=tables.joined_names(goods[item.good])) for item in group.items]
    fault = Fault("/item", entry.item or "nothing", one_of(held), "FS-PGP-3")
    require([] if group.item(entry.item) else [fault], "the group has no such item")
    return [ItemLost(entry.item, entry.reason, entry.clause)]


def _change_experience(rules: Rules, group: Group, entry: LedgerEntry) -> Sequence[CampaignEvent]:
    """Apply the experience of deeds. A loss by rule takes no level unless `fs.xp.loss` says so (FS-XP-1, FS-XP-5)."""
    member = _known_member(group, entry)
    fault = Fault("/amount", f"{entry.amount}", expects("deeds-not-amount"), "FS-XP-1")
    require([fault] if entry.amount else [], "experience follows from what happened")
    amount = experience_of_deeds(rules, group, member, entry.deeds)
    return change_xp(rules, group, entry.member, amount, entry.reason, entry.clause, entry.deeds)


def _take_back_experience(rules: Rules, group: Group, entry: LedgerEntry) -> Sequence[CampaignEvent]:
    """Take back experience entered by mistake, with all that came of it (FS-REP-5, FS-XP-5)."""
    _known_member(group, entry)
    return take_back(rules, group, entry.member, entry.amount, entry.reason, entry.clause)


def _known_member(group: Group, entry: LedgerEntry) -> Member:
    member = group.member(entry.member)
    if member is None:
        fault = Fault("/member", entry.member or "nothing", one_of(list(group.ids)), "FS-XP-5")
        raise ChoiceRefused("nobody has this id", [fault])
    return member


def _require_amount(entry: LedgerEntry) -> None:
    require([] if entry.amount else [Fault("/amount", "0", expects("amount-not-0"), "FS-PGP-3")], "nothing is entered")


def _events_of_entry(rules: Rules, group: Group, entry: LedgerEntry, ruling: Ruling) -> Sequence[CampaignEvent]:
    """Return the events of one entry. Raises BalanceTooLow or ChoiceRefused."""
    why = entry.reason, entry.clause
    match entry.entry:
        case "caps":
            return _change_caps(rules, group, entry)
        case "food":
            return _change_food(rules, group, entry)
        case "item_gained":
            return _gain_item(rules, group, entry)
        case "item_lost":
            return _lose_item(rules, group, entry)
        case "experience":
            return _change_experience(rules, group, entry)
        case "experience_unearned":
            return _take_back_experience(rules, group, entry)
        case "member_gained":
            return corrections.gain_member(rules, group, entry.rank, entry.name, *why)
        case "death_undone":
            return corrections.restore_member(rules, group, ruling.gone.get(entry.member), entry.member, *why)
        case "turf_gained":
            return corrections.gain_turf(rules, group, entry.turf, *why)
        case "turf_lost":
            return corrections.lose_turf(group, entry.turf, *why)
    member = _known_member(group, entry)
    match entry.entry:
        case "injury_gained" | "injury_lost":
            gained = entry.entry == "injury_gained"
            return corrections.correct_injury(rules, group, member, entry.injury, *why, gained=gained)
        case "advancement_gained" | "advancement_lost":
            gained = entry.entry == "advancement_gained"
            return corrections.correct_advancement(rules, group, member, entry.advancement, *why, gained=gained)
        case "rads":
            return corrections.correct_rads(rules, group, member, entry.amount, *why)
        case "death" | "member_lost":
            return corrections.lose_member(rules, group, member, *why, ruling.draws, dies=entry.entry == "death")


Account = Literal["caps", "clean", "radiated"]


class Shown(Struct, frozen=True):
    """A current value and its parts."""

    value: int
    parts: tuple[Modifier, ...]


class Sheet(Struct, frozen=True):
    """The sheet of a member.

    perks: perk -> whether it is active.
    hunger: points of Endurance lost in the next game.
    critical_failure: lowest face that checks for a critical failure.
    carries: keys of the goods it carries.
    """

    id: str
    name: str
    rank: str
    attributes: dict[str, Shown]
    perks: dict[str, bool]
    xp: int
    level: int
    injuries: tuple[str, ...]
    addictions: tuple[str, ...]
    rads: int
    hunger: int
    critical_failure: int
    carries: tuple[str, ...]


class Entry(Struct, frozen=True):
    """A line of a balance.

    place: place of the event in the sequence, from 0.
    balance: the balance after it.
    """

    place: int
    amount: int
    balance: int
    reason: str
    clause: str
    roll: str


def sheet_of(rules: Rules, group: Group, member: Member) -> Sheet:
    """Return the current sheet of a member."""
    parts = {name: tuple(attribute_parts(rules, group, member, name)) for name in get_args(Attribute)}
    return Sheet(
        member.id,
        member.name,
        rank_name(rules, group.force, member.rank),
        {name: Shown(sum(part.value for part in made), made) for name, made in parts.items()},
        {held.perk: is_perk_active(rules, group, member, held) for held in member.perks},
        member.xp,
        member.level,
        member.injuries,
        member.addictions,
        member.rads,
        member.unfed,
        critical_failure_from(rules, member.unmaintained),
        tuple(item.good for item in group.held_by(member.id)),
    )


def history_of(outcomes: Iterable[CampaignEvent], member: str) -> list[tuple[int, CampaignEvent]]:
    """Return every event about a member, with its place in the sequence."""
    return [(place, outcome) for place, outcome in enumerate(outcomes) if _is_about(outcome, member)]


def entries_of(outcomes: Iterable[CampaignEvent], account: Account) -> Iterator[Entry]:
    """Yield every entry of a balance in order, beginning with the unspent caps of the accepted group (FS-PGP-3)."""
    balance = 0
    for place, outcome in enumerate(outcomes):
        match outcome:
            case GroupAccepted(group) | GroupEntered(group) if account == "caps":
                amount, reason, clause, roll = group.caps - balance, "unspent", "FS-GRP-2", ""
            case GroupRestored(group, why):
                amount, reason, clause, roll = getattr(group, account) - balance, why, "FS-REP-5", ""
            case StatementTakenBack(reason=why):
                amount, reason, clause, roll = getattr(outcome, account), why or "taken back", "FS-REP-5", ""
                if not amount:
                    continue
            case CapsMoved(amount, reason, clause, roll) if account == "caps":
                pass
            case FoodMoved(food, amount, reason, clause, roll) if account == food:
                pass
            case _:
                continue
        balance += amount
        yield Entry(place, amount, balance, reason, clause, roll)


def member_of(outcome: CampaignEvent) -> str:
    """Return the id of the member that an event is about; empty if it is about none."""
    named: str | MemberBuilt = getattr(outcome, "member", "")
    return named.id if isinstance(named, MemberBuilt) else named


def _is_about(outcome: CampaignEvent, member: str) -> bool:
    return member in (member_of(outcome), *(outcome.members if isinstance(outcome, StatementTakenBack) else ()))
