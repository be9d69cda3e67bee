"""The paper of a tournament: which forms there are, and what stands on a player's score sheet."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct

from shared.rules.model import Game
from shared.rules.parts import Part


class Form(Part, frozen=True):
    """A form that is printed.

    filled_by: who writes on it. heading: what stands above the lines. columns: of a line. lines: on one sheet (0: as
    many as are needed). order: from where lines are used. new_after_cut: a new sheet begins with the elimination.
    """

    name: str
    filled_by: Literal["player", "staff"]
    heading: list[str]
    columns: list[str]
    lines: int = 0
    order: Literal["downwards", "upwards"] = "downwards"
    new_after_cut: bool = False


class ScoreLine(Struct, frozen=True):
    """A line of a score sheet. opponent: empty after a bye; totals: running totals of the values, in order."""

    round: int
    opponent: str
    totals: tuple[int, ...]


def score_sheets(
    form: Form, player: str, games: Iterable[Game], values: Iterable[str], *, cut_after: int = 0
) -> list[list[ScoreLine]]:
    """The score sheets of a player: running totals of `values`, `form.lines` rounds to a sheet.

    cut_after: the last round before the elimination (0: none), after which totals begin anew on a new sheet where
    the form says so. Source: DW-DOC-1, DW-CUT-2.
    """
    names = list(values)
    sheets: list[list[ScoreLine]] = []
    stage = -1
    totals = [0] * len(names)
    own = [game for game in games if player in (game.player_1, game.player_2)]
    for game in sorted(own, key=lambda game: game.round):
        after = int(form.new_after_cut and 0 < cut_after < game.round)
        if after != stage:
            stage, totals = after, [0] * len(names)
            sheets.append([])
        elif form.lines and len(sheets[-1]) == form.lines:
            sheets.append([])
        first = game.player_1 == player
        made = game.score.values_1 if first else game.score.values_2
        totals = [total + made.get(name, 0) for total, name in zip(totals, names, strict=True)]
        sheets[-1].append(ScoreLine(game.round, (game.player_2 if first else game.player_1) or "", tuple(totals)))
    return sheets
