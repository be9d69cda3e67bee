"""Several choices of a group in one request, also across steps: all of them count, or none (FS-PGP-1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from msgspec.structs import replace

from services.scoring.campaign_phase import (
    MAX_ROLLS,
    Choose,
    CloseStep,
    close_open_step,
    make_choice,
    require_own_group,
)
from services.scoring.campaign_rounds import RoundDecision, take_events
from shared.campaign.dice import DieRolled, RollTold
from shared.campaign.statements import CLOSE_STEP, SHARED_TURN
from shared.campaign.words import ChoiceRefused
from shared.formats.fold import copy_of
from shared.log.event import Event
from shared.refusals import Fault, Refusal, expects, one_of
from shared.shapes import Command, Id, Open, Shape, Size
from shared.tournament.guards import Context
from shared.tournament.state import Tournament

MAX_CHOICES = 100
"""Choices in one request: more than a group of any size makes in one phase."""


class OneChoice(Shape, frozen=True, kw_only=True):
    """A choice as in Choose, or `close_step` with the `step` in `of`."""

    does: Annotated[Id, "The name of the choice, or `close_step`."]
    of: Annotated[dict[str, Any], Open("of"), "The `of` of the listed choice, with further members."] = {}
    rolls: Annotated[list[RollTold], Size(MAX_ROLLS)] = []
    service: bool = False
    leave: bool = False


class ChooseSeveral(Command, frozen=True, kw_only=True):
    """Make several choices in order, and close steps between them. If one is refused, none is made."""

    group: Id
    choices: Annotated[list[OneChoice], Size(MAX_CHOICES, 1)]


def choose(state: Tournament, command: ChooseSeveral, context: Context) -> Sequence[Event]:
    """Decide ChooseSeveral. Raises NotYourGroup, and the refusal of the first choice that does not hold."""
    return make_choices(RoundDecision(state, context, ""), command)


def make_choices(builder: RoundDecision, command: ChooseSeveral) -> list[Event]:
    """Return the events of all choices, each decided on the state after those before it.

    Raises ChoiceRefused for choices that other groups wait for, and the refusals of a choice, with its place.
    """
    require_own_group(builder.context.by, command.group)
    if shared := [place for place, one in enumerate(command.choices) if one.does in SHARED_TURN]:
        expected = expects("choice-of-its-own")
        faults = [
            Fault(f"/choices/{place}/does", command.choices[place].does, expected, "FS-PGP-2") for place in shared
        ]
        raise ChoiceRefused("other groups wait for this; send it alone", faults)
    state = copy_of(builder.state)
    events: list[Event] = []
    for place, one in enumerate(command.choices):
        builder.cause = one.does
        try:
            made = _decide_one(builder, command.group, one)
        except Refusal as refused:
            refused.faults = tuple(replace(fault, where=f"/choices/{place}{fault.where}") for fault in refused.faults)
            raise
        events += made
        if place < len(command.choices) - 1:
            take_events(state, made, builder.context)
            builder = _next_builder(builder, state, command.group, made)
    return events


def _decide_one(builder: RoundDecision, group: str, one: OneChoice) -> list[Event]:
    if one.does != CLOSE_STEP:
        return make_choice(
            builder,
            Choose(group=group, does=one.does, of=one.of, rolls=one.rolls, service=one.service, leave=one.leave),
        )
    step = one.of.get("step")
    if one.of.keys() != {"step"} or not isinstance(step, str):
        fault = Fault("/of", ", ".join(one.of) or "nothing", one_of(["step"]), "FS-PGP-1")
        raise ChoiceRefused("a step is closed by its name", [fault])
    return close_open_step(builder, CloseStep(group=group, step=step, leave=one.leave))


def _next_builder(builder: RoundDecision, state: Tournament, group: str, made: Sequence[Event]) -> RoundDecision:
    """Return the builder of the next choice. In a list that is decided again, the dice so far count from here on."""
    following = RoundDecision(state, builder.context, "")
    if builder.again is not None:
        rolled = {event.roll for event in made if isinstance(event, DieRolled)}
        following.again = replace(builder.again, void={*builder.again.void} - rolled)
        serial = builder.groups[group].serial
        following.groups[group] = replace(following.groups[group], serial=serial)
    return following
