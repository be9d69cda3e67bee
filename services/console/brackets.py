"""A bracket as a picture: where its boxes, lines and words stand. Lengths are pixels on a desk."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from itertools import pairwise

from msgspec import Struct

from services.console.bracket_words import GameWords, SideWords, round_name

HEAD = 32
"""Above the first games, for the names of the rounds."""
MARGIN = 10


class Measures(Struct, frozen=True):
    """How large a picture is drawn. box, line: width of a game, height of a side.

    gap: between games. space: between rounds. letters: of a name that fit in one line. small: in each of the two lines
    of a longer one, set smaller.
    """

    box: int
    line: int
    gap: int
    space: int
    letters: int
    small: int

    @property
    def slot(self) -> int:
        """The height that a game of the first round takes."""
        return 2 * self.line + 2 + self.gap


DESK = Measures(box=272, line=36, gap=22, space=48, letters=20, small=31)
WALL = Measures(box=330, line=52, gap=24, space=50, letters=20, small=32)


class Box(Struct, frozen=True):
    """A side of a game. lines: of the name, one or two. state: as of `SideWords`, or `next`."""

    y: int
    side: SideWords
    lines: list[str]
    state: str


class Drawn(Struct, frozen=True):
    """A game and its place."""

    x: int
    game: GameWords
    boxes: list[Box]


class Line(Struct, frozen=True):
    """From a game to the one that its winner goes on to; won: somebody has gone on."""

    path: str
    won: bool


class Head(Struct, frozen=True):
    """The name of a round above its games."""

    x: int
    name: str


class Picture(Struct, frozen=True):
    """All of it."""

    width: int
    height: int
    measures: Measures
    heads: list[Head]
    games: list[Drawn]
    lines: list[Line]


def picture_of(rounds: Sequence[Sequence[GameWords]], measures: Measures, names: Sequence[str] = ()) -> Picture:
    """The picture of rounds that follow each other, the first with the most games. names: of the rounds."""
    columns = [_middles(len(rounds[0]), depth, measures) for depth in range(len(rounds))]
    across = measures.box + measures.space
    games = [
        Drawn(MARGIN + depth * across, game, _boxes(game, columns[depth][place], measures))
        for depth, games in enumerate(rounds)
        for place, game in enumerate(games)
    ]
    return Picture(
        width=2 * MARGIN + len(rounds) * across - measures.space,
        height=HEAD + len(rounds[0]) * measures.slot,
        measures=measures,
        heads=[
            Head(MARGIN + depth * across, name)
            for depth, name in enumerate(names or [round_name(len(games)) for games in rounds])
        ],
        games=games,
        lines=[line for depth, pair in enumerate(pairwise(rounds)) for line in _lines(pair, columns, depth, measures)],
    )


def _middles(first: int, depth: int, measures: Measures) -> list[int]:
    """The heights of the middles of the games of a round: each between the two that lead to it."""
    width = 1 << depth
    return [HEAD + measures.slot * width * place + measures.slot * width // 2 for place in range(-(-first // width))]


def _boxes(game: GameWords, middle: int, measures: Measures) -> list[Box]:
    tops = (middle - measures.line - 1, middle + 1)
    return [
        Box(top, side, lines_of(side.name or side.said, measures), "next" if game.next else side.state)
        for top, side in zip(tops, game.sides, strict=True)
    ]


def _lines(
    pair: tuple[Sequence[GameWords], Sequence[GameWords]], columns: list[list[int]], depth: int, measures: Measures
) -> list[Line]:
    """The lines from a round to the next; none where a ruleset seeds anew, and nobody knows who meets whom."""
    places = {game.place: place for place, game in enumerate(pair[1])}
    start, half = MARGIN + depth * (measures.box + measures.space) + measures.box, measures.space // 2
    lines = []
    for place, game in enumerate(pair[0]):
        if (to := places.get(game.leads_to)) is not None:
            here, there = columns[depth][place], columns[depth + 1][to]
            lines.append(Line(f"M{start} {here}h{half}v{there - here}h{measures.space - half}", bool(game.winner)))
    return lines


def lines_of(name: str, measures: Measures) -> list[str]:
    """A name in one line, or in two smaller ones; what fits in neither ends with an ellipsis."""
    if _width(name) <= measures.letters:
        return [name]
    middle = len(name) // 2
    spaces = [place for place, letter in enumerate(name) if letter == " "]
    at = min(spaces, key=lambda place: abs(place - middle), default=middle)
    if max(_width(name[:at]), _width(name[at:])) > measures.small:
        at = _fits(name, measures.small)
    one, two = name[:at].strip(), name[at:].strip()
    return [one, two if _width(two) <= measures.small else two[: _fits(two, measures.small - 1)] + "…"]


def _fits(name: str, most: float) -> int:
    """How many letters of a name fit; a letter is never parted from its marks."""
    width = 0.0
    for place, letter in enumerate(name):
        width += _width(letter)
        if width > most:
            return max(1, place)
    return len(name)


def _width(name: str) -> float:
    """The length of a name in letters: marks are none, capitals more than one, and those of East Asia nearly two."""
    return sum(
        0.0
        if unicodedata.combining(one) or unicodedata.category(one) in ("Cf", "Me")
        else 1.9
        if unicodedata.east_asian_width(one) in "WF"
        else 1.3
        if one.isupper() or one in "mw@"
        else 1.0
        for one in name
    )
