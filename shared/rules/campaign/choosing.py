"""Choices of the post-game phase that ask for dice, or about the other group of the game: how each is decided."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from shared.refusals import Fault
from shared.rules.campaign import (
    advancement,
    bartering,
    called,
    doctor,
    emergency,
    experience,
    hunger,
    injuries,
    rewards,
    scavenging,
    upkeep,
    visits,
)
from shared.rules.campaign import choice_parts as ask
from shared.rules.campaign.outcomes import MemberIncarcerated
from shared.rules.campaign.prices import offer_of
from shared.rules.campaign.refusals import ChoiceRefused, StepRefused
from shared.rules.campaign.rolling import Cup
from shared.rules.campaign.roster import Group
from shared.rules.campaign.steps import in_step, require
from shared.rules.campaign.tables import Rules
from shared.rules.campaign.turf import expressions, take_turf, turf_of
from shared.rules.campaign.words import Outcome

Said = list[Outcome]


class Rival(Struct, frozen=True):
    """The other group of the game. dead: its members who died by the injury table; settled: its step 1 is closed."""

    group: Group
    dead: tuple[str, ...] = ()
    settled: bool = True


class Asking(Struct):
    """What a choice is decided on. seed: of draws that are made now; pot: of the one draw that is known beforehand.

    beside: what the choice brings about for other groups, by id.
    """

    rules: Rules
    group: Group
    cup: Cup
    seed: str
    pot: str = ""
    rival: Rival | None = None
    beside: dict[str, Said] = {}


def roll_injury(asking: Asking, of: ask.OfMember) -> Said:
    phase = in_step(asking.group, "1", "1b", "3", "5")
    again = next((open.roll for open in phase.open_injuries if open.member == of.member and open.again), "")
    return injuries.roll_injury(asking.rules, asking.group, of.member, asking.cup.next("2D12", again), asking.seed)


def check_jail(asking: Asking, of: ask.OfMember) -> Said:
    """The captors are paid for whom they get. FS-INJ-5."""
    said = injuries.check_jail(asking.rules, asking.group, of.member, asking.cup.next("1D12"))
    if asking.rival is not None:
        captors = asking.rival.group
        asking.beside[captors.id] = bounties(asking.rules, captors, said)
    return said


def bounties(rules: Rules, captors: Group, said: Sequence[Outcome]) -> Said:
    """What captors are paid for everybody who goes to jail by what was said. FS-INJ-5."""
    return [
        injuries.jail_bounty(rules, captors, outcome.roll)
        for outcome in said
        if isinstance(outcome, MemberIncarcerated)
    ]


def claim_reward(asking: Asking, of: ask.Reward) -> Said:
    dice = rewards.reward_dice(asking.rules, asking.group)
    claim = rewards.Claim(of.member, of.injury, of.good, asking.cup.next(dice) if dice else None)
    return rewards.claim_reward(asking.rules, asking.group, claim, asking.seed)


def take_rivals_turf(asking: Asking, of: ask.OfTurf) -> Said:
    """FS-AMB-33, as `claim_turf`."""
    phase = in_step(asking.group, "1b")
    legal = phase.played.ending == "win" and not phase.turf_gained and asking.rival is not None
    fault = Fault("/turf", "no turf is won", "a winner, once after a game", "FS-AMB-33")
    require([] if legal else [fault], "no turf is won here")
    assert asking.rival is not None
    won, lost = take_turf(asking.rules, asking.group, asking.rival.group, of.turf)
    asking.beside[asking.rival.group.id] = lost
    return won


def award(asking: Asking, of: ask.Nothing) -> Said:
    phase = in_step(asking.group, "2")
    fault = Fault("/step", "awarded already", "once", "FS-XP-1")
    require([fault] if phase.awarded else [], "experience was awarded")
    return experience.award_experience(asking.rules, asking.group, dead_of(asking, asking.rules.options.kill))


def dead_of(asking: Asking, reading: str) -> tuple[str, ...]:
    """Whom the rival lost by the injury table, where the reading asks for it. Raises StepRefused before it is known."""
    rival = asking.rival
    if reading != "dead_on_injury_table" or rival is None:
        return ()
    if not rival.settled:
        fault = Fault("/step", f"{rival.group.id} has injuries to settle", "its step 1 closed", "FS-PGP-1")
        raise StepRefused("who is dead is not known yet", [fault])
    return rival.dead


def roll_advancement(asking: Asking, of: ask.OfMember) -> Said:
    in_step(asking.group, "2", "3", "7")
    waiting = advancement.open_advance(asking.group, of.member)
    again = waiting.roll if waiting is not None and waiting.again else ""
    return advancement.roll_advancement(asking.rules, asking.group, of.member, asking.cup.next("2D12", again))


def scavenge(asking: Asking, of: ask.Scavenging) -> Said:
    phase = in_step(asking.group, "3")
    pistols = scavenging.pistols_of_choice(asking.rules)
    if of.good and of.good not in pistols:
        names = called.one_of(called.goods(asking.rules), pistols)
        wanted = names if pistols else "nothing: the table says what is found"
        raise ChoiceRefused("no such pistol is found", [Fault("/of/good", repr(of.good), wanted, "FS-AMB-35")])
    first = asking.cup.next("1D12")
    second = None
    if first.dice and not scavenging.may_shift(asking.rules, asking.group, of.member):
        row = scavenging.find_at(asking.rules, first.dice[0].natural)
        dice = scavenging.second_dice(row, phase, of.member)
        second = asking.cup.next(dice) if dice else None
    return scavenging.scavenge(asking.rules, asking.group, of.member, first, second, good=of.good, free=of.free)


def shift_find(asking: Asking, of: ask.Shift) -> Said:
    phase = in_step(asking.group, "3")
    open = scavenging.open_find(asking.group, of.member)
    legal = open is not None and of.shift in scavenging.shifts(asking.rules, asking.group, of.member)
    row = scavenging.find_at(asking.rules, open.face + of.shift) if open is not None and legal else None
    dice = scavenging.second_dice(row, phase, of.member) if row is not None else ""
    second = asking.cup.next(dice) if dice else None
    return scavenging.shift_find(asking.rules, asking.group, of.member, of.shift, second)


def dice_of_visit(asking: Asking, of: ask.Visiting) -> Sequence[str]:
    """The dice that a visit asks for by the turf and the choice; none where the visit is refused anyway."""
    owned = next((owned for owned in asking.group.turfs if owned.id == of.turf), None)
    if owned is None:
        return ()
    turf = turf_of(asking.rules, owned.turf)
    match of.choice or visits.choices(asking.rules, asking.group, turf)[0]:
        case "income":
            return expressions(turf)
        case "sell":
            return (turf.feature.sells,)
        case "invention":
            return ("1D12",)
    return ()


def visit_turf(asking: Asking, of: ask.Visiting) -> Said:
    in_step(asking.group, "3")
    throws = [asking.cup.next(dice) for dice in dice_of_visit(asking, of)]
    return visits.visit_turf(asking.rules, asking.group, of.member, of.turf, throws, choice=of.choice, good=of.good)


def spend_kept(asking: Asking, of: ask.Spending) -> Said:
    owned = asking.group.item(of.item)
    turf = visits.kept_at(asking.rules, owned.good) if owned else None
    thrown = asking.cup.next(turf.feature.sells) if turf and of.choice == "sell" else None
    return visits.spend_kept(asking.rules, asking.group, of.item, of.choice, thrown)


def feast_on_dead(asking: Asking, of: ask.Nothing) -> Said:
    phase = in_step(asking.group, "3")
    if asking.rival is None:
        raise ChoiceRefused("nobody was met", [Fault("/rival", "nobody", "a rival of this round", "FS-SPC-2")])
    dead = dead_of(asking, asking.rules.options.flesh_eaters_need)
    down = sum(len(deeds.took) for deeds in phase.played.side.members)
    return hunger.feast(asking.rules, asking.group, asking.rival.group.force, len(dead), down)


def emergency_sale(asking: Asking, of: ask.OfItem) -> Said:
    in_step(asking.group, "3")
    rolled = asking.rules.options.emergency_sale == "fixed_merchant_roll"
    throws = [asking.cup.next("1D6") for _ in range(2 * rolled)]
    return emergency.emergency_sale(asking.rules, asking.group, of.item, *throws)


def seek_merchant(asking: Asking, of: ask.Merchants) -> Said:
    in_step(asking.group, "5")
    known = asking.rules.merchants.get(of.merchant)
    thrown = asking.cup.next("1D12") if known is not None and known.find else None
    return bartering.seek_merchant(asking.rules, asking.group, of.merchant, of.companions, thrown)


def dice_of_quote(asking: Asking, line: str) -> tuple[str, bool]:
    """The dice of rarity of a line, if it is rare, and whether leader and merchant roll for it."""
    visit = asking.group.phase.visit if asking.group.phase else None
    offer = offer_of(asking.rules, visit.merchant, line) if visit else None
    once = visit is not None and visit.totals is not None and asking.rules.options.opposed_roll == "per_visit"
    return f"{offer.rarity}D12" if offer and offer.rarity else "", not once


def quote_price(asking: Asking, of: ask.Line) -> Said:
    in_step(asking.group, "5")
    rare, opposed = dice_of_quote(asking, of.line)
    throws = [asking.cup.next(rare) if rare else None]
    throws += [asking.cup.next("1D6") if opposed else None for _ in range(2)]
    return bartering.quote_price(asking.rules, asking.group, of.line, *throws)


def quote_sale(asking: Asking, of: ask.Sale) -> Said:
    in_step(asking.group, "5")
    own, merchant = asking.cup.next("1D6"), asking.cup.next("1D6")
    return bartering.quote_sale(asking.rules, asking.group, of.item, of.seller or asking.group.leader, own, merchant)


def see_doctor(asking: Asking, of: ask.Treating) -> Said:
    told = asking.rules.core.treatments.get(of.treatment)
    dice = asking.rules.core.doctor_addiction_dice
    priced = told is not None and told.does == "cure_addictions" and asking.rules.options.addiction_price == dice
    thrown = asking.cup.next(dice) if priced else None
    return doctor.see_doctor(asking.rules, asking.group, of.member, of.treatment, of.injury, thrown)


def eat(asking: Asking, of: ask.Upkeeping) -> Said:
    """Who says nothing of how the group eats eats in the easiest way, and nobody goes without. FS-UPK-1."""
    said = upkeep.Upkeep(**{name: getattr(of, name) for name in upkeep.Upkeep.__struct_fields__})
    plain = upkeep.easiest(asking.rules, asking.group) if of == ask.Upkeeping() else said
    return upkeep.settle_upkeep(asking.rules, asking.group, plain, asking.seed)
