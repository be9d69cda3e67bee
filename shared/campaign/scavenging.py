"""What members find: in the wasteland, with its creatures; in buildings (step 5). FS-SCV-1, FS-SCV-2, FS-SPC-5."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from shared.formats.campaign.rules.attributes import has_perk
from shared.formats.campaign.rules.decision_builder import DecisionBuilder, gain
from shared.formats.campaign.rules.dice import DieRolled, Thrown, dice_or_nothing, faces_of, read_throw
from shared.formats.campaign.rules.income_outcomes import (
    CapsMoved,
    EncounterMet,
    FoodMoved,
    MemberActed,
    ScavengingOpened,
    ScavengingRolled,
)
from shared.formats.campaign.rules.options import or_option
from shared.formats.campaign.rules.outcomes import InjuryDue
from shared.formats.campaign.rules.roster import Activity, Group, OpenFind, Phase
from shared.formats.campaign.rules.steps import faults_of_absence, faults_of_activity, in_step, known_member, require
from shared.formats.campaign.rules.tables import Find, Rules
from shared.formats.campaign.rules.trade_outcomes import BuildingSearched, CentaurJoined
from shared.formats.campaign.rules.words import Events
from shared.refusals import Fault, expects
from shared.rules.draw import Draws, lots

CLAUSE = "FS-SCV-1"
SECOND = "FS-SCV-1 find"
"""Purpose of the dice that a row of the table asks for."""


def faults_of_outing(rules: Rules, group: Group, member: str, activity: Activity) -> Iterator[Fault]:
    """Why a member cannot scavenge or visit a turf now. FS-SCV-1, FS-VIS-1, FS-AMB-34."""
    phase = in_step(group, "3")
    yield from faults_of_activity(rules, group, member, activity)
    if phase.paid:
        yield Fault("/step", phase.step, expects("before-upkeep"), "FS-UPK-1")
    if rules.options.scavenge_who == "participants" and member not in phase.played.fielded:
        expected = or_option(expects("member-who-played"), "fs.scavenge.who=all_living")
        yield Fault(f"/members/{member}", member, expected, CLAUSE)


def shifts(rules: Rules, group: Group, member: str) -> range:
    """By how much a member may move its own result. FS-SCV-2."""
    found = known_member(group, member, "FS-SCV-2")
    most = max(
        (perk.shift for key, perk in rules.advancement.perks.items() if has_perk(rules, group, found, key)), default=0
    )
    return range(-most, most + 1)


def may_shift(rules: Rules, group: Group, member: str) -> bool:
    """Whether a member decides on its die once that is known. FS-SCV-2."""
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
    """What a member finds. first: the D12; second: the dice that its row asks for, if it does (`second_dice`).

    Who may move the die rolls it alone: what it finds waits for `shift_find`. good: which pistol, where the organiser
    leaves it to the player; else the printed one. free: by a reward, besides what the member does itself.
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
    rolled = read_throw(first, "1D12", CLAUSE, table="scavenging", rows=rows, member=member)
    row = find_at(rules, rolled.total)
    waits = may_shift(rules, group, member)
    builder = DecisionBuilder(group)
    if waits:
        fault = Fault("/second", faces_of(second), expects("nothing-before-shift-find"), "FS-SCV-2")
        require([fault] if second else [], "the die may still be moved")
        builder.say(rolled, ScavengingOpened(member, rolled.roll, rolled.total, good, free))
    else:
        builder.say(rolled, ScavengingRolled(member, row.finds, rolled.roll, free))
    if not free:
        builder.say(MemberActed(member, "scavenged", roll=rolled.roll))
        _bonus_food(rules, builder)
    if not waits:
        _find(rules, builder, member, row, second, rolled.roll, good)
    return builder.events


def shift_find(rules: Rules, group: Group, member: str, shift: int, second: Thrown | None = None) -> Events:
    """What an Explorer finds, who leaves the die as it lies (0) or moves it, now that it is known.

    second: the dice that the row asks for. Raises StepRefused, ChoiceRefused or DiceRefused. Source: FS-SCV-2.
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
    builder.say(ScavengingRolled(member, row.finds, open.roll, open.free, shift))
    _find(rules, builder, member, row, second, open.roll, open.good)
    return builder.events


def open_find(group: Group, member: str) -> OpenFind | None:
    """The die of a member that waits for its owner, if there is one."""
    waiting = group.phase.open_finds if group.phase else ()
    return next((open for open in waiting if open.member == member), None)


def find_at(rules: Rules, total: int) -> Find:
    """The row of a result; what is moved beyond the table stays at its end. FS-SCV-2."""
    rows = rules.finds.scavenging
    kept = max(rows[0].least, min(rows[-1].most, total))
    return next(row for row in rows if row.least <= kept <= row.most)


def _find(
    rules: Rules, builder: DecisionBuilder, member: str, row: Find, second: Thrown | None, roll: str, good: str
) -> None:
    """What a row gives. roll: of the D12."""
    asked = second_dice(row, builder.phase, member)
    fault = Fault("/second", faces_of(second), dice_or_nothing(asked), CLAUSE)
    require([fault] if bool(asked) != bool(second) else [], f"this result asks for {asked or 'nothing more'}")
    if second is None:
        builder.say(EncounterMet(member, roll))
    elif row.finds == "special":
        _special(rules, builder, member, second, good)
    else:
        amount = read_throw(second, asked, CLAUSE, member=member)
        builder.say(amount)
        if row.finds == "food" and row.food:
            builder.say(FoodMoved(row.food, amount.total, "scavenging", CLAUSE, amount.roll))
        else:
            builder.say(CapsMoved(amount.total, "scavenging", CLAUSE, amount.roll))


def second_dice(row: Find, phase: Phase, member: str) -> str:
    """The dice that a row asks for, by whether the member was taken down in the game; empty for an encounter."""
    deeds = phase.played.deeds(member)
    down = deeds is not None and deeds.down is not None
    return "1D12" if row.finds == "special" else (row.downed if down else row.amount)


def _bonus_food(rules: Rules, builder: DecisionBuilder) -> None:
    """Clean food for each full complement of members who scavenge, in a force that has it. FS-SCV-2."""
    per = rules.forces[builder.group.force].special.bonus_food_per
    if per and sum("scavenged" in did for did in builder.phase.acted.values()) % per == 0:
        builder.say(FoodMoved("clean", 1, "looters", "FS-SCV-2"))


def pistols_of_choice(rules: Rules) -> list[str]:
    """The pistols of which one may be named before rolling, where the organiser leaves that to players. FS-AMB-35."""
    if rules.options.pistol_item != "any_pistol_of_choice":
        return []
    return [key for key, told in rules.goods.items() if "pistol" in told.tags]


def _special(rules: Rules, builder: DecisionBuilder, member: str, thrown: Thrown, good: str) -> None:
    """The twelve: something special. FS-AMB-35."""
    rolled: DieRolled = read_throw(thrown, "1D12", CLAUSE, table="special", rows=rules.finds.special, member=member)
    row = next(row for row in rules.finds.special if row.least <= rolled.total <= row.most)
    found = rules.options.club_item if row.choice == "club" else row.item
    if row.choice == "pistol" and good in pistols_of_choice(rules):
        found = good
    builder.say(rolled)
    builder.say(*gain(builder.group, [found], "scavenging", CLAUSE, rolled.roll))


OF_SEARCH = "FS-SPC-5"


def search_building(rules: Rules, group: Group, searchers: Sequence[str], thrown: Thrown, draws: Draws) -> Events:
    """What a full pair of searchers finds. A trap hurts one of them, by lot; a fourth Centaur is not kept.

    Raises StepRefused, ChoiceRefused or DiceRefused. Source: FS-SPC-5, FS-AMB-57.
    """
    phase = in_step(group, "5")
    wanted = rules.forces[group.force].special.searches
    faults = [] if wanted else [Fault("/force", group.force, expects("force-that-searches"), OF_SEARCH)]
    if len(set(searchers)) != wanted or len(searchers) != wanted:
        expected = expects("different-members", number=wanted)
        faults.append(Fault("/searchers", ", ".join(searchers) or "nothing", expected, OF_SEARCH))
    for id in searchers:
        faults += faults_of_activity(rules, group, id, "searched")
    require(faults, "no building is searched so")
    rows = rules.finds.buildings
    rolled = read_throw(thrown, "2D12", OF_SEARCH, table="buildings", rows=rows)
    row = next(row for row in rows if row.least <= rolled.total <= row.most)
    builder = DecisionBuilder(group)
    builder.say(rolled, BuildingSearched(tuple(searchers), row.item or row.finds, rolled.roll))
    builder.say(*(MemberActed(id, "searched", roll=rolled.roll) for id in searchers))
    if row.finds == "item":
        builder.say(*gain(builder.group, [row.item], "searched", OF_SEARCH, rolled.roll))
    elif row.finds == "centaur" and group.centaurs < rules.core.centaurs_most:
        builder.say(CentaurJoined(rolled.roll))
    elif row.finds == "trap":
        order = [id for id in group.ids if id in searchers]
        hurt = lots(draws, f"trap {phase.searches + 1} of {group.id}", phase.round, order)[0]
        builder.say(InjuryDue(hurt, OF_SEARCH))
    return builder.events
