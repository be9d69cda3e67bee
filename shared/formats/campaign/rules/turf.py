"""Turfs: how they come to a group, and what a visit yields. FS-TRF-1, FS-TRF-2."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from shared.formats.campaign.rules.dice import DieRolled, Thrown, read_throw
from shared.formats.campaign.rules.outcomes import TurfGained, TurfLost
from shared.formats.campaign.rules.refusals import ChoiceRefused
from shared.formats.campaign.rules.roster import Group, OwnedTurf
from shared.formats.campaign.rules.tables import Rules, Turf
from shared.formats.campaign.rules.words import Events
from shared.refusals import Fault, expects


def turf_of(rules: Rules, key: str) -> Turf:
    """The table's entry for a kind of turf."""
    return next(turf for turf in rules.turfs if turf.turf == key)


def roll_turf(rules: Rules, group: Group, thrown: Thrown, clause: str = "FS-TRF-1") -> Events:
    """A turf found by 2D12; duplicates are kept.

    Raises DiceRefused, or ChoiceRefused for a fourth turf before the first game.
    """
    start = rules.core.starting_turfs
    if group.phase is None and len(group.turfs) >= start:
        fault = Fault("/turfs", f"{len(group.turfs)}", expects("starting-turfs", number=start), "FS-TRF-1")
        raise ChoiceRefused("the group has its starting turfs", [fault])
    rolled = read_throw(thrown, "2D12", clause, table="turfs", rows=rules.turfs)
    found = next(turf for turf in rules.turfs if turf.least <= rolled.total <= turf.most)
    return [rolled, TurfGained(OwnedTurf(f"t-{group.serial + 1}", found.turf), clause, rolled.roll)]


def take_turf(rules: Rules, winner: Group, loser: Group, turf: str) -> Events:
    """The winner takes a turf of the loser: what happens to each. FS-AMB-33. Raises ChoiceRefused."""
    taken = next((owned for owned in loser.turfs if owned.id == turf), None)
    if rules.options.turf_gain != "winner_takes_losers" or taken is None:
        said = "turfs are not taken here" if taken else f"no turf {turf!r}"
        raise ChoiceRefused(said, [Fault("/turf", turf or "nothing", expects("turf-of-loser"), "FS-AMB-33")])
    gained = TurfGained(OwnedTurf(f"t-{winner.serial + 1}", taken.turf), "FS-AMB-33")
    return [gained, TurfLost(turf, "FS-AMB-33", group=loser.id)]


class Yield(Struct, frozen=True):
    """What a visit's dice yield: caps, clean food, and an item by equal dice."""

    rolls: tuple[DieRolled, ...]
    caps: int = 0
    food: int = 0
    item: str = ""


def expressions(turf: Turf) -> list[str]:
    """The dice that a visit asks for, in order: caps, then food. A plain number asks for none."""
    return [text for text in (turf.caps, turf.food) if text and not text.isdecimal()]


def visit_yield(rules: Rules, turf: Turf, throws: Sequence[Thrown], member: str) -> Yield:
    """What a visit yields, dice summed first unless the organiser reads the text as arithmetic. FS-TRF-2, FS-AMB-29.

    throws: one for each of `expressions(turf)`. Raises DiceRefused or ChoiceRefused.
    """
    asked = expressions(turf)
    if len(throws) != len(asked):
        expected = expects("value", value=list(asked)) if asked else expects("nothing")
        fault = Fault("/rolls", f"{len(throws)}", expected, "FS-TRF-2")
        raise ChoiceRefused(f"{turf.name} asks for {len(asked)} rolls", [fault])
    arithmetic = rules.options.turf_formula == "arithmetic"
    rolls = {
        text: read_throw(thrown, text, "FS-TRF-2", member=member, arithmetic=arithmetic)
        for text, thrown in zip(asked, throws, strict=True)
    }
    caps = rolls[turf.caps].total if turf.caps in rolls else int(turf.caps or 0)
    food = rolls[turf.food].total if turf.food in rolls else int(turf.food or 0)
    double = turf.feature.double and len(set(rolls[turf.caps].derived)) == 1
    return Yield(tuple(rolls.values()), caps, food, turf.feature.double if double else "")
