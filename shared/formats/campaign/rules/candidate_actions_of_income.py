"""Every choice of step 3, with its decision tried on sample dice: finds, visits, flesh, sales, upkeep."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, get_args

from msgspec import to_builtins

from shared.formats.campaign.rules import emergency, encounters, hunger, scavenging, upkeep, visits
from shared.formats.campaign.rules.absent import frugal
from shared.formats.campaign.rules.attributes import is_blind
from shared.formats.campaign.rules.dice import NATIVE, Die, Thrown, formula
from shared.formats.campaign.rules.encounters import Meeting
from shared.formats.campaign.rules.refusals import ChoiceRefused
from shared.formats.campaign.rules.roster import Group, Phase
from shared.formats.campaign.rules.tables import Rules, Turf
from shared.formats.campaign.rules.turf import expressions, turf_of
from shared.formats.campaign.rules.words import CampaignEvent, Food

Candidate = tuple[str, Mapping[str, Any], tuple[str, ...], Callable[[], Sequence[CampaignEvent]]]
"""The decision by name, what it is about, the dice that it asks for, and the decision to try."""


def earning(rules: Rules, group: Group, phase: Phase, pot: str) -> Iterator[Candidate]:
    """What may be tried in step 3 beside what every step knows, legal or not. pot: seed of who fights for it."""
    for id in group.ids:
        yield from _finds(rules, group, phase, id)
        for owned in group.turfs:
            for choice, dice, good in _visits(rules, group, turf_of(rules, owned.turf)):
                throws = [sample(text) for text in dice]
                of = {"member": id, "turf": owned.id, "choice": choice, **({"good": good} if good else {})}
                attempt = partial(visits.visit_turf, rules, group, id, owned.id, throws, choice=choice, good=good)
                yield "visit_turf", of, dice, attempt
    for id in phase.encounters:
        yield "draw_encounter", {"member": id}, (), partial(encounters.draw_encounter, rules, group, id, "")
        for dice, meeting in _meetings(rules, id):
            of = {name: value for name, value in to_builtins(meeting).items() if value}
            yield "resolve_encounter", of, dice, partial(encounters.resolve_encounter, rules, group, meeting, sample)
    if rules.forces[group.force].special.cannibals:
        for id in _fighters(rules, group, pot):
            yield "eat_own", {"winner": id}, (), partial(hunger.eat_own, rules, group, id, pot)
    for member in group.members:
        if is_blind(rules, member):
            yield "eat_blind", {"member": member.id}, (), partial(hunger.eat_blind, rules, group, member.id, "")
    for food in get_args(Food):
        yield "sell_food", {"food": food, "amount": 1}, (), partial(upkeep.sell_food, rules, group, food, 1)
    for item in group.items:
        two = (sample("1D6"), sample("1D6")) if rules.options.emergency_sale == "fixed_merchant_roll" else ()
        attempt = partial(emergency.emergency_sale, rules, group, item.id, *two)
        yield "emergency_sale", {"item": item.id}, ("1D6",) * len(two), attempt
    plan = frugal(rules, group)
    everybody = plan == upkeep.easiest(rules, group)
    of = {} if everybody else _told(plan)
    yield "settle_upkeep", of, (), partial(upkeep.settle_upkeep, rules, group, plan, "")


def _fighters(rules: Rules, group: Group, pot: str) -> tuple[str, ...]:
    """Either may win; where there is nobody to fight with, the leader shows why not."""
    try:
        return hunger.fighters(rules, group, pot)
    except ChoiceRefused:
        return (group.leader,)


def _finds(rules: Rules, group: Group, phase: Phase, member: str) -> Iterator[Candidate]:
    """A member scavenges for itself, or by a reward; an Explorer's die is rolled, and then it is moved. FS-SCV-2."""
    six = Thrown("", (Die(NATIVE, 6),))
    second = None if scavenging.may_shift(rules, group, member) else sample("1D6")
    for free in (False, True) if phase.extra_finds else (False,):
        of = {"member": member, **({"free": True} if free else {})}
        yield "scavenge", of, ("1D12",), partial(scavenging.scavenge, rules, group, member, six, second, free=free)
    open = scavenging.open_find(group, member)
    for shift in sorted(scavenging.shifts(rules, group, member), key=abs) if open else ():
        dice = scavenging.second_dice(scavenging.find_at(rules, open.face + shift), phase, member) if open else ""
        thrown = sample(dice) if dice else None
        attempt = partial(scavenging.shift_find, rules, group, member, shift, thrown)
        yield "shift_find", {"member": member, "shift": shift}, (dice,) if dice else (), attempt


def _meetings(rules: Rules, member: str) -> Iterator[tuple[tuple[str, ...], Meeting]]:
    """How an encounter may have gone, with the dice that it begins with. FS-SCV-1, FS-ENC-4."""
    for key, card in rules.encounters.cards.items():
        least, most = encounters.span_of(card)
        if card.treasure:
            yield ("1D12",), Meeting(member, "searched", key)
        elif card.joins:
            yield (card.number,), Meeting(member, "slaves_met", key)
        else:
            for number in range(least, most + 1):
                yield (rules.finds.encounter,), Meeting(member, "creatures_killed", key, number)
    yield (), Meeting(member, "member_killed")
    yield (), Meeting(member, "escaped")


def _told(plan: upkeep.Upkeep) -> dict[str, Any]:
    """How a group eats that cannot pay for everybody, as a client says it: who goes without has to be named."""
    said: dict[str, Any] = to_builtins(plan)
    return {name: [*value] if isinstance(value, tuple) else value for name, value in said.items()}


def _visits(rules: Rules, group: Group, turf: Turf) -> Iterator[tuple[str, tuple[str, ...], str]]:
    """What a visitor may declare: the choice, its dice, and a good where one is chosen."""
    for choice in visits.choices(rules, group, turf):
        match choice:
            case "income":
                yield choice, tuple(expressions(turf)), ""
            case "sell":
                yield choice, (turf.feature.sells,), ""
            case "build" | "keep":
                yield choice, (), ""
            case _:
                dice = ("1D12",) if choice == "invention" else ()
                yield from ((choice, dice, good) for good in rules.forces[group.force].goods)


def sample(expression: str, replaces: str = "") -> Thrown:
    """Dice that show ones, to see whether they would be taken."""
    return Thrown("", tuple(Die(NATIVE, 1) for _ in range(formula(expression).count)), replaces)
