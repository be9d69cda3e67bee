"""Choices of the post-game phase that ask for dice: how each is decided."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from shared.formats.campaign.rules import (
    advancement,
    bartering,
    doctor,
    emergency,
    injuries,
    rewards,
    scavenging,
    upkeep,
    visits,
)
from shared.formats.campaign.rules import names_of_things as called
from shared.formats.campaign.rules.choice_shapes import (
    Line,
    Merchants,
    OfItem,
    OfMember,
    Reward,
    Sale,
    Scavenging,
    Shift,
    Spending,
    Treating,
    Upkeeping,
    Visiting,
)
from shared.formats.campaign.rules.dice_source import DiceSource
from shared.formats.campaign.rules.outcomes import MemberIncarcerated
from shared.formats.campaign.rules.prices import offer_of
from shared.formats.campaign.rules.refusals import ChoiceRefused
from shared.formats.campaign.rules.roster import Group
from shared.formats.campaign.rules.sides import rival_by_name
from shared.formats.campaign.rules.steps import in_step
from shared.formats.campaign.rules.tables import Rules
from shared.formats.campaign.rules.turf import expressions, turf_of
from shared.formats.campaign.rules.words import CampaignEvent, Events
from shared.refusals import Fault


class Rival(Struct, frozen=True):
    """A group of another side of the game. dead: its members who died by the injury table; settled: its step 1 is
    closed."""

    group: Group
    dead: tuple[str, ...] = ()
    settled: bool = True


class DecisionContext(Struct):
    """What a choice is decided on. seed: of draws that are made now; pot: of the one draw that is known beforehand.

    rivals: of the game; none after a bye. beside: what the choice brings about for other groups, by id.
    """

    rules: Rules
    group: Group
    dice_source: DiceSource
    seed: str
    pot: str = ""
    rivals: tuple[Rival, ...] = ()
    beside: dict[str, Events] = {}

    @property
    def met(self) -> dict[str, Group]:
        """The groups of other sides, by id."""
        return {rival.group.id: rival.group for rival in self.rivals}


def roll_injury(context: DecisionContext, of: OfMember) -> Events:
    phase = in_step(context.group, "1", "1b", "3", "5")
    again = next((open.roll for open in phase.open_injuries if open.member == of.member and open.again), "")
    return injuries.roll_injury(
        context.rules, context.group, of.member, context.dice_source.next("2D12", again), context.seed
    )


def check_jail(context: DecisionContext, of: OfMember) -> Events:
    """The captors are paid for whom they get. FS-INJ-5."""
    said = injuries.check_jail(context.rules, context.group, of.member, context.dice_source.next("1D12"))
    context.beside |= bounties(context, said)
    return said


def bounties(context: DecisionContext, said: Sequence[CampaignEvent]) -> dict[str, Events]:
    """What captors are paid for everybody who goes to jail by what was said: captor -> its outcomes. FS-INJ-5."""
    paid: dict[str, Events] = {}
    played = context.group.phase.played if context.group.phase else None
    for outcome in said:
        if played is None or not isinstance(outcome, MemberIncarcerated):
            continue
        deeds = played.deeds(outcome.member)
        captor = context.met.get(rival_by_name(list(context.met), deeds.by)[0]) if deeds is not None else None
        if captor is not None:
            paid.setdefault(captor.id, []).append(injuries.jail_bounty(context.rules, captor, outcome.roll))
    return paid


def claim_reward(context: DecisionContext, of: Reward) -> Events:
    dice = rewards.reward_dice(context.rules, context.group)
    claim = rewards.Claim(of.member, of.injury, of.good, context.dice_source.next(dice) if dice else None)
    return rewards.claim_reward(context.rules, context.group, claim, context.seed)


def roll_advancement(context: DecisionContext, of: OfMember) -> Events:
    in_step(context.group, "2", "3", "7")
    waiting = advancement.open_advance(context.group, of.member)
    again = waiting.roll if waiting is not None and waiting.again else ""
    return advancement.roll_advancement(
        context.rules, context.group, of.member, context.dice_source.next("2D12", again)
    )


def scavenge(context: DecisionContext, of: Scavenging) -> Events:
    phase = in_step(context.group, "3")
    pistols = scavenging.pistols_of_choice(context.rules)
    if of.good and of.good not in pistols:
        names = called.one_of(called.goods(context.rules), pistols)
        wanted = names if pistols else "nothing: the table says what is found"
        raise ChoiceRefused("no such pistol is found", [Fault("/of/good", repr(of.good), wanted, "FS-AMB-35")])
    first = context.dice_source.next("1D12")
    second = None
    if first.dice and not scavenging.may_shift(context.rules, context.group, of.member):
        row = scavenging.find_at(context.rules, first.dice[0].natural)
        dice = scavenging.second_dice(row, phase, of.member)
        second = context.dice_source.next(dice) if dice else None
    return scavenging.scavenge(context.rules, context.group, of.member, first, second, good=of.good, free=of.free)


def shift_find(context: DecisionContext, of: Shift) -> Events:
    phase = in_step(context.group, "3")
    open = scavenging.open_find(context.group, of.member)
    legal = open is not None and of.shift in scavenging.shifts(context.rules, context.group, of.member)
    row = scavenging.find_at(context.rules, open.face + of.shift) if open is not None and legal else None
    dice = scavenging.second_dice(row, phase, of.member) if row is not None else ""
    second = context.dice_source.next(dice) if dice else None
    return scavenging.shift_find(context.rules, context.group, of.member, of.shift, second)


def dice_of_visit(context: DecisionContext, of: Visiting) -> Sequence[str]:
    """The dice that a visit asks for by the turf and the choice; none where the visit is refused anyway."""
    owned = next((owned for owned in context.group.turfs if owned.id == of.turf), None)
    if owned is None:
        return ()
    turf = turf_of(context.rules, owned.turf)
    match of.choice or visits.choices(context.rules, context.group, turf)[0]:
        case "income":
            return expressions(turf)
        case "sell":
            return (turf.feature.sells,)
        case "invention":
            return ("1D12",)
    return ()


def visit_turf(context: DecisionContext, of: Visiting) -> Events:
    in_step(context.group, "3")
    throws = [context.dice_source.next(dice) for dice in dice_of_visit(context, of)]
    return visits.visit_turf(context.rules, context.group, of.member, of.turf, throws, choice=of.choice, good=of.good)


def spend_kept(context: DecisionContext, of: Spending) -> Events:
    owned = context.group.item(of.item)
    turf = visits.kept_at(context.rules, owned.good) if owned else None
    thrown = context.dice_source.next(turf.feature.sells) if turf and of.choice == "sell" else None
    return visits.spend_kept(context.rules, context.group, of.item, of.choice, thrown)


def emergency_sale(context: DecisionContext, of: OfItem) -> Events:
    in_step(context.group, "3")
    rolled = context.rules.options.emergency_sale == "fixed_merchant_roll"
    throws = [context.dice_source.next("1D6") for _ in range(2 * rolled)]
    return emergency.emergency_sale(context.rules, context.group, of.item, *throws)


def seek_merchant(context: DecisionContext, of: Merchants) -> Events:
    in_step(context.group, "5")
    known = context.rules.merchants.get(of.merchant)
    thrown = context.dice_source.next("1D12") if known is not None and known.find else None
    return bartering.seek_merchant(context.rules, context.group, of.merchant, of.companions, thrown)


def dice_of_quote(context: DecisionContext, line: str) -> tuple[str, bool]:
    """The dice of rarity of a line, if it is rare, and whether leader and merchant roll for it."""
    visit = context.group.phase.visit if context.group.phase else None
    offer = offer_of(context.rules, visit.merchant, line) if visit else None
    once = visit is not None and visit.totals is not None and context.rules.options.opposed_roll == "per_visit"
    return f"{offer.rarity}D12" if offer and offer.rarity else "", not once


def quote_price(context: DecisionContext, of: Line) -> Events:
    in_step(context.group, "5")
    rare, opposed = dice_of_quote(context, of.line)
    throws = [context.dice_source.next(rare) if rare else None]
    throws += [context.dice_source.next("1D6") if opposed else None for _ in range(2)]
    return bartering.quote_price(context.rules, context.group, of.line, *throws)


def quote_sale(context: DecisionContext, of: Sale) -> Events:
    in_step(context.group, "5")
    own, merchant = context.dice_source.next("1D6"), context.dice_source.next("1D6")
    return bartering.quote_sale(context.rules, context.group, of.item, of.seller or context.group.leader, own, merchant)


def see_doctor(context: DecisionContext, of: Treating) -> Events:
    told = context.rules.core.treatments.get(of.treatment)
    dice = context.rules.core.doctor_addiction_dice
    priced = told is not None and told.does == "cure_addictions" and context.rules.options.addiction_price == dice
    thrown = context.dice_source.next(dice) if priced else None
    return doctor.see_doctor(context.rules, context.group, of.member, of.treatment, of.injury, thrown)


def eat(context: DecisionContext, of: Upkeeping) -> Events:
    """Who says nothing of how the group eats eats in the easiest way, and nobody goes without. FS-UPK-1."""
    said = upkeep.Upkeep(**{name: getattr(of, name) for name in upkeep.Upkeep.__struct_fields__})
    plain = upkeep.easiest(context.rules, context.group) if of == Upkeeping() else said
    return upkeep.settle_upkeep(context.rules, context.group, plain, context.seed)
