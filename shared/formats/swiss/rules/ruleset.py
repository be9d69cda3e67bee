"""A whole ruleset: what a pack becomes, what a tournament's first event holds, what every other module is given."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec.structs import replace

from shared.formats.swiss.rules import game_parts, roster_parts
from shared.formats.swiss.rules.battle_builder import BattleBuilder, instructions_of
from shared.formats.swiss.rules.event_parts import Clock, Recommendation
from shared.rules import parts
from shared.rules.model import PLAYED, FactsKind
from shared.rules.printed_forms import Form, Printed, titles_of
from shared.rules.ruleset import AnyRuleset
from shared.rules.words import PLAIN, Words

TIED = {"draw": "coin flip", "shared": "equal", "shared_below_first": "tied"}
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
        return Printed(titles_of(form, self.words), instructions_of(form, self.builder))

    @property
    def columns(self) -> list[str]:
        """The names of the values shown in standings, in order."""
        return [rule.column for rule in self.standings.criteria if rule.shown and rule.active]

    @property
    def called(self) -> Words:
        """The words of the pack; without one for ties, what fits how it settles them."""
        words = self.words or PLAIN
        return replace(
            words, tied=self.words.tied if self.words and self.words.tied else TIED[self.standings.unresolved]
        )

    @property
    def played(self) -> frozenset[FactsKind]:
        """The kinds of facts after which two players have met; where a bye is awarded instead, they have not."""
        awards: dict[FactsKind, str] = {"forfeit": self.forfeit.award, "no_show": self.no_show.award}
        return PLAYED | {kind for kind, award in awards.items() if award != "bye"}


# msgspec works a type out at its first use, and 0.22 crashes where several threads are the first: so one is, here.
msgspec.json.Decoder(Ruleset)
