"""Step 3, at its end: upkeep (FS-UPK), flesh and sales when food or caps are short (FS-SPC-1, FS-SPC-2), choices.

Everybody eats and is maintained, as far as food and caps go: FS-UPK-1 to FS-UPK-7, FS-AMB-50. Equipment is sold by
FS-UPK-8 and FS-AMB-38.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Literal, get_args

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from shared.campaign.dice import Throw, dice_or_nothing, faces_of, halve
from shared.campaign.experience import change_xp, experience_of_kill, injury_deaths
from shared.campaign.facts import rival_by_name
from shared.campaign.group import base_value, gain_rads, member_cost, merchant_total, remove_member, seller_total
from shared.campaign.outcomes import (
    CannibalFightResolved,
    CapsMoved,
    EquipmentMaintained,
    EquipmentNeglected,
    FightersDrawn,
    FoodMoved,
    InjuryDue,
    ItemLost,
    MemberFed,
    MembersSated,
    MemberWentHungry,
    RadsChanged,
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
from shared.campaign.words import CampaignEvent, ChoiceRefused, Events, Food
from shared.refusals import Fault, expects, one_of
from shared.rules.model import Draws, draw_lots


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
    return marts * halve(len(group.members)) + vault + phase.sated


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
        caps = halve(caps)
    caps += rules.options.centaur_caps * group.centaurs
    return Bill(units - radiated, radiated, bought, bought * rules.core.food_price, caps)


def cheapest_upkeep(rules: Rules, group: Group, hungry: tuple[str, ...] = (), centaurs_hungry: int = 0) -> Upkeep:
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


def affordable_upkeep(rules: Rules, group: Group) -> Upkeep:
    """Everybody fed and maintained as far as food and caps go: food first, then maintenance, in roster order.

    Centaurs are left out before members.
    """
    upkeep = cheapest_upkeep(rules, group)
    if bill(rules, group, upkeep).caps <= group.caps:
        return upkeep
    everybody, left_out = tuple(group.ids), (0, 0)
    eaters = everybody[len(upkeep.guests) :]
    upkeep = replace(upkeep, neglected=everybody)
    while bill(rules, group, upkeep).caps > group.caps and left_out != (len(eaters), group.centaurs):
        members, beasts = left_out
        left_out = (members, beasts + 1) if beasts < group.centaurs else (members + 1, beasts)
        hungry = eaters[len(eaters) - left_out[0] :]
        upkeep = replace(cheapest_upkeep(rules, group, hungry, left_out[1]), neglected=everybody)
    while upkeep.neglected and bill(rules, group, replace(upkeep, neglected=upkeep.neglected[1:])).caps <= group.caps:
        upkeep = replace(upkeep, neglected=upkeep.neglected[1:])
    return upkeep


HUNGER_CLAUSE = "FS-SPC-1"


def food_is_short(rules: Rules, group: Group) -> bool:
    """Whether the group owns less food than it has to eat. FS-AMB-56."""
    return surplus(rules, group) < 0


def fighters(rules: Rules, group: Group) -> tuple[str, str]:
    """Return who fights for the pot: the leader and the member who is worth least, or two who are worth equally little.

    Of more than two equals `draw_fighters` draws two before. Raises ChoiceRefused where it has not, and where nobody
    but the leader is there. Source: FS-SPC-1, FS-DICE-4.
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
    """Draw who fights for the pot, of more than two who are worth equally little. Raises StepRefused or ChoiceRefused.

    Source: FS-SPC-1, FS-DICE-4.
    """
    phase = in_step(group, "3")
    require(_faults_of_meal(rules, group, phase), "nobody is eaten")
    least = _worth_least(rules, group)
    due = len(least) > 2 and not set(least) <= set(phase.pot)
    fault = Fault("/members", ", ".join(least), expects("more-than-two-worth-least"), HUNGER_CLAUSE)
    require([] if due else [fault], "nobody is drawn")
    return [FightersDrawn(tuple(draw_lots(draws, f"pot of {group.id}", phase.round, least)))]


def _worth_least(rules: Rules, group: Group) -> list[str]:
    """Return the members beside the leader with the least base cost and experience. Raises ChoiceRefused for none."""
    others = [member for member in group.members if member.id != group.leader and not member.away]
    fault = Fault("/members", "nothing", expects("member-besides-leader"), HUNGER_CLAUSE)
    require([] if others else [fault], "there is nobody to eat")
    worth = {member.id: member_cost(rules, group, member) + member.xp for member in others}
    return [id for id in worth if worth[id] == min(worth.values())]


def eat_own(rules: Rules, group: Group, winner: str, draws: Draws) -> Events:
    """A member goes into the pot after a fight at the table, once in a post-game phase.

    winner: of the two `fighters`; it gets the experience of a kill and of the wounds that this took. A beaten leader
    rolls an injury and the other leaves. Equipment stays. Raises StepRefused or ChoiceRefused.
    Source: FS-SPC-1, FS-XP-1, FS-AMB-56.
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
    """Return why nobody goes into the pot now. FS-SPC-1, FS-AMB-56."""
    fed = rules.forces[group.force].special.cannibals
    faults = [] if fed else [Fault("/force", group.force, expects("cannibal-force"), HUNGER_CLAUSE)]
    if phase.ate_own or phase.paid:
        faults.append(Fault("/step", phase.step, expects("meal-once-before-upkeep"), HUNGER_CLAUSE))
    if rules.options.cannibals_when == "food_short" and not food_is_short(rules, group):
        expected = or_option(expects("shortage-of-food"), "fs.spc.cannibals_when=any_time")
        faults.append(Fault("/food", f"{group.clean + group.radiated}", expected, "FS-AMB-56"))
    return faults


def eat_blind(rules: Rules, group: Group, member: str, draws: Draws) -> Events:
    """A blind member is eaten without a fight. Raises StepRefused or ChoiceRefused. FS-AMB-50."""
    phase = in_step(group, "3")
    special = rules.forces[group.force].special
    fed = special.cannibals or special.flesh_eaters
    found = known_member(group, member, "FS-AMB-50")
    fault = Fault("/member", member, expects("blind-member-to-eat"), "FS-AMB-50")
    require([] if fed and is_blind(rules, found) and not phase.paid else [fault], "this member is not eaten")
    builder = DecisionBuilder(group)
    remove_member(rules, builder, member, "eaten", "FS-AMB-50", draws, in_game=False)
    builder.record(MembersSated(fed, "blind", "FS-AMB-50"))
    return builder.events


def feast(rules: Rules, group: Group, rivals: Mapping[str, str], dead: Collection[str]) -> Events:
    """Killed human enemies feed members, once. FS-SPC-2, FS-AMB-50.

    rivals: group -> its force. dead: those who died by the injury table, by the names that this group has for them.
    Where more than two groups played, a group eats whom it took down itself, so that nobody is eaten twice.
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


OF_SALE = "FS-UPK-8"


def emergency_sale(
    rules: Rules, group: Group, item: str, own: Throw | None = None, merchant: Throw | None = None
) -> Events:
    """An item for caps, while the group is short of them: against the merchant who is always found, or half its value.

    own, merchant: a D6 of the leader and one of the merchant, where dice decide; the price stands. Raises StepRefused,
    ChoiceRefused or DiceRefused.
    """
    phase = in_step(group, "3")
    owned, way = group.item(item), rules.options.emergency_sale
    faults = [] if owned else [Fault("/item", item or "nothing", expects("item-of-group"), OF_SALE)]
    if way == "none" or rules.forces[group.force].special.searches:
        expected = expects("sale-in-step", force=group.force, step="5")
        faults.append(Fault("/item", item or "nothing", expected, OF_SALE))
    owed = bill(rules, group, cheapest_upkeep(rules, group)).caps
    if phase.paid or owed <= group.caps:
        expected = expects("unpaid-upkeep") if phase.paid else expects("less-than-upkeep", caps=owed)
        faults.append(Fault("/caps", f"{group.caps}", expected, OF_SALE))
    rolled = way == "fixed_merchant_roll"
    for name, thrown in (("own", own), ("merchant", merchant)):
        if rolled != bool(thrown):
            faults.append(Fault(f"/{name}", faces_of(thrown), dice_or_nothing("1D6" if rolled else ""), OF_SALE))
    if rolled:
        faults += faults_of_absence(group, group.leader)
    require(faults, "this cannot be sold now")
    assert owned is not None
    price = halve(base_value(rules, owned.good))
    if own is None or merchant is None:
        return [ItemLost(item, "sold", OF_SALE), CapsMoved(price, "sold", OF_SALE)]
    fixed = next(key for key, told in rules.merchants.items() if not told.find)
    totals = [seller_total(rules, group, group.leader, own, fixed), merchant_total(rules, fixed, merchant, OF_SALE)]
    price = max(0, price + totals[0].total - totals[1].total)
    rolls = totals[0].roll
    return [
        *totals,
        ItemLost(item, "sold", OF_SALE, totals[1].roll),
        CapsMoved(price, "sold", OF_SALE, rolls),
    ]


class Fight(Struct, frozen=True, forbid_unknown_fields=True):
    """Who won the fight for the pot."""

    winner: str


class FoodSold(Struct, frozen=True, forbid_unknown_fields=True):
    """Surplus food."""

    food: Food
    amount: int


def _eat_own(context: DecisionContext, args: Fight) -> Events:
    return eat_own(context.rules, context.group, args.winner, context.draws)


def _fighters(context: DecisionContext) -> Iterator[Arguments]:
    """Either may win; where nobody can fight yet, the leader shows why not."""
    if not context.rules.forces[context.group.force].special.cannibals:
        return
    try:
        able: tuple[str, ...] = fighters(context.rules, context.group)
    except ChoiceRefused:
        able = (context.group.leader,)
    yield from ({"winner": id} for id in able)


def _undrawn(context: DecisionContext) -> Iterator[Arguments]:
    if context.rules.forces[context.group.force].special.cannibals:
        yield {}


def _blind(context: DecisionContext) -> Iterator[Arguments]:
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


def _enemies(context: DecisionContext) -> Iterator[Arguments]:
    if context.rivals and context.rules.forces[context.group.force].special.flesh_eaters:
        yield {}


def _emergency_sale(context: DecisionContext, args: OfItem) -> Events:
    in_step(context.group, "3")
    rolled = context.rules.options.emergency_sale == "fixed_merchant_roll"
    throws = [context.roll("1D6", f"FS-UPK-8 {who}") for who in ("seller", "merchant") if rolled]
    return emergency_sale(context.rules, context.group, args.item, *throws)


def _settle(context: DecisionContext, args: Upkeep) -> Events:
    """Who says nothing of how the group eats eats in the easiest way, and nobody goes without. FS-UPK-1."""
    plan = cheapest_upkeep(context.rules, context.group) if args == Upkeep() else args
    return settle_upkeep(context.rules, context.group, plan, context.draws)


def _meals(context: DecisionContext) -> Iterator[Arguments]:
    """The easiest way; a group that cannot pay for everybody names who goes without."""
    plan = affordable_upkeep(context.rules, context.group)
    everybody = plan == cheapest_upkeep(context.rules, context.group)
    told = {} if everybody else to_builtins(plan)
    yield {name: [*value] if isinstance(value, tuple) else value for name, value in told.items()}


def _units(context: DecisionContext, events: Sequence[CampaignEvent], member: str) -> int:
    """Units of radiated food that a member ate: as its rads say where each unit is one, else one at least."""
    if context.rules.options.radiated_food == "per_eater":
        return 1
    changed = (event for event in events if isinstance(event, RadsChanged) and event.member == member)
    return next((event.amount for event in changed), 1)


FOOD_CHOICES = (
    Choice(
        "draw_fighters",
        Nothing,
        lambda context, args: draw_fighters(context.rules, context.group, context.draws),
        ("3",),
        _undrawn,
    ),
    Choice("eat_own", Fight, _eat_own, ("3",), _fighters),
    Choice(
        "eat_blind",
        OfMember,
        lambda context, args: eat_blind(context.rules, context.group, args.member, context.draws),
        ("3",),
        _blind,
    ),
    Choice("feast", Nothing, _feast, ("3",), _enemies),
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
    Choice("settle_upkeep", Upkeep, _settle, ("3",), _meals),
)
