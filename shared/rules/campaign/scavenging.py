"""Step 3: what members find in the wasteland, and creatures that they meet. FS-SCV-1, FS-SCV-2."""

from __future__ import annotations

from collections.abc import Iterator

from shared.refusals import Fault
from shared.rules.campaign.attributes import has_perk
from shared.rules.campaign.course import Course
from shared.rules.campaign.dice import DieRolled, Modifier, Thrown, read_throw
from shared.rules.campaign.income_outcomes import (
    CapsMoved,
    EncounterMet,
    FoodMoved,
    MemberActed,
    ScavengingRolled,
)
from shared.rules.campaign.ledger import gain
from shared.rules.campaign.roster import Activity, Group, Phase
from shared.rules.campaign.steps import faults_of_absence, faults_of_activity, in_step, known_member, require
from shared.rules.campaign.tables import Find, Rules
from shared.rules.campaign.words import Outcome

CLAUSE = "FS-SCV-1"


def faults_of_outing(rules: Rules, group: Group, member: str, activity: Activity) -> Iterator[Fault]:
    """Why a member cannot scavenge or visit a turf now. FS-SCV-1, FS-VIS-1, FS-AMB-34."""
    phase = in_step(group, "3")
    yield from faults_of_activity(rules, group, member, activity)
    if phase.paid:
        yield Fault("/step", "food and maintenance are settled", "before that", "FS-UPK-1")
    if rules.options.scavenge_who == "participants" and member not in phase.played.fielded:
        yield Fault(f"/members/{member}", "did not play", "a member who took part in the game", CLAUSE)


def shifts(rules: Rules, group: Group, member: str) -> range:
    """By how much a member may move its own result. FS-SCV-2."""
    found = known_member(group, member, "FS-SCV-2")
    most = max(
        (perk.shift for key, perk in rules.advancement.perks.items() if has_perk(rules, group, found, key)), default=0
    )
    return range(-most, most + 1)


def scavenge(
    rules: Rules,
    group: Group,
    member: str,
    first: Thrown,
    second: Thrown | None = None,
    *,
    shift: int = 0,
    good: str = "",
    free: bool = False,
) -> list[Outcome]:
    """What a member finds. first: the D12; second: the dice that its row asks for, if it does (`second_dice`).

    shift: of an Explorer. good: which pistol, where the organiser leaves it to the player; else
    the printed one. free: by a reward, besides
    what the member does itself. Raises StepRefused, ChoiceRefused or DiceRefused. Source: FS-SCV-1.
    """
    phase = in_step(group, "3")
    if free:
        fault = Fault("/free", "no free roll", "a reward that gives one", "FS-GAM-10")
        require([] if phase.extra_finds else [fault], "no free roll is left")
        require(faults_of_absence(group, member), "this member cannot")
    else:
        require(faults_of_outing(rules, group, member, "scavenged"), f"{member} cannot scavenge")
    legal = shifts(rules, group, member)
    fault = Fault("/shift", f"{shift}", f"{legal[0]} to {legal[-1]}", "FS-SCV-2")
    require([] if shift in legal else [fault], "the result cannot be moved so far")
    moved = [Modifier("perk.explorer", shift)] if shift else []
    rows = rules.finds.scavenging
    rolled = read_throw(first, "1D12", CLAUSE, modifiers=moved, table="scavenging", rows=rows, member=member)
    row = next(row for row in rows if row.least <= rolled.total <= row.most)
    course = Course(group)
    course.say(rolled, ScavengingRolled(member, row.finds, rolled.roll, free))
    if not free:
        course.say(MemberActed(member, "scavenged", roll=rolled.roll))
        _bonus_food(rules, course)
    asked = second_dice(row, phase, member)
    fault = Fault("/second", "a roll" if second else "no roll", asked or "no second roll", CLAUSE)
    require([fault] if bool(asked) != bool(second) else [], f"this result asks for {asked or 'nothing more'}")
    if second is None:
        course.say(EncounterMet(member, rolled.roll))
    elif row.finds == "special":
        _special(rules, course, member, second, good)
    else:
        amount = read_throw(second, asked, CLAUSE, member=member)
        course.say(amount)
        if row.finds == "food" and row.food:
            course.say(FoodMoved(row.food, amount.total, "scavenging", CLAUSE, amount.roll))
        else:
            course.say(CapsMoved(amount.total, "scavenging", CLAUSE, amount.roll))
    return course.outcomes


def second_dice(row: Find, phase: Phase, member: str) -> str:
    """The dice that a row asks for, by whether the member was taken down in the game; empty for an encounter."""
    deeds = phase.played.deeds(member)
    down = deeds is not None and deeds.down is not None
    return "1D12" if row.finds == "special" else (row.downed if down else row.amount)


def _bonus_food(rules: Rules, course: Course) -> None:
    """Clean food for each full complement of members who scavenge, in a force that has it. FS-SCV-2."""
    per = rules.forces[course.group.force].special.bonus_food_per
    if per and sum("scavenged" in did for did in course.phase.acted.values()) % per == 0:
        course.say(FoodMoved("clean", 1, "looters", "FS-SCV-2"))


def pistols_of_choice(rules: Rules) -> list[str]:
    """The pistols of which one may be named before rolling, where the organiser leaves that to players. FS-AMB-35."""
    if rules.options.pistol_item != "any_pistol_of_choice":
        return []
    return [key for key, told in rules.goods.items() if "pistol" in told.tags]


def _special(rules: Rules, course: Course, member: str, thrown: Thrown, good: str) -> None:
    """The twelve: something special. FS-AMB-35."""
    rolled: DieRolled = read_throw(thrown, "1D12", CLAUSE, table="special", rows=rules.finds.special, member=member)
    row = next(row for row in rules.finds.special if row.least <= rolled.total <= row.most)
    found = rules.options.club_item if row.choice == "club" else row.item
    if row.choice == "pistol" and good in pistols_of_choice(rules):
        found = good
    course.say(rolled)
    course.say_all(gain(course.group, [found], "scavenging", CLAUSE, rolled.roll))
