"""What a page needs to know about a choice before it is made: further arguments, effects, and the names of things.

Effects come from trying the choice with every face of a die. Nothing is drawn: the real dice are not known (FS-AUD-1).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from shared.campaign.choices import CHOICES, Action, available_actions, faults_of_closing
from shared.campaign.dice import NATIVE, SampleDice
from shared.campaign.encounters import span_of
from shared.campaign.evolve import evolve
from shared.campaign.food import free_meals, surplus
from shared.campaign.post_game import close_step, move_item
from shared.campaign.post_game_outcomes import CapsMoved, FoodMoved, ItemGained, ItemLost
from shared.campaign.roster import Group, Step
from shared.campaign.scavenging import pistols_of_choice
from shared.campaign.steps import (
    Arguments,
    DecisionContext,
    faults_of_absence,
    free_members,
)
from shared.campaign.tables import Rules, joined_names
from shared.campaign.words import CampaignEvent
from shared.refusals import Refusal


class Takes(Struct, frozen=True, omit_defaults=True):
    """A further argument of a listed choice; it may be left out unless the listed arguments contain it.

    values: the values that it can have. many: it is a list of them, `least` to `most` long.
    each: it is an object from values to whole numbers of at most `most`. Without values: a whole number, `least` to
        `most`. flag: true or false.
    """

    name: str
    values: tuple[str, ...] = ()
    least: int = 0
    most: int = 0
    many: bool = False
    each: bool = False
    flag: bool = False


def further_arguments(context: DecisionContext, does: str, of: Arguments) -> tuple[Takes, ...]:
    """Return the further arguments of a listed choice, with their legal values."""
    rules, group, phase = context.rules, context.group, context.phase
    match does:
        case "seek_merchant":
            free = tuple(id for id in free_members(rules, group, "accompanied") if id != group.leader)
            return (Takes("companions", free, 0, len(free), many=True),) if free else ()
        case "scavenge":
            pistols = tuple(pistols_of_choice(rules))
            return (Takes("good", pistols),) if pistols else ()
        case "search_building":
            number = rules.forces[group.force].special.searches
            return (Takes("searchers", tuple(free_members(rules, group, "searched")), number, number, many=True),)
        case "quote_sale":
            sellers = (group.leader, *(phase.visit.companions if phase.visit else ()))
            return (Takes("seller", tuple(id for id in sellers if not faults_of_absence(group, id))),)
        case "sell_food":
            held = group.clean if of["food"] == "clean" else group.radiated
            return (Takes("amount", (), 1, min(held, surplus(rules, group))),)
        case "resolve_encounter":
            return tuple(_of_encounter(rules, of))
        case "settle_upkeep":
            return tuple(_of_upkeep(rules, group))
    return ()


def _of_encounter(rules: Rules, of: Arguments) -> Iterator[Takes]:
    card = rules.encounters.cards.get(of.get("met", ""))
    if of["ending"] == "searched":
        yield Takes("searches", (), 1, rules.encounters.searches_most)
    elif card is not None and of["ending"] == "slaves_met":
        yield Takes("lost", (), 0, span_of(card)[0])
        yield Takes("down", flag=True)
    elif card is not None and of["ending"] in ("member_killed", "escaped"):
        each = card.wounds if rules.options.wound == "per_wound" else 1
        number = int(of["number"])
        yield Takes("wounds", (), 0, number * each - (number if each > 1 else 0))
        yield Takes("kills", (), 0, number - 1)


def _of_upkeep(rules: Rules, group: Group) -> Iterator[Takes]:
    everyone, appetite = tuple(group.ids), rules.forces[group.force].special.appetite
    if free := min(free_meals(rules, group), len(everyone)):
        yield Takes("guests", everyone, 0, free, many=True)
    if group.radiated:
        yield Takes("radiated", everyone, 0, appetite, each=True)
    yield Takes("hungry", everyone, 0, len(everyone), many=True)
    yield Takes("neglected", everyone, 0, len(everyone), many=True)
    if group.centaurs:
        most = min(group.radiated, rules.core.centaur_food * group.centaurs)
        yield Takes("centaurs_radiated", (), 0, most)
        yield Takes("centaurs_hungry", (), 0, group.centaurs)


Span = tuple[int, int]
"""The least and the greatest change of a balance."""


class Effects(Struct, frozen=True, omit_defaults=True):
    """What a choice can change, whatever its dice.

    caps, clean, radiated: change of the balance, from the least to the greatest.
    gains: keys of goods; loses: ids of items.
    then: the dice that may follow the listed ones, one of these for each.
    refused: some dice make it impossible, such as a price that the group cannot pay.
    closes: the steps that can be closed after it, whatever its dice: the open one, and late ones with nothing to do.
    """

    caps: Span = (0, 0)
    clean: Span = (0, 0)
    radiated: Span = (0, 0)
    gains: tuple[str, ...] = ()
    loses: tuple[str, ...] = ()
    then: tuple[str, ...] = ()
    refused: bool = False
    closes: tuple[Step, ...] = ()


def effects_of(context: DecisionContext, action: Action) -> Effects:
    """Return the possible effects of a legal choice. context: with sample draws."""
    choice = CHOICES[action.does]
    args = msgspec.convert(dict(action.of), choice.takes)
    tried: list[list[CampaignEvent]] = []
    then: dict[str, None] = {}
    faces = range(1, NATIVE + 1) if action.dice else (1,)
    for face in faces:
        dice = SampleDice(face)
        with suppress(Refusal):
            tried.append(list(choice.decide(replace(context, dice_source=dice), args)))
        then |= dict.fromkeys(dice.asked[len(action.dice) :])
    own = [[event for event in events if event.group in ("", context.group.id)] for events in tried]
    gained = dict.fromkeys(e.item.good for events in own for e in events if isinstance(e, ItemGained))
    lost = dict.fromkeys(e.item for events in own for e in events if isinstance(e, ItemLost))
    return Effects(
        caps=_span(sum(e.amount for e in events if isinstance(e, CapsMoved)) for events in own),
        clean=_span(_food(events, "clean") for events in own),
        radiated=_span(_food(events, "radiated") for events in own),
        gains=tuple(gained),
        loses=tuple(lost),
        then=tuple(then),
        refused=len(tried) < len(faces),
        closes=_closes(context, own),
    )


def _closes(context: DecisionContext, tried: list[list[CampaignEvent]]) -> tuple[Step, ...]:
    """Return the steps that can be closed after any of these outcomes."""
    after = [evolve(context.group, events) for events in tried]
    if context.phase.step == "4" or not after or any(faults_of_closing(context.rules, group) for group in after):
        return ()
    ways = [_idle_steps(replace(context, group=group)) for group in after]
    return min(ways, key=len)


def _idle_steps(context: DecisionContext) -> tuple[Step, ...]:
    """Return the open step, which can be closed, and the next ones if the group has nothing to do in them."""
    rules, steps = context.rules, [context.phase.step]
    group = evolve(context.group, close_step(rules, context.group, steps[0], context.draws))
    while group.phase is not None and group.phase.step in LATE:
        actions = available_actions(rules, group, context.rivals)
        assert actions is not None, "a phase is open"
        has_choice = any(action.legal and action.does not in ANY_TIME for action in actions.choices)
        if actions.waits_for or has_choice:
            break
        steps.append(group.phase.step)
        group = evolve(group, close_step(rules, group, group.phase.step, context.draws))
    return tuple(steps)


def _food(events: Iterable[CampaignEvent], food: str) -> int:
    return sum(event.amount for event in events if isinstance(event, FoodMoved) and event.food == food)


def _span(amounts: Iterable[int]) -> Span:
    known = list(amounts)
    return (min(known, default=0), max(known, default=0))


ANY_TIME = ("spend_kept", "use_radaway", "use_bag")
"""Choices that every step has; none of them is a reason to stay in a step."""


LATE: tuple[Step, ...] = ("6", "7", "8", "9")
"""Steps after the last one in which every group has something to do (FS-PGP-1)."""


def steps_to_close(context: DecisionContext) -> list[Step]:
    """Return the open step and the next ones that can be closed together, since they have nothing to do (FS-PGP-1).

    Empty while something has to be done first. Step 4 is common to all groups and closes with the last turn.
    """
    rules, group = context.rules, context.group
    steps: list[Step] = []
    while group.phase is not None and group.phase.step != "4":
        here = replace(context, group=group)
        actions = available_actions(rules, group, here.rivals, here.pool)
        assert actions is not None, "a phase is open"
        has_choice = any(action.legal and action.does not in ANY_TIME for action in actions.choices)
        if actions.waits_for or (steps and (has_choice or actions.left_open)):
            break
        steps.append(group.phase.step)
        try:
            group = evolve(group, close_step(rules, group, group.phase.step, context.draws))
        except Refusal:
            break
    return steps


def holders_of(rules: Rules, group: Group, item: str) -> list[str]:
    """Return the members who can carry an item now, and "" for the stash (FS-PGP-7)."""
    able = []
    for holder in ("", *group.ids):
        with suppress(Refusal):
            move_item(rules, group, item, holder)
            able.append(holder)
    return able


class Named(Struct, frozen=True):
    """The name of a thing, and what it does, from the tables of the ruleset. kind: the kind of thing."""

    kind: str
    name: str
    text: str = ""


def names_of(rules: Rules, group: Group) -> dict[str, Named]:
    """Return the names of everything that a choice of this group can mention, by id or key."""
    named: dict[str, Named] = {}
    for key, perk in rules.advancement.perks.items():
        more = {"shift": perk.shift} if perk.shift else {}
        needs = ", ".join(f"{name} {value}" for name, value in perk.requires.items())
        named[key] = Named("perk", perk.name, _text(more) or (f"needs {needs}" if needs else ""))
    for row in rules.injuries:
        named[row.injury] = Named("injury", row.name, "dies" if row.dies else _text(row.changes))
    for key, merchant in rules.merchants.items():
        named[key] = Named("merchant", merchant.name, _text({"Charisma": merchant.charisma, "found at": merchant.find}))
    for key, card in rules.encounters.cards.items():
        named[key] = Named("encounter", card.name, _text({"number": card.number, "wounds": card.wounds}))
    for key, treatment in rules.core.treatments.items():
        named[key] = Named("treatment", key.replace("_", " "), _text({"caps": treatment.caps}))
    for key, good in rules.goods.items():
        named[key] = Named("good", joined_names(good.names), _text({"caps": good.caps}, good.worn, good.taken))
    turfs = {turf.turf: turf for turf in rules.turfs}
    for owned in group.turfs:
        turf = turfs[owned.turf]
        visit = {"caps": turf.caps, "food": turf.food, "instead": turf.instead}
        feature = {"Charisma": turf.feature.charisma, "re-rolls": turf.feature.rerolls, "yields": turf.feature.yields}
        named[owned.id] = Named("turf", turf.name, _text(visit, feature))
    for item in group.items:
        named[item.id] = replace(named[item.good], kind="item")
    for member in group.members:
        told = {"XP": member.xp, "rads": member.rads, "injuries": ", ".join(member.injuries)}
        named[member.id] = Named("member", member.name or member.id, f"{member.rank}; {_text(told)}".rstrip("; "))
    return named


def _text(*values: Mapping[Any, Any]) -> str:
    """Return the non-empty values as a line: `caps 20, S 1`."""
    return ", ".join(f"{name} {value}" for part in values for name, value in part.items() if value)
