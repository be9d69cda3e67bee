"""Choices of step 3: flesh, what is sold for food, and the upkeep of everybody. FS-SPC-1, FS-SPC-2, FS-UPK-1."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import get_args

from msgspec import Struct, to_builtins

from shared.formats.campaign.rules import hunger, upkeep
from shared.formats.campaign.rules.absent import frugal
from shared.formats.campaign.rules.attributes import is_blind
from shared.formats.campaign.rules.choices.choice import (
    Choice,
    DecisionContext,
    Members,
    Nothing,
    OfItem,
    OfMember,
)
from shared.formats.campaign.rules.choices.experience import dead_of
from shared.formats.campaign.rules.outcomes import RadsChanged
from shared.formats.campaign.rules.refusals import ChoiceRefused
from shared.formats.campaign.rules.steps import in_step
from shared.formats.campaign.rules.upkeep import Upkeep
from shared.formats.campaign.rules.words import CampaignEvent, Events, Food
from shared.refusals import Fault, expects


class Fight(Struct, frozen=True, forbid_unknown_fields=True):
    """Who won the fight for the pot."""

    winner: str


class FoodSold(Struct, frozen=True, forbid_unknown_fields=True):
    """Surplus food."""

    food: Food
    amount: int


def _eat_own(context: DecisionContext, of: Fight) -> Events:
    return hunger.eat_own(context.rules, context.group, of.winner, context.draws)


def _fighters(context: DecisionContext) -> Iterator[Members]:
    """Either may win; where nobody can fight yet, the leader shows why not."""
    if not context.rules.forces[context.group.force].special.cannibals:
        return
    try:
        able: tuple[str, ...] = hunger.fighters(context.rules, context.group)
    except ChoiceRefused:
        able = (context.group.leader,)
    yield from ({"winner": id} for id in able)


def _undrawn(context: DecisionContext) -> Iterator[Members]:
    if context.rules.forces[context.group.force].special.cannibals:
        yield {}


def _blind(context: DecisionContext) -> Iterator[Members]:
    for member in context.group.members:
        if is_blind(context.rules, member):
            yield {"member": member.id}


def _feast(context: DecisionContext, of: Nothing) -> Events:
    in_step(context.group, "3")
    if not context.rivals:
        raise ChoiceRefused("nobody was met", [Fault("/rival", "nothing", expects("rival-of-round"), "FS-SPC-2")])
    dead = dead_of(context, context.rules.options.flesh_eaters_need)
    forces = {id: rival.force for id, rival in context.met.items()}
    return hunger.feast(context.rules, context.group, forces, dead)


def _enemies(context: DecisionContext) -> Iterator[Members]:
    if context.rivals and context.rules.forces[context.group.force].special.flesh_eaters:
        yield {}


def _emergency_sale(context: DecisionContext, of: OfItem) -> Events:
    in_step(context.group, "3")
    rolled = context.rules.options.emergency_sale == "fixed_merchant_roll"
    throws = [context.roll("1D6", f"FS-UPK-8 {who}") for who in ("seller", "merchant") if rolled]
    return hunger.emergency_sale(context.rules, context.group, of.item, *throws)


def _settle(context: DecisionContext, of: Upkeep) -> Events:
    """Who says nothing of how the group eats eats in the easiest way, and nobody goes without. FS-UPK-1."""
    plan = upkeep.easiest(context.rules, context.group) if of == Upkeep() else of
    return upkeep.settle_upkeep(context.rules, context.group, plan, context.draws)


def _meals(context: DecisionContext) -> Iterator[Members]:
    """The easiest way; a group that cannot pay for everybody names who goes without."""
    plan = frugal(context.rules, context.group)
    everybody = plan == upkeep.easiest(context.rules, context.group)
    told = {} if everybody else to_builtins(plan)
    yield {name: [*value] if isinstance(value, tuple) else value for name, value in told.items()}


def _units(context: DecisionContext, events: Sequence[CampaignEvent], member: str) -> int:
    """Units of radiated food that a member ate: as its rads say where each unit is one, else one at least."""
    if context.rules.options.radiated_food == "per_eater":
        return 1
    changed = (event for event in events if isinstance(event, RadsChanged) and event.member == member)
    return next((event.amount for event in changed), 1)


OF_FOOD = (
    Choice(
        "draw_fighters",
        Nothing,
        lambda context, of: hunger.draw_fighters(context.rules, context.group, context.draws),
        ("3",),
        _undrawn,
    ),
    Choice("eat_own", Fight, _eat_own, ("3",), _fighters),
    Choice(
        "eat_blind",
        OfMember,
        lambda context, of: hunger.eat_blind(context.rules, context.group, of.member, context.draws),
        ("3",),
        _blind,
    ),
    Choice("feast", Nothing, _feast, ("3",), _enemies),
    Choice(
        "sell_food",
        FoodSold,
        lambda context, of: upkeep.sell_food(context.rules, context.group, of.food, of.amount),
        ("3",),
        lambda context: ({"food": food, "amount": 1} for food in get_args(Food)),
    ),
    Choice(
        "emergency_sale",
        OfItem,
        _emergency_sale,
        ("3",),
        lambda context: ({"item": item.id} for item in context.group.items),
    ),
    Choice("settle_upkeep", Upkeep, _settle, ("3",), _meals),
)
