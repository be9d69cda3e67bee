"""Who has won: the first of the final standings, by a recorded draw where several share the place."""

from __future__ import annotations

from collections.abc import Sequence

from shared.rules.draw import make_draw
from shared.tournament.events.pairing import DrawMade
from shared.tournament.events.scoring import StandingRow

TITLE = "title"
"""Purpose of the draw between those who share the first place of the final standings."""


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
