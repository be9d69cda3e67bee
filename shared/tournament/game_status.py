"""How far a game is, in one set of words for every service: pairing reads it off its copy of scoring's log."""

from __future__ import annotations

from typing import Annotated, Literal

from shared.tournament.events.pairing import Seat
from shared.tournament.state import Tournament

GameStatus = Annotated[
    Literal["bye", "open", "reported", "disputed", "confirmed", "ruled", "corrected"],
    "bye: no game at all; open: nothing was reported; reported, disputed: it does not count yet; confirmed, ruled,"
    " corrected: it counts.",
]


def status_of(state: Tournament, seat: Seat) -> GameStatus:
    """How far the game of a pairing is."""
    if seat.kind == "bye":
        return "bye"
    result = state.results.results.get(seat.game)
    return result.status if result else "open"


def binds(state: Tournament, seat: Seat) -> bool:
    """Whether standings count the game of a pairing as it is; a bye needs no result for that."""
    result = state.results.results.get(seat.game)
    return seat.kind == "bye" or (result is not None and result.binds)
