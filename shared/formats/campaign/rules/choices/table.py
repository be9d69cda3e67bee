"""Every choice of the post-game phase, how one is made, and what a group may choose now. FS-PGP-1, FS-PGP-4.

A client names a choice with what it is about and the dice, as they are listed; dice are taken in the order in which the
decision asks for them. A choice is legal when its decision would be made: each is tried on sample dice, and its refusal
is told.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from shared.formats.campaign.rules import names_of_things as called
from shared.formats.campaign.rules.choices.camp import OF_CAMP, OF_ORGANISERS
from shared.formats.campaign.rules.choices.choice import Choice, DecisionContext, Members, Rival
from shared.formats.campaign.rules.choices.experience import OF_EXPERIENCE
from shared.formats.campaign.rules.choices.finds import OF_FINDS
from shared.formats.campaign.rules.choices.food import OF_FOOD
from shared.formats.campaign.rules.choices.injuries import OF_INJURIES
from shared.formats.campaign.rules.choices.recruits import OF_RECRUITS
from shared.formats.campaign.rules.choices.rewards import OF_REWARDS
from shared.formats.campaign.rules.choices.trade import OF_TRADE
from shared.formats.campaign.rules.dice_source import GUESS, Ones
from shared.formats.campaign.rules.post_game import close_step
from shared.formats.campaign.rules.recruits import RecruitPool
from shared.formats.campaign.rules.refusals import ChoiceRefused
from shared.formats.campaign.rules.roster import Group, Step
from shared.formats.campaign.rules.steps import NAMES, require
from shared.formats.campaign.rules.tables import Rules
from shared.formats.campaign.rules.words import Events
from shared.refusals import Fault, Refusal, one_of
from shared.rules.shape_checks import faults_of_shape

EVERYBODYS: Mapping[str, Choice] = {
    choice.name: choice
    for choices in (OF_INJURIES, OF_REWARDS, OF_EXPERIENCE, OF_FINDS, OF_FOOD, OF_RECRUITS, OF_TRADE, OF_CAMP)
    for choice in choices
}
"""Name -> choice that a group may make."""

CHOICES: Mapping[str, Choice] = {**EVERYBODYS, **{choice.name: choice for choice in OF_ORGANISERS}}
"""The same with those of organisers."""


class Action(Struct, frozen=True, omit_defaults=True):
    """One thing that may be done. does: the choice. of: what it is about, by name. dice: what it asks for, in order.

    errors: every reason why it is not legal now; none when it is.
    """

    does: str
    of: Members = {}
    dice: tuple[str, ...] = ()
    errors: tuple[Fault, ...] = ()

    @property
    def legal(self) -> bool:
        """Whether it would be done."""
        return not self.errors


class AvailableActions(Struct, frozen=True, omit_defaults=True):
    """What a group is asked now. waits_for: what has to be done before the step closes; none when it can be closed."""

    step: Step
    name: str
    choices: tuple[Action, ...]
    waits_for: tuple[Fault, ...] = ()


def decide(context: DecisionContext, does: str, of: Members, *, organiser: bool = False) -> Events:
    """What a choice brings about. Raises ChoiceRefused for one that does not exist or is not said like this, for dice
    that nothing asks for, and whatever the decision refuses."""
    known = CHOICES if organiser else EVERYBODYS
    choice = known.get(does)
    if choice is None:
        fault = Fault("/does", does or "nothing", one_of(list(known)), "FS-PGP-1")
        raise ChoiceRefused("there is no such choice", [fault])
    of = called.by_keys(context.rules, of)
    faults = faults_of_shape(of, choice.takes)
    if faults:
        placed = [replace(fault, where=f"/of{fault.where}") for fault in faults]
        raise ChoiceRefused(f"{does} is not said like this", placed)
    events = choice.decide(context, msgspec.convert(of, choice.takes))
    require(context.dice_source.faults_of_rest(), "some of these dice are not asked for")
    return events


def available_now(
    rules: Rules, group: Group, rivals: tuple[Rival, ...] = (), pool: RecruitPool | None = None
) -> AvailableActions | None:
    """What a group is asked in its post-game phase; nothing when no phase is open.

    rivals: the groups of other sides of its game, if it had one. pool: of recruits, if it is open.
    """
    phase = group.phase
    if phase is None:
        return None
    context = DecisionContext(rules, group, Ones(), GUESS, rivals, pool)
    offered = [choice for choice in EVERYBODYS.values() if phase.step in choice.steps]
    actions = tuple(_tried(context, choice, of) for choice in offered for of in choice.offers(context))
    return AvailableActions(phase.step, NAMES[phase.step], actions, waits_for(rules, group))


def waits_for(rules: Rules, group: Group) -> tuple[Fault, ...]:
    """What a group has to do before its open step closes; nothing when no phase is open."""
    phase = group.phase
    return _refusal(partial(close_step, rules, group, phase.step, GUESS)) if phase else ()


def _tried(context: DecisionContext, choice: Choice, of: Members) -> Action:
    dice = Ones()
    said = msgspec.convert(of, choice.takes)
    errors = _refusal(partial(choice.decide, replace(context, dice_source=dice), said))
    return Action(choice.name, of, tuple(dice.asked[: choice.known]), errors)


def _refusal(attempt: Callable[[], object]) -> tuple[Fault, ...]:
    try:
        attempt()
    except Refusal as refused:
        return refused.faults
    return ()
