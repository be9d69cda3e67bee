"""What moves in a season, told alike before and after somebody decides: ranks, points, and what of whom moved them."""

from __future__ import annotations

from typing import Any

from shared.formats.season.ranking import table_of
from shared.formats.season.rules.model import Counted, SeasonTable
from shared.formats.season.rules.moves import Move, moves
from shared.rules.model import as_json
from shared.tournament.entries import Player
from shared.tournament.state import Tournament

Told = dict[str, Any]


def moves_between(before: Tournament, after: Tournament, table: SeasonTable | None = None) -> list[Told]:
    """Everybody who would stand elsewhere or with other values, in the order of the table that would be.

    table: of `before`, where it is known already.
    """
    players = {**before.entries.players, **after.entries.players}
    return [move_told(move, players) for move in moves(table or table_of(before), table_of(after))]


def move_told(move: Move, players: dict[str, Player]) -> Told:
    """A move as answers show it; no rank where there was, or is, no row."""
    return {
        "player": move.player,
        "name": players[move.player].name,
        "division": move.division,
        "rank_before": move.rank_before,
        "rank_after": move.rank_after,
        "points_before": as_json(move.points_before),
        "points_after": as_json(move.points_after),
        "columns": list(move.columns),
        "results": [
            {"tournament": one.tournament, "before": _counted(one.before), "after": _counted(one.after)}
            for one in move.results
            if (one.before and one.before.entry) or (one.after and one.after.entry)
        ],
        "passed_by": [{"player": player, "name": players[player].name} for player in move.passed_by],
    }


def _counted(one: Counted | None) -> Told | None:
    if one is None or not one.entry:
        return None
    return {"entry": one.entry, "place": one.place, "points": as_json(one.points), "left": one.left}
