"""The ledger: entries that an organiser rules (FS-REP-5, FS-PGP-3), a group's sheet, history and balances."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Literal, get_args

from msgspec import Struct
from msgspec.structs import replace

from shared.campaign import tables
from shared.campaign.dice import Modifier
from shared.campaign.experience import change_xp, experience_of_deeds, take_back
from shared.campaign.food import critical_failure_from
from shared.campaign.outcomes import CapsMoved, FoodMoved, GroupAccepted, GroupEntered, GroupRestored, ItemLost
from shared.campaign.roster import Group, Member, MemberBuilt, attribute_parts, is_perk_active, rank_name
from shared.campaign.steps import DecisionBuilder, gain, pay, require, room_for, use_food
from shared.campaign.tables import Rules
from shared.campaign.words import Attribute, CampaignEvent, ChoiceRefused, Events, Food
from shared.refusals import Fault, Refusal, expects, one_of
from shared.shapes import Id, Pattern, Reason, Size, Text, Whole

Entered = Literal["caps", "food", "item_gained", "item_lost", "experience", "experience_unearned"]


MANY = 1000
MOST_DEEDS = 50

Change = Annotated[int, Whole(-MANY, MANY)]


class LedgerEntry(Struct, frozen=True, omit_defaults=True):
    """One entry of a ruling: what comes or, below 0, goes; each has its reason and the clause behind it.

    caps and food have an amount; food is clean or radiated; item_gained names a good, item_lost an item of the group.
    experience names a member and its deeds, which say how much it is: `{"wound": 2, "kill": 1}`. experience_unearned
    has an amount, below 0, of what should never have been entered: its levels and advancements go with it.
    """

    entry: Entered
    reason: Reason
    clause: Annotated[str, Text(40, minimum=1), Pattern(r"FS-[A-Z]+-\d+", "a clause of the ruleset, such as FS-REP-5")]
    amount: Change = 0
    food: Food = "clean"
    good: Annotated[str, Text(64), "By key or by name."] = ""
    item: Id = ""
    member: Id = ""
    deeds: Annotated[dict[Id, Change], Size(MOST_DEEDS)] = {}


def ruled_entries(rules: Rules, group: Group, entries: Sequence[LedgerEntry]) -> Events:
    """The outcomes of all entries, one after the other. Raises BalanceTooLow or ChoiceRefused at the entry's place."""
    builder = DecisionBuilder(group)
    for number, told in enumerate(entries):
        where = f"/entries/{number}"
        try:
            builder.record(*_ENTER[told.entry](rules, builder.group, told))
        except Refusal as refused:
            faults = [replace(fault, where=where + fault.where) for fault in refused.faults]
            raise type(refused)(refused.detail, faults, **refused.data) from refused
    return builder.events


def _caps(rules: Rules, group: Group, told: LedgerEntry) -> Sequence[CampaignEvent]:
    _need_amount(told)
    if told.amount < 0:
        return [pay(group, -told.amount, told.reason, told.clause)]
    return [CapsMoved(told.amount, told.reason, told.clause)]


def _food(rules: Rules, group: Group, told: LedgerEntry) -> Sequence[CampaignEvent]:
    _need_amount(told)
    if told.amount < 0:
        return [use_food(group, told.food, -told.amount, told.reason, told.clause)]
    return [FoodMoved(told.food, told.amount, told.reason, told.clause)]


def _gained(rules: Rules, group: Group, told: LedgerEntry) -> Sequence[CampaignEvent]:
    good = tables.key_of(tables.goods(rules), told.good)
    fault = Fault("/good", told.good or "nothing", tables.one_of(tables.goods(rules), rules.goods), "FS-PGP-3")
    require([] if good in rules.goods else [fault], "no such good")
    require(room_for(rules, group, good), "the group has enough of this good")
    return list(gain(group, [good], told.reason, told.clause))


def _lost(rules: Rules, group: Group, told: LedgerEntry) -> Sequence[CampaignEvent]:
    goods = tables.goods(rules)
    held = [expects("item-of-good", item=item.id, good=tables.joined_names(goods[item.good])) for item in group.items]
    fault = Fault("/item", told.item or "nothing", one_of(held), "FS-PGP-3")
    require([] if group.item(told.item) else [fault], "the group has no such item")
    return [ItemLost(told.item, told.reason, told.clause)]


def _experience(rules: Rules, group: Group, told: LedgerEntry) -> Sequence[CampaignEvent]:
    """Won or lost by what happened; a loss by rule takes no level unless `fs.xp.loss` says so. FS-XP-1, FS-XP-5."""
    member = _living(group, told)
    fault = Fault("/amount", f"{told.amount}", expects("deeds-not-amount"), "FS-XP-1")
    require([fault] if told.amount else [], "experience follows from what happened")
    amount = experience_of_deeds(rules, group, member, told.deeds)
    return change_xp(rules, group, told.member, amount, told.reason, told.clause, told.deeds)


def _unearned(rules: Rules, group: Group, told: LedgerEntry) -> Sequence[CampaignEvent]:
    """What was entered wrongly goes with everything that came of it. FS-REP-5, FS-XP-5."""
    _living(group, told)
    return take_back(rules, group, told.member, told.amount, told.reason, told.clause)


def _living(group: Group, told: LedgerEntry) -> Member:
    member = group.member(told.member)
    if member is None:
        fault = Fault("/member", told.member or "nothing", one_of(list(group.ids)), "FS-XP-5")
        raise ChoiceRefused("nobody has this id", [fault])
    return member


def _need_amount(told: LedgerEntry) -> None:
    require([] if told.amount else [Fault("/amount", "0", expects("amount-not-0"), "FS-PGP-3")], "nothing is entered")


_ENTER: Mapping[Entered, Callable[[Rules, Group, LedgerEntry], Sequence[CampaignEvent]]] = {
    "caps": _caps,
    "food": _food,
    "item_gained": _gained,
    "item_lost": _lost,
    "experience": _experience,
    "experience_unearned": _unearned,
}


Account = Literal["caps", "clean", "radiated"]


class Shown(Struct, frozen=True):
    """A present value and what it is made of."""

    value: int
    parts: tuple[Modifier, ...]


class Sheet(Struct, frozen=True):
    """A member as its player looks at it. perks: whether each is awake. critical_failure: the face it begins with.

    hunger: what Endurance is lower by in the next game.
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
    """A line of a balance. place: of the outcome in the sequence, from 0. balance: after it."""

    place: int
    amount: int
    balance: int
    reason: str
    clause: str
    roll: str


def sheet_of(rules: Rules, group: Group, member: Member) -> Sheet:
    """The sheet of a member as it is now."""
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
    """Everything that was said of one member, with its place in the sequence: where did this scar come from?"""
    return [(place, outcome) for place, outcome in enumerate(outcomes) if _is_about(outcome, member)]


def entries_of(outcomes: Iterable[CampaignEvent], account: Account) -> Iterator[Entry]:
    """Every entry of a balance, in order, from what was left when the group was accepted. FS-PGP-3."""
    balance = 0
    for place, outcome in enumerate(outcomes):
        match outcome:
            case GroupAccepted(group) | GroupEntered(group) if account == "caps":
                amount, reason, clause, roll = group.caps - balance, "unspent", "FS-GRP-2", ""
            case GroupRestored(group, why):
                amount, reason, clause, roll = getattr(group, account) - balance, why, "FS-REP-5", ""
            case CapsMoved(amount, reason, clause, roll) if account == "caps":
                pass
            case FoodMoved(food, amount, reason, clause, roll) if account == food:
                pass
            case _:
                continue
        balance += amount
        yield Entry(place, amount, balance, reason, clause, roll)


def _is_about(outcome: CampaignEvent, member: str) -> bool:
    named = getattr(outcome, "member", "")
    return named == member or (isinstance(named, MemberBuilt) and named.id == member)
