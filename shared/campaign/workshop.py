"""Step 8, the doctor; and what heals between games. FS-DOC-1, FS-ITM-1."""

from __future__ import annotations

from shared.formats.campaign.rules import names_of_things as called
from shared.formats.campaign.rules.decision_builder import DecisionBuilder, pay
from shared.formats.campaign.rules.departures import lose_rads
from shared.formats.campaign.rules.dice import NATIVE, Thrown, dice_or_nothing, faces_of, formula, read_throw
from shared.formats.campaign.rules.income_outcomes import ItemLost, MemberActed
from shared.formats.campaign.rules.outcomes import AddictionsCured, InjuryHealed
from shared.formats.campaign.rules.roster import Group, Member
from shared.formats.campaign.rules.steps import (
    NAMES,
    faults_of_absence,
    faults_of_activity,
    in_step,
    known_member,
    require,
    step_of_doctor,
)
from shared.formats.campaign.rules.tables import Rules, Treatment
from shared.formats.campaign.rules.trade_outcomes import DoctorVisited
from shared.formats.campaign.rules.words import Events
from shared.refusals import Expected, Fault, expects, one_of


def see_doctor(
    rules: Rules, group: Group, member: str, treatment: str, injury: str = "", thrown: Thrown | None = None
) -> Events:
    """One treatment of one member in a post-game phase. thrown: the price of a cure, where dice make it (FS-AMB-43).

    Raises StepRefused, ChoiceRefused, DiceRefused or BalanceTooLow. Source: FS-DOC-1.
    """
    phase = in_step(group, step_of_doctor(rules))
    faults = faults_of_activity(rules, group, member, "saw_doctor")
    if phase.doctor:
        faults.append(Fault("/member", member, expects("one-member-in-phase"), "FS-DOC-1"))
    told = rules.core.treatments.get(treatment)
    if told is None:
        faults.append(Fault("/treatment", treatment or "nothing", one_of(list(rules.core.treatments)), "FS-DOC-1"))
    require(faults, f"{member} cannot see the doctor")
    assert told is not None
    patient = known_member(group, member, "FS-DOC-1")
    require(_nothing_to_treat(rules, patient, told, injury), "there is nothing to treat")
    dice = rules.core.doctor_addiction_dice
    rolled_price = told.does == "cure_addictions" and rules.options.addiction_price == dice
    require(_faults_of_means(group, dice) if rolled_price else [], "the doctor wants to see the caps first")
    fault = Fault("/roll", faces_of(thrown), dice_or_nothing(dice if rolled_price else ""), "FS-AMB-43")
    require([fault] if rolled_price != bool(thrown) else [], "the price is not made so")
    builder = DecisionBuilder(group)
    price, roll = told.caps, ""
    if thrown is not None:
        rolled = read_throw(thrown, dice, "FS-DOC-1", member=member)
        builder.say(rolled)
        price, roll = rolled.total, rolled.roll
    builder.say(pay(builder.group, price, treatment, "FS-DOC-1", roll))
    builder.say(DoctorVisited(member, treatment), MemberActed(member, "saw_doctor"))
    if told.does == "heal_injury":
        builder.say(InjuryHealed(member, injury, "FS-DOC-1"))
    elif told.does == "cure_addictions":
        builder.say(AddictionsCured(member))
    else:
        lose_rads(builder, member, patient.rads, treatment, "FS-DOC-1")
    return builder.events


def _faults_of_means(group: Group, dice: str) -> list[Fault]:
    """Whoever lets dice make the price can pay the dearest: a roll that nobody pays could be made again. FS-AMB-43."""
    count = formula(dice).count
    dearest = formula(dice).value([NATIVE] * count)
    fault = Fault("/caps", f"{group.caps}", expects("dearest-price", caps=dearest, dice=dice), "FS-AMB-43")
    return [fault] if group.caps < dearest else []


def use_bag(rules: Rules, group: Group, item: str, member: str, injury: str) -> Events:
    """A Doctor's Bag removes an injury after a game, never an eye wound. Raises ChoiceRefused. FS-ITM-1."""
    patient = _patient(rules, group, item, "heal_injury", expects("item-against-injury"), member)
    eyes = {row.injury for row in rules.injuries if row.limb == "eye"}
    legal = [known for known in patient.injuries if known not in eyes]
    fault = Fault("/injury", injury or "nothing", called.one_of(called.injuries(rules), legal), "FS-ITM-1")
    require([] if injury in legal else [fault], "the bag does not heal this")
    return [ItemLost(item, "used", "FS-ITM-1"), InjuryHealed(member, injury, "FS-ITM-1")]


def use_radaway(rules: Rules, group: Group, item: str, member: str) -> Events:
    """RadAway takes rads, not below 0. Raises StepRefused or ChoiceRefused. FS-ITM-1, FS-RAD-1."""
    _patient(rules, group, item, "clear_rads", expects("item-against-rads"), member)
    builder = DecisionBuilder(group)
    builder.say(ItemLost(item, "used", "FS-ITM-1"))
    lose_rads(builder, member, rules.core.radaway, "RadAway", "FS-ITM-1")
    return builder.events


def _patient(rules: Rules, group: Group, item: str, use: str, expected: Expected, member: str) -> Member:
    """Return the member whom an item with this use can treat. expected: such an item. Raises ChoiceRefused."""
    in_step(group, *NAMES)
    owned = group.item(item)
    fault = Fault("/item", item or "nothing", expected, "FS-ITM-1")
    require([] if owned and rules.goods[owned.good].use == use else [fault], "this item is for something else")
    require(faults_of_absence(group, member), f"{member} is not here")
    return known_member(group, member, "FS-ITM-1")


def _nothing_to_treat(rules: Rules, patient: Member, treatment: Treatment, injury: str) -> list[Fault]:
    if treatment.does == "heal_injury" and injury not in patient.injuries:
        wanted = called.one_of(called.injuries(rules), patient.injuries)
        return [Fault("/injury", injury or "nothing", wanted, "FS-DOC-1")]
    if treatment.does == "cure_addictions" and not patient.addictions:
        return [Fault("/member", patient.id, expects("addict"), "FS-DOC-1")]
    if treatment.does == "clear_rads" and not patient.rads:
        return [Fault("/member", patient.id, expects("member-with-rads"), "FS-DOC-1")]
    return []
