"""Choices of steps 7 and 8, and of any step: what is built, healed, handed over, or entered. FS-BLD-1, FS-DOC-1."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from shared.formats.campaign.rules import doctor, post_game, workshop
from shared.formats.campaign.rules.choices.choice import Choice, DecisionContext, Members
from shared.formats.campaign.rules.steps import NAMES, step_of_building, step_of_doctor
from shared.formats.campaign.rules.words import Events


class Building(Struct, frozen=True, forbid_unknown_fields=True):
    """Who builds, from which set of parts."""

    member: str
    parts: str


class Treating(Struct, frozen=True, forbid_unknown_fields=True):
    """Who is treated, how, and of which injury."""

    member: str
    treatment: str
    injury: str = ""


class Bag(Struct, frozen=True, forbid_unknown_fields=True):
    """A Doctor's Bag, for an injury of a member."""

    item: str
    member: str
    injury: str


class Radaway(Struct, frozen=True, forbid_unknown_fields=True):
    """A dose of RadAway, for a member."""

    item: str
    member: str


class Moving(Struct, frozen=True, forbid_unknown_fields=True):
    """An item goes to a member; to the stash where it says nobody."""

    item: str
    holder: str = ""


class OrganiserEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """Caps and goods by the organiser's own rules."""

    reason: str
    caps: int = 0
    goods: tuple[str, ...] = ()


def _build(context: DecisionContext, of: Building) -> Events:
    return workshop.build(
        context.rules, context.group, of.member, of.parts, context.roll("1D12", "FS-BLD-1", of.member)
    )


def _parts(context: DecisionContext) -> Iterator[Members]:
    if context.phase.step == step_of_building(context.rules):
        for item in context.group.items:
            if context.rules.goods[item.good].parts_for:
                yield from ({"member": id, "parts": item.id} for id in context.group.ids)


def _see_doctor(context: DecisionContext, of: Treating) -> Events:
    told = context.rules.core.treatments.get(of.treatment)
    dice = context.rules.core.doctor_addiction_dice
    priced = told is not None and told.does == "cure_addictions" and context.rules.options.addiction_price == dice
    thrown = context.roll(dice, "FS-DOC-1", of.member) if priced else None
    return doctor.see_doctor(context.rules, context.group, of.member, of.treatment, of.injury, thrown)


def _patients(context: DecisionContext) -> Iterator[Members]:
    if context.phase.step != step_of_doctor(context.rules):
        return
    for member in context.group.members:
        for key, treatment in context.rules.core.treatments.items():
            for injury in member.injuries if treatment.does == "heal_injury" else ("",):
                yield {"member": member.id, "treatment": key, **({"injury": injury} if injury else {})}


def _bags(context: DecisionContext) -> Iterator[Members]:
    for item in context.group.items:
        if context.rules.goods[item.good].use == "heal_injury":
            for member in context.group.members:
                for injury in member.injuries:
                    yield {"item": item.id, "member": member.id, "injury": injury}


def _radaway(context: DecisionContext) -> Iterator[Members]:
    for item in context.group.items:
        if context.rules.goods[item.good].use == "clear_rads":
            yield from ({"item": item.id, "member": member.id} for member in context.group.members if member.rads)


OF_CAMP = (
    Choice(
        "use_radaway",
        Radaway,
        lambda context, of: doctor.use_radaway(context.rules, context.group, of.item, of.member),
        tuple(NAMES),
        _radaway,
    ),
    Choice(
        "use_bag",
        Bag,
        lambda context, of: doctor.use_bag(context.rules, context.group, of.item, of.member, of.injury),
        tuple(NAMES),
        _bags,
    ),
    Choice("build", Building, _build, ("3", "7"), _parts),
    Choice("see_doctor", Treating, _see_doctor, ("3", "8"), _patients),
    Choice(
        "move_item",
        Moving,
        lambda context, of: post_game.move_item(context.rules, context.group, of.item, of.holder),
    ),
)

OF_ORGANISERS = (
    Choice(
        "organiser_entry",
        OrganiserEntry,
        lambda context, of: post_game.organiser_entry(context.rules, context.group, of.caps, of.goods, of.reason),
    ),
)
"""What only an organiser may do."""
