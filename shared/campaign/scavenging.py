"""Step 3: scavenging and visits to turfs (FS-SCV, FS-TRF-2, FS-VIS-1); step 5: searches of buildings (FS-SPC-5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import Struct

from shared.campaign import encounters, tables
from shared.campaign.dice import DieRolled, Thrown, dice_or_nothing, faces_of, halve, read_throw
from shared.campaign.encounters import Meeting
from shared.campaign.group import base_value
from shared.campaign.outcomes import InjuryDue, RerollGained
from shared.campaign.post_game_outcomes import (
    BuildingSearched,
    CapsMoved,
    CentaurJoined,
    EncounterMet,
    FoodMoved,
    ItemLost,
    MemberActed,
    NothingFound,
    ScavengingOpened,
    ScavengingRolled,
)
from shared.campaign.rewards import turf_of, visit_dice, visit_yield
from shared.campaign.roster import Activity, Group, OpenFind, Phase, has_perk
from shared.campaign.steps import (
    NAMES,
    Arguments,
    Choice,
    DecisionBuilder,
    DecisionContext,
    Left,
    OfMember,
    faults_of_absence,
    faults_of_activity,
    gain,
    in_step,
    known_member,
    pay,
    require,
)
from shared.campaign.tables import Find, Rules, Turf, or_option
from shared.campaign.words import WEAPONS, ChoiceRefused, Events
from shared.refusals import Fault, expects, one_of
from shared.rules.model import Draws, draw_lots

SCAVENGING_CLAUSE = "FS-SCV-1"
AMOUNT_PURPOSE = "FS-SCV-1 find"
"""Purpose of the dice that a row of the table asks for."""


def faults_of_outing(rules: Rules, group: Group, member: str, activity: Activity) -> Iterator[Fault]:
    """Yield faults if a member cannot scavenge or visit a turf now (FS-SCV-1, FS-VIS-1, FS-AMB-34)."""
    phase = in_step(group, "3")
    yield from faults_of_activity(rules, group, member, activity)
    if phase.paid:
        yield Fault("/step", phase.step, expects("before-upkeep"), "FS-UPK-1")
    if rules.options.scavenge_who == "participants" and member not in phase.played.fielded:
        expected = or_option(expects("member-who-played"), "fs.scavenge.who=all_living")
        yield Fault(f"/members/{member}", member, expected, SCAVENGING_CLAUSE)


def shifts(rules: Rules, group: Group, member: str) -> range:
    """Return by how many faces a member may shift its own result (FS-SCV-2)."""
    known = known_member(group, member, "FS-SCV-2")
    most = max(
        (perk.shift for key, perk in rules.advancement.perks.items() if has_perk(rules, group, known, key)), default=0
    )
    return range(-most, most + 1)


def may_shift(rules: Rules, group: Group, member: str) -> bool:
    """Return True if a member may shift its die after the roll (FS-SCV-2)."""
    return group.member(member) is not None and len(shifts(rules, group, member)) > 1


def scavenge(
    rules: Rules,
    group: Group,
    member: str,
    first: Thrown,
    second: Thrown | None = None,
    *,
    good: str = "",
    free: bool = False,
) -> Events:
    """Scavenge with a member.

    first: the D12. second: the dice that its row asks for (`second_dice`), if any.
    good: the pistol to find, if the option leaves it to the player; otherwise the printed one.
    free: the roll is a reward, in addition to the member's own activity.
    A member who may shift the die makes the first roll only; the find waits for `shift_find`.
    Raises StepRefused, ChoiceRefused or DiceRefused. Source: FS-SCV-1, FS-SCV-2.
    """
    phase = in_step(group, "3")
    if free:
        fault = Fault("/free", "true", expects("reward-with-free-roll"), "FS-GAM-10")
        require([] if phase.extra_finds else [fault], "no free roll is left")
        require(faults_of_absence(group, member), "this member cannot")
    else:
        require(faults_of_outing(rules, group, member, "scavenged"), f"{member} cannot scavenge")
    rows = rules.finds.scavenging
    rolled = read_throw(first, "1D12", SCAVENGING_CLAUSE, table="scavenging", rows=rows, member=member)
    row = find_at(rules, rolled.total)
    waits = may_shift(rules, group, member)
    builder = DecisionBuilder(group)
    if waits:
        fault = Fault("/second", faces_of(second), expects("nothing-before-shift-find"), "FS-SCV-2")
        require([fault] if second else [], "the die may still be moved")
        builder.record(rolled, ScavengingOpened(member, rolled.roll, rolled.total, good, free))
    else:
        builder.record(rolled, ScavengingRolled(member, row.finds, rolled.roll, free))
    if not free:
        builder.record(MemberActed(member, "scavenged", roll=rolled.roll))
        _bonus_food(rules, builder)
    if not waits:
        _find(rules, builder, member, row, second, rolled.roll, good)
    return builder.events


def shift_find(rules: Rules, group: Group, member: str, shift: int, second: Thrown | None = None) -> Events:
    """Settle the find of a member who may shift its die; a shift of 0 keeps the face.

    second: the dice that the row asks for, if any. Raises StepRefused, ChoiceRefused or DiceRefused. Source: FS-SCV-2.
    """
    in_step(group, "3")
    open = open_find(group, member)
    fault = Fault("/member", member, expects("member-with-open-find"), "FS-SCV-2")
    require([] if open else [fault], "there is nothing to move")
    assert open is not None
    legal = shifts(rules, group, member)
    fault = Fault("/shift", f"{shift}", expects("between", least=legal[0], most=legal[-1]), "FS-SCV-2")
    require([] if shift in legal else [fault], "the result cannot be moved so far")
    row = find_at(rules, open.face + shift)
    builder = DecisionBuilder(group)
    builder.record(ScavengingRolled(member, row.finds, open.roll, open.free, shift))
    _find(rules, builder, member, row, second, open.roll, open.good)
    return builder.events


def open_find(group: Group, member: str) -> OpenFind | None:
    """Return the scavenging result of a member that waits for its owner, if any."""
    waiting = group.phase.open_finds if group.phase else ()
    return next((open for open in waiting if open.member == member), None)


def find_at(rules: Rules, total: int) -> Find:
    """Return the row of a result. A result shifted beyond the table stays at its end (FS-SCV-2)."""
    rows = rules.finds.scavenging
    limited = max(rows[0].least, min(rows[-1].most, total))
    return next(row for row in rows if row.least <= limited <= row.most)


def _find(
    rules: Rules, builder: DecisionBuilder, member: str, row: Find, second: Thrown | None, roll: str, good: str
) -> None:
    """Give the find of a row. roll: id of the D12."""
    dice = second_dice(row, builder.phase, member)
    fault = Fault("/second", faces_of(second), dice_or_nothing(dice), SCAVENGING_CLAUSE)
    require([fault] if bool(dice) != bool(second) else [], f"this result asks for {dice or 'nothing more'}")
    if second is None:
        builder.record(EncounterMet(member, roll))
    elif row.finds == "special":
        _special(rules, builder, member, second, good)
    else:
        amount = read_throw(second, dice, SCAVENGING_CLAUSE, member=member)
        builder.record(amount)
        if row.finds == "food" and row.food:
            builder.record(FoodMoved(row.food, amount.total, "scavenging", SCAVENGING_CLAUSE, amount.roll))
        else:
            builder.record(CapsMoved(amount.total, "scavenging", SCAVENGING_CLAUSE, amount.roll))


def second_dice(row: Find, phase: Phase, member: str) -> str:
    """Return the dice that a row asks for; empty for an encounter. A member taken down in the game has other dice."""
    deeds = phase.played.deeds(member)
    down = deeds is not None and deeds.down is not None
    return "1D12" if row.finds == "special" else (row.downed if down else row.amount)


def _bonus_food(rules: Rules, builder: DecisionBuilder) -> None:
    """Give clean food for each full complement of scavenging members, in a force that has this rule (FS-SCV-2)."""
    per = rules.forces[builder.group.force].special.bonus_food_per
    if per and sum("scavenged" in activities for activities in builder.phase.acted.values()) % per == 0:
        builder.record(FoodMoved("clean", 1, "looters", "FS-SCV-2"))


def pistols_of_choice(rules: Rules) -> list[str]:
    """Return the pistols that a player may name before the roll, if the option allows it (FS-AMB-35)."""
    if rules.options.pistol_item != "any_pistol_of_choice":
        return []
    return [key for key, good in rules.goods.items() if "pistol" in good.tags]


def _special(rules: Rules, builder: DecisionBuilder, member: str, throw: Thrown, good: str) -> None:
    """Give a special find, for a twelve (FS-AMB-35)."""
    rolled: DieRolled = read_throw(
        throw, "1D12", SCAVENGING_CLAUSE, table="special", rows=rules.finds.special, member=member
    )
    row = next(row for row in rules.finds.special if row.least <= rolled.total <= row.most)
    item = rules.options.club_item if row.choice == "club" else row.item
    if row.choice == "pistol" and good in pistols_of_choice(rules):
        item = good
    builder.record(rolled)
    builder.record(*gain(builder.group, [item], "scavenging", SCAVENGING_CLAUSE, rolled.roll))


SEARCH_CLAUSE = "FS-SPC-5"


def search_building(rules: Rules, group: Group, searchers: Sequence[str], throw: Thrown, draws: Draws) -> Events:
    """Search a building with a full pair of members (FS-SPC-5, FS-AMB-57).

    A trap hurts one of them, by lot. A Centaur beyond the limit is not kept.
    Raises StepRefused, ChoiceRefused or DiceRefused.
    """
    phase = in_step(group, "5")
    number = rules.forces[group.force].special.searches
    faults = [] if number else [Fault("/force", group.force, expects("force-that-searches"), SEARCH_CLAUSE)]
    if len(set(searchers)) != number or len(searchers) != number:
        expected = expects("different-members", number=number)
        faults.append(Fault("/searchers", ", ".join(searchers) or "nothing", expected, SEARCH_CLAUSE))
    for id in searchers:
        faults += faults_of_activity(rules, group, id, "searched")
    require(faults, "no building is searched so")
    rows = rules.finds.buildings
    rolled = read_throw(throw, "2D12", SEARCH_CLAUSE, table="buildings", rows=rows)
    row = next(row for row in rows if row.least <= rolled.total <= row.most)
    builder = DecisionBuilder(group)
    builder.record(rolled, BuildingSearched(tuple(searchers), row.item or row.finds, rolled.roll))
    builder.record(*(MemberActed(id, "searched", roll=rolled.roll) for id in searchers))
    if row.finds == "item":
        builder.record(*gain(builder.group, [row.item], "searched", SEARCH_CLAUSE, rolled.roll))
    elif row.finds == "centaur" and group.centaurs < rules.core.centaurs_most:
        builder.record(CentaurJoined(rolled.roll))
    elif row.finds == "trap":
        order = [id for id in group.ids if id in searchers]
        victim = draw_lots(draws, f"trap {phase.searches + 1} of {group.id}", phase.round, order)[0]
        builder.record(InjuryDue(victim, SEARCH_CLAUSE))
    return builder.events


VISIT_CLAUSE = "FS-TRF-2"


def visit_choices(rules: Rules, group: Group, turf: Turf) -> list[str]:
    """Return the ways to visit a turf, declared before the roll: income or an alternative (FS-VIS-1)."""
    if turf.feature.yields:
        has_schematic = any(rules.goods[item.good].schematic_for == turf.feature.becomes for item in group.items)
        return ["sell", "keep", "build"] if has_schematic else ["sell", "keep"]
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
    """Visit a turf of the group. Each turf may be visited once in a phase.

    turf: id of the turf. throws: the dice that the choice asks for.
    choice: declared before the roll, if there is one (`visit_choices`). good: the good to find or buy.
    Raises StepRefused, ChoiceRefused, DiceRefused or BalanceTooLow.
    """
    phase = in_step(group, "3")
    owned = next((owned for owned in group.turfs if owned.id == turf), None)
    require(
        [] if owned else [Fault("/turf", turf or "nothing", expects("turf-of-group"), VISIT_CLAUSE)], "no such turf"
    )
    assert owned is not None
    entry = turf_of(rules, owned.turf)
    faults = list(faults_of_outing(rules, group, member, "visited_turf"))
    if turf in phase.visited:
        faults.append(Fault("/turf", turf or "nothing", expects("each-turf-once"), VISIT_CLAUSE))
    if not entry.visited and not (entry.feature.feeds and rules.options.super_duper_mart == "needs_visit"):
        faults.append(Fault("/turf", turf or "nothing", expects("turf-for-visitors"), VISIT_CLAUSE))
    legal = visit_choices(rules, group, entry)
    declared = choice or legal[0]
    if declared not in legal:
        faults.append(Fault("/choice", declared or "nothing", one_of(legal), "FS-VIS-1"))
    require(faults, f"{member} cannot visit {entry.name} so")
    builder = DecisionBuilder(group)
    builder.record(MemberActed(member, "visited_turf", turf))
    if declared == "income":
        _income(rules, builder, entry, throws, member)
    elif declared == "sell":
        rolled = read_throw(
            _single_throw(throws, entry.feature.sells), entry.feature.sells, VISIT_CLAUSE, member=member
        )
        builder.record(rolled, CapsMoved(rolled.total, entry.turf, VISIT_CLAUSE, rolled.roll))
    elif declared == "keep":
        _single_throw(throws, "")
        builder.record(*gain(builder.group, [entry.feature.yields], entry.turf, VISIT_CLAUSE))
    elif declared == "build":
        _single_throw(throws, "")
        builder.record(*gain(builder.group, [entry.feature.becomes], entry.turf, VISIT_CLAUSE))
    elif declared == "invention":
        _invention(rules, builder, entry, throws, member, good)
    else:
        _half_price(rules, builder, entry, throws, good)
    if entry.feature.rerolls and rules.options.doctor_reroll == "needs_visit":
        builder.record(RerollGained(entry.feature.rerolls))
    return builder.events


def spend_kept(rules: Rules, group: Group, item: str, choice: str, throw: Thrown | None = None) -> Events:
    """Sell an item kept at a turf or make it into another, in any step, as its visitor could have (FS-TRF-2).

    choice: `sell`, by the dice of the turf, or `build`, with the schematic.
    Raises StepRefused, ChoiceRefused or DiceRefused.
    """
    in_step(group, *NAMES)
    owned = group.item(item)
    turf = kept_at(rules, owned.good) if owned else None
    fault = Fault("/item", owned.good if owned else item or "nothing", expects("item-kept-at-turf"), VISIT_CLAUSE)
    require([] if turf else [fault], "this is not sold or made into anything")
    assert turf is not None
    legal = [way for way in visit_choices(rules, group, turf) if way != "keep"]
    require([] if choice in legal else [Fault("/choice", choice or "nothing", one_of(legal), VISIT_CLAUSE)], "not so")
    throws = [throw] if throw else []
    builder = DecisionBuilder(group)
    if choice == "build":
        _single_throw(throws, "")
        builder.record(ItemLost(item, "made into something", VISIT_CLAUSE))
        builder.record(*gain(builder.group, [turf.feature.becomes], turf.turf, VISIT_CLAUSE))
        return builder.events
    rolled = read_throw(_single_throw(throws, turf.feature.sells), turf.feature.sells, VISIT_CLAUSE)
    builder.record(rolled, ItemLost(item, "sold", VISIT_CLAUSE, rolled.roll))
    builder.record(CapsMoved(rolled.total, turf.turf, VISIT_CLAUSE, rolled.roll))
    return builder.events


def kept_at(rules: Rules, good: str) -> Turf | None:
    """Return the turf that yields this good for keeping, if any."""
    return next((turf for turf in rules.turfs if turf.feature.yields == good), None)


def _income(rules: Rules, builder: DecisionBuilder, turf: Turf, throws: Sequence[Thrown], member: str) -> None:
    result = visit_yield(rules, turf, throws, member)
    builder.record(*result.rolls)
    rolls = {roll.expression: roll.roll for roll in result.rolls}
    if result.caps:
        builder.record(CapsMoved(result.caps, turf.turf, VISIT_CLAUSE, rolls.get(turf.caps, "")))
    if result.food:
        builder.record(FoodMoved("clean", result.food, turf.turf, VISIT_CLAUSE, rolls.get(turf.food, "")))
    if result.item:
        builder.record(*gain(builder.group, [result.item], turf.turf, VISIT_CLAUSE, rolls.get(turf.caps, "")))


def _invention(
    rules: Rules, builder: DecisionBuilder, turf: Turf, throws: Sequence[Thrown], member: str, good: str
) -> None:
    """Find a pistol or small gun of the force's list, named before the roll, or nothing."""
    listed = [
        key
        for key in rules.forces[builder.group.force].goods
        if rules.goods[key].kind == "small_gun" or "pistol" in rules.goods[key].tags
    ]
    require([] if good in listed else [_fault_of_list(rules, good, listed)], "a pistol or small gun of the own list")
    rolled = read_throw(_single_throw(throws, "1D12"), "1D12", VISIT_CLAUSE, member=member)
    builder.record(rolled)
    if rolled.total > turf.invention_until:
        builder.record(NothingFound(member, VISIT_CLAUSE, rolled.roll))
        return
    builder.record(*gain(builder.group, [good], turf.turf, VISIT_CLAUSE, rolled.roll))


def _half_price(rules: Rules, builder: DecisionBuilder, turf: Turf, throws: Sequence[Thrown], good: str) -> None:
    """Buy a weapon of the force's list at half price, but no Big Gun."""
    _single_throw(throws, "")
    listed = [
        key
        for key in rules.forces[builder.group.force].goods
        if rules.goods[key].kind in WEAPONS and rules.goods[key].kind != "big_gun"
    ]
    require([] if good in listed else [_fault_of_list(rules, good, listed)], "a weapon of the own list, not a Big Gun")
    price = halve(base_value(rules, good))
    builder.record(pay(builder.group, price, turf.turf, VISIT_CLAUSE))
    builder.record(*gain(builder.group, [good], turf.turf, VISIT_CLAUSE, paid=price))


def _fault_of_list(rules: Rules, good: str, listed: list[str]) -> Fault:
    return Fault("/good", good or "nothing", tables.one_of(tables.goods(rules), listed), VISIT_CLAUSE)


def _single_throw(throws: Sequence[Thrown], dice: str) -> Thrown:
    """Return the single required throw, or an empty one if no dice are required. Raises ChoiceRefused."""
    fault = Fault("/rolls", f"{len(throws)}", dice_or_nothing(dice), VISIT_CLAUSE)
    require([fault] if len(throws) != bool(dice) else [], f"this choice asks for {dice or 'no dice'}")
    return throws[0] if throws else Thrown("", ())


class Scavenging(Struct, frozen=True, forbid_unknown_fields=True):
    """member: id of the member. good: the pistol to find, if the option allows it. free: use a free roll."""

    member: str
    good: str = ""
    free: bool = False


class Shift(Struct, frozen=True, forbid_unknown_fields=True):
    """member: id of the member whose die may be shifted. shift: by how many faces; 0 keeps the face (FS-SCV-2)."""

    member: str
    shift: int = 0


class Visiting(Struct, frozen=True, forbid_unknown_fields=True):
    """member: id of the visitor. turf: id of the turf. choice, good: declared before the roll."""

    member: str
    turf: str
    choice: str = ""
    good: str = ""


class Spending(Struct, frozen=True, forbid_unknown_fields=True):
    """item: id of an item kept at a turf. choice: `sell`, or `build` with the schematic."""

    item: str
    choice: Literal["sell", "build"]


def _scavenge(context: DecisionContext, args: Scavenging) -> Events:
    phase = in_step(context.group, "3")
    pistols = pistols_of_choice(context.rules)
    if args.good and args.good not in pistols:
        names = tables.one_of(tables.goods(context.rules), pistols)
        expected = names if pistols else expects("find-by-table")
        raise ChoiceRefused(
            "no such pistol is found", [Fault("/of/good", args.good or "nothing", expected, "FS-AMB-35")]
        )
    first = context.roll("1D12", "FS-SCV-1", args.member)
    second = None
    if first.dice and not may_shift(context.rules, context.group, args.member):
        row = find_at(context.rules, first.dice[0].natural)
        dice = second_dice(row, phase, args.member)
        second = context.roll(dice, AMOUNT_PURPOSE, args.member) if dice else None
    return scavenge(context.rules, context.group, args.member, first, second, good=args.good, free=args.free)


def _offer_scavenging(context: DecisionContext) -> Iterator[Arguments]:
    for id in context.group.ids:
        yield {"member": id}
        if context.phase.extra_finds:
            yield {"member": id, "free": True}


def _shift(context: DecisionContext, args: Shift) -> Events:
    phase = in_step(context.group, "3")
    open = open_find(context.group, args.member)
    legal = open is not None and args.shift in shifts(context.rules, context.group, args.member)
    row = find_at(context.rules, open.face + args.shift) if open is not None and legal else None
    dice = second_dice(row, phase, args.member) if row is not None else ""
    second = context.roll(dice, AMOUNT_PURPOSE, args.member) if dice else None
    return shift_find(context.rules, context.group, args.member, args.shift, second)


def _offer_shifts(context: DecisionContext) -> Iterator[Arguments]:
    for id in context.group.ids:
        if open_find(context.group, id):
            for shift in sorted(shifts(context.rules, context.group, id), key=abs):
                yield {"member": id, "shift": shift}


def _offer_draws(context: DecisionContext) -> Iterator[Arguments]:
    yield from ({"member": id} for id in context.phase.encounters)


def _offer_endings(context: DecisionContext) -> Iterator[Arguments]:
    """Yield the ways in which an encounter can have ended (FS-SCV-1, FS-ENC-4)."""
    for member in context.phase.encounters:
        for key, card in context.rules.encounters.cards.items():
            least, most = encounters.span_of(card)
            if card.treasure:
                yield {"member": member, "ending": "searched", "met": key}
            elif card.joins:
                yield {"member": member, "ending": "slaves_met", "met": key}
            else:
                for number in range(least, most + 1):
                    yield {"member": member, "ending": "creatures_killed", "met": key, "number": number}
        for ending in ("member_killed", "escaped"):
            yield from _offer_fights(context, member, ending)
        yield {"member": member, "ending": "member_killed"}
        yield {"member": member, "ending": "escaped"}


def _offer_fights(context: DecisionContext, member: str, ending: str) -> Iterator[Arguments]:
    """Yield every number of creatures that a member may have fought without killing them all (FS-ENC-5)."""
    for key, card in context.rules.encounters.cards.items():
        if card.wounds:
            least, most = encounters.span_of(card)
            yield from (
                {"member": member, "ending": ending, "met": key, "number": number} for number in range(least, most + 1)
            )


def _visit(context: DecisionContext, args: Visiting) -> Events:
    in_step(context.group, "3")
    throws = [context.roll(dice, "FS-TRF-2", args.member) for dice in _dice_of_visit(context, args)]
    return visit_turf(context.rules, context.group, args.member, args.turf, throws, choice=args.choice, good=args.good)


def _dice_of_visit(context: DecisionContext, args: Visiting) -> Sequence[str]:
    """Return the dice that a visit asks for; none if the visit is refused anyway."""
    owned = next((owned for owned in context.group.turfs if owned.id == args.turf), None)
    if owned is None:
        return ()
    turf = turf_of(context.rules, owned.turf)
    match args.choice or visit_choices(context.rules, context.group, turf)[0]:
        case "income":
            return visit_dice(turf)
        case "sell" if turf.feature.sells:
            return (turf.feature.sells,)
        case "invention":
            return ("1D12",)
    return ()


def _offer_visits(context: DecisionContext) -> Iterator[Arguments]:
    for id in context.group.ids:
        for owned in context.group.turfs:
            yield from _ways_to_visit(context, id, owned.id)


def _ways_to_visit(context: DecisionContext, member: str, turf: str) -> Iterator[Arguments]:
    """Yield the declarations of a visitor: the choice, and a good if one is chosen."""
    kind = next((owned.turf for owned in context.group.turfs if owned.id == turf), "")
    for choice in visit_choices(context.rules, context.group, turf_of(context.rules, kind)) if kind else ():
        visit = {"member": member, "turf": turf, "choice": choice}
        if choice in ("income", "sell", "build", "keep"):
            yield visit
        else:
            goods = context.rules.forces[context.group.force].goods
            yield from ({**visit, "good": good} for good in goods)


def _spend(context: DecisionContext, args: Spending) -> Events:
    owned = context.group.item(args.item)
    turf = kept_at(context.rules, owned.good) if owned else None
    throw = context.roll(turf.feature.sells, "FS-TRF-2", args.item) if turf and args.choice == "sell" else None
    return spend_kept(context.rules, context.group, args.item, args.choice, throw)


def _offer_kept_items(context: DecisionContext) -> Iterator[Arguments]:
    for item in context.group.items:
        if kept_at(context.rules, item.good):
            yield from ({"item": item.id, "choice": choice} for choice in ("sell", "build"))


def _leave_scavenging(args: Arguments) -> Left:
    """Return the free roll (FS-GAM-10), or the member who stays idle (FS-SCV-1, FS-VIS-1)."""
    if args.get("free"):
        return Left("scavenge", {"free": True}, "FS-GAM-10", won=True)
    return Left("scavenge", {"member": args["member"]}, "FS-SCV-1")


SCAVENGING_CHOICES = (
    Choice("spend_kept", Spending, _spend, tuple(NAMES), _offer_kept_items),
    Choice(
        "scavenge",
        Scavenging,
        _scavenge,
        ("3",),
        _offer_scavenging,
        known=1,
        leaves=_leave_scavenging,
        ends="settle_upkeep",
    ),
    Choice("shift_find", Shift, _shift, ("3",), _offer_shifts),
    Choice("visit_turf", Visiting, _visit, ("3",), _offer_visits),
    Choice(
        "draw_encounter",
        OfMember,
        lambda context, args: encounters.draw_encounter(context.rules, context.group, args.member, context.draws),
        ("3",),
        _offer_draws,
    ),
    Choice(
        "resolve_encounter",
        Meeting,
        lambda context, args: encounters.resolve_encounter(context.rules, context.group, args, context.roll),
        ("3",),
        _offer_endings,
        known=1,
    ),
)
