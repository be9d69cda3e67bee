"""Every choice of the post-game phase by its name: what has to be said with it, and the decision that it asks for.

A client names a choice with what it is about and the dice, as `asked` lists them; dice are taken in the order in which
the decision asks for them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from shared.formats.campaign.rules import (
    advancement,
    bartering,
    doctor,
    encounters,
    hunger,
    injuries,
    post_game,
    rewards,
    searching,
    upkeep,
    workshop,
)
from shared.formats.campaign.rules import deciding_choices as made
from shared.formats.campaign.rules import deciding_choices_of_rivals as of_rivals
from shared.formats.campaign.rules import names_of_things as called
from shared.formats.campaign.rules.choice_shapes import (
    Bag,
    Building,
    Dismissal,
    Dose,
    Fight,
    FoodSold,
    Home,
    Line,
    Merchants,
    Moving,
    Nothing,
    Offer,
    OfGood,
    OfInjury,
    OfItem,
    OfMember,
    OfTurf,
    OrganiserEntry,
    Perk,
    Raise,
    Reward,
    Sale,
    Scavenging,
    Search,
    Shift,
    Spending,
    Treating,
    Upkeeping,
    Visiting,
)
from shared.formats.campaign.rules.deciding_choices import DecisionContext
from shared.formats.campaign.rules.refusals import ChoiceRefused
from shared.formats.campaign.rules.steps import require
from shared.formats.campaign.rules.words import Events
from shared.refusals import Fault
from shared.rules.shape_checks import faults_of_shape


def decide(context: DecisionContext, does: str, of: Mapping[str, Any], *, organiser: bool = False) -> Events:
    """What a choice brings about. Raises ChoiceRefused for one that does not exist or is not said like this, for dice
    that nothing asks for, and whatever the decision refuses."""
    known = {**CHOICES, **OF_ORGANISERS} if organiser else CHOICES
    chosen = known.get(does)
    if chosen is None:
        fault = Fault("/does", repr(does), "one of " + ", ".join(known), "FS-PGP-1")
        raise ChoiceRefused("there is no such choice", [fault])
    parts, decision = chosen
    of = called.by_keys(context.rules, of)
    faults = faults_of_shape(dict(of), parts)
    if faults:
        placed = [msgspec.structs.replace(fault, where=f"/of{fault.where}") for fault in faults]
        raise ChoiceRefused(f"{does} is not said like this", placed)
    outcomes = decision(context, msgspec.convert(of, parts))
    require(context.dice_source.faults_of_rest(), "some of these dice are not asked for")
    return outcomes


Decision = Callable[[DecisionContext, Any], Events]

CHOICES: Mapping[str, tuple[type[Struct], Decision]] = {
    "roll_injury": (OfMember, made.roll_injury),
    "take_injury": (
        OfInjury,
        lambda context, of: injuries.take_injury(context.rules, context.group, of.member, context.seed),
    ),
    "reroll_injury": (
        OfInjury,
        lambda context, of: injuries.reroll_injury(context.rules, context.group, of.member),
    ),
    "check_jail": (OfMember, made.check_jail),
    "choose_clean_home": (
        Home,
        lambda context, of: injuries.choose_clean_home(
            context.rules, context.group, of.choice, of.member, context.seed
        ),
    ),
    "dismiss_blind": (
        Dismissal,
        lambda context, of: injuries.dismiss_blind(context.rules, context.group, of.member, of.how, context.seed),
    ),
    "claim_reward": (Reward, made.claim_reward),
    "forgo_reward": (Nothing, lambda context, of: rewards.forgo_reward(context.rules, context.group)),
    "claim_turf": (
        Nothing,
        lambda context, of: rewards.claim_turf(context.rules, context.group, context.dice_source.next("2D12")),
    ),
    "take_turf": (OfTurf, of_rivals.take_rivals_turf),
    "award_experience": (Nothing, of_rivals.award),
    "roll_advancement": (OfMember, made.roll_advancement),
    "choose_perk": (
        Perk,
        lambda context, of: advancement.choose_perk(context.rules, context.group, of.member, of.perk),
    ),
    "choose_attribute": (
        Raise,
        lambda context, of: advancement.choose_attribute(context.rules, context.group, of.member, of.attribute),
    ),
    "scavenge": (Scavenging, made.scavenge),
    "shift_find": (Shift, made.shift_find),
    "draw_encounter": (
        OfMember,
        lambda context, of: encounters.draw_encounter(context.rules, context.group, of.member, context.seed),
    ),
    "resolve_encounter": (
        encounters.Meeting,
        lambda context, of: encounters.resolve_encounter(context.rules, context.group, of, context.dice_source.next),
    ),
    "visit_turf": (Visiting, made.visit_turf),
    "spend_kept": (Spending, made.spend_kept),
    "eat_own": (
        Fight,
        lambda context, of: hunger.eat_own(context.rules, context.group, of.winner, context.pot),
    ),
    "eat_blind": (
        OfMember,
        lambda context, of: hunger.eat_blind(context.rules, context.group, of.member, context.seed),
    ),
    "feast": (Nothing, of_rivals.feast_on_dead),
    "sell_food": (
        FoodSold,
        lambda context, of: upkeep.sell_food(context.rules, context.group, of.food, of.amount),
    ),
    "emergency_sale": (OfItem, made.emergency_sale),
    "settle_upkeep": (Upkeeping, made.eat),
    "seek_merchant": (Merchants, made.seek_merchant),
    "take_drug": (
        OfItem,
        lambda context, of: bartering.take_drug(
            context.rules, context.group, of.item, context.dice_source.next("1D12")
        ),
    ),
    "quote_price": (Line, made.quote_price),
    "quote_sale": (Sale, made.quote_sale),
    "take_offer": (Offer, lambda context, of: bartering.take_offer(context.rules, context.group)),
    "decline_offer": (Offer, lambda context, of: bartering.decline_offer(context.group)),
    "buy_from_list": (
        OfGood,
        lambda context, of: bartering.buy_from_list(context.rules, context.group, of.good),
    ),
    "search_building": (
        Search,
        lambda context, of: searching.search_building(
            context.rules, context.group, of.searchers, context.dice_source.next("2D12"), context.seed
        ),
    ),
    "build": (
        Building,
        lambda context, of: workshop.build(
            context.rules, context.group, of.member, of.parts, context.dice_source.next("1D12")
        ),
    ),
    "see_doctor": (Treating, made.see_doctor),
    "use_bag": (
        Bag,
        lambda context, of: doctor.use_bag(context.rules, context.group, of.item, of.member, of.injury),
    ),
    "use_radaway": (
        Dose,
        lambda context, of: doctor.use_radaway(context.rules, context.group, of.item, of.member),
    ),
    "move_item": (
        Moving,
        lambda context, of: post_game.move_item(context.rules, context.group, of.item, of.holder),
    ),
}
"""Name -> what is said with it, and the decision."""

OF_ORGANISERS: Mapping[str, tuple[type[Struct], Decision]] = {
    "organiser_entry": (
        OrganiserEntry,
        lambda context, of: post_game.organiser_entry(context.rules, context.group, of.caps, of.goods, of.reason),
    ),
}
"""The same for what only an organiser may do."""
