"""What a tournament ended like: who has won, and the plain rows that a season takes of it.

Rows hold places, points, and games as each side saw them. Where several share the first place, a recorded draw decides.
"""

from __future__ import annotations

from collections.abc import Sequence

from shared.events.base import Part
from shared.rules.draw import make_draw
from shared.tournament.events.pairing import DrawMade
from shared.tournament.events.scoring import StandingRow

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


def winner_of_first(first: Sequence[str], round: int, seed: str) -> tuple[str, list[DrawMade]]:
    """The one of those who stand first that has the title, empty for nobody; and the draw that decided it, if any.

    round: the last one played. Source: AR-AMB-15, DW-AMB-9.
    """
    if len(first) < 2:
        return (first[0] if first else ""), []
    draw = make_draw(seed, TITLE, round, first)
    made = DrawMade(purpose=draw.purpose, round=draw.round, order=list(draw.order), seed=draw.seed)
    return draw.order[0], [made]
