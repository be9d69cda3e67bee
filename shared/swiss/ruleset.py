"""The Battle Builder: both players spend scenario points, and a table gives what they play. DW-SCN-2 to DW-SCN-5."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import product
from typing import Literal

from msgspec import Struct

from shared.refusals import Fault, as_said, expects
from shared.rules.parts import Part
from shared.rules.printed_forms import Form

VARIABLES = ("O", "D", "C")
"""Objectives, deployment, conditions: what a scenario point is spent on."""


class Element(Struct, frozen=True, forbid_unknown_fields=True):
    """An entry of the table: its name, and what it means as the players at the table have to know it."""

    name: str
    says: str


class Objective(Element, frozen=True, forbid_unknown_fields=True):
    """An objective. formula: of the registry, which decides the game by the facts of the table."""

    formula: str


class BattleBuilder(Part, frozen=True):
    """How a scenario is made.

    points_each: scenario points of each player, all spent, one at a time in turn. most: points that one variable can
    get. objectives, deployment, conditions: entries in order of the points spent, from 0 to `most`.
    hero: whether a hero and the unit joined are one unit when break points are counted. steps: what the players do
    from meeting at the table to the end of the game, in order.
    """

    points_each: int
    most: int
    objectives: list[Objective]
    deployment: list[Element]
    conditions: list[Element]
    hero: Literal["joined", "separate"]
    steps: list[str] = []


class BuiltScenario(Struct, frozen=True):
    """What is played: an entry of each column."""

    objective: Objective
    deployment: Element
    condition: Element


def built_scenario(builder: BattleBuilder, spent: Sequence[str]) -> BuiltScenario | list[Fault]:
    """The scenario that points make, or everything that is wrong with how they were spent.

    spent: `O`, `D` or `C` for each point, in the order in which the first and the second player spent them.
    Source: DW-SCN-3, DW-SCN-4, DW-SCN-5, DW-AMB-13.
    """
    faults = [
        Fault(f"/spent/{index}", as_said(letter), expects("builder-letter"), builder.cites("points_each"))
        for index, letter in enumerate(spent)
        if letter not in VARIABLES
    ]
    if len(spent) != 2 * builder.points_each:
        expected = expects("builder-points", points=2 * builder.points_each, each=builder.points_each)
        faults.append(Fault("/spent", f"{len(spent)}", expected, builder.cites("points_each")))
    counts = Counter(spent)
    for letter in VARIABLES:
        if counts[letter] > builder.most:
            expected = expects("points-on-letter", most=builder.most, letter=letter)
            faults.append(Fault("/spent", f"{counts[letter]}", expected, builder.cites("most")))
    if faults:
        return faults
    return BuiltScenario(
        builder.objectives[counts["O"]], builder.deployment[counts["D"]], builder.conditions[counts["C"]]
    )


def legal_sequences(builder: BattleBuilder) -> list[tuple[str, ...]]:
    """Every legal way to spend the points, in order. Source: DW-SCN-4."""
    every = product(VARIABLES, repeat=2 * builder.points_each)
    return [spent for spent in every if not isinstance(built_scenario(builder, spent), list)]


def instructions_of(form: Form, builder: BattleBuilder | None) -> list[str]:
    """What is printed for whoever fills a form in; on the Battle Builder, where the form says nothing, its steps."""
    if form.instructions or form.holds != "builder" or builder is None:
        return form.instructions
    return builder.steps
