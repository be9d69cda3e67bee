"""A whole ruleset: what a pack becomes, what a tournament's first event holds, what every other module is given."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from shared.rules import game_parts, parts, roster_parts
from shared.rules.advice import Recommendation
from shared.rules.battle_builder import BattleBuilder
from shared.rules.clock import Clock
from shared.rules.forms import Form
from shared.rules.model import PLAYED, FactsKind
from shared.rules.staff import StaffRules
from shared.rules.words import Words


class Ruleset(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything that decides how a Swiss tournament is played, paired, scored and ranked.

    id: stable, with the version of the document in it. chosen: the options that were set, already applied to the
    other parts.
    """

    id: str
    version: str
    title: str
    format: Literal["swiss"]
    document: parts.Document
    tiers: list[parts.Tier]
    entry: parts.Entry
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
    forms: list[Form] = []
    staff: StaffRules | None = None
    words: Words | None = None
    spare: parts.Spare | None = None
    legality: parts.Legality | None = None
    scenarios: list[game_parts.Scenario] = []
    round_worth: list[game_parts.RoundWorth] = []
    options: list[parts.Option] = []
    chosen: dict[str, parts.Setting | list[dict[str, int | list[int]]]] = {}

    @property
    def columns(self) -> list[str]:
        """The names of the values shown in standings, in order."""
        return [rule.column for rule in self.standings.criteria if rule.shown and rule.active]

    @property
    def played(self) -> frozenset[FactsKind]:
        """The kinds of facts after which two players have met; where a bye is awarded instead, they have not."""
        awards: dict[FactsKind, str] = {"forfeit": self.forfeit.award, "no_show": self.no_show.award}
        return PLAYED | {kind for kind, award in awards.items() if award != "bye"}


# msgspec works a type out at its first use, and 0.22 crashes where several threads are the first: so one is, here.
msgspec.json.Decoder(Ruleset)


def to_json(ruleset: msgspec.Struct) -> dict[str, Any]:
    """A ruleset as plain JSON values: strings, whole numbers, booleans, lists, objects; nothing is null.

    Defaults are written out, so that a later default never changes what an old event says.
    """
    built: dict[str, Any] = _without_nulls(msgspec.to_builtins(ruleset))
    return built


def _without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_nulls(item) for key, item in value.items() if item is not None}
    if isinstance(value, list | tuple):
        return [_without_nulls(item) for item in value]
    return value
