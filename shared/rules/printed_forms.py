"""The paper of a tournament: which forms there are, what their lines are, and how lines fall on sheets."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple, TypeVar

from msgspec import Struct

from shared.rules.model import Game
from shared.rules.parts import Part
from shared.rules.words import PLAIN, Words

Line = TypeVar("Line")


class Form(Part, frozen=True):
    """A form that is printed.

    holds: what its lines are, and so what a sheet is about: the rounds of a player, the entries of a player's list,
    the two sides of a game, the table from which the players of a game build their scenario, the pairings of a round at
    a venue, the standings after a round, or the players.
    filled_by: who writes on it. heading: what stands above the lines. columns: of a line; what is no word that Muster
    knows is written by hand. lines: on one sheet (0: as many as are needed). order: from where lines are used.
    new_after_cut: a new sheet begins with the elimination. running: values of rounds are totals so far.
    lists: of a roster, the lists whose entries are its lines, in order.
    copies, copies_a_round: how many are printed, and how many more for each round that is planned.
    titles: what is printed above a column or beside a heading, where that is not the word itself. instructions: what
    whoever fills it in reads first, a line each.
    """

    name: str
    filled_by: Literal["player", "staff"]
    heading: list[str]
    columns: list[str]
    holds: Literal["rounds", "roster", "sides", "builder", "pairings", "standings", "players"] = "rounds"
    lines: int = 0
    order: Literal["downwards", "upwards"] = "downwards"
    new_after_cut: bool = False
    running: bool = True
    lists: list[str] = []
    copies: int = 1
    copies_a_round: int = 0
    titles: dict[str, str] = {}
    instructions: list[str] = []

    @property
    def id(self) -> str:
        """The name as an address has it."""
        return self.name.replace(" ", "-")


class Printed(NamedTuple):
    """What is on a form in addition to its lines. titles: word -> what is printed for it; instructions: a line each."""

    titles: dict[str, str]
    instructions: list[str]


def titles_of(form: Form, words: Words | None) -> dict[str, str]:
    """What is printed for every word of the heading and the columns: the form's title, else the ruleset's word."""
    return (words or PLAIN).headings([*form.heading, *form.columns]) | form.titles


class ScoreLine(Struct, frozen=True):
    """A line of a score sheet. opponent: empty after a bye; totals: the values, in order."""

    round: int
    opponent: str
    totals: tuple[int, ...]


def score_sheets(
    form: Form, player: str, games: Iterable[Game], values: Iterable[str], *, cut_after: int = 0
) -> list[list[ScoreLine]]:
    """The score sheets of a player: `values` of each round, or their totals so far, `form.lines` rounds to a sheet.

    cut_after: the last round before the elimination (0: none), after which totals begin anew on a new sheet where
    the form says so. Source: DW-DOC-1, DW-DOC-2, DW-CUT-2.
    """
    names = list(values)
    stages: dict[int, list[ScoreLine]] = {}
    totals = [0] * len(names)
    own = [game for game in games if player in (game.player_1, game.player_2)]
    for game in sorted(own, key=lambda game: game.round):
        after = int(form.new_after_cut and 0 < cut_after < game.round)
        if after not in stages or not form.running:
            totals = [0] * len(names)
        first = game.player_1 == player
        made = game.score.values_1 if first else game.score.values_2
        totals = [total + made.get(name, 0) for total, name in zip(totals, names, strict=True)]
        line = ScoreLine(game.round, (game.player_2 if first else game.player_1) or "", tuple(totals))
        stages.setdefault(after, []).append(line)
    return [sheet for lines in stages.values() for sheet in sheets_of(form, lines)]


def sheets_of(form: Form, lines: Sequence[Line]) -> list[list[Line]]:
    """Lines on sheets, in the order in which they are used; one empty sheet where there are no lines. DW-AMB-24."""
    size = form.lines or max(len(lines), 1)
    return [list(lines[start : start + size]) for start in range(0, len(lines), size)] or [[]]
