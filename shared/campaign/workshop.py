"""Steps 7 and 8: custom weapons (FS-BLD), doctor and medicine (FS-DOC-1, FS-ITM-1), and the choices of every step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from shared.campaign import post_game, tables
from shared.campaign.dice import (
    NATIVE,
    Thrown,
    check_succeeds,
    dice_or_nothing,
    faces_of,
    halve,
    parse_formula,
    read_throw,
)
from shared.campaign.experience import change_xp
from shared.campaign.group import lose_rads
from shared.campaign.outcomes import AddictionsCured, InjuryHealed
from shared.campaign.post_game_outcomes import BuildAttempted, DoctorVisited, ItemLost, MemberActed
from shared.campaign.roster import Group, Member, attribute
from shared.campaign.steps import (
    NAMES,
    Arguments,
    Choice,
    DecisionBuilder,
    DecisionContext,
    faults_of_absence,
    faults_of_activity,
    gain,
    in_step,
    known_member,
    leaves,
    pay,
    require,
    step_of_building,
    step_of_doctor,
)
from shared.campaign.tables import Rules, Treatment
from shared.campaign.words import Events
from shared.refusals import Expected, Fault, expects, one_of


def build_target(rules: Rules, group: Group, member: str) -> int:
    """Return the highest face of the D12 with which a builder succeeds (FS-BLD-1, FS-EX-11)."""
    builder = known_member(group, member, "FS-BLD-1")
    return halve(attribute(rules, group, builder, "I") + attribute(rules, group, builder, "L"))


def build(rules: Rules, group: Group, member: str, parts: str, throw: Thrown) -> Events:
    """Try to build a custom weapon from a set of parts. parts: id of the item (FS-BLD-1, FS-BLD-2, FS-XP-6).

    Raises StepRefused, ChoiceRefused or DiceRefused.
    """
    phase = in_step(group, step_of_building(rules))
    owned = group.item(parts)
    weapon = rules.goods[owned.good].parts_for if owned else ""
    faults = faults_of_activity(rules, group, member, "built")
    if not weapon:
        faults.append(Fault("/parts", parts or "nothing", expects("parts-of-group"), "FS-BLD-1"))
    elif not any(rules.goods[item.good].schematic_for == weapon for item in group.items):
        expected = expects("parts-with-schematic", weapon=weapon)
        faults.append(Fault("/parts", parts or "nothing", expected, "FS-BLD-1"))
    if parts in phase.attempted:
        faults.append(Fault("/parts", parts or "nothing", expects("once-in-phase"), "FS-BLD-1"))
    require(faults, "this cannot be built")
    target = build_target(rules, group, member)
    rolled = read_throw(throw, "1D12", "FS-BLD-1", member=member)
    built = check_succeeds(rolled.natural, target)
    result: Literal["built", "kept", "destroyed"] = "built" if built else _fate_of_parts(rules, rolled.natural - target)
    builder = DecisionBuilder(group)
    builder.record(rolled, BuildAttempted(member, parts, result, rolled.roll), MemberActed(member, "built", weapon))
    if result != "kept":
        builder.record(ItemLost(parts, result, "FS-BLD-2", rolled.roll))
    if result == "built":
        builder.record(*gain(builder.group, [weapon], "built", "FS-BLD-2", rolled.roll))
        xp = rules.advancement.experience["build"]
        builder.record(*change_xp(rules, builder.group, member, xp, "build", "FS-BLD-2"))
    return builder.events


def _fate_of_parts(rules: Rules, margin: int) -> Literal["kept", "destroyed"]:
    """Return whether the parts survive a failure. An option decides margins between the printed bounds (FS-AMB-42)."""
    if margin <= rules.core.build_keeps_until:
        return "kept"
    if margin >= rules.core.build_destroys_from:
        return "destroyed"
    return "kept" if rules.options.fail_by_three == "keep_parts" else "destroyed"


def see_doctor(
    rules: Rules, group: Group, member: str, treatment: str, injury: str = "", throw: Thrown | None = None
) -> Events:
    """Treat one member in a post-game phase (FS-DOC-1).

    throw: the price of a cure, if dice decide it (FS-AMB-43).
    Raises StepRefused, ChoiceRefused, DiceRefused or BalanceTooLow.
    """
    phase = in_step(group, step_of_doctor(rules))
    faults = faults_of_activity(rules, group, member, "saw_doctor")
    if phase.doctor:
        faults.append(Fault("/member", member, expects("one-member-in-phase"), "FS-DOC-1"))
    entry = rules.core.treatments.get(treatment)
    if entry is None:
        faults.append(Fault("/treatment", treatment or "nothing", one_of(list(rules.core.treatments)), "FS-DOC-1"))
    require(faults, f"{member} cannot see the doctor")
    assert entry is not None
    patient = known_member(group, member, "FS-DOC-1")
    require(_nothing_to_treat(rules, patient, entry, injury), "there is nothing to treat")
    dice = rules.core.doctor_addiction_dice
    is_rolled_price = entry.does == "cure_addictions" and rules.options.addiction_price == dice
    require(_faults_of_means(group, dice) if is_rolled_price else [], "the doctor wants to see the caps first")
    fault = Fault("/roll", faces_of(throw), dice_or_nothing(dice if is_rolled_price else ""), "FS-AMB-43")
    require([fault] if is_rolled_price != bool(throw) else [], "the price is not made so")
    builder = DecisionBuilder(group)
    price, roll = entry.caps, ""
    if throw is not None:
        rolled = read_throw(throw, dice, "FS-DOC-1", member=member)
        builder.record(rolled)
        price, roll = rolled.total, rolled.roll
    builder.record(pay(builder.group, price, treatment, "FS-DOC-1", roll))
    builder.record(DoctorVisited(member, treatment), MemberActed(member, "saw_doctor"))
    if entry.does == "heal_injury":
        builder.record(InjuryHealed(member, injury, "FS-DOC-1"))
    elif entry.does == "cure_addictions":
        builder.record(AddictionsCured(member))
    else:
        lose_rads(builder, member, patient.rads, treatment, "FS-DOC-1")
    return builder.events


def _faults_of_means(group: Group, dice: str) -> list[Fault]:
    """Return a fault if the group cannot pay the highest price that the dice can give (FS-AMB-43).

    Otherwise the group could repeat a roll that it cannot pay.
    """
    count = parse_formula(dice).count
    highest = parse_formula(dice).value([NATIVE] * count)
    fault = Fault("/caps", f"{group.caps}", expects("dearest-price", caps=highest, dice=dice), "FS-AMB-43")
    return [fault] if group.caps < highest else []


def use_bag(rules: Rules, group: Group, item: str, member: str, injury: str) -> Events:
    """Remove an injury with a Doctor's Bag after a game; it cannot heal eyes (FS-ITM-1). Raises ChoiceRefused."""
    patient = _patient(rules, group, item, "heal_injury", expects("item-against-injury"), member)
    eyes = {row.injury for row in rules.injuries if row.limb == "eye"}
    legal = [known for known in patient.injuries if known not in eyes]
    fault = Fault("/injury", injury or "nothing", tables.one_of(tables.injuries(rules), legal), "FS-ITM-1")
    require([] if injury in legal else [fault], "the bag does not heal this")
    return [ItemLost(item, "used", "FS-ITM-1"), InjuryHealed(member, injury, "FS-ITM-1")]


def use_radaway(rules: Rules, group: Group, item: str, member: str) -> Events:
    """Remove rads with RadAway, not below 0 (FS-ITM-1, FS-RAD-1). Raise StepRefused or ChoiceRefused."""
    patient = _patient(rules, group, item, "clear_rads", expects("item-against-rads"), member)
    clean = [Fault("/member", member, expects("member-with-rads"), "FS-ITM-1")]
    require([] if patient.rads else clean, "there is nothing to treat")
    builder = DecisionBuilder(group)
    builder.record(ItemLost(item, "used", "FS-ITM-1"))
    lose_rads(builder, member, rules.core.radaway, "RadAway", "FS-ITM-1")
    return builder.events


def _patient(rules: Rules, group: Group, item: str, use: str, expected: Expected, member: str) -> Member:
    """Return the member to treat with an item of this use. Raises ChoiceRefused.

    expected: the expectation of such an item.
    """
    in_step(group, *NAMES)
    owned = group.item(item)
    fault = Fault("/item", item or "nothing", expected, "FS-ITM-1")
    require([] if owned and rules.goods[owned.good].use == use else [fault], "this item is for something else")
    require(faults_of_absence(group, member), f"{member} is not here")
    return known_member(group, member, "FS-ITM-1")


def _nothing_to_treat(rules: Rules, patient: Member, treatment: Treatment, injury: str) -> list[Fault]:
    if treatment.does == "heal_injury" and injury not in patient.injuries:
        expected = tables.one_of(tables.injuries(rules), patient.injuries)
        return [Fault("/injury", injury or "nothing", expected, "FS-DOC-1")]
    if treatment.does == "cure_addictions" and not patient.addictions:
        return [Fault("/member", patient.id, expects("addict"), "FS-DOC-1")]
    if treatment.does == "clear_rads" and not patient.rads:
        return [Fault("/member", patient.id, expects("member-with-rads"), "FS-DOC-1")]
    return []


class Building(Struct, frozen=True, forbid_unknown_fields=True):
    """member: id of the builder. parts: id of the set of parts."""

    member: str
    parts: str


class Treating(Struct, frozen=True, forbid_unknown_fields=True):
    """member: id of the patient. treatment: key of the treatment. injury: the injury to heal."""

    member: str
    treatment: str
    injury: str = ""


class Bag(Struct, frozen=True, forbid_unknown_fields=True):
    """item: id of the Doctor's Bag. member: id of the patient. injury: the injury to heal."""

    item: str
    member: str
    injury: str


class Radaway(Struct, frozen=True, forbid_unknown_fields=True):
    """item: id of the RadAway. member: id of the patient."""

    item: str
    member: str


class Moving(Struct, frozen=True, forbid_unknown_fields=True):
    """item: id of the item. holder: id of its new holder; the stash if omitted."""

    item: str
    holder: str = ""


class OrganiserEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """reason: why, in the public log. caps: caps gained, or paid if below 0. goods: keys of goods gained."""

    reason: str
    caps: int = 0
    goods: tuple[str, ...] = ()


def _build(context: DecisionContext, args: Building) -> Events:
    return build(context.rules, context.group, args.member, args.parts, context.roll("1D12", "FS-BLD-1", args.member))


def _offer_parts(context: DecisionContext) -> Iterator[Arguments]:
    if context.phase.step == step_of_building(context.rules):
        for item in context.group.items:
            if context.rules.goods[item.good].parts_for:
                yield from ({"member": id, "parts": item.id} for id in context.group.ids)


def _see_doctor(context: DecisionContext, args: Treating) -> Events:
    treatment = context.rules.core.treatments.get(args.treatment)
    dice = context.rules.core.doctor_addiction_dice
    priced = (
        treatment is not None and treatment.does == "cure_addictions" and context.rules.options.addiction_price == dice
    )
    throw = context.roll(dice, "FS-DOC-1", args.member) if priced else None
    return see_doctor(context.rules, context.group, args.member, args.treatment, args.injury, throw)


def _offer_patients(context: DecisionContext) -> Iterator[Arguments]:
    if context.phase.step != step_of_doctor(context.rules):
        return
    for member in context.group.members:
        for key, treatment in context.rules.core.treatments.items():
            for injury in member.injuries if treatment.does == "heal_injury" else ("",):
                yield {"member": member.id, "treatment": key, **({"injury": injury} if injury else {})}


def _offer_bags(context: DecisionContext) -> Iterator[Arguments]:
    for item in context.group.items:
        if context.rules.goods[item.good].use == "heal_injury":
            for member in context.group.members:
                for injury in member.injuries:
                    yield {"item": item.id, "member": member.id, "injury": injury}


def _offer_radaway(context: DecisionContext) -> Iterator[Arguments]:
    for item in context.group.items:
        if context.rules.goods[item.good].use == "clear_rads":
            yield from ({"item": item.id, "member": member.id} for member in context.group.members if member.rads)


WORKSHOP_CHOICES = (
    Choice(
        "use_radaway",
        Radaway,
        lambda context, args: use_radaway(context.rules, context.group, args.item, args.member),
        tuple(NAMES),
        _offer_radaway,
    ),
    Choice(
        "use_bag",
        Bag,
        lambda context, args: use_bag(context.rules, context.group, args.item, args.member, args.injury),
        tuple(NAMES),
        _offer_bags,
    ),
    Choice("build", Building, _build, ("3", "7"), _offer_parts, leaves=leaves("build", "FS-BLD-1", "parts")),
    Choice("see_doctor", Treating, _see_doctor, ("3", "8"), _offer_patients),
    Choice(
        "move_item",
        Moving,
        lambda context, args: post_game.move_item(context.rules, context.group, args.item, args.holder),
    ),
)

ORGANISER_CHOICES = (
    Choice(
        "organiser_entry",
        OrganiserEntry,
        lambda context, args: post_game.organiser_entry(
            context.rules, context.group, args.caps, args.goods, args.reason
        ),
    ),
)
"""Choices that only organisers have."""
