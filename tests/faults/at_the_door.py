"""A body as a door reads it: through the schema of its command, to the command."""

from __future__ import annotations

from typing import Any

from services.scoring.coop_moves import PlayMoves
from shared.web.body import load
from shared.web.schema import deferred

door = deferred(PlayMoves)


def read_moves(said: list[dict[str, Any]]) -> PlayMoves:
    """Moves at a table."""
    made: PlayMoves = load(door.schema, {"session": "r1t1", "moves": said})
    return made
