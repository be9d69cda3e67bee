"""Which games, or pairings, an address asks for, and in which order: the same members at pairing and at scoring."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UnsetType

from shared.shapes import Name
from shared.tournament.events.pairing import Seat

SomebodysName = Annotated[
    str | UnsetType, Name(), "Only games of players whose name contains each of these words; accents do not matter."
]
OrderOfGames = Annotated[
    Literal["pairing", "table"], "pairing: as they were made; table: by venue and table, byes last."
]


def table_order(seat: Seat) -> tuple[int, str, int, int]:
    """Where a pairing stands in the order of tables; without a table, as byes are, at the end of its round."""
    return int(not seat.table), seat.venue, seat.table, seat.wave
