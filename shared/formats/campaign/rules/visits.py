"""Step 3: members visit turfs. FS-TRF-2, FS-VIS-1."""

from __future__ import annotations

from collections.abc import Sequence

from shared.formats.campaign.rules import names_of_things as called
from shared.formats.campaign.rules.decision_builder import DecisionBuilder, gain, pay
from shared.formats.campaign.rules.dice import Thrown, dice_or_nothing, halved, read_throw
from shared.formats.campaign.rules.income_outcomes import CapsMoved, FoodMoved, ItemLost, MemberActed, NothingFound
from shared.formats.campaign.rules.outcomes import RerollGained
from shared.formats.campaign.rules.prices import base_value
from shared.formats.campaign.rules.roster import Group
from shared.formats.campaign.rules.scavenging import faults_of_outing
from shared.formats.campaign.rules.steps import NAMES, in_step, require
from shared.formats.campaign.rules.tables import Rules, Turf
from shared.formats.campaign.rules.turf import turf_of, visit_yield
from shared.formats.campaign.rules.words import WEAPONS, Events
from shared.refusals import Fault, expects, one_of

CLAUSE = "FS-TRF-2"


def choices(rules: Rules, group: Group, turf: Turf) -> list[str]:
    """What a visitor declares before rolling: the income, or something in its place. FS-VIS-1."""
    if turf.feature.yields:
        known = any(rules.goods[item.good].schematic_for == turf.feature.becomes for item in group.items)
        return ["sell", "keep", "build"] if known else ["sell", "keep"]
    return ["income", turf.instead] if turf.instead else ["income"]


def visit_turf(
    rules: Rules,
    group: Group,
    member: str,
    turf: str,
    throws: Sequence[Thrown] = (),
    *,
    choice: str = "",
    good: str = "",
) -> Events:
    """A member visits a turf of the group, each once. turf: its id. throws: the dice that the choice asks for.

    choice: declared before rolling, where there is one (`choices`). good: what is found or bought by it. Raises
    StepRefused, ChoiceRefused, DiceRefused or BalanceTooLow.
    """
    phase = in_step(group, "3")
    owned = next((owned for owned in group.turfs if owned.id == turf), None)
    require([] if owned else [Fault("/turf", turf or "nothing", expects("turf-of-group"), CLAUSE)], "no such turf")
    assert owned is not None
    told = turf_of(rules, owned.turf)
    faults = list(faults_of_outing(rules, group, member, "visited_turf"))
    if turf in phase.visited:
        faults.append(Fault("/turf", turf or "nothing", expects("each-turf-once"), CLAUSE))
    if not told.visited and not (told.feature.feeds and rules.options.super_duper_mart == "needs_visit"):
        faults.append(Fault("/turf", turf or "nothing", expects("turf-for-visitors"), CLAUSE))
    legal = choices(rules, group, told)
    said = choice or legal[0]
    if said not in legal:
        faults.append(Fault("/choice", said or "nothing", one_of(legal), "FS-VIS-1"))
    require(faults, f"{member} cannot visit {told.name} so")
    builder = DecisionBuilder(group)
    builder.say(MemberActed(member, "visited_turf", turf))
    if said == "income":
        _income(rules, builder, told, throws, member)
    elif said == "sell":
        rolled = read_throw(_only(throws, told.feature.sells), told.feature.sells, CLAUSE, member=member)
        builder.say(rolled, CapsMoved(rolled.total, told.turf, CLAUSE, rolled.roll))
    elif said == "keep":
        _only(throws, "")
        builder.say(*gain(builder.group, [told.feature.yields], told.turf, CLAUSE))
    elif said == "build":
        _only(throws, "")
        builder.say(*gain(builder.group, [told.feature.becomes], told.turf, CLAUSE))
    elif said == "invention":
        _invention(rules, builder, told, throws, member, good)
    else:
        _half_price(rules, builder, told, throws, good)
    if told.feature.rerolls and rules.options.doctor_reroll == "needs_visit":
        builder.say(RerollGained(told.feature.rerolls))
    return builder.events


def spend_kept(rules: Rules, group: Group, item: str, choice: str, thrown: Thrown | None = None) -> Events:
    """What was kept at a turf is sold, or made into something, in any step: as its visitor could have at once.

    choice: sell, by the dice of the turf, or build, with the schematic. Raises StepRefused, ChoiceRefused or
    DiceRefused. Source: FS-TRF-2.
    """
    in_step(group, *NAMES)
    owned = group.item(item)
    turf = kept_at(rules, owned.good) if owned else None
    fault = Fault("/item", owned.good if owned else item or "nothing", expects("item-kept-at-turf"), CLAUSE)
    require([] if turf else [fault], "this is not sold or made into anything")
    assert turf is not None
    legal = [one for one in choices(rules, group, turf) if one != "keep"]
    require([] if choice in legal else [Fault("/choice", choice or "nothing", one_of(legal), CLAUSE)], "not so")
    throws = [thrown] if thrown else []
    builder = DecisionBuilder(group)
    if choice == "build":
        _only(throws, "")
        builder.say(ItemLost(item, "made into something", CLAUSE))
        builder.say(*gain(builder.group, [turf.feature.becomes], turf.turf, CLAUSE))
        return builder.events
    rolled = read_throw(_only(throws, turf.feature.sells), turf.feature.sells, CLAUSE)
    builder.say(rolled, ItemLost(item, "sold", CLAUSE, rolled.roll))
    builder.say(CapsMoved(rolled.total, turf.turf, CLAUSE, rolled.roll))
    return builder.events


def kept_at(rules: Rules, good: str) -> Turf | None:
    """The turf that yields a good which may be kept, if one does."""
    return next((turf for turf in rules.turfs if turf.feature.yields == good), None)


def _income(rules: Rules, builder: DecisionBuilder, turf: Turf, throws: Sequence[Thrown], member: str) -> None:
    found = visit_yield(rules, turf, throws, member)
    builder.say(*found.rolls)
    rolls = {roll.expression: roll.roll for roll in found.rolls}
    if found.caps:
        builder.say(CapsMoved(found.caps, turf.turf, CLAUSE, rolls.get(turf.caps, "")))
    if found.food:
        builder.say(FoodMoved("clean", found.food, turf.turf, CLAUSE, rolls.get(turf.food, "")))
    if found.item:
        builder.say(*gain(builder.group, [found.item], turf.turf, CLAUSE, rolls.get(turf.caps, "")))


def _invention(
    rules: Rules, builder: DecisionBuilder, turf: Turf, throws: Sequence[Thrown], member: str, good: str
) -> None:
    """A pistol or small gun of the own list, named before the roll, or nothing."""
    listed = [
        key
        for key in rules.forces[builder.group.force].goods
        if rules.goods[key].kind == "small_gun" or "pistol" in rules.goods[key].tags
    ]
    require([] if good in listed else [_of_list(rules, good, listed)], "a pistol or small gun of the own list")
    rolled = read_throw(_only(throws, "1D12"), "1D12", CLAUSE, member=member)
    builder.say(rolled)
    if rolled.total > turf.invention_until:
        builder.say(NothingFound(member, CLAUSE, rolled.roll))
        return
    builder.say(*gain(builder.group, [good], turf.turf, CLAUSE, rolled.roll))


def _half_price(rules: Rules, builder: DecisionBuilder, turf: Turf, throws: Sequence[Thrown], good: str) -> None:
    """One weapon of the own list at half price, no Big Gun."""
    _only(throws, "")
    listed = [
        key
        for key in rules.forces[builder.group.force].goods
        if rules.goods[key].kind in WEAPONS and rules.goods[key].kind != "big_gun"
    ]
    require([] if good in listed else [_of_list(rules, good, listed)], "a weapon of the own list, not a Big Gun")
    price = halved(base_value(rules, good))
    builder.say(pay(builder.group, price, turf.turf, CLAUSE))
    builder.say(*gain(builder.group, [good], turf.turf, CLAUSE, paid=price))


def _of_list(rules: Rules, good: str, listed: list[str]) -> Fault:
    return Fault("/good", good or "nothing", called.one_of(called.goods(rules), listed), CLAUSE)


def _only(throws: Sequence[Thrown], asked: str) -> Thrown:
    """The one roll that is asked for, or none."""
    fault = Fault("/rolls", f"{len(throws)}", dice_or_nothing(asked), CLAUSE)
    require([fault] if len(throws) != bool(asked) else [], f"this choice asks for {asked or 'no dice'}")
    return throws[0] if throws else Thrown("", ())
