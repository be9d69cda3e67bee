"""End of step 3: upkeep (FS-UPK), meals of flesh, and emergency sales (FS-SPC-1, FS-SPC-2).

Each member eats and is maintained as far as food and caps go (FS-UPK-1 to FS-UPK-7, FS-AMB-50). Equipment is sold by
FS-UPK-8 and FS-AMB-38.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Literal, get_args

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from shared.campaign.dice import Thrown, dice_or_nothing, faces_of, halve
from shared.campaign.experience import change_xp, experience_of_kill, injury_deaths
from shared.campaign.facts import rival_by_name
from shared.campaign.group import base_value, gain_rads, member_cost, merchant_total, remove_member, seller_total
from shared.campaign.outcomes import InjuryDue
from shared.campaign.post_game_outcomes import (
    CannibalFightResolved,
    CapsMoved,
    EquipmentMaintained,
    EquipmentNeglected,
    FightersDrawn,
    FoodMoved,
    ItemLost,
    MemberFed,
    MembersSated,
    MemberWentHungry,
    UpkeepPaid,
)
from shared.campaign.roster import Group, Phase, attribute, is_blind
from shared.campaign.steps import (
    Arguments,
    Choice,
    DecisionBuilder,
    DecisionContext,
    Nothing,
    OfItem,
    OfMember,
    faults_of_absence,
    in_step,
    known_member,
    pay,
    require,
    use_food,
)
from shared.campaign.tables import Rules, or_option
from shared.campaign.words import ChoiceRefused, Events, Food
from shared.refusals import Fault, expects, one_of
from shared.rules.model import Draws, draw_lots


class Upkeep(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The meals and maintenance of a group. Without arguments, the group eats in the cheapest way.

    guests: members fed by a mart, the vault or flesh.
    radiated: member -> units of radiated food. All other members eat clean food, which is bought if it is missing.
    hungry: members left without food. neglected: members left without maintenance.
    centaurs_radiated: units of radiated food eaten by Centaurs.
    centaurs_hungry: Centaurs left without food, which has no consequences.
    """

    guests: tuple[str, ...] = ()
    radiated: Mapping[str, int] = {}
    hungry: tuple[str, ...] = ()
    neglected: tuple[str, ...] = ()
    centaurs_radiated: int = 0
    centaurs_hungry: int = 0


class Bill(Struct, frozen=True):
    """The cost of upkeep: units of each kind of food, units bought, and caps for food and maintenance."""

    clean: int
    radiated: int
    bought: int
    food_caps: int
    maintenance_caps: int

    @property
    def caps(self) -> int:
        return self.food_caps + self.maintenance_caps


def free_meals(rules: Rules, group: Group) -> int:
    """Return how many members eat without food of the group: at marts, in the vault or from flesh (FS-UPK-6)."""
    phase = group.phase
    if phase is None:
        return 0
    feeding = {turf.turf for turf in rules.turfs if turf.feature.feeds}
    visited = rules.options.super_duper_mart == "needs_visit"
    marts = sum(owned.turf in feeding and (not visited or owned.id in phase.visited) for owned in group.turfs)
    vault = rules.forces[group.force].special.restaurant if phase.home == "restaurant" else 0
    return marts * halve(len(group.members)) + vault + phase.sated


def upkeep_bill(rules: Rules, group: Group, upkeep: Upkeep) -> Bill:
    """Return the cost of this upkeep (FS-UPK-1, FS-UPK-2, FS-UPK-7, FS-EX-8)."""
    appetite = rules.forces[group.force].special.appetite
    eaters = [id for id in group.ids if id not in upkeep.guests and id not in upkeep.hungry]
    units = appetite * len(eaters) + rules.core.centaur_food * (group.centaurs - upkeep.centaurs_hungry)
    radiated = sum(upkeep.radiated.values()) + upkeep.centaurs_radiated
    bought = max(0, units - radiated - group.clean)
    maintained = len(group.members) - len(set(upkeep.neglected))
    caps = rules.core.upkeep_caps * maintained
    if group.phase is not None and group.phase.half_maintenance:
        caps = halve(caps)
    caps += rules.options.centaur_caps * group.centaurs
    return Bill(units - radiated, radiated, bought, bought * rules.core.food_price, caps)


def cheapest_upkeep(rules: Rules, group: Group, hungry: tuple[str, ...] = (), centaurs_hungry: int = 0) -> Upkeep:
    """Return the cheapest upkeep: free meals first, then stock of both kinds, in roster order (FS-PGP-5).

    hungry, centaurs_hungry: members and Centaurs who get no food.
    """
    appetite = rules.forces[group.force].special.appetite
    fed = [id for id in group.ids if id not in hungry]
    free = free_meals(rules, group)
    guests, eaters = fed[:free], fed[free:]
    centaur_units = rules.core.centaur_food * (group.centaurs - centaurs_hungry)
    stock = min(group.radiated, max(0, appetite * len(eaters) + centaur_units - group.clean))
    centaurs = min(stock, centaur_units)
    stock -= centaurs
    radiated: dict[str, int] = {}
    for id in eaters:
        taken = min(appetite, stock)
        stock -= taken
        if taken:
            radiated[id] = taken
    return Upkeep(tuple(guests), radiated, hungry, (), centaurs, centaurs_hungry)


def settle_upkeep(rules: Rules, group: Group, upkeep: Upkeep, draws: Draws) -> Events:
    """Feed and maintain all members except those that the group cannot pay for.

    Raises StepRefused, ChoiceRefused with every fault, or BalanceTooLow. Source: FS-UPK-1 to FS-UPK-7.
    """
    phase = in_step(group, "3")
    require(_faults_of_early_upkeep(phase), "food and maintenance are not due")
    builder = DecisionBuilder(group)
    require(_faults_of_upkeep(rules, group, upkeep), "food is not shared out so")
    owed = upkeep_bill(rules, group, upkeep)
    faults = _faults_of_leaving_out(rules, group, upkeep, owed)
    require(faults, "nobody is left out while food and caps last")
    if owed.bought:
        builder.record(pay(builder.group, owed.food_caps, "food", "FS-UPK-2"))
        builder.record(FoodMoved("clean", owed.bought, "bought", "FS-UPK-2"))
    if owed.clean:
        builder.record(use_food(builder.group, "clean", owed.clean, "eaten", "FS-UPK-1"))
    if owed.radiated:
        builder.record(use_food(builder.group, "radiated", owed.radiated, "eaten", "FS-UPK-1"))
    if owed.maintenance_caps:
        builder.record(pay(builder.group, owed.maintenance_caps, "maintenance", "FS-UPK-1"))
    for id in group.ids:
        _serve(rules, builder, upkeep, id, draws)
    builder.record(UpkeepPaid())
    return builder.events


def surplus(rules: Rules, group: Group) -> int:
    """Return the food beyond what must still be eaten in this step, below 0 if some is missing (FS-UPK-2)."""
    held = group.clean + group.radiated
    if group.phase is not None and group.phase.paid:
        return held
    eaters = max(0, len(group.members) - free_meals(rules, group))
    appetite = rules.forces[group.force].special.appetite
    return held - eaters * appetite - group.centaurs * rules.core.centaur_food


def sell_food(rules: Rules, group: Group, food: Food, amount: int) -> Events:
    """Sell surplus food (FS-UPK-2). Raise StepRefused, ChoiceRefused or BalanceTooLow."""
    in_step(group, "3")
    most = max(0, surplus(rules, group))
    fault = Fault("/amount", f"{amount}", expects("range-of-surplus", most=most), "FS-UPK-2")
    require([] if 1 <= amount <= most else [fault], "only surplus food is sold")
    sold = use_food(group, food, amount, "sold", "FS-UPK-2")
    return [sold, CapsMoved(amount * rules.core.food_price, "food sold", "FS-UPK-2")]


def critical_failure_from(rules: Rules, unmaintained: int) -> int:
    """Return the lowest face on which a member checks for a critical failure in the next game (FS-UPK-4)."""
    return rules.core.critical_failure - unmaintained


def _serve(rules: Rules, builder: DecisionBuilder, upkeep: Upkeep, id: str, draws: Draws) -> None:
    """Feed and maintain one member, or not. Hunger and radiation may kill it (FS-UPK-3 to FS-UPK-5)."""
    builder.record(EquipmentNeglected(id) if id in upkeep.neglected else EquipmentMaintained(id))
    if id in upkeep.hungry:
        builder.record(MemberWentHungry(id))
        if builder.member(id).unfed >= rules.core.starves_at:
            remove_member(rules, builder, id, "starved", "FS-UPK-3", draws, in_game=False)
        return
    units = upkeep.radiated.get(id, 0)
    by: Literal["table", "radiated", "clean"] = "table" if id in upkeep.guests else "radiated" if units else "clean"
    builder.record(MemberFed(id, by))
    if units:
        rads = units if rules.options.radiated_food == "per_unit" else 1
        gain_rads(rules, builder, id, rads, "radiated food", "FS-UPK-5", draws)


def _faults_of_early_upkeep(phase: Phase) -> list[Fault]:
    faults = [Fault("/step", phase.step, expects("once-in-phase"), "FS-UPK-1")] if phase.paid else []
    faults += [Fault("/encounters", id, expects("encounter-first"), "FS-SCV-1") for id in phase.encounters]
    faults += [Fault("/open_finds", open.member, expects("shift-find-first"), "FS-SCV-2") for open in phase.open_finds]
    return faults + [Fault("/injured", id, expects("injury-roll"), "FS-INJ-1") for id in phase.injured]


def _faults_of_upkeep(rules: Rules, group: Group, upkeep: Upkeep) -> list[Fault]:
    """Return faults of names, free meals, and food that the group does not have."""
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
    free = free_meals(rules, group)
    if len(upkeep.guests) > free:
        faults.append(Fault("/guests", ", ".join(upkeep.guests), expects("at-most-guests", most=free), "FS-UPK-6"))
    used = sum(upkeep.radiated.values()) + upkeep.centaurs_radiated
    if used > group.radiated:
        faults.append(Fault("/radiated", f"{used}", expects("at-most-radiated", most=group.radiated), "FS-UPK-5"))
    return faults


def _faults_of_leaving_out(rules: Rules, group: Group, upkeep: Upkeep, owed: Bill) -> list[Fault]:
    """Return faults if the group chooses hunger or neglect although it could pay to prevent it (FS-UPK-2)."""
    caps_left = group.caps - owed.caps
    if caps_left < 0:
        return []
    food = group.clean + owed.bought - owed.clean + group.radiated - owed.radiated
    appetite = rules.forces[group.force].special.appetite
    meal = max(0, appetite - food) * rules.core.food_price
    faults = []
    free = free_meals(rules, group) - len(upkeep.guests)
    if upkeep.hungry and (caps_left >= meal or free > 0):
        expected = expects("no-member-unfed", caps=caps_left, food=food, places=max(0, free))
        faults.append(Fault("/hungry", ", ".join(upkeep.hungry), expected, "FS-UPK-2"))
    if upkeep.centaurs_hungry and caps_left >= max(0, rules.core.centaur_food - food) * rules.core.food_price:
        expected = expects("no-centaur-unfed", caps=caps_left, food=food)
        faults.append(Fault("/centaurs_hungry", f"{upkeep.centaurs_hungry}", expected, "FS-UPK-2"))
    one_less = upkeep_bill(rules, group, replace(upkeep, neglected=upkeep.neglected[1:]))
    if upkeep.neglected and caps_left >= one_less.maintenance_caps - owed.maintenance_caps:
        expected = expects("no-member-neglected", caps=caps_left)
        faults.append(Fault("/neglected", ", ".join(upkeep.neglected), expected, "FS-UPK-2"))
    return faults


def affordable_upkeep(rules: Rules, group: Group) -> Upkeep:
    """Return an upkeep that feeds and maintains as many as the group can pay for, in roster order.

    Food comes before maintenance. Centaurs are left out before members.
    """

    def is_affordable(upkeep: Upkeep) -> bool:
        return upkeep_bill(rules, group, upkeep).caps <= group.caps

    upkeep = cheapest_upkeep(rules, group)
    if is_affordable(upkeep):
        return upkeep
    everyone = tuple(group.ids)
    eaters = everyone[len(upkeep.guests) :]
    hungry, centaurs_hungry = 0, 0
    upkeep = replace(upkeep, neglected=everyone)
    while not is_affordable(upkeep) and (hungry, centaurs_hungry) != (len(eaters), group.centaurs):
        if centaurs_hungry < group.centaurs:
            centaurs_hungry += 1
        else:
            hungry += 1
        unfed = eaters[len(eaters) - hungry :]
        upkeep = replace(cheapest_upkeep(rules, group, unfed, centaurs_hungry), neglected=everyone)
    while upkeep.neglected and is_affordable(replace(upkeep, neglected=upkeep.neglected[1:])):
        upkeep = replace(upkeep, neglected=upkeep.neglected[1:])
    return upkeep


HUNGER_CLAUSE = "FS-SPC-1"


def food_is_short(rules: Rules, group: Group) -> bool:
    """Return True if the group has less food than it must eat (FS-AMB-56)."""
    return surplus(rules, group) < 0


def fighters(rules: Rules, group: Group) -> tuple[str, str]:
    """Return the two members of the cannibal fight (FS-SPC-1, FS-DICE-4).

    They are the leader and the member worth least, or two who are worth equally little. `draw_fighters` must draw two
    if there are more than two equals. Raises ChoiceRefused before that draw, and if there is no member besides the
    leader.
    """
    least = _worth_least(rules, group)
    if len(least) == 1:
        return group.leader, least[0]
    if len(least) > 2:
        drawn = [id for id in (group.phase.pot if group.phase else ()) if id in least]
        fault = Fault("/winner", "nothing", expects("draw-fighters-first", members=least), HUNGER_CLAUSE)
        require([fault] if len(drawn) < len(least) else [], "who fights is not drawn")
        least = drawn
    return least[0], least[1]


def draw_fighters(rules: Rules, group: Group, draws: Draws) -> Events:
    """Draw the two members of the cannibal fight if more than two are worth equally little (FS-SPC-1, FS-DICE-4).

    Raises StepRefused or ChoiceRefused.
    """
    phase = in_step(group, "3")
    require(_faults_of_meal(rules, group, phase), "nobody is eaten")
    least = _worth_least(rules, group)
    due = len(least) > 2 and not set(least) <= set(phase.pot)
    fault = Fault("/members", ", ".join(least), expects("more-than-two-worth-least"), HUNGER_CLAUSE)
    require([] if due else [fault], "nobody is drawn")
    return [FightersDrawn(tuple(draw_lots(draws, f"pot of {group.id}", phase.round, least)))]


def _worth_least(rules: Rules, group: Group) -> list[str]:
    """Return the members worth least, by cost and experience, besides the leader. Raise ChoiceRefused if none."""
    others = [member for member in group.members if member.id != group.leader and not member.away]
    fault = Fault("/members", "nothing", expects("member-besides-leader"), HUNGER_CLAUSE)
    require([] if others else [fault], "there is nobody to eat")
    worth = {member.id: member_cost(rules, group, member) + member.xp for member in others}
    return [id for id in worth if worth[id] == min(worth.values())]


def eat_own(rules: Rules, group: Group, winner: str, draws: Draws) -> Events:
    """Eat a member after a cannibal fight at the table, once in a post-game phase.

    winner: one of the two `fighters`. It gets the experience of the kill and of the wounds it took. A beaten leader
        rolls an injury, and the winner leaves. Equipment stays.
    Raises StepRefused or ChoiceRefused. Source: FS-SPC-1, FS-XP-1, FS-AMB-56.
    """
    phase = in_step(group, "3")
    fed = rules.forces[group.force].special.cannibals
    require(_faults_of_meal(rules, group, phase), "nobody is eaten")
    first, second = fighters(rules, group)
    fault = Fault("/winner", winner, one_of([first, second]), HUNGER_CLAUSE)
    require([] if winner in (first, second) else [fault], "this member does not fight")
    loser = second if winner == first else first
    builder = DecisionBuilder(group)
    builder.record(CannibalFightResolved(second, first, winner == first))
    if loser == group.leader:
        remove_member(rules, builder, winner, "escaped", HUNGER_CLAUSE, draws, in_game=False)
        builder.record(InjuryDue(loser, HUNGER_CLAUSE), MembersSated(0, "own", HUNGER_CLAUSE))
        return builder.events
    earned = experience_of_kill(rules, attribute(rules, group, builder.member(loser), "W"))
    builder.record(*change_xp(rules, builder.group, winner, earned, "cannibal fight", HUNGER_CLAUSE))
    remove_member(rules, builder, loser, "eaten", HUNGER_CLAUSE, draws, in_game=False)
    builder.record(MembersSated(fed, "own", HUNGER_CLAUSE))
    return builder.events


def _faults_of_meal(rules: Rules, group: Group, phase: Phase) -> list[Fault]:
    """Return why no member can be eaten now (FS-SPC-1, FS-AMB-56)."""
    fed = rules.forces[group.force].special.cannibals
    faults = [] if fed else [Fault("/force", group.force, expects("cannibal-force"), HUNGER_CLAUSE)]
    if phase.ate_own or phase.paid:
        faults.append(Fault("/step", phase.step, expects("meal-once-before-upkeep"), HUNGER_CLAUSE))
    if rules.options.cannibals_when == "food_short" and not food_is_short(rules, group):
        expected = or_option(expects("shortage-of-food"), "fs.spc.cannibals_when=any_time")
        faults.append(Fault("/food", f"{group.clean + group.radiated}", expected, "FS-AMB-56"))
    return faults


def eat_blind(rules: Rules, group: Group, member: str, draws: Draws) -> Events:
    """Eat a blind member without a fight (FS-AMB-50). Raise StepRefused or ChoiceRefused."""
    phase = in_step(group, "3")
    special = rules.forces[group.force].special
    fed = special.cannibals or special.flesh_eaters
    known = known_member(group, member, "FS-AMB-50")
    fault = Fault("/member", member, expects("blind-member-to-eat"), "FS-AMB-50")
    require([] if fed and is_blind(rules, known) and not phase.paid else [fault], "this member is not eaten")
    builder = DecisionBuilder(group)
    remove_member(rules, builder, member, "eaten", "FS-AMB-50", draws, in_game=False)
    builder.record(MembersSated(fed, "blind", "FS-AMB-50"))
    return builder.events


def feast(rules: Rules, group: Group, rivals: Mapping[str, str], dead: Collection[str]) -> Events:
    """Feed members with killed human enemies, once (FS-SPC-2, FS-AMB-50).

    rivals: group -> its force. dead: rival members who died by the injury table, by the names that this group uses.
    With more than two groups in the game, a group eats only whom it took down itself, so that no one is eaten twice.
    Raises StepRefused or ChoiceRefused.
    """
    phase = in_step(group, "3")
    special, named = rules.forces[group.force].special, list(rivals)
    killed = list(dead) if rules.options.flesh_eaters_need == "dead_on_injury_table" else list(phase.played.took)
    if len(named) > 1 or phase.played.allies:
        killed = [name for name in killed if name in phase.played.took]
    human = [name for name in killed if _is_human(rules, rivals, name)]
    faults = [] if special.flesh_eaters else [Fault("/force", group.force, expects("flesh-eating-force"), "FS-SPC-2")]
    if not human:
        faults.append(Fault("/rival", ", ".join(rivals.values()), expects("killed-human-enemy"), "FS-SPC-2"))
    if phase.feasted or phase.paid:
        faults.append(Fault("/step", phase.step, expects("meal-once-before-upkeep"), "FS-SPC-2"))
    require(faults, "no enemy is eaten")
    return [MembersSated(special.flesh_eaters * len(human), "enemy", "FS-SPC-2")]


def _is_human(rules: Rules, rivals: Mapping[str, str], name: str) -> bool:
    force = rivals.get(rival_by_name(list(rivals), name)[0], "")
    return force in rules.forces and rules.forces[force].special.human


SALE_CLAUSE = "FS-UPK-8"


def emergency_sale(
    rules: Rules, group: Group, item: str, own: Thrown | None = None, merchant: Thrown | None = None
) -> Events:
    """Sell an item while the group cannot pay its upkeep.

    It is sold to the merchant who is always found, or for half its value, by option.
    own, merchant: a D6 of the leader and one of the merchant, if dice decide. The price cannot be declined.
    Raises StepRefused, ChoiceRefused or DiceRefused. Source: FS-UPK-8, FS-AMB-38.
    """
    phase = in_step(group, "3")
    owned, rule = group.item(item), rules.options.emergency_sale
    faults = [] if owned else [Fault("/item", item or "nothing", expects("item-of-group"), SALE_CLAUSE)]
    if rule == "none" or rules.forces[group.force].special.searches:
        expected = expects("sale-in-step", force=group.force, step="5")
        faults.append(Fault("/item", item or "nothing", expected, SALE_CLAUSE))
    owed = upkeep_bill(rules, group, cheapest_upkeep(rules, group)).caps
    if phase.paid or owed <= group.caps:
        expected = expects("unpaid-upkeep") if phase.paid else expects("less-than-upkeep", caps=owed)
        faults.append(Fault("/caps", f"{group.caps}", expected, SALE_CLAUSE))
    rolled = rule == "fixed_merchant_roll"
    for name, throw in (("own", own), ("merchant", merchant)):
        if rolled != bool(throw):
            faults.append(Fault(f"/{name}", faces_of(throw), dice_or_nothing("1D6" if rolled else ""), SALE_CLAUSE))
    if rolled:
        faults += faults_of_absence(group, group.leader)
    require(faults, "this cannot be sold now")
    assert owned is not None
    price = halve(base_value(rules, owned.good))
    if own is None or merchant is None:
        return [ItemLost(item, "sold", SALE_CLAUSE), CapsMoved(price, "sold", SALE_CLAUSE)]
    fixed = next(key for key, entry in rules.merchants.items() if not entry.find)
    totals = [seller_total(rules, group, group.leader, own, fixed), merchant_total(rules, fixed, merchant, SALE_CLAUSE)]
    price = max(0, price + totals[0].total - totals[1].total)
    rolls = totals[0].roll
    return [
        *totals,
        ItemLost(item, "sold", SALE_CLAUSE, totals[1].roll),
        CapsMoved(price, "sold", SALE_CLAUSE, rolls),
    ]


class Fight(Struct, frozen=True, forbid_unknown_fields=True):
    """winner: id of the member who won the cannibal fight."""

    winner: str


class FoodSold(Struct, frozen=True, forbid_unknown_fields=True):
    """food: `clean` or `radiated`. amount: units of surplus food to sell."""

    food: Food
    amount: int


def _eat_own(context: DecisionContext, args: Fight) -> Events:
    return eat_own(context.rules, context.group, args.winner, context.draws)


def _offer_fighters(context: DecisionContext) -> Iterator[Arguments]:
    """Either fighter may win. If no fight is possible yet, the offer for the leader shows why."""
    if not context.rules.forces[context.group.force].special.cannibals:
        return
    try:
        candidates: tuple[str, ...] = fighters(context.rules, context.group)
    except ChoiceRefused:
        candidates = (context.group.leader,)
    yield from ({"winner": id} for id in candidates)


def _offer_fighter_draw(context: DecisionContext) -> Iterator[Arguments]:
    if context.rules.forces[context.group.force].special.cannibals:
        yield {}


def _offer_blind_members(context: DecisionContext) -> Iterator[Arguments]:
    for member in context.group.members:
        if is_blind(context.rules, member):
            yield {"member": member.id}


def _feast(context: DecisionContext, args: Nothing) -> Events:
    in_step(context.group, "3")
    if not context.rivals:
        raise ChoiceRefused("nobody was met", [Fault("/rival", "nothing", expects("rival-of-round"), "FS-SPC-2")])
    dead = injury_deaths(context, context.rules.options.flesh_eaters_need)
    forces = {id: rival.force for id, rival in context.rivals_by_id.items()}
    return feast(context.rules, context.group, forces, dead)


def _offer_feast(context: DecisionContext) -> Iterator[Arguments]:
    if context.rivals and context.rules.forces[context.group.force].special.flesh_eaters:
        yield {}


def _emergency_sale(context: DecisionContext, args: OfItem) -> Events:
    in_step(context.group, "3")
    rolled = context.rules.options.emergency_sale == "fixed_merchant_roll"
    throws = [context.roll("1D6", f"FS-UPK-8 {roller}") for roller in ("seller", "merchant") if rolled]
    return emergency_sale(context.rules, context.group, args.item, *throws)


def _settle_upkeep(context: DecisionContext, args: Upkeep) -> Events:
    """Settle upkeep. Without arguments the group eats in the cheapest way and no one goes without (FS-UPK-1)."""
    plan = cheapest_upkeep(context.rules, context.group) if args == Upkeep() else args
    return settle_upkeep(context.rules, context.group, plan, context.draws)


def _offer_upkeep(context: DecisionContext) -> Iterator[Arguments]:
    """Yield the cheapest way; if the group cannot pay for all, the offer names those who go without."""
    plan = affordable_upkeep(context.rules, context.group)
    feeds_all = plan == cheapest_upkeep(context.rules, context.group)
    arguments = {} if feeds_all else to_builtins(plan)
    yield {name: [*value] if isinstance(value, tuple) else value for name, value in arguments.items()}


FOOD_CHOICES = (
    Choice(
        "draw_fighters",
        Nothing,
        lambda context, args: draw_fighters(context.rules, context.group, context.draws),
        ("3",),
        _offer_fighter_draw,
    ),
    Choice("eat_own", Fight, _eat_own, ("3",), _offer_fighters),
    Choice(
        "eat_blind",
        OfMember,
        lambda context, args: eat_blind(context.rules, context.group, args.member, context.draws),
        ("3",),
        _offer_blind_members,
    ),
    Choice("feast", Nothing, _feast, ("3",), _offer_feast),
    Choice(
        "sell_food",
        FoodSold,
        lambda context, args: sell_food(context.rules, context.group, args.food, args.amount),
        ("3",),
        lambda context: ({"food": food, "amount": 1} for food in get_args(Food)),
    ),
    Choice(
        "emergency_sale",
        OfItem,
        _emergency_sale,
        ("3",),
        lambda context: ({"item": item.id} for item in context.group.items),
    ),
    Choice("settle_upkeep", Upkeep, _settle_upkeep, ("3",), _offer_upkeep),
)
