"""A step closed by the organiser for a player who is not there. FS-PGP-5.

No optional dice and no purchases. Injuries, advancements and a reward that was won are rolled by the service, with the
first legal choice; food is paid first, then maintenance.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import get_args

from msgspec.structs import replace

from shared.formats.campaign.rules import advancement, bartering, injuries, rewards
from shared.formats.campaign.rules.dice_source import DiceSource
from shared.formats.campaign.rules.encounters import Meeting, no_dice, resolve_encounter
from shared.formats.campaign.rules.experience import award_experience
from shared.formats.campaign.rules.outcomes_so_far import OutcomesSoFar
from shared.formats.campaign.rules.post_game import close_step
from shared.formats.campaign.rules.roster import Group
from shared.formats.campaign.rules.scavenging import find_at, second_dice, shift_find
from shared.formats.campaign.rules.steps import NAMES, in_step
from shared.formats.campaign.rules.tables import Rules
from shared.formats.campaign.rules.upkeep import Upkeep, bill, easiest, settle_upkeep
from shared.formats.campaign.rules.words import Attribute, Events


def close_for_absent(rules: Rules, group: Group, dice_source: DiceSource, deaths: Collection[str] = ()) -> Events:
    """The open step of a group, done as far as it must be and closed.

    The service rolls, from the cup's seed. deaths: as for `award_experience`. Recruits are the whole campaign's: there
    the group's turn is ended instead. Raises StepRefused while no step is open.
    """
    phase = in_step(group, *(step for step in NAMES if step != "4"))
    course = OutcomesSoFar(group)
    for open in phase.open_finds:
        dice = second_dice(find_at(rules, open.face), phase, open.member)
        second = dice_source.drawn_by_service(dice) if dice else None
        course.say_all(shift_find(rules, course.group, open.member, 0, second))
    if phase.step in ("1", "3", "5"):
        for member in course.phase.encounters:
            course.say_all(resolve_encounter(rules, course.group, Meeting(member, "escaped"), no_dice))
        _injuries(rules, course, dice_source)
    if phase.step == "1b":
        rewards.claim_for_absent(rules, course, dice_source)
    if phase.step == "2" and not phase.awarded:
        course.say_all(award_experience(rules, course.group, deaths))
    if phase.step in ("2", "3", "7"):
        _advancements(rules, course, dice_source)
    if phase.step == "3" and not phase.paid:
        course.say_all(settle_upkeep(rules, course.group, frugal(rules, course.group), dice_source.seed))
    if phase.visit and phase.visit.quote:
        course.say_all(bartering.decline_offer(course.group))
    course.say_all(close_step(rules, course.group, phase.step, dice_source.seed))
    return course.outcomes


def frugal(rules: Rules, group: Group) -> Upkeep:
    """Everybody fed and maintained as far as food and caps go: food first, then maintenance, in roster order.

    Centaurs are left out before members.
    """
    upkeep = easiest(rules, group)
    if bill(rules, group, upkeep).caps <= group.caps:
        return upkeep
    everybody, left_out = tuple(group.ids), (0, 0)
    eaters = everybody[len(upkeep.guests) :]
    upkeep = replace(upkeep, neglected=everybody)
    while bill(rules, group, upkeep).caps > group.caps and left_out != (len(eaters), group.centaurs):
        members, beasts = left_out
        left_out = (members, beasts + 1) if beasts < group.centaurs else (members + 1, beasts)
        hungry = eaters[len(eaters) - left_out[0] :]
        upkeep = replace(easiest(rules, group, hungry, left_out[1]), neglected=everybody)
    while upkeep.neglected and bill(rules, group, replace(upkeep, neglected=upkeep.neglected[1:])).caps <= group.caps:
        upkeep = replace(upkeep, neglected=upkeep.neglected[1:])
    return upkeep


def _injuries(rules: Rules, course: OutcomesSoFar, dice_source: DiceSource) -> None:
    """Every injury that has to be rolled, and every check of jail, in roster order."""

    def checks() -> None:
        for member in course.phase.jail:
            dice = dice_source.drawn_by_service("1D12")
            course.say_all(injuries.check_jail(rules, course.group, member, dice))

    if rules.options.incarcerated_injury == "only_if_escaped":
        checks()
    while course.phase.injured or any(open.again for open in course.phase.open_injuries):
        again = next((open for open in course.phase.open_injuries if open.again), None)
        member, replaced = (again.member, again.roll) if again else (course.phase.injured[0], "")
        dice = dice_source.drawn_by_service("2D12", replaced)
        course.say_all(injuries.roll_injury(rules, course.group, member, dice, dice_source.seed))
    for open in course.phase.open_injuries:
        course.say_all(injuries.take_injury(rules, course.group, open.member, dice_source.seed))
    if course.phase.step == "1":
        checks()


def _advancements(rules: Rules, course: OutcomesSoFar, dice_source: DiceSource) -> None:
    """Every advancement owed, each with the first legal choice."""
    for member in course.group.ids:
        while course.member(member).advances > 0:  # fewer than none where a log lost a level: no end otherwise
            waiting = advancement.open_advance(course.group, member)
            if waiting is None or waiting.again:
                dice = dice_source.drawn_by_service("2D12", waiting.roll if waiting else "")
                course.say_all(advancement.roll_advancement(rules, course.group, member, dice))
                continue
            found = course.member(member)
            if waiting.result == advancement.OTHER:
                first = next(
                    name for name in get_args(Attribute) if advancement.may_raise(rules, course.group, found, name)
                )
                course.say_all(advancement.choose_attribute(rules, course.group, member, first))
                continue
            waived = waiting.result == advancement.ANY_PERK
            perk = advancement.open_perks(rules, course.group, found, waived=waived)[0]
            course.say_all(advancement.choose_perk(rules, course.group, member, perk))
