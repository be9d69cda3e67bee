"""The cut to a final: who is invited, in which order, and who comes for those who decline. SEA-FINAL-1, SEA-FINAL-2."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from msgspec import Struct

from shared.formats.season.rules.line import Line, Undecided, groups_of, line
from shared.formats.season.rules.model import SeasonRow, SeasonTable
from shared.formats.season.rules.ruleset import SeasonRuleset


class Invited(Struct, frozen=True):
    """A member of the final. seed: from 1. rank: in the division, or in the season. instead: for who declined."""

    seed: int
    player: str
    division: str
    rank: int
    instead: bool


class Cut(Struct, frozen=True):
    """The final's players in order of their seeds. undecided: ties at the line that the staff settles."""

    invited: tuple[Invited, ...]
    undecided: tuple[Undecided, ...] = ()


def cut(rules: SeasonRuleset, table: SeasonTable, declined: Collection[str] = (), decided: Collection[str] = ()) -> Cut:
    """Who plays the final: so many of the season, or of each division, who are eligible and attended enough.

    declined: members who were invited and do not come; the next one is invited where the ruleset replaces them.
    decided: players whom the staff named in ties. Nobody where the ruleset has no final.
    Source: SEA-FINAL-1, SEA-FINAL-2.
    """
    invited: list[Invited] = []
    undecided: list[Undecided] = []
    for division, rows in _fields(rules, table) if rules.final.to else ():
        able = [row for row in rows if row.eligible and row.attended >= rules.final.minimum]
        coming = [row for row in able if row.player not in declined]
        first = {row.player for row in _line(rules, able, decided).inside}
        found = _line(rules, coming, decided) if rules.final.replaced else _line(rules, able, decided)
        for row in found.inside:
            if row.player not in declined:
                rank = row.rank if rules.final.per == "division" else row.overall
                instead = row.player not in first
                invited.append(Invited(len(invited) + 1, row.player, row.division, rank, instead))
        if found.open:
            undecided.append(Undecided("final", division, found.places, found.open))
    return Cut(tuple(invited), tuple(undecided))


def _fields(rules: SeasonRuleset, table: SeasonTable) -> Iterator[tuple[str, Sequence[SeasonRow]]]:
    if rules.final.per == "season":
        yield "", table.rows
        return
    for name in rules.division_names:
        yield name, [row for row in table.rows if row.division == name]


def _line(rules: SeasonRuleset, rows: Sequence[SeasonRow], decided: Collection[str]) -> Line:
    groups = groups_of(rows, overall=rules.final.per == "season")
    return line(groups, rules.final.to, rules.final.ties, decided)
