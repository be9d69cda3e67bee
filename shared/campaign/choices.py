"""A step closed by the organiser for a player who is not there. FS-PGP-5.

No optional dice and no purchases. Injuries, advancements and a reward that was won are rolled by the service, with the
first legal choice; food is paid first, then maintenance.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import get_args

from msgspec.structs import replace

from shared.formats.campaign.rules import advancement, bartering, injuries, rewards
from shared.formats.campaign.rules.asked_dice import RollPurpose
from shared.formats.campaign.rules.decision_builder import DecisionBuilder
from shared.formats.campaign.rules.dice_source import DiceSource
from shared.formats.campaign.rules.encounters import Meeting, no_dice, resolve_encounter
from shared.formats.campaign.rules.experience import award_experience
from shared.formats.campaign.rules.post_game import close_step
from shared.formats.campaign.rules.roster import Group
from shared.formats.campaign.rules.scavenging import SECOND, find_at, second_dice, shift_find
from shared.formats.campaign.rules.steps import NAMES, in_step
from shared.formats.campaign.rules.tables import Rules
from shared.formats.campaign.rules.upkeep import Upkeep, bill, easiest, settle_upkeep
from shared.formats.campaign.rules.words import Attribute, Events


def close_for_absent(rules: Rules, group: Group, dice_source: DiceSource, deaths: Collection[str] = ()) -> Events:
    """The open step of a group, done as far as it must be and closed.

    The service rolls. deaths: as for `award_experience`. Recruits are the whole campaign's: there
    the group's turn is ended instead. Raises StepRefused while no step is open.
    """
    phase = in_step(group, *(step for step in NAMES if step != "4"))
    builder = DecisionBuilder(group)
    for open in phase.open_finds:
        dice = second_dice(find_at(rules, open.face), phase, open.member)
        asked = RollPurpose(group.id, SECOND, open.member)
        second = dice_source.drawn_by_service(dice, asked) if dice else None
        builder.say(*shift_find(rules, builder.group, open.member, 0, second))
    if phase.step in ("1", "3", "5"):
        for member in builder.phase.encounters:
            builder.say(*resolve_encounter(rules, builder.group, Meeting(member, "escaped"), no_dice))
        _injuries(rules, builder, dice_source)
    if phase.step == "1b":
        rewards.claim_for_absent(rules, builder, dice_source)
    if phase.step == "2" and not phase.awarded:
        builder.say(*award_experience(rules, builder.group, deaths))
    if phase.step in ("2", "3", "7"):
        _advancements(rules, builder, dice_source)
    if phase.step == "3" and not phase.paid:
        builder.say(*settle_upkeep(rules, builder.group, frugal(rules, builder.group), dice_source.draws))
    if phase.visit and phase.visit.quote:
        builder.say(*bartering.decline_offer(builder.group))
    builder.say(*close_step(rules, builder.group, phase.step, dice_source.draws))
    return builder.events


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


def _injuries(rules: Rules, builder: DecisionBuilder, dice_source: DiceSource) -> None:
    """Every injury that has to be rolled, and every check of jail, in roster order."""

    def checks() -> None:
        for member in builder.phase.jail:
            dice = dice_source.drawn_by_service("1D12", RollPurpose(builder.group.id, "FS-INJ-5", member))
            builder.say(*injuries.check_jail(rules, builder.group, member, dice))

    if rules.options.incarcerated_injury == "only_if_escaped":
        checks()
    while builder.phase.injured or any(open.again for open in builder.phase.open_injuries):
        again = next((open for open in builder.phase.open_injuries if open.again), None)
        member, replaced = (again.member, again.roll) if again else (builder.phase.injured[0], "")
        dice = dice_source.drawn_by_service("2D12", RollPurpose(builder.group.id, "FS-INJ-1", member), replaced)
        builder.say(*injuries.roll_injury(rules, builder.group, member, dice, dice_source.draws))
    for open in builder.phase.open_injuries:
        builder.say(*injuries.take_injury(rules, builder.group, open.member, dice_source.draws))
    if builder.phase.step == "1":
        checks()


def _advancements(rules: Rules, builder: DecisionBuilder, dice_source: DiceSource) -> None:
    """Every advancement owed, each with the first legal choice."""
    for member in builder.group.ids:
        while builder.member(member).advances > 0:  # fewer than none where a log lost a level: no end otherwise
            waiting = advancement.open_advance(builder.group, member)
            if waiting is None or waiting.again:
                asked = RollPurpose(builder.group.id, "FS-ADV-1", member)
                dice = dice_source.drawn_by_service("2D12", asked, waiting.roll if waiting else "")
                builder.say(*advancement.roll_advancement(rules, builder.group, member, dice))
                continue
            found = builder.member(member)
            if waiting.result == advancement.OTHER:
                first = next(
                    name for name in get_args(Attribute) if advancement.may_raise(rules, builder.group, found, name)
                )
                builder.say(*advancement.choose_attribute(rules, builder.group, member, first))
                continue
            waived = waiting.result == advancement.ANY_PERK
            perk = advancement.open_perks(rules, builder.group, found, waived=waived)[0]
            builder.say(*advancement.choose_perk(rules, builder.group, member, perk))
