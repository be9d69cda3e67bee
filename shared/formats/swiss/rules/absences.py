"""Who stayed away so often that the tournament is over for them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from shared.formats.swiss.rules.game_parts import Absence
from shared.formats.swiss.rules.ruleset import Ruleset
from shared.rules.model import FactsKind


def absence_of(ruleset: Ruleset, kind: FactsKind) -> Absence:
    """The part that says what becomes of a game of this kind, which was not played."""
    return ruleset.forfeit if kind in ("forfeit", "double_forfeit") else ruleset.no_show


def repeatedly_absent(ruleset: Ruleset, absences: Iterable[tuple[FactsKind, str]]) -> dict[str, str]:
    """Players who stayed away from as many games as end the tournament for them, each with the clause that says so.

    absences: the kind of every game that was not played, and who was not there.
    Source: AR-AMB-18, DW-AMB-17.
    """
    times: Counter[str] = Counter()
    over: dict[str, str] = {}
    for kind, player in absences:
        part = absence_of(ruleset, kind)
        limit = part.drop_after
        times[player] += bool(limit)
        if limit and times[player] >= limit:
            over[player] = part.cites("drop_after")
    return over
