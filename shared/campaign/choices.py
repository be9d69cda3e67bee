"""Choices of the post-game phase: making one, listing those a group has now, and closing steps for absent players.

A client names a choice, its arguments and the dice, as listed. Dice are taken in the order in which the decision asks
for them. A choice is legal if its decision succeeds: each is tried with sample dice, and a refusal is reported
(FS-PGP-1, FS-PGP-4).

The organiser closes a step for an absent player (FS-PGP-5). The service rolls injuries, advancements and a reward that
was won, and takes the first legal choice. It makes no optional rolls and no purchases. Food is paid first, then
maintenance.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import get_args

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from shared.campaign import bartering, experience, injuries, rewards, tables
from shared.campaign.bartering import BARTERING_CHOICES
from shared.campaign.dice import GUESS, DiceSource, RollPurpose, SampleDice
from shared.campaign.encounters import Meeting, no_dice, resolve_encounter
from shared.campaign.experience import EXPERIENCE_CHOICES, award_experience
from shared.campaign.food import FOOD_CHOICES, affordable_upkeep, settle_upkeep
from shared.campaign.injuries import INJURY_CHOICES
from shared.campaign.post_game import close_step
from shared.campaign.recruits import RECRUIT_CHOICES
from shared.campaign.rewards import REWARD_CHOICES
from shared.campaign.roster import Group, RecruitPool, Step
from shared.campaign.scavenging import AMOUNT_PURPOSE, SCAVENGING_CHOICES, find_at, second_dice, shift_find
from shared.campaign.steps import (
    NAMES,
    Arguments,
    Choice,
    DecisionBuilder,
    DecisionContext,
    Left,
    Rival,
    in_step,
    require,
)
from shared.campaign.tables import Rules
from shared.campaign.words import Attribute, ChoiceRefused, Events, LeavesOpen
from shared.campaign.workshop import ORGANISER_CHOICES, WORKSHOP_CHOICES
from shared.refusals import Fault, Refusal, expects, one_of
from shared.rules.checks import faults_of_shape

PLAYER_CHOICES: Mapping[str, Choice] = {
    choice.name: choice
    for choices in (
        INJURY_CHOICES,
        REWARD_CHOICES,
        EXPERIENCE_CHOICES,
        SCAVENGING_CHOICES,
        FOOD_CHOICES,
        RECRUIT_CHOICES,
        BARTERING_CHOICES,
        WORKSHOP_CHOICES,
    )
    for choice in choices
}
"""Name -> choice of a group's player."""

CHOICES: Mapping[str, Choice] = {**PLAYER_CHOICES, **{choice.name: choice for choice in ORGANISER_CHOICES}}
"""All choices, including those of organisers."""


class Action(Struct, frozen=True, omit_defaults=True):
    """A choice that a group may try.

    does: name of the choice. of: its arguments, by name. dice: the dice that it asks for, in order.
    errors: every reason why it is illegal now; empty if it is legal.
    leaves: what can no longer be used after it.
    """

    does: str
    of: Arguments = {}
    dice: tuple[str, ...] = ()
    errors: tuple[Fault, ...] = ()
    leaves: tuple[Left, ...] = ()

    @property
    def legal(self) -> bool:
        """True if the choice would succeed."""
        return not self.errors


class AvailableActions(Struct, frozen=True, omit_defaults=True):
    """The choices of a group now.

    waits_for: tasks to finish before the step closes; empty if it can close. left_open: what closing it loses.
    """

    step: Step
    name: str
    choices: tuple[Action, ...]
    waits_for: tuple[Fault, ...] = ()
    left_open: tuple[Left, ...] = ()


def decide(
    context: DecisionContext, does: str, args: Arguments, *, organiser: bool = False, leave: bool = False
) -> Events:
    """Return the events of a choice.

    leave: the group knows what it can no longer use afterwards (`left_by`).
    Raises ChoiceRefused for an unknown choice, malformed arguments or unused dice, LeavesOpen, and any refusal of the
    decision.
    """
    known = CHOICES if organiser else PLAYER_CHOICES
    choice = known.get(does)
    if choice is None:
        fault = Fault("/does", does or "nothing", one_of(list(known)), "FS-PGP-1")
        raise ChoiceRefused("there is no such choice", [fault])
    args = tables.names_to_keys(context.rules, args)
    faults = faults_of_shape(args, choice.takes)
    if faults:
        placed = [replace(fault, where=f"/of{fault.where}") for fault in faults]
        raise ChoiceRefused(f"{does} is not said like this", placed)
    events = choice.decide(context, msgspec.convert(args, choice.takes))
    require_word(() if leave else left_by(context, does))
    require(context.dice_source.faults_of_unused_rolls(), "some of these dice are not asked for")
    return events


def sample_context(
    rules: Rules, group: Group, rivals: tuple[Rival, ...] = (), pool: RecruitPool | None = None
) -> DecisionContext:
    """Return a context in which choices are tried out: nothing in it is rolled or drawn."""
    return DecisionContext(rules, group, SampleDice(), GUESS, rivals, pool)


def available_actions(
    rules: Rules, group: Group, rivals: tuple[Rival, ...] = (), pool: RecruitPool | None = None
) -> AvailableActions | None:
    """Return the choices of a group in its post-game phase, or None if no phase is open.

    rivals: groups of the other sides of its game, if any. pool: the recruits, if step 4 is open.
    """
    phase = group.phase
    if phase is None:
        return None
    context = sample_context(rules, group, rivals, pool)
    offered = [choice for choice in PLAYER_CHOICES.values() if phase.step in choice.steps]
    actions = tuple(_try_choice(context, choice, of) for choice in offered for of in choice.offers(context))
    ended = {does: left_by(context, does) for does in {action.does for action in actions if action.legal}}
    actions = tuple(replace(action, leaves=ended.get(action.does, ())) for action in actions)
    left = left_open(context)
    return AvailableActions(phase.step, NAMES[phase.step], actions, faults_of_closing(rules, group), left)


def left_open(context: DecisionContext, *, ended_by: str = "") -> tuple[Left, ...]:
    """Return what the group can still use in its open step and loses when the step closes (FS-PGP-1).

    ended_by: return only what a choice of this name ends.
    """
    step, context = context.phase.step, replace(context, draws=GUESS)
    left: list[Left] = []
    for choice in PLAYER_CHOICES.values():
        if choice.leaves is None or step not in choice.steps or ended_by not in ("", choice.ends):
            continue
        for of in choice.offers(context):
            named = choice.leaves(of)
            if ended_by and named.won:
                continue  # a free roll is in addition to a member's own activity, and can be used later
            if named not in left and _try_choice(context, choice, of).legal:
                left.append(named)
    return tuple(left)


def left_by(context: DecisionContext, does: str) -> tuple[Left, ...]:
    """Return what a group loses by making this choice before the step closes; empty for most choices."""
    if context.group.phase is None or not any(choice.ends == does for choice in PLAYER_CHOICES.values()):
        return ()
    return left_open(context, ended_by=does)


def require_word(left: Collection[Left]) -> None:
    """Raise LeavesOpen if something is left."""
    if left:
        faults = [Fault("/leave", "false", expects("leave-or-use", does=one.does), one.clause) for one in left]
        listed = [{"does": one.does, "of": dict(one.of), "clause": one.clause} for one in left]
        raise LeavesOpen("Something is left that is lost with this.", faults, left_open=listed)


def faults_of_closing(rules: Rules, group: Group) -> tuple[Fault, ...]:
    """Return the tasks that a group must finish before its open step closes; empty if no phase is open."""
    phase = group.phase
    return _refusal(partial(close_step, rules, group, phase.step, GUESS)) if phase else ()


def _try_choice(context: DecisionContext, choice: Choice, args: Arguments) -> Action:
    dice = SampleDice()
    converted = msgspec.convert(args, choice.takes)
    errors = _refusal(partial(choice.decide, replace(context, dice_source=dice), converted))
    return Action(choice.name, args, tuple(dice.asked[: choice.known]), errors)


def _refusal(attempt: Callable[[], object]) -> tuple[Fault, ...]:
    try:
        attempt()
    except Refusal as refused:
        return refused.faults
    return ()


def close_for_absent(rules: Rules, group: Group, dice_source: DiceSource, deaths: Collection[str] = ()) -> Events:
    """Do what the open step of a group requires, with dice drawn by the service, and close it.

    deaths: as in `award_experience`. Step 4 is common to all groups; the group's turn is ended there instead. Raises
        StepRefused if no step is open.
    """
    phase = in_step(group, *(step for step in NAMES if step != "4"))
    builder = DecisionBuilder(group)
    for open in phase.open_finds:
        dice = second_dice(find_at(rules, open.face), phase, open.member)
        purpose = RollPurpose(group.id, AMOUNT_PURPOSE, open.member)
        second = dice_source.drawn_by_service(dice, purpose) if dice else None
        builder.record(*shift_find(rules, builder.group, open.member, 0, second))
    if phase.step in ("1", "3", "5"):
        for member in builder.phase.encounters:
            builder.record(*resolve_encounter(rules, builder.group, Meeting(member, "escaped"), no_dice))
        _roll_injuries(rules, builder, dice_source)
    if phase.step == "1b":
        rewards.claim_for_absent(rules, builder, dice_source)
    if phase.step == "2" and not phase.awarded:
        builder.record(*award_experience(rules, builder.group, deaths))
    if phase.step in ("2", "3", "7"):
        _roll_advancements(rules, builder, dice_source)
    if phase.step == "3" and not phase.paid:
        builder.record(*settle_upkeep(rules, builder.group, affordable_upkeep(rules, builder.group), dice_source.draws))
    if phase.visit and phase.visit.quote:
        builder.record(*bartering.decline_offer(builder.group))
    builder.record(*close_step(rules, builder.group, phase.step, dice_source.draws))
    return builder.events


def _roll_injuries(rules: Rules, builder: DecisionBuilder, dice_source: DiceSource) -> None:
    """Roll every injury that is due and make every jail check, in roster order."""

    def check_jail() -> None:
        for member in builder.phase.jail:
            dice = dice_source.drawn_by_service("1D12", RollPurpose(builder.group.id, "FS-INJ-5", member))
            builder.record(*injuries.check_jail(rules, builder.group, member, dice))

    if rules.options.incarcerated_injury == "only_if_escaped":
        check_jail()
    while builder.phase.injured or any(open.again for open in builder.phase.open_injuries):
        again = next((open for open in builder.phase.open_injuries if open.again), None)
        member, replaced = (again.member, again.roll) if again else (builder.phase.injured[0], "")
        dice = dice_source.drawn_by_service("2D12", RollPurpose(builder.group.id, "FS-INJ-1", member), replaced)
        builder.record(*injuries.roll_injury(rules, builder.group, member, dice, dice_source.draws))
    for open in builder.phase.open_injuries:
        builder.record(*injuries.take_injury(rules, builder.group, open.member, dice_source.draws))
    if builder.phase.step == "1":
        check_jail()


def _roll_advancements(rules: Rules, builder: DecisionBuilder, dice_source: DiceSource) -> None:
    """Roll every advancement owed, with the first legal choice."""
    for member in builder.group.ids:
        while builder.member(member).advances > 0:  # negative if a damaged log lost a level; `!= 0` would not terminate
            waiting = experience.open_advance(builder.group, member)
            if waiting is None or waiting.again:
                purpose = RollPurpose(builder.group.id, "FS-ADV-1", member)
                dice = dice_source.drawn_by_service("2D12", purpose, waiting.roll if waiting else "")
                builder.record(*experience.roll_advancement(rules, builder.group, member, dice))
                continue
            known = builder.member(member)
            if waiting.result == experience.OTHER:
                first = next(
                    name for name in get_args(Attribute) if experience.may_raise(rules, builder.group, known, name)
                )
                builder.record(*experience.choose_attribute(rules, builder.group, member, first))
                continue
            waived = waiting.result == experience.ANY_PERK
            perk = experience.open_perks(rules, builder.group, known, waived=waived)[0]
            builder.record(*experience.choose_perk(rules, builder.group, member, perk))
