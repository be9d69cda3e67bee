"""What a round is made of before it becomes events: who meets whom, perhaps where, and why."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from shared.rules.model import Draw


class Draft(Struct, frozen=True, kw_only=True):
    """A pairing without its id. venue, table: None where they are still to be found; table 0: it needs none. wave: 1
    for a game that begins with the round, 2 for the next at that table.

    slot: the number in its game id, where it is not the next one (a place in a bracket). bye: how a bye was come by
    that is none of the pairing: `awarded` or `requested`. sides: as of a seat.
    """

    kind: str
    player_1: str
    player_2: str = ""
    venue: str | None = None
    table: int | None = None
    wave: int = 1
    reason: str = ""
    rematch: bool = False
    slot: int | None = None
    bye: str = ""
    sides: list[list[str]] = []

    @property
    def players(self) -> tuple[str, ...]:
        """The players of the tournament who sit here; the spare player is none."""
        if self.sides:
            return tuple(player for side in self.sides for player in side)
        return (self.player_1, self.player_2) if self.kind == "game" else (self.player_1,)


class Plan(Struct, frozen=True, kw_only=True):
    """A whole round: its pairings in order, how they came about, and the draws that were made."""

    stage: str
    method: str
    drafts: Sequence[Draft]
    draws: Sequence[Draw] = ()
    left_out: dict[str, list[str]] = {}
    reason: str = ""
