"""Step 3, at its end: everybody eats and is maintained, as far as food and caps go. FS-UPK-1 to FS-UPK-7."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from shared.formats.campaign.rules.decision_builder import DecisionBuilder, pay, use_food
from shared.formats.campaign.rules.departures import gain_rads, remove
from shared.formats.campaign.rules.dice import halved
from shared.formats.campaign.rules.income_outcomes import (
    CapsMoved,
    EquipmentMaintained,
    EquipmentNeglected,
    FoodMoved,
    MemberFed,
    MemberWentHungry,
    UpkeepPaid,
)
from shared.formats.campaign.rules.roster import Group, Phase
from shared.formats.campaign.rules.steps import in_step, require
from shared.formats.campaign.rules.tables import Rules
from shared.formats.campaign.rules.words import Events, Food
from shared.refusals import Fault, expects
from shared.rules.draw import Draws


class Upkeep(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """How a group eats; said with nothing: in the easiest way.

    guests: members fed by a mart, the vault or flesh. radiated: member -> units of radiated food. Everybody else
    eats clean food, bought where it is missing. hungry, neglected: left unfed, unmaintained. centaurs_radiated:
    units of radiated food that Centaurs eat. centaurs_hungry: Centaurs left unfed, which counts for nothing
    afterwards.
    """

    guests: tuple[str, ...] = ()
    radiated: Mapping[str, int] = {}
    hungry: tuple[str, ...] = ()
    neglected: tuple[str, ...] = ()
    centaurs_radiated: int = 0
    centaurs_hungry: int = 0


class Bill(Struct, frozen=True):
    """What upkeep costs: units of food by kind, of which so many are bought, and caps for each."""

    clean: int
    radiated: int
    bought: int
    food_caps: int
    maintenance_caps: int

    @property
    def caps(self) -> int:
        return self.food_caps + self.maintenance_caps


def places(rules: Rules, group: Group) -> int:
    """How many members are fed without food of the group: by marts, by the vault, by flesh. FS-UPK-6."""
    phase = group.phase
    if phase is None:
        return 0
    feeding = {turf.turf for turf in rules.turfs if turf.feature.feeds}
    visited = rules.options.super_duper_mart == "needs_visit"
    marts = sum(owned.turf in feeding and (not visited or owned.id in phase.visited) for owned in group.turfs)
    vault = rules.forces[group.force].special.restaurant if phase.home == "restaurant" else 0
    return marts * halved(len(group.members)) + vault + phase.sated


def bill(rules: Rules, group: Group, upkeep: Upkeep) -> Bill:
    """What this upkeep takes. FS-UPK-1, FS-UPK-2, FS-UPK-7, FS-EX-8."""
    appetite = rules.forces[group.force].special.appetite
    eaters = [id for id in group.ids if id not in upkeep.guests and id not in upkeep.hungry]
    units = appetite * len(eaters) + rules.core.centaur_food * (group.centaurs - upkeep.centaurs_hungry)
    radiated = sum(upkeep.radiated.values()) + upkeep.centaurs_radiated
    bought = max(0, units - radiated - group.clean)
    maintained = len(group.members) - len(set(upkeep.neglected))
    caps = rules.core.upkeep_caps * maintained
    if group.phase is not None and group.phase.half_maintenance:
        caps = halved(caps)
    caps += rules.options.centaur_caps * group.centaurs
    return Bill(units - radiated, radiated, bought, bought * rules.core.food_price, caps)


def easiest(rules: Rules, group: Group, hungry: tuple[str, ...] = (), centaurs_hungry: int = 0) -> Upkeep:
    """The upkeep that costs least: free places first, then stock of both kinds, in roster order. FS-PGP-5.

    hungry, centaurs_hungry: members and Centaurs that are left out of it.
    """
    appetite = rules.forces[group.force].special.appetite
    fed = [id for id in group.ids if id not in hungry]
    free = places(rules, group)
    guests, eaters = fed[:free], fed[free:]
    beasts = rules.core.centaur_food * (group.centaurs - centaurs_hungry)
    stock = min(group.radiated, max(0, appetite * len(eaters) + beasts - group.clean))
    centaurs = min(stock, beasts)
    stock -= centaurs
    radiated: dict[str, int] = {}
    for id in eaters:
        taken = min(appetite, stock)
        stock -= taken
        if taken:
            radiated[id] = taken
    return Upkeep(tuple(guests), radiated, hungry, (), centaurs, centaurs_hungry)


def settle_upkeep(rules: Rules, group: Group, upkeep: Upkeep, draws: Draws) -> Events:
    """Everybody eats and is maintained, but for those whom the group cannot pay for.

    Raises StepRefused, ChoiceRefused with every fault, or BalanceTooLow. Source: FS-UPK-1 to FS-UPK-7.
    """
    phase = in_step(group, "3")
    require(_not_due(phase), "food and maintenance are not due")
    builder = DecisionBuilder(group)
    require(_faults_of_upkeep(rules, group, upkeep), "food is not shared out so")
    owed = bill(rules, group, upkeep)
    faults = _faults_of_leaving_out(rules, group, upkeep, owed)
    require(faults, "nobody is left out while food and caps last")
    if owed.bought:
        builder.say(pay(builder.group, owed.food_caps, "food", "FS-UPK-2"))
        builder.say(FoodMoved("clean", owed.bought, "bought", "FS-UPK-2"))
    if owed.clean:
        builder.say(use_food(builder.group, "clean", owed.clean, "eaten", "FS-UPK-1"))
    if owed.radiated:
        builder.say(use_food(builder.group, "radiated", owed.radiated, "eaten", "FS-UPK-1"))
    if owed.maintenance_caps:
        builder.say(pay(builder.group, owed.maintenance_caps, "maintenance", "FS-UPK-1"))
    for id in group.ids:
        _serve(rules, builder, upkeep, id, draws)
    builder.say(UpkeepPaid())
    return builder.events


def surplus(rules: Rules, group: Group) -> int:
    """Food beyond what has still to be eaten in this step; below 0 what is missing. FS-UPK-2, FS-AMB-56."""
    held = group.clean + group.radiated
    if group.phase is not None and group.phase.paid:
        return held
    eaters = max(0, len(group.members) - places(rules, group))
    appetite = rules.forces[group.force].special.appetite
    return held - eaters * appetite - group.centaurs * rules.core.centaur_food


def sell_food(rules: Rules, group: Group, food: Food, amount: int) -> Events:
    """Surplus food for caps. Raises StepRefused, ChoiceRefused or BalanceTooLow. FS-UPK-2."""
    in_step(group, "3")
    most = max(0, surplus(rules, group))
    fault = Fault("/amount", f"{amount}", expects("range-of-surplus", most=most), "FS-UPK-2")
    require([] if 1 <= amount <= most else [fault], "only surplus food is sold")
    sold = use_food(group, food, amount, "sold", "FS-UPK-2")
    return [sold, CapsMoved(amount * rules.core.food_price, "food sold", "FS-UPK-2")]


def critical_failure_from(rules: Rules, unmaintained: int) -> int:
    """The natural face from which a member checks for critical failures in the next game. FS-UPK-4."""
    return rules.core.critical_failure - unmaintained


def _serve(rules: Rules, builder: DecisionBuilder, upkeep: Upkeep, id: str, draws: Draws) -> None:
    """One member eats or does not, is maintained or is not; hunger and radiation may kill. FS-UPK-3 to FS-UPK-5."""
    builder.say(EquipmentNeglected(id) if id in upkeep.neglected else EquipmentMaintained(id))
    if id in upkeep.hungry:
        builder.say(MemberWentHungry(id))
        if builder.member(id).unfed >= rules.core.starves_at:
            remove(rules, builder, id, "starved", "FS-UPK-3", draws, in_game=False)
        return
    units = upkeep.radiated.get(id, 0)
    by: Literal["table", "radiated", "clean"] = "table" if id in upkeep.guests else "radiated" if units else "clean"
    builder.say(MemberFed(id, by))
    if units:
        rads = units if rules.options.radiated_food == "per_unit" else 1
        gain_rads(rules, builder, id, rads, "radiated food", "FS-UPK-5", draws)


def _not_due(phase: Phase) -> list[Fault]:
    faults = [Fault("/step", phase.step, expects("once-in-phase"), "FS-UPK-1")] if phase.paid else []
    faults += [Fault("/encounters", id, expects("encounter-first"), "FS-SCV-1") for id in phase.encounters]
    faults += [Fault("/open_finds", open.member, expects("shift-find-first"), "FS-SCV-2") for open in phase.open_finds]
    return faults + [Fault("/injured", id, expects("injury-roll"), "FS-INJ-1") for id in phase.injured]


def _faults_of_upkeep(rules: Rules, group: Group, upkeep: Upkeep) -> list[Fault]:
    """Names, places, and food that is not there."""
    faults = []
    appetite = rules.forces[group.force].special.appetite
    lists = {"guests": upkeep.guests, "hungry": upkeep.hungry, "neglected": upkeep.neglected}
    for field, names in {**lists, "radiated": tuple(upkeep.radiated)}.items():
        for id in names:
            if id not in group.ids or names.count(id) > 1:
                faults.append(Fault(f"/{field}", id, expects("each-living-member-once"), "FS-UPK-1"))
    for id in upkeep.guests:
        if id in upkeep.hungry:
            faults.append(Fault("/hungry", id, expects("fed-or-unfed"), "FS-UPK-1"))
    for id, units in upkeep.radiated.items():
        if not 1 <= units <= appetite or id in upkeep.guests or id in upkeep.hungry:
            expected = expects("range-of-meal", most=appetite)
            faults.append(Fault(f"/radiated/{id}", f"{units}", expected, "FS-UPK-5"))
    if not 0 <= upkeep.centaurs_hungry <= group.centaurs:
        expected = expects("between", least=0, most=group.centaurs)
        faults.append(Fault("/centaurs_hungry", f"{upkeep.centaurs_hungry}", expected, "FS-UPK-1"))
    most = rules.core.centaur_food * max(0, group.centaurs - upkeep.centaurs_hungry)
    if not 0 <= upkeep.centaurs_radiated <= most:
        expected = expects("between", least=0, most=most)
        faults.append(Fault("/centaurs_radiated", f"{upkeep.centaurs_radiated}", expected, "FS-UPK-1"))
    free = places(rules, group)
    if len(upkeep.guests) > free:
        faults.append(Fault("/guests", ", ".join(upkeep.guests), expects("at-most-guests", most=free), "FS-UPK-6"))
    used = sum(upkeep.radiated.values()) + upkeep.centaurs_radiated
    if used > group.radiated:
        faults.append(Fault("/radiated", f"{used}", expects("at-most-radiated", most=group.radiated), "FS-UPK-5"))
    return faults


def _faults_of_leaving_out(rules: Rules, group: Group, upkeep: Upkeep, owed: Bill) -> list[Fault]:
    """Hunger and neglect are chosen only as far as what is left could not prevent them. FS-UPK-2."""
    left = group.caps - owed.caps
    if left < 0:
        return []
    food = group.clean + owed.bought - owed.clean + group.radiated - owed.radiated
    appetite = rules.forces[group.force].special.appetite
    meal = max(0, appetite - food) * rules.core.food_price
    faults = []
    free = places(rules, group) - len(upkeep.guests)
    if upkeep.hungry and (left >= meal or free > 0):
        expected = expects("no-member-unfed", caps=left, food=food, places=max(0, free))
        faults.append(Fault("/hungry", ", ".join(upkeep.hungry), expected, "FS-UPK-2"))
    if upkeep.centaurs_hungry and left >= max(0, rules.core.centaur_food - food) * rules.core.food_price:
        expected = expects("no-centaur-unfed", caps=left, food=food)
        faults.append(Fault("/centaurs_hungry", f"{upkeep.centaurs_hungry}", expected, "FS-UPK-2"))
    one_less = bill(rules, group, replace(upkeep, neglected=upkeep.neglected[1:]))
    if upkeep.neglected and left >= one_less.maintenance_caps - owed.maintenance_caps:
        expected = expects("no-member-neglected", caps=left)
        faults.append(Fault("/neglected", ", ".join(upkeep.neglected), expected, "FS-UPK-2"))
    return faults
