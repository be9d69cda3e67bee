"""The whole ruleset of a Swiss tournament, with the Battle Builder (DW-SCN-2 to DW-SCN-5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import product
from typing import Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from shared.refusals import Fault, display_text, expects
from shared.rules import parts
from shared.rules.model import PLAYED, FactsKind
from shared.rules.parts import DEFAULT_WORDS, AnyRuleset, Form, Part, Printed, Words, titles_of
from shared.swiss import game_parts, roster_parts
from shared.swiss.game_parts import Clock, Recommendation

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


def build_scenario(builder: BattleBuilder, spent: Sequence[str]) -> BuiltScenario | list[Fault]:
    """The scenario that points make, or everything that is wrong with how they were spent.

    spent: `O`, `D` or `C` for each point, in the order in which the first and the second player spent them.
    Source: DW-SCN-3, DW-SCN-4, DW-SCN-5, DW-AMB-13.
    """
    faults = [
        Fault(f"/spent/{index}", display_text(letter), expects("builder-letter"), builder.cites("points_each"))
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
    return [spent for spent in every if not isinstance(build_scenario(builder, spent), list)]


def form_instructions(form: Form, builder: BattleBuilder | None) -> list[str]:
    """What is printed for whoever fills a form in; on the Battle Builder, where the form says nothing, its steps."""
    if form.instructions or form.holds != "builder" or builder is None:
        return form.instructions
    return builder.steps


DEFAULT_TIE_WORDS = {"draw": "coin flip", "shared": "equal", "shared_below_first": "tied"}
"""How players are put in order whom no criterion separates -> the usual word for a tie."""


class Ruleset(AnyRuleset, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything that decides how a Swiss tournament is played, paired, scored and ranked.

    id: stable, with the version of the document in it. chosen: the options that were set, already applied to the
    other parts.
    """

    format: Literal["swiss"]
    roster: roster_parts.Roster
    result: game_parts.Result
    points: game_parts.Points
    standings: game_parts.Order
    pairing: parts.PairingRules
    bye: game_parts.Bye
    concession: game_parts.Concession
    forfeit: game_parts.Absence
    no_show: game_parts.Absence
    disqualification: game_parts.Disqualification
    drop: game_parts.Drop
    rounds: parts.Rounds
    cut: parts.Cut
    clock: Clock
    tables: parts.Tables
    builder: BattleBuilder | None = None
    advice: list[Recommendation] = []
    words: Words | None = None
    spare: parts.Spare | None = None
    legality: parts.Legality | None = None
    scenarios: list[game_parts.Scenario] = []
    round_worth: list[game_parts.RoundWorth] = []
    chosen: dict[str, parts.Setting | list[dict[str, int | list[int]]]] = {}

    @property
    def due_dates(self) -> parts.Legality | None:
        """When lists are due and releases are legal; None if the ruleset has no such rule."""
        return self.legality

    def printed(self, form: Form) -> Printed:
        """Return what is on every sheet of a form, in the words of the pack."""
        return Printed(titles_of(form, self.words), form_instructions(form, self.builder))

    @property
    def columns(self) -> list[str]:
        """The names of the values shown in standings, in order."""
        return [rule.column for rule in self.standings.criteria if rule.shown and rule.active]

    @property
    def effective_words(self) -> Words:
        """The words of the pack; without one for ties, what fits how it settles them."""
        words = self.words or DEFAULT_WORDS
        return replace(
            words,
            tied=self.words.tied if self.words and self.words.tied else DEFAULT_TIE_WORDS[self.standings.unresolved],
        )

    @property
    def played(self) -> frozenset[FactsKind]:
        """The kinds of facts after which two players have met; where a bye is awarded instead, they have not."""
        awards: dict[FactsKind, str] = {"forfeit": self.forfeit.award, "no_show": self.no_show.award}
        return PLAYED | {kind for kind, award in awards.items() if award != "bye"}


# msgspec works a type out at its first use, and 0.22 crashes where several threads are the first: so one is, here.
msgspec.json.Decoder(Ruleset)
