"""Choices of step 3: flesh, what is sold for food, and the upkeep of everybody. FS-SPC-1, FS-SPC-2, FS-UPK-1."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import get_args

from msgspec import Struct, to_builtins

from shared.formats.campaign.rules import emergency, hunger, upkeep
from shared.formats.campaign.rules.absent import frugal
from shared.formats.campaign.rules.attributes import is_blind
from shared.formats.campaign.rules.choices.choice import (
    Choice,
    DecisionContext,
    Members,
    Nothing,
    OfItem,
    OfMember,
    first_of,
)
from shared.formats.campaign.rules.choices.experience import dead_of
from shared.formats.campaign.rules.income_outcomes import EquipmentNeglected, FoodMoved, MemberFed, MemberWentHungry
from shared.formats.campaign.rules.outcomes import RadsChanged
from shared.formats.campaign.rules.refusals import ChoiceRefused
from shared.formats.campaign.rules.steps import in_step
from shared.formats.campaign.rules.trade_outcomes import CannibalFightResolved
from shared.formats.campaign.rules.upkeep import Upkeep
from shared.formats.campaign.rules.words import CampaignEvent, Events, Food
from shared.refusals import Fault


class Fight(Struct, frozen=True, forbid_unknown_fields=True):
    """Who won the fight for the pot."""

    winner: str


class FoodSold(Struct, frozen=True, forbid_unknown_fields=True):
    """Surplus food."""

    food: Food
    amount: int


def _eat_own(context: DecisionContext, of: Fight) -> Events:
    return hunger.eat_own(context.rules, context.group, of.winner, context.pot)


def _fighters(context: DecisionContext) -> Iterator[Members]:
    """Either may win; where there is nobody to fight with, the leader shows why not."""
    if not context.rules.forces[context.group.force].special.cannibals:
        return
    try:
        able: tuple[str, ...] = hunger.fighters(context.rules, context.group, context.pot)
    except ChoiceRefused:
        able = (context.group.leader,)
    yield from ({"winner": id} for id in able)


def _fought(context: DecisionContext, events: Sequence[CampaignEvent]) -> Iterator[Members]:
    for event in events:
        if isinstance(event, CannibalFightResolved):
            yield {"winner": event.fighter if event.won else event.victim}


def _blind(context: DecisionContext) -> Iterator[Members]:
    for member in context.group.members:
        if is_blind(context.rules, member):
            yield {"member": member.id}


def _feast(context: DecisionContext, of: Nothing) -> Events:
    in_step(context.group, "3")
    if not context.rivals:
        raise ChoiceRefused("nobody was met", [Fault("/rival", "nothing", "a rival of this round", "FS-SPC-2")])
    dead = dead_of(context, context.rules.options.flesh_eaters_need)
    forces = {id: rival.force for id, rival in context.met.items()}
    return hunger.feast(context.rules, context.group, forces, dead)


def _enemies(context: DecisionContext) -> Iterator[Members]:
    if context.rivals and context.rules.forces[context.group.force].special.flesh_eaters:
        yield {}


def _sold(context: DecisionContext, events: Sequence[CampaignEvent]) -> Iterator[Members]:
    yield {"food": first_of(events, "food"), "amount": -first_of(events, "amount")}


def _emergency_sale(context: DecisionContext, of: OfItem) -> Events:
    in_step(context.group, "3")
    rolled = context.rules.options.emergency_sale == "fixed_merchant_roll"
    throws = [context.roll("1D6") for _ in range(2 * rolled)]
    return emergency.emergency_sale(context.rules, context.group, of.item, *throws)


def _settle(context: DecisionContext, of: Upkeep) -> Events:
    """Who says nothing of how the group eats eats in the easiest way, and nobody goes without. FS-UPK-1."""
    plan = upkeep.easiest(context.rules, context.group) if of == Upkeep() else of
    return upkeep.settle_upkeep(context.rules, context.group, plan, context.seed)


def _meals(context: DecisionContext) -> Iterator[Members]:
    """The easiest way; a group that cannot pay for everybody names who goes without."""
    plan = frugal(context.rules, context.group)
    everybody = plan == upkeep.easiest(context.rules, context.group)
    told = {} if everybody else to_builtins(plan)
    yield {name: [*value] if isinstance(value, tuple) else value for name, value in told.items()}


def _settled(context: DecisionContext, events: Sequence[CampaignEvent]) -> Iterator[Members]:
    """Who ate what, and who was left out."""
    rules, group = context.rules, context.group
    fed = {event.member: event.by for event in events if isinstance(event, MemberFed)}
    eaten = {
        food: -sum(
            event.amount
            for event in events
            if isinstance(event, FoodMoved) and event.food == food and event.reason == "eaten"
        )
        for food in get_args(Food)
    }
    appetite = rules.forces[group.force].special.appetite
    radiated = {id: _units(context, events, id) for id, by in fed.items() if by == "radiated"}
    left = eaten["radiated"] - sum(radiated.values())
    for id in radiated if rules.options.radiated_food == "per_eater" else ():
        more = max(0, min(appetite - radiated[id], left))
        radiated[id] += more
        left -= more
    eaters = sum(by != "table" for by in fed.values())
    served = (sum(eaten.values()) - appetite * eaters) // rules.core.centaur_food if group.centaurs else 0
    yield {
        "guests": [id for id, by in fed.items() if by == "table"],
        "radiated": radiated,
        "hungry": [event.member for event in events if isinstance(event, MemberWentHungry)],
        "neglected": [event.member for event in events if isinstance(event, EquipmentNeglected)],
        "centaurs_radiated": left,
        "centaurs_hungry": group.centaurs - served,
    }


def _units(context: DecisionContext, events: Sequence[CampaignEvent], member: str) -> int:
    """Units of radiated food that a member ate: as its rads say where each unit is one, else one at least."""
    if context.rules.options.radiated_food == "per_eater":
        return 1
    changed = (event for event in events if isinstance(event, RadsChanged) and event.member == member)
    return next((event.amount for event in changed), 1)


OF_FOOD = (
    Choice("eat_own", Fight, _eat_own, ("3",), _fighters, recorded=_fought),
    Choice(
        "eat_blind",
        OfMember,
        lambda context, of: hunger.eat_blind(context.rules, context.group, of.member, context.seed),
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
        recorded=_sold,
    ),
    Choice(
        "emergency_sale",
        OfItem,
        _emergency_sale,
        ("3",),
        lambda context: ({"item": item.id} for item in context.group.items),
    ),
    Choice("settle_upkeep", Upkeep, _settle, ("3",), _meals, recorded=_settled),
)
