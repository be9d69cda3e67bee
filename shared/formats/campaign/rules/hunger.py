"""Step 3, when food or caps are short. FS-SPC-1, FS-SPC-2, FS-AMB-50; equipment sold: FS-UPK-8, FS-AMB-38."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from shared.formats.campaign.rules.attributes import attribute, is_blind
from shared.formats.campaign.rules.decision_builder import DecisionBuilder
from shared.formats.campaign.rules.departures import remove
from shared.formats.campaign.rules.dice import Thrown, dice_or_nothing, faces_of, halved
from shared.formats.campaign.rules.experience import change_xp, experience_of_kill
from shared.formats.campaign.rules.income_outcomes import CapsMoved, ItemLost
from shared.formats.campaign.rules.options import or_option
from shared.formats.campaign.rules.outcomes import InjuryDue
from shared.formats.campaign.rules.prices import base_value, member_cost, merchant_total, seller_total
from shared.formats.campaign.rules.reported import rival_by_name
from shared.formats.campaign.rules.roster import Group, Phase
from shared.formats.campaign.rules.steps import faults_of_absence, in_step, known_member, require
from shared.formats.campaign.rules.tables import Rules
from shared.formats.campaign.rules.trade_outcomes import CannibalFightResolved, FightersDrawn, MembersSated
from shared.formats.campaign.rules.upkeep import bill, easiest, surplus
from shared.formats.campaign.rules.words import Events
from shared.refusals import Fault, expects, one_of
from shared.rules.draw import Draws, lots

CLAUSE = "FS-SPC-1"


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
        fault = Fault("/winner", "nothing", expects("draw-fighters-first", members=least), CLAUSE)
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
    fault = Fault("/members", ", ".join(least), expects("more-than-two-worth-least"), CLAUSE)
    require([] if due else [fault], "nobody is drawn")
    return [FightersDrawn(tuple(lots(draws, f"pot of {group.id}", phase.round, least)))]


def _worth_least(rules: Rules, group: Group) -> list[str]:
    """Return the members beside the leader with the least base cost and experience. Raises ChoiceRefused for none."""
    others = [member for member in group.members if member.id != group.leader and not member.away]
    fault = Fault("/members", "nothing", expects("member-besides-leader"), CLAUSE)
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
    fault = Fault("/winner", winner, one_of([first, second]), CLAUSE)
    require([] if winner in (first, second) else [fault], "this member does not fight")
    loser = second if winner == first else first
    builder = DecisionBuilder(group)
    builder.say(CannibalFightResolved(second, first, winner == first))
    if loser == group.leader:
        remove(rules, builder, winner, "escaped", CLAUSE, draws, in_game=False)
        builder.say(InjuryDue(loser, CLAUSE), MembersSated(0, "own", CLAUSE))
        return builder.events
    earned = experience_of_kill(rules, attribute(rules, group, builder.member(loser), "W"))
    builder.say(*change_xp(rules, builder.group, winner, earned, "cannibal fight", CLAUSE))
    remove(rules, builder, loser, "eaten", CLAUSE, draws, in_game=False)
    builder.say(MembersSated(fed, "own", CLAUSE))
    return builder.events


def _faults_of_meal(rules: Rules, group: Group, phase: Phase) -> list[Fault]:
    """Return why nobody goes into the pot now. FS-SPC-1, FS-AMB-56."""
    fed = rules.forces[group.force].special.cannibals
    faults = [] if fed else [Fault("/force", group.force, expects("cannibal-force"), CLAUSE)]
    if phase.ate_own or phase.paid:
        faults.append(Fault("/step", phase.step, expects("meal-once-before-upkeep"), CLAUSE))
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
    remove(rules, builder, member, "eaten", "FS-AMB-50", draws, in_game=False)
    builder.say(MembersSated(fed, "blind", "FS-AMB-50"))
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
    rules: Rules, group: Group, item: str, own: Thrown | None = None, merchant: Thrown | None = None
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
    owed = bill(rules, group, easiest(rules, group)).caps
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
    price = halved(base_value(rules, owned.good))
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
