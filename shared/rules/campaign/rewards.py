"""Step 1b: the reward of the own objective, and a turf where the organiser gives one. FS-GAM-10, FS-AMB-46."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from shared.refusals import Fault
from shared.rules.campaign.course import Course
from shared.rules.campaign.dice import Thrown, read_throw
from shared.rules.campaign.experience import raise_to_next_level
from shared.rules.campaign.gear import faults_of_ratio, faults_of_size
from shared.rules.campaign.group import new_member
from shared.rules.campaign.income_outcomes import CapsMoved
from shared.rules.campaign.ledger import gain
from shared.rules.campaign.muster import objective_by
from shared.rules.campaign.outcomes import InjuryHealed, MemberJoined, RewardClaimed
from shared.rules.campaign.roster import Group, Phase
from shared.rules.campaign.steps import faults_of_absence, in_step, known_member, require
from shared.rules.campaign.tables import Objective, Rules
from shared.rules.campaign.turf import roll_turf
from shared.rules.campaign.words import WEAPONS, Outcome
from shared.rules.draw import recorded_draw

CLAUSE = "FS-GAM-10"


class Claim(Struct, frozen=True, omit_defaults=True):
    """What the owner chooses with a reward, and the dice where it asks for some."""

    member: str = ""
    injury: str = ""
    good: str = ""
    roll: Thrown | None = None


def reward_dice(rules: Rules, group: Group) -> str:
    """The dice that the reward asks for; empty where it asks for none."""
    phase = in_step(group, "1b")
    amount = _objective(rules, phase).reward.amount
    return "" if amount.isdecimal() else amount


def claim_reward(rules: Rules, group: Group, claim: Claim, seed: str) -> list[Outcome]:
    """The reward of the objective that the group rolled, for the winner or in a good draw; once.

    Raises StepRefused, ChoiceRefused or DiceRefused. Source: FS-GAM-10.
    """
    phase = in_step(group, "1b")
    said = "claimed already" if phase.rewarded else "not won"
    fault = Fault("/reward", said, "the winner's own reward, once", CLAUSE)
    require([fault] if phase.rewarded or not phase.played.reward else [], f"the reward was {said}")
    objective = _objective(rules, phase)
    course = Course(group)
    amount = objective.reward.amount
    if amount.isdecimal():
        fault = Fault("/roll", "a roll", "none for this reward", CLAUSE)
        require([fault] if claim.roll else [], "this reward asks for no dice")
        gift = Gift(objective, claim, int(amount), "", seed)
    else:
        fault = Fault("/roll", "no roll", amount, CLAUSE)
        require([] if claim.roll else [fault], f"this reward asks for {amount}")
        assert claim.roll is not None
        rolled = read_throw(claim.roll, amount, CLAUSE)
        course.say(rolled)
        gift = Gift(objective, claim, rolled.total, rolled.roll, seed)
    _GIVE[objective.reward.kind](rules, course, gift)
    return course.outcomes


def claim_turf(rules: Rules, group: Group, thrown: Thrown) -> list[Outcome]:
    """A new turf for the winner, where the organiser gives one. Raises StepRefused, ChoiceRefused. FS-AMB-33."""
    phase = in_step(group, "1b")
    legal = rules.options.turf_gain == "winner_rolls_new" and phase.played.ending == "win" and not phase.turf_gained
    fault = Fault("/turf", "no turf is won", "a winner, where winners roll a new one", "FS-AMB-33")
    require([] if legal else [fault], "no turf is won here")
    return roll_turf(rules, group, thrown, "FS-AMB-33")


def _objective(rules: Rules, phase: Phase) -> Objective:
    return objective_by(rules, phase.played.side.objective)


class Gift(Struct, frozen=True):
    """A reward as it is given: what the objective says, what the owner chose, how much, and the roll that made it."""

    objective: Objective
    claim: Claim
    amount: int
    roll: str
    seed: str


Give = Callable[[Rules, Course, Gift], None]


def _caps(rules: Rules, course: Course, gift: Gift) -> None:
    course.say(
        RewardClaimed(gift.objective.objective, gift.roll), CapsMoved(gift.amount, "objective", CLAUSE, gift.roll)
    )


def _heal(rules: Rules, course: Course, gift: Gift) -> None:
    require(faults_of_absence(course.group, gift.claim.member), "this member is not here")
    found = known_member(course.group, gift.claim.member, CLAUSE)
    fault = Fault("/injury", repr(gift.claim.injury), "one of " + (", ".join(found.injuries) or "none"), CLAUSE)
    require([] if gift.claim.injury in found.injuries else [fault], "the member has no such injury")
    course.say(RewardClaimed(gift.objective.objective), InjuryHealed(gift.claim.member, gift.claim.injury, CLAUSE))


def _level(rules: Rules, course: Course, gift: Gift) -> None:
    """A random member below the last level. FS-DICE-4, FS-XP-6."""
    last = rules.advancement.levels[-1].level
    may = [member.id for member in course.group.members if member.level < last and not member.away]
    require(
        [] if may else [Fault("/member", "all at the last level", "somebody below it", "FS-XP-6")], "nobody can gain"
    )
    order = recorded_draw(gift.seed, f"level of {course.group.id}", course.phase.round, may)
    course.say(RewardClaimed(gift.objective.objective, drawn=tuple(order)))
    course.say_all(raise_to_next_level(rules, course.group, course.member(order[0])))


def _later(rules: Rules, course: Course, gift: Gift) -> None:
    half = gift.objective.reward.kind == "half_maintenance"
    course.say(RewardClaimed(gift.objective.objective, half_maintenance=half, finds=0 if half else gift.amount))


def _own_weapon(rules: Rules, course: Course, gift: Gift) -> None:
    listed = [good for good in rules.forces[course.group.force].goods if rules.goods[good].kind in WEAPONS]
    _goods(rules, course, gift, gift.claim.good, listed, gift.amount)


def _items(rules: Rules, course: Course, gift: Gift) -> None:
    listed = list(gift.objective.reward.goods)
    _goods(rules, course, gift, gift.claim.good or (listed[0] if len(listed) == 1 else ""), listed, gift.amount)


def _merchant_item(rules: Rules, course: Course, gift: Gift) -> None:
    good = rules.merchants[gift.objective.reward.merchant].goods[gift.amount - 1].item
    _goods(rules, course, gift, good, [good], 1)


def _recruit(rules: Rules, course: Course, gift: Gift) -> None:
    require(faults_of_size(rules, course.group, 1), "the group is full")
    joining = new_member(rules, course.group.serial + 1, "green")
    course.say(RewardClaimed(gift.objective.objective), MemberJoined(joining, "objective", CLAUSE))


def _goods(rules: Rules, course: Course, gift: Gift, good: str, listed: list[str], amount: int) -> None:
    fault = Fault("/good", repr(good), "one of " + ", ".join(listed), CLAUSE)
    require([] if good in listed else [fault], "the reward is something else")
    course.say(RewardClaimed(gift.objective.objective, gift.roll))
    course.say_all(gain(course.group, [good] * amount, "objective", CLAUSE, gift.roll))
    if rules.options.big_gun_ratio == "checked_on_purchase":
        require(faults_of_ratio(rules, course.group, [*course.group.ids, ""]), "the group has enough Big Guns")


_GIVE: Mapping[str, Give] = {
    "caps": _caps,
    "heal_injury": _heal,
    "gain_level": _level,
    "half_maintenance": _later,
    "own_weapon": _own_weapon,
    "items": _items,
    "merchant_item": _merchant_item,
    "recruit": _recruit,
    "scavenge": _later,
}
