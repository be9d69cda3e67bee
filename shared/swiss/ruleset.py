"""The complete ruleset of a Swiss tournament, with the Battle Builder (DW-SCN-2 to DW-SCN-5)."""

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
"""The variables that scenario points are spent on: objectives, deployment, conditions."""


class Element(Struct, frozen=True, forbid_unknown_fields=True):
    """An entry of the table: its name, and its meaning for the players."""

    name: str
    says: str


class Objective(Element, frozen=True, forbid_unknown_fields=True):
    """An objective. `formula` names the formula that decides the game from the facts of the table."""

    formula: str


class BattleBuilder(Part, frozen=True):
    """The construction of a scenario.

    - `points_each`: scenario points of each player, all spent, one at a time in turn.
    - `most`: maximum points on one variable.
    - `objectives`, `deployment`, `conditions`: entries by the points spent, from 0 to `most`.
    - `hero`: `joined` if a hero and their unit count as one unit for break points.
    - `steps`: what players do from meeting at the table to the end of the game, in order.
    """

    points_each: int
    most: int
    objectives: list[Objective]
    deployment: list[Element]
    conditions: list[Element]
    hero: Literal["joined", "separate"]
    steps: list[str] = []


class BuiltScenario(Struct, frozen=True):
    """A constructed scenario: an entry of each column."""

    objective: Objective
    deployment: Element
    condition: Element


def build_scenario(builder: BattleBuilder, spent: Sequence[str]) -> BuiltScenario | list[Fault]:
    """Return the scenario that points make, or every fault in how they were spent.

    `spent`: `O`, `D` or `C` for each point, in the order in which the players spent them.
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
    """Return every legal way to spend the points, in order (DW-SCN-4)."""
    every = product(VARIABLES, repeat=2 * builder.points_each)
    return [spent for spent in every if not isinstance(build_scenario(builder, spent), list)]


def form_instructions(form: Form, builder: BattleBuilder | None) -> list[str]:
    """Return the instructions of a form; for the Battle Builder, its steps if the form has none."""
    if form.instructions or form.holds != "builder" or builder is None:
        return form.instructions
    return builder.steps


DEFAULT_TIE_WORDS = {"draw": "coin flip", "shared": "equal", "shared_below_first": "tied"}
"""Treatment of players whom no criterion separates -> the default word for a tie."""


class Ruleset(AnyRuleset, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything that decides how a Swiss tournament is played, paired, scored and ranked.

    - `id`: stable; includes the version of the document.
    - `chosen`: the options that were set, already applied to the other parts.
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
        """The rules on legality and due dates; None if the ruleset has none."""
        return self.legality

    def printed(self, form: Form) -> Printed:
        """Return the fixed texts of every sheet of a form, in the pack's words."""
        return Printed(titles_of(form, self.words), form_instructions(form, self.builder))

    @property
    def columns(self) -> list[str]:
        """Names of the values shown in standings, in order."""
        return [rule.column for rule in self.standings.criteria if rule.shown and rule.active]

    @property
    def effective_words(self) -> Words:
        """The words of the pack, with the default word for ties if it has none."""
        words = self.words or DEFAULT_WORDS
        return replace(
            words,
            tied=self.words.tied if self.words and self.words.tied else DEFAULT_TIE_WORDS[self.standings.unresolved],
        )

    @property
    def played(self) -> frozenset[FactsKind]:
        """Kinds of facts after which two players have met. If a bye is awarded instead, they have not."""
        awards: dict[FactsKind, str] = {"forfeit": self.forfeit.award, "no_show": self.no_show.award}
        return PLAYED | {kind for kind, award in awards.items() if award != "bye"}


# msgspec 0.22 crashes if several threads are the first to use a type. This is the first use, in one thread.
msgspec.json.Decoder(Ruleset)
