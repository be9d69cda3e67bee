"""What an organiser rules about a group when a game can no longer be voided: explicit entries. FS-REP-5, FS-PGP-3."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Literal

from msgspec import Struct
from msgspec.structs import replace

from shared.formats.campaign.rules import names_of_things as called
from shared.formats.campaign.rules.decision_builder import DecisionBuilder, gain, pay, room_for, use_food
from shared.formats.campaign.rules.experience import change_xp, experience_of_deeds, take_back
from shared.formats.campaign.rules.income_outcomes import CapsMoved, FoodMoved, ItemLost
from shared.formats.campaign.rules.refusals import ChoiceRefused
from shared.formats.campaign.rules.roster import Group, Member
from shared.formats.campaign.rules.steps import require
from shared.formats.campaign.rules.tables import Rules
from shared.formats.campaign.rules.words import CampaignEvent, Events, Food
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
            builder.say(*_ENTER[told.entry](rules, builder.group, told))
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
    good = called.key_of(called.goods(rules), told.good)
    fault = Fault("/good", told.good or "nothing", called.one_of(called.goods(rules), rules.goods), "FS-PGP-3")
    require([] if good in rules.goods else [fault], "no such good")
    require(room_for(rules, group, good), "the group has enough of this good")
    return list(gain(group, [good], told.reason, told.clause))


def _lost(rules: Rules, group: Group, told: LedgerEntry) -> Sequence[CampaignEvent]:
    goods = called.goods(rules)
    held = [expects("item-of-good", item=item.id, good=called.written(goods[item.good])) for item in group.items]
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
