"""Choices of step 3: what members find, whom they meet, and turfs that they visit. FS-SCV-1, FS-ENC-4, FS-VIS-1."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import Struct

from shared.formats.campaign.rules import encounters, scavenging, visits
from shared.formats.campaign.rules import names_of_things as called
from shared.formats.campaign.rules.choices.choice import Choice, DecisionContext, Members, OfMember
from shared.formats.campaign.rules.encounters import Meeting
from shared.formats.campaign.rules.refusals import ChoiceRefused
from shared.formats.campaign.rules.steps import NAMES, in_step
from shared.formats.campaign.rules.turf import expressions, turf_of
from shared.formats.campaign.rules.words import Events
from shared.refusals import Fault, expects


class Scavenging(Struct, frozen=True, forbid_unknown_fields=True):
    """Who scavenges. good: which pistol. free: the roll that a reward gives."""

    member: str
    good: str = ""
    free: bool = False


class Shift(Struct, frozen=True, forbid_unknown_fields=True):
    """An Explorer whose die is known, and by how much it moves; 0 leaves it as it lies. FS-SCV-2."""

    member: str
    shift: int = 0


class Visiting(Struct, frozen=True, forbid_unknown_fields=True):
    """Who visits which turf. choice, good: declared before rolling."""

    member: str
    turf: str
    choice: str = ""
    good: str = ""


class Spending(Struct, frozen=True, forbid_unknown_fields=True):
    """An item that was kept at a turf, and what becomes of it."""

    item: str
    choice: Literal["sell", "build"]


def _scavenge(context: DecisionContext, of: Scavenging) -> Events:
    phase = in_step(context.group, "3")
    pistols = scavenging.pistols_of_choice(context.rules)
    if of.good and of.good not in pistols:
        names = called.one_of(called.goods(context.rules), pistols)
        expected = names if pistols else expects("find-by-table")
        raise ChoiceRefused("no such pistol is found", [Fault("/of/good", of.good or "nothing", expected, "FS-AMB-35")])
    first = context.roll("1D12", "FS-SCV-1", of.member)
    second = None
    if first.dice and not scavenging.may_shift(context.rules, context.group, of.member):
        row = scavenging.find_at(context.rules, first.dice[0].natural)
        dice = scavenging.second_dice(row, phase, of.member)
        second = context.roll(dice, scavenging.SECOND, of.member) if dice else None
    return scavenging.scavenge(context.rules, context.group, of.member, first, second, good=of.good, free=of.free)


def _scavengers(context: DecisionContext) -> Iterator[Members]:
    for id in context.group.ids:
        yield {"member": id}
        if context.phase.extra_finds:
            yield {"member": id, "free": True}


def _shift(context: DecisionContext, of: Shift) -> Events:
    phase = in_step(context.group, "3")
    open = scavenging.open_find(context.group, of.member)
    legal = open is not None and of.shift in scavenging.shifts(context.rules, context.group, of.member)
    row = scavenging.find_at(context.rules, open.face + of.shift) if open is not None and legal else None
    dice = scavenging.second_dice(row, phase, of.member) if row is not None else ""
    second = context.roll(dice, scavenging.SECOND, of.member) if dice else None
    return scavenging.shift_find(context.rules, context.group, of.member, of.shift, second)


def _shifts(context: DecisionContext) -> Iterator[Members]:
    for id in context.group.ids:
        if scavenging.open_find(context.group, id):
            for shift in sorted(scavenging.shifts(context.rules, context.group, id), key=abs):
                yield {"member": id, "shift": shift}


def _met(context: DecisionContext) -> Iterator[Members]:
    yield from ({"member": id} for id in context.phase.encounters)


def _meetings(context: DecisionContext) -> Iterator[Members]:
    """How an encounter may have gone. FS-SCV-1, FS-ENC-4."""
    for member in context.phase.encounters:
        for key, card in context.rules.encounters.cards.items():
            least, most = encounters.span_of(card)
            if card.treasure:
                yield {"member": member, "ending": "searched", "met": key}
            elif card.joins:
                yield {"member": member, "ending": "slaves_met", "met": key}
            else:
                for number in range(least, most + 1):
                    yield {"member": member, "ending": "creatures_killed", "met": key, "number": number}
        yield {"member": member, "ending": "member_killed"}
        yield {"member": member, "ending": "escaped"}


def _visit(context: DecisionContext, of: Visiting) -> Events:
    in_step(context.group, "3")
    throws = [context.roll(dice, "FS-TRF-2", of.member) for dice in _dice_of_visit(context, of)]
    return visits.visit_turf(context.rules, context.group, of.member, of.turf, throws, choice=of.choice, good=of.good)


def _dice_of_visit(context: DecisionContext, of: Visiting) -> Sequence[str]:
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


def _visits(context: DecisionContext) -> Iterator[Members]:
    for id in context.group.ids:
        for owned in context.group.turfs:
            yield from _ways_to_visit(context, id, owned.id)


def _ways_to_visit(context: DecisionContext, member: str, turf: str) -> Iterator[Members]:
    """What a visitor may declare: the choice, and a good where one is chosen."""
    kind = next((owned.turf for owned in context.group.turfs if owned.id == turf), "")
    for choice in visits.choices(context.rules, context.group, turf_of(context.rules, kind)) if kind else ():
        said = {"member": member, "turf": turf, "choice": choice}
        if choice in ("income", "sell", "build", "keep"):
            yield said
        else:
            goods = context.rules.forces[context.group.force].goods
            yield from ({**said, "good": good} for good in goods)


def _spend(context: DecisionContext, of: Spending) -> Events:
    owned = context.group.item(of.item)
    turf = visits.kept_at(context.rules, owned.good) if owned else None
    thrown = context.roll(turf.feature.sells, "FS-TRF-2", of.item) if turf and of.choice == "sell" else None
    return visits.spend_kept(context.rules, context.group, of.item, of.choice, thrown)


def _kept(context: DecisionContext) -> Iterator[Members]:
    for item in context.group.items:
        if visits.kept_at(context.rules, item.good):
            yield from ({"item": item.id, "choice": choice} for choice in ("sell", "build"))


OF_FINDS = (
    Choice("spend_kept", Spending, _spend, tuple(NAMES), _kept),
    Choice("scavenge", Scavenging, _scavenge, ("3",), _scavengers, known=1),
    Choice("shift_find", Shift, _shift, ("3",), _shifts),
    Choice("visit_turf", Visiting, _visit, ("3",), _visits),
    Choice(
        "draw_encounter",
        OfMember,
        lambda context, of: encounters.draw_encounter(context.rules, context.group, of.member, context.draws),
        ("3",),
        _met,
    ),
    Choice(
        "resolve_encounter",
        Meeting,
        lambda context, of: encounters.resolve_encounter(context.rules, context.group, of, context.roll),
        ("3",),
        _meetings,
        known=1,
    ),
)
