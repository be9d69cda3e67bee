"""The places of a tournament: as its log gives them, and the plain rows that a season takes of it in the end.

Who prints places from a log alone asks the row of the format. Rows hold places, points, and games as each side saw
them; where several share the first place, a recorded draw decides.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

from msgspec import Struct

from shared.log.event import Event, Part
from shared.rules.draw import Draws, make_draw
from shared.rules.words import PLAIN, Words
from shared.tournament.events.pairing import DrawMade
from shared.tournament.events.scoring import StandingRow
from shared.tournament.state import Tournament


class Placings(Struct, frozen=True, kw_only=True):
    """Rows in rank order, with players by id.

    columns: of every form. marks: further ones, which a text for people puts into words. people: the column of players,
    of one or of several in a row. words: what the ruleset calls things. provisional: why the order may change.
    """

    columns: Sequence[str]
    rows: Sequence[dict[str, Any]]
    marks: Sequence[str] = ()
    people: str = "player"
    words: Words = PLAIN
    provisional: str = ""


class Replay(Struct, frozen=True, kw_only=True):
    """How the places of a format are found again in a log.

    recording: the event that records them, in pages. number: its member that says of which round, or which recording.
    standing: those that stand. at_hand: the one of now; 0 before the first. placings: after a round, from a state, as
    the first event of that recording has it; None while there is none. open: what is said while it is not recorded.
    """

    recording: type[Event]
    number: str
    standing: Callable[[Tournament], Collection[int]]
    at_hand: Callable[[Tournament], int]
    placings: Callable[[Tournament, int, Any], Placings]
    open: str


TITLE = "title"
"""Purpose of the draw between those who share the first place of the final standings."""


class GameTaken(Part, frozen=True, kw_only=True):
    """A game as one side saw it. outcome: win, draw or loss. kind: game, bye or forfeit; opponent: the other entry."""

    outcome: str
    opponent: str = ""
    kind: str = "game"
    score: int = 0
    against: int = 0
    round: int = 0


class ResultRow(Part, frozen=True, kw_only=True):
    """What an entry reached in its tournament. place: 0 for none. score: the tournament's own points."""

    entry: str
    name: str
    place: int
    score: int = 0
    games: list[GameTaken] = []
    status: str = "active"
    attended: bool = True


def was_there(games: list[GameTaken]) -> bool:
    """Whether somebody played, had a bye, or won because the other did not come."""
    return any(game.kind != "forfeit" or game.outcome == "win" for game in games)


def first_of(rows: Sequence[StandingRow]) -> list[str]:
    """Who stands first: one player, several who share the place, or nobody."""
    return [row.player for row in rows if row.rank == 1 and row.status != "disqualified"]


def winner_of_first(first: Sequence[str], round: int, draws: Draws) -> tuple[str, list[DrawMade]]:
    """The one of those who stand first that has the title, empty for nobody; and the draw that decided it, if any.

    round: the last one played. Source: AR-AMB-15, DW-AMB-9.
    """
    if len(first) < 2:
        return (first[0] if first else ""), []
    draw = make_draw(draws.answer(f"lot: {TITLE}, {round}"), TITLE, round, first)
    made = DrawMade(purpose=draw.purpose, round=draw.round, order=list(draw.order), seed=draw.seed)
    return draw.order[0], [made]
