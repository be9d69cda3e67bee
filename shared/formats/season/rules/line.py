"""A line across a ranking: so many are in; those who share the last place are all in, all out, or left to the staff.

Source: SEA-DIV-2, SEA-FINAL-1.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import groupby
from typing import Literal

from msgspec import Struct

from shared.formats.season.rules.model import SeasonRow
from shared.formats.season.rules.ruleset import Ties


class Undecided(Struct, frozen=True):
    """Players who share the last place above a line: the staff names so many of them.

    division: empty where the line is drawn through the whole season.
    """

    what: Literal["up", "down", "final"]
    division: str
    places: int
    players: tuple[str, ...]


class Line(Struct, frozen=True):
    """Who is above the line, in order; and how many of whom the staff has still to name."""

    inside: tuple[SeasonRow, ...]
    places: int = 0
    open: tuple[str, ...] = ()


def line(groups: Iterable[Sequence[SeasonRow]], places: int, ties: Ties, decided: Collection[str]) -> Line:
    """The first `places` of groups of equals, the best group first.

    decided: players the staff has named; they settle a tie when they are as many of its group as there are places.
    """
    inside: list[SeasonRow] = []
    for group in groups:
        free = places - len(inside)
        if len(group) <= free:
            inside += group
            continue
        named = [row for row in group if row.player in decided]
        if free < 1 or ties == "none":
            break
        if ties == "all":
            inside += group
        elif len(named) == free:
            inside += named
        else:
            return Line(tuple(inside), free, tuple(row.player for row in group))
        break
    return Line(tuple(inside))


def groups_of(rows: Iterable[SeasonRow], *, overall: bool = False, upwards: bool = False) -> list[list[SeasonRow]]:
    """Rows that share a rank, the best first; or the last first. overall: by the rank among all divisions."""

    def rank(row: SeasonRow) -> int:
        return row.overall if overall else row.rank

    ordered = sorted(rows, key=lambda row: (rank(row), row.player))
    groups = [list(group) for _, group in groupby(ordered, key=rank)]
    return groups[::-1] if upwards else groups
