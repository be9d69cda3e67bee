"""The bracket as a picture and a table, for desktop pages and wall screens. Lengths are pixels on a desktop page."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from flask import Blueprint, render_template
from flask.typing import ResponseReturnValue
from msgspec import Struct

from muster_client import MusterError, answers
from services.console.language import _
from services.console.pages.results import is_settled
from services.console.signed_in import muster
from services.console.words import BINDING, score_of


class SideWords(Struct, frozen=True):
    """One side of a game. seed: 0 if no player is known. name: the player's name. said: text if no player is known.

    points: points if the game counts. state: `won`, `lost`, `bye` for a side without a player, or empty.
    """

    seed: int
    player: str
    name: str
    said: str
    points: str
    state: str


class GameWords(Struct, frozen=True):
    """A game of the bracket. id, status: empty while it is not paired.

    why: how it was decided; empty while it is open. next: True if it is the one being played.
    """

    place: str
    leads_to: str
    round: int
    id: str
    label: str
    status: str
    winner: str
    why: str
    next: bool
    sides: tuple[SideWords, SideWords]


def round_name(games: int) -> str:
    """Return the name of a round by its number of games."""
    if games <= 1:
        return _("Final")
    if games == 2:
        return _("Semi-finals")
    return _("Quarter-finals") if games == 4 else _("Round of %(players)s", players=2 * games)


def game_name(games: int, number: int) -> str:
    """Return the name of a game. games: number of games in its round. number: number of the game, from 1."""
    if games <= 1:
        return _("Final")
    if games == 2:
        return _("Semi-final %(number)s", number=number)
    if games == 4:
        return _("Quarter-final %(number)s", number=number)
    return _("Round of %(players)s, game %(number)s", players=2 * games, number=number)


def rounds_of(bracket: answers.BracketView, facts: Mapping[str, Mapping[str, Any]]) -> list[list[GameWords]]:
    """Return the games of each round in order. facts: results of the games that count, by id."""
    numbers = sorted({game.round for game in bracket.items})
    rounds = [[game for game in bracket.items if game.round == number] for number in numbers]
    known = {game.place: game for game in bracket.items}
    labels = {game.place: game_name(len(games), place) for games in rounds for place, game in enumerate(games, 1)}
    return [
        [
            GameWords(
                place=game.place,
                leads_to=game.leads_to,
                round=game.round,
                id=game.id,
                label=labels[game.place],
                status=game.status or "",
                winner=game.winner,
                why=_why(game, facts.get(game.id, {})),
                next=bool(game.id) and game.status not in (*BINDING, "bye"),
                sides=_sides(game, _is_paired(games), known, labels, facts.get(game.id, {})),
            )
            for game in games
        ]
        for games in rounds
    ]


def _is_paired(games: list[answers.BracketGame]) -> bool:
    return any(game.id for game in games)


def _sides(
    game: answers.BracketGame,
    paired: bool,
    known: Mapping[str, answers.BracketGame],
    labels: Mapping[str, str],
    facts: Mapping[str, Any],
) -> tuple[SideWords, SideWords]:
    """Return both sides. paired: True if the round is paired."""
    nobody_known = not any(side.player for side in game.sides)
    made = []
    for number, side in enumerate(game.sides, 1):
        said, state = "", ""
        if side.player:
            state = ("won" if game.winner == side.player else "lost") if game.winner else ""
        else:
            said, state = _placeholder(side, known, labels, paired=paired, drawn=nobody_known)
        points = str(facts[f"points_{number}"]) if facts.get(f"points_{number}") is not None else ""
        made.append(SideWords(side.seed, side.player, side.name, said, points, state))
    return made[0], made[1]


def _placeholder(
    side: answers.BracketSide,
    known: Mapping[str, answers.BracketGame],
    labels: Mapping[str, str],
    *,
    paired: bool,
    drawn: bool,
) -> tuple[str, str]:
    """Return the text and the state of a side without a player."""
    before = known.get(side.comes_from)
    if before is not None and not paired:
        if not before.winner and before.status not in BINDING:
            return _("winner of %(game)s", game=labels[before.place]), ""
        return _("no one"), "bye"
    if drawn and not paired:
        return _("decided when the round is paired"), ""
    return _("no game"), "bye"


def _why(game: answers.BracketGame, facts: Mapping[str, Any]) -> str:
    """Return how a game was decided, as far as the public may know."""
    if game.status == "bye":
        return _("There is no opponent.")
    if game.status not in BINDING:
        return ""
    if not game.winner:
        return _("No one advances.")
    points = [facts.get("points_1"), facts.get("points_2")]
    if facts.get("kind", "game") == "game" and None not in points and points[0] == points[1]:
        return _("Tied at %(score)s; the tie rules decide who advances.", score=score_of(facts))
    if facts.get("conceded_by"):
        return _("The opponent conceded.") if facts.get("kind") != "no_show" else _("The opponent did not show up.")
    return score_of(facts, 1 if game.sides[0].player == game.winner else 2)


HEAD = 32
"""Above the first games, for the names of the rounds."""
MARGIN = 10


class Measures(Struct, frozen=True):
    """The sizes of a picture. box, line: width of a game, height of a side.

    gap: space between games. space: space between rounds. letters: characters of a name that fit on one line.
    small: characters on each of the two smaller lines of a longer name.
    """

    box: int
    line: int
    gap: int
    space: int
    letters: int
    small: int

    @property
    def slot(self) -> int:
        """The height of a game in the first round."""
        return 2 * self.line + 2 + self.gap


DESK = Measures(box=272, line=36, gap=22, space=48, letters=20, small=31)
WALL = Measures(box=330, line=52, gap=24, space=50, letters=20, small=32)


class Box(Struct, frozen=True):
    """A side of a game. lines: the name on one or two lines. state: as in `SideWords`, or `next`."""

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
    """A line from a game to the next game of its winner. won: True if the winner is known."""

    path: str
    won: bool


class Head(Struct, frozen=True):
    """The name of a round above its games."""

    x: int
    name: str


class Picture(Struct, frozen=True):
    """A drawn bracket."""

    width: int
    height: int
    measures: Measures
    heads: list[Head]
    games: list[Drawn]
    lines: list[Line]


def draw_picture(rounds: Sequence[Sequence[GameWords]], measures: Measures, names: Sequence[str] = ()) -> Picture:
    """Return the picture of consecutive rounds, the largest first. names: names of the rounds."""
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
    """Return the vertical centres of the games of a round, each between the two games that lead to it."""
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
    """Return the lines from a round to the next; none if the ruleset reseeds and opponents are open."""
    places = {game.place: place for place, game in enumerate(pair[1])}
    start, half = MARGIN + depth * (measures.box + measures.space) + measures.box, measures.space // 2
    lines = []
    for place, game in enumerate(pair[0]):
        if (to := places.get(game.leads_to)) is not None:
            here, there = columns[depth][place], columns[depth + 1][to]
            lines.append(Line(f"M{start} {here}h{half}v{there - here}h{measures.space - half}", bool(game.winner)))
    return lines


def lines_of(name: str, measures: Measures) -> list[str]:
    """Return a name on one line, or on two smaller ones, shortened with an ellipsis if necessary."""
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
    """Return how many characters of a name fit; combining marks stay with their letter."""
    width = 0.0
    for place, letter in enumerate(name):
        width += _width(letter)
        if width > most:
            return max(1, place)
    return len(name)


def _width(name: str) -> float:
    """Return the width of a name in letters: marks have none, capitals more than one, East Asian letters nearly two."""
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


blueprint = Blueprint("bracket", __name__)
DEEP = 3
"""Rounds on one page of the wall: four games, two, and one."""
MOST = 500
"""Games of a round that are read: no bracket has more."""


@blueprint.get("/events/<event>/bracket")
def show(event: str) -> ResponseReturnValue:
    """Show the whole bracket at any stage; staff also see it while the cut is a draft."""
    services = muster()
    tournament, bracket, cut = (
        services.registration.show_tournament(event),
        services.pairing.show_bracket(event),
        services.pairing.show_cut(event),
    )
    rounds = rounds_of(bracket, _facts(event, bracket))
    return render_template(
        "bracket.html",
        event=tournament,
        bracket=bracket,
        cut=cut,
        rounds=rounds,
        names=[round_name(len(games)) for games in rounds],
        picture=draw_picture(rounds, DESK) if rounds else None,
        tables=_tables(event, bracket),
        winner=winner_name(bracket),
        playing=_playing(rounds),
        place="bracket",
        has_bracket=True,
    )


def wall_pages(rounds: Sequence[Sequence[GameWords]]) -> list[Picture]:
    """Return the pages of a wall, from the first undecided round: each has four games and where they lead."""
    names = [round_name(len(games)) for games in rounds]
    first = next((depth for depth, games in enumerate(rounds) if not all(map(_is_over, games))), len(rounds))
    first = max(0, min(first, len(rounds) - DEEP))
    pages = []
    for depth in range(first, len(rounds), DEEP):
        deep = min(DEEP, len(rounds) - depth)
        leaves = 1 << (DEEP - 1)
        for group in range(0, len(rounds[depth]), leaves):
            part = [rounds[depth + more][group >> more : (group + leaves) >> more or 1] for more in range(deep)]
            pages.append(draw_picture(part, WALL, names[depth : depth + deep]))
    return pages


def _is_over(game: GameWords) -> bool:
    return bool(game.winner or game.why)


def _facts(event: str, bracket: answers.BracketView) -> dict[str, Mapping[str, Any]]:
    """Return the reported facts of the games that count, by id; empty while scoring is away."""
    found: dict[str, Mapping[str, Any]] = {}
    try:
        for number in sorted({game.round for game in bracket.items if game.id}):
            games = muster().scoring.list_games(event, round=str(number), limit=MOST).items
            found |= {game.id: game.facts for game in games if is_settled(game) and game.facts}
    except MusterError:
        return {}
    return found


def _tables(event: str, bracket: answers.BracketView) -> dict[str, answers.PairingView]:
    """Return the pairings of the games that are not over, by id."""
    numbers = {game.round for game in bracket.items if game.id and not game.winner}
    return {
        game.id: game
        for number in numbers
        for game in muster().pairing.show_round(event, number).pairings
        if game.table
    }


def _playing(rounds: Sequence[Sequence[GameWords]]) -> str:
    """Return the name of the round being played; empty if there is none."""
    return next((round_name(len(games)) for games in rounds if any(game.next for game in games)), "")


def winner_name(bracket: answers.BracketView) -> str:
    sides = (side for game in bracket.items for side in game.sides)
    return next((side.name for side in sides if side.player == bracket.winner), "") if bracket.winner else ""
