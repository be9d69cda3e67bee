"""Every choice of the post-game phase by its name: what has to be said with it, and the decision that it asks for.

A client names a choice with what it is about and the dice, as `asked` lists them; dice are taken in the order in which
the decision asks for them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from shared.refusals import Fault
from shared.rules.campaign import (
    advancement,
    bartering,
    called,
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
from shared.rules.campaign import choice_parts as ask
from shared.rules.campaign import choosing as made
from shared.rules.campaign.choosing import Asking, Said
from shared.rules.campaign.refusals import ChoiceRefused
from shared.rules.campaign.steps import require
from shared.rules.shape import faults_of_shape


def decide(asking: Asking, does: str, of: Mapping[str, Any], *, organiser: bool = False) -> Said:
    """What a choice brings about. Raises ChoiceRefused for one that does not exist or is not said like this, for dice
    that nothing asks for, and whatever the decision refuses."""
    known = {**CHOICES, **OF_ORGANISERS} if organiser else CHOICES
    chosen = known.get(does)
    if chosen is None:
        fault = Fault("/does", repr(does), "one of " + ", ".join(known), "FS-PGP-1")
        raise ChoiceRefused("there is no such choice", [fault])
    parts, decision = chosen
    of = called.by_keys(asking.rules, of)
    faults = faults_of_shape(dict(of), parts)
    if faults:
        placed = [msgspec.structs.replace(fault, where=f"/of{fault.where}") for fault in faults]
        raise ChoiceRefused(f"{does} is not said like this", placed)
    outcomes = decision(asking, msgspec.convert(of, parts))
    require(asking.cup.faults_of_rest(), "some of these dice are not asked for")
    return outcomes


Decision = Callable[[Asking, Any], Said]

CHOICES: Mapping[str, tuple[type[Struct], Decision]] = {
    "roll_injury": (ask.OfMember, made.roll_injury),
    "take_injury": (
        ask.OfInjury,
        lambda asking, of: injuries.take_injury(asking.rules, asking.group, of.member, asking.seed),
    ),
    "reroll_injury": (
        ask.OfInjury,
        lambda asking, of: injuries.reroll_injury(asking.rules, asking.group, of.member),
    ),
    "check_jail": (ask.OfMember, made.check_jail),
    "choose_clean_home": (
        ask.Home,
        lambda asking, of: injuries.choose_clean_home(asking.rules, asking.group, of.choice, of.member, asking.seed),
    ),
    "dismiss_blind": (
        ask.Dismissal,
        lambda asking, of: injuries.dismiss_blind(asking.rules, asking.group, of.member, of.how, asking.seed),
    ),
    "claim_reward": (ask.Reward, made.claim_reward),
    "forgo_reward": (ask.Nothing, lambda asking, of: rewards.forgo_reward(asking.rules, asking.group)),
    "claim_turf": (
        ask.Nothing,
        lambda asking, of: rewards.claim_turf(asking.rules, asking.group, asking.cup.next("2D12")),
    ),
    "take_turf": (ask.OfTurf, made.take_rivals_turf),
    "award_experience": (ask.Nothing, made.award),
    "roll_advancement": (ask.OfMember, made.roll_advancement),
    "choose_perk": (
        ask.Perk,
        lambda asking, of: advancement.choose_perk(asking.rules, asking.group, of.member, of.perk),
    ),
    "choose_attribute": (
        ask.Raise,
        lambda asking, of: advancement.choose_attribute(asking.rules, asking.group, of.member, of.attribute),
    ),
    "scavenge": (ask.Scavenging, made.scavenge),
    "shift_find": (ask.Shift, made.shift_find),
    "resolve_encounter": (
        encounters.Meeting,
        lambda asking, of: encounters.resolve_encounter(asking.rules, asking.group, of, asking.cup.next),
    ),
    "visit_turf": (ask.Visiting, made.visit_turf),
    "spend_kept": (ask.Spending, made.spend_kept),
    "eat_own": (
        ask.Fight,
        lambda asking, of: hunger.eat_own(asking.rules, asking.group, of.winner, asking.pot),
    ),
    "eat_blind": (
        ask.OfMember,
        lambda asking, of: hunger.eat_blind(asking.rules, asking.group, of.member, asking.seed),
    ),
    "feast": (ask.Nothing, made.feast_on_dead),
    "sell_food": (
        ask.FoodSold,
        lambda asking, of: upkeep.sell_food(asking.rules, asking.group, of.food, of.amount),
    ),
    "emergency_sale": (ask.OfItem, made.emergency_sale),
    "settle_upkeep": (ask.Upkeeping, made.eat),
    "seek_merchant": (ask.Merchants, made.seek_merchant),
    "take_drug": (
        ask.OfItem,
        lambda asking, of: bartering.take_drug(asking.rules, asking.group, of.item, asking.cup.next("1D12")),
    ),
    "quote_price": (ask.Line, made.quote_price),
    "quote_sale": (ask.Sale, made.quote_sale),
    "take_offer": (ask.Offer, lambda asking, of: bartering.take_offer(asking.rules, asking.group)),
    "decline_offer": (ask.Offer, lambda asking, of: bartering.decline_offer(asking.group)),
    "buy_from_list": (
        ask.OfGood,
        lambda asking, of: bartering.buy_from_list(asking.rules, asking.group, of.good),
    ),
    "search_building": (
        ask.Search,
        lambda asking, of: searching.search_building(
            asking.rules, asking.group, of.searchers, asking.cup.next("2D12"), asking.seed
        ),
    ),
    "build": (
        ask.Building,
        lambda asking, of: workshop.build(asking.rules, asking.group, of.member, of.parts, asking.cup.next("1D12")),
    ),
    "see_doctor": (ask.Treating, made.see_doctor),
    "use_bag": (
        ask.Bag,
        lambda asking, of: doctor.use_bag(asking.rules, asking.group, of.item, of.member, of.injury),
    ),
    "use_radaway": (
        ask.Dose,
        lambda asking, of: doctor.use_radaway(asking.rules, asking.group, of.item, of.member),
    ),
    "move_item": (
        ask.Moving,
        lambda asking, of: post_game.move_item(asking.rules, asking.group, of.item, of.holder),
    ),
}
"""Name -> what is said with it, and the decision."""

OF_ORGANISERS: Mapping[str, tuple[type[Struct], Decision]] = {
    "organiser_entry": (
        ask.OrganiserEntry,
        lambda asking, of: post_game.organiser_entry(asking.rules, asking.group, of.caps, of.goods, of.reason),
    ),
}
"""The same for what only an organiser may do."""
