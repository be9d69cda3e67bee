"""Every choice that the open step of a post-game phase knows, with the decision behind it tried on sample dice."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import get_args

from shared.formats.campaign.rules import advancement, bartering, doctor, injuries, rewards, searching, visits, workshop
from shared.formats.campaign.rules.attributes import is_blind
from shared.formats.campaign.rules.candidate_actions_of_income import Candidate, earning, sample
from shared.formats.campaign.rules.experience import award_experience
from shared.formats.campaign.rules.muster import objective_by
from shared.formats.campaign.rules.roster import Group, Phase, Step
from shared.formats.campaign.rules.steps import free_members, step_of_building, step_of_doctor
from shared.formats.campaign.rules.tables import Rules


def candidates(rules: Rules, group: Group, phase: Phase, pot: str = "") -> Iterator[Candidate]:
    """What may be tried in the open step, legal or not. pot: seed of who fights for it."""
    yield from _mending(rules, group)
    if phase.step in ("1", "3", "5"):
        yield from _hurt(rules, group, phase)
    if phase.step in ("2", "3", "7"):
        yield from _advancing(rules, group)
    if phase.step in _OF:
        yield from _OF[phase.step](rules, group, phase)
    if phase.step == "3":
        yield from earning(rules, group, phase, pot)
    if phase.step == step_of_building(rules):
        yield from _building(rules, group, phase)
    if phase.step == step_of_doctor(rules):
        yield from _treating(rules, group, phase)


def _hurt(rules: Rules, group: Group, phase: Phase) -> Iterator[Candidate]:
    again = {open.member: open.roll for open in phase.open_injuries if open.again}
    for id in (*phase.injured, *again):
        dice = sample("2D12", again.get(id, ""))
        yield "roll_injury", {"member": id}, ("2D12",), partial(injuries.roll_injury, rules, group, id, dice, "")
    for open in phase.open_injuries:
        if not open.again:
            of = {"member": open.member, "injury": open.result}
            yield "take_injury", of, (), partial(injuries.take_injury, rules, group, open.member, "")
            yield "reroll_injury", of, (), partial(injuries.reroll_injury, rules, group, open.member)


def _injured(rules: Rules, group: Group, phase: Phase) -> Iterator[Candidate]:
    for id in phase.jail:
        yield "check_jail", {"member": id}, ("1D12",), partial(injuries.check_jail, rules, group, id, sample("1D12"))
    for member in group.members:
        if is_blind(rules, member):
            for how in ("kill", "send_away"):
                of = {"member": member.id, "how": how}
                yield "dismiss_blind", of, (), partial(injuries.dismiss_blind, rules, group, member.id, how, "")
    if rules.forces[group.force].special.restaurant:
        for home in get_args(injuries.Home):
            for id in group.ids if home == "radaway" else ("",):
                of = {"choice": home, **({"member": id} if id else {})}
                yield "choose_clean_home", of, (), partial(injuries.choose_clean_home, rules, group, home, id)


def _rewarded(rules: Rules, group: Group, phase: Phase) -> Iterator[Candidate]:
    dice = rewards.reward_dice(rules, group)
    objective = objective_by(rules, phase.played.side.objective)
    of = {"objective": objective.objective, "reward": objective.reward.kind}
    for claim in rewards.claims_of(rules, group):
        chosen = {"member": claim.member, "injury": claim.injury, "good": claim.good}
        named = {**of, **{name: value for name, value in chosen.items() if value}}
        yield "claim_reward", named, (dice,) if dice else (), partial(rewards.claim_reward, rules, group, claim, "")
    yield "forgo_reward", {}, (), partial(rewards.forgo_reward, rules, group)
    if rules.options.turf_gain == "winner_rolls_new":
        yield "claim_turf", {}, ("2D12",), partial(rewards.claim_turf, rules, group, sample("2D12"))


def _experienced(rules: Rules, group: Group, phase: Phase) -> Iterator[Candidate]:
    if not phase.awarded:
        yield "award_experience", {}, (), partial(award_experience, rules, group)


def _advancing(rules: Rules, group: Group) -> Iterator[Candidate]:
    for member in group.members:
        waiting = advancement.open_advance(group, member.id)
        if member.advances > 0 and (waiting is None or waiting.again):
            dice = sample("2D12", waiting.roll if waiting else "")
            attempt = partial(advancement.roll_advancement, rules, group, member.id, dice)
            yield "roll_advancement", {"member": member.id}, ("2D12",), attempt
        elif waiting and waiting.result in (advancement.PERK, advancement.ANY_PERK):
            for perk, told in rules.advancement.perks.items():
                if not told.leader_only:
                    of = {"member": member.id, "perk": perk}
                    yield "choose_perk", of, (), partial(advancement.choose_perk, rules, group, member.id, perk)
        elif waiting:
            for name in rules.advancement.most:
                of = {"member": member.id, "attribute": name}
                yield "choose_attribute", of, (), partial(advancement.choose_attribute, rules, group, member.id, name)


def _mending(rules: Rules, group: Group) -> Iterator[Candidate]:
    """What is used up between games, in any step."""
    for item in group.items:
        turf = visits.kept_at(rules, item.good)
        for choice in ("sell", "build") if turf else ():
            dice = turf.feature.sells if turf and choice == "sell" else ""
            attempt = partial(visits.spend_kept, rules, group, item.id, choice, sample(dice) if dice else None)
            yield "spend_kept", {"item": item.id, "choice": choice}, (dice,) if dice else (), attempt
        for member in group.members:
            of = {"item": item.id, "member": member.id}
            match rules.goods[item.good].use:
                case "clear_rads" if member.rads:
                    yield "use_radaway", of, (), partial(doctor.use_radaway, rules, group, item.id, member.id)
                case "heal_injury":
                    for injury in member.injuries:
                        attempt = partial(doctor.use_bag, rules, group, item.id, member.id, injury)
                        yield "use_bag", {**of, "injury": injury}, (), attempt


def _trading(rules: Rules, group: Group, phase: Phase) -> Iterator[Candidate]:
    for key, merchant in rules.merchants.items():
        dice = ("1D12",) if merchant.find else ()
        thrown = [sample(text) for text in dice]
        yield "seek_merchant", {"merchant": key}, dice, partial(bartering.seek_merchant, rules, group, key, (), *thrown)
    if phase.visit and phase.visit.quote:
        line = {"line": phase.visit.quote.line, "price": str(phase.visit.quote.price)}
        yield "take_offer", line, (), partial(bartering.take_offer, rules, group)
        yield "decline_offer", line, (), partial(bartering.decline_offer, group)
    elif phase.visit:
        for offer in rules.merchants[phase.visit.merchant].goods:
            rare = sample(f"{offer.rarity}D12") if offer.rarity else None
            asked = (*([f"{offer.rarity}D12"] if offer.rarity else []), "1D6", "1D6")
            attempt = partial(bartering.quote_price, rules, group, offer.item, rare, sample("1D6"), sample("1D6"))
            yield "quote_price", {"line": offer.item}, asked, attempt
    if phase.visit and not phase.visit.quote:
        two = (sample("1D6"), sample("1D6"))
        for item in group.items:
            attempt = partial(bartering.quote_sale, rules, group, item.id, group.leader, *two)
            yield "quote_sale", {"item": item.id, "seller": group.leader}, ("1D6", "1D6"), attempt
            if rules.goods[item.good].taken.get("C"):
                attempt = partial(bartering.take_drug, rules, group, item.id, sample("1D12"))
                yield "take_drug", {"item": item.id}, ("1D12",), attempt
    for good in rules.forces[group.force].goods:
        yield "buy_from_list", {"good": good}, (), partial(bartering.buy_from_list, rules, group, good)
    if rules.forces[group.force].special.searches:
        pair = free_members(rules, group, "searched")[: rules.forces[group.force].special.searches]
        attempt = partial(searching.search_building, rules, group, pair, sample("2D12"), "")
        yield "search_building", {"searchers": pair}, ("2D12",), attempt


def _building(rules: Rules, group: Group, phase: Phase) -> Iterator[Candidate]:
    for item in group.items:
        if rules.goods[item.good].parts_for:
            for id in group.ids:
                attempt = partial(workshop.build, rules, group, id, item.id, sample("1D12"))
                yield "build", {"member": id, "parts": item.id}, ("1D12",), attempt


def _treating(rules: Rules, group: Group, phase: Phase) -> Iterator[Candidate]:
    for member in group.members:
        for key, treatment in rules.core.treatments.items():
            priced = treatment.does == "cure_addictions" and rules.options.addiction_price != "50"
            dice = (rules.core.doctor_addiction_dice,) if priced else ()
            for injury in member.injuries if treatment.does == "heal_injury" else ("",):
                of = {"member": member.id, "treatment": key, **({"injury": injury} if injury else {})}
                thrown = sample(dice[0]) if dice else None
                yield "see_doctor", of, dice, partial(doctor.see_doctor, rules, group, member.id, key, injury, thrown)


_OF: Mapping[Step, Callable[[Rules, Group, Phase], Iterator[Candidate]]] = {
    "1": _injured,
    "1b": _rewarded,
    "2": _experienced,
    "5": _trading,
}
