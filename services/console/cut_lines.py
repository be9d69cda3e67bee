"""Who is in the cut and who is not, beside the standings that it is made from, and what separates the two. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct

from muster_client import answers
from services.console.language import _

BEYOND = 8
"""Rows that are shown of those who are not in it."""


class CutLine(Struct, frozen=True):
    """A row of the standings at the cut. number: in the cut, 0 for none. why: in or not, in words.

    last: the line is drawn below this row.
    """

    rank: int
    player: str
    name: str
    values: Mapping[str, int | str]
    number: int
    why: str
    tied: bool
    last: bool


def cut_lines(
    rows: Sequence[answers.RowView],
    seeds: Sequence[str],
    given_up: Collection[str] = (),
    moved_up: Mapping[str, str] | None = None,
) -> list[CutLine]:
    """The rows down to a few below the line.

    rows: of the standings, from the first. seeds: who is in it, in its order. given_up: of these, whose seat is
    empty. moved_up: who has given a seat up -> the name of who sits there now.
    """
    moved = moved_up or {}
    there = [place for place, row in enumerate(rows) if row.player in seeds]
    if not there:
        return []
    numbers = {player: number for number, player in enumerate(seeds, 1)}
    return [
        CutLine(
            rank=row.rank,
            player=row.player,
            name=row.name,
            values=row.values,
            number=0 if row.player in given_up else numbers.get(row.player, 0),
            why=_why(row, numbers, given_up, moved, above=place < there[-1], place=place),
            tied=row.tied,
            last=place == there[-1],
        )
        for place, row in enumerate(rows[: there[-1] + 1 + BEYOND])
    ]


def _why(
    row: answers.RowView,
    numbers: Mapping[str, int],
    given_up: Collection[str],
    moved: Mapping[str, str],
    *,
    above: bool,
    place: int,
) -> str:
    if row.player in given_up:
        return _("gave the seat up; nobody moves up")
    if row.player in moved:
        return _("gave the seat up; %(player)s moved up", player=moved[row.player])
    if row.player in numbers:
        up = bool(moved) and place >= len(numbers)
        return (
            _("moved up to number %(number)s", number=numbers[row.player])
            if up
            else (_("in, as number %(number)s", number=numbers[row.player]))
        )
    return _("has left, so no seat") if above or row.status != "active" else _("not in")


def decided_by(lines: Sequence[CutLine], columns: Sequence[str]) -> str | None:
    """The column that separates the last who is in from the first below the line; empty where none does.

    None where there is nobody below.
    """
    last = next((place for place, line in enumerate(lines) if line.last), None)
    if last is None or last + 1 >= len(lines):
        return None
    inside, outside = lines[last].values, lines[last + 1].values
    return next((name for name in columns if inside.get(name) != outside.get(name)), "")
