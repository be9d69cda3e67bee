"""What a tournament ended like, as plain rows that a season takes: places, points, and games as each side saw them."""

from __future__ import annotations

from shared.events.base import Part


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
