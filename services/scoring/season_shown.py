"""What scoring shows of a season: its standings, and why somebody stands where they do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from shared.events.season_scoring import SeasonRowRecorded
from shared.rules.decimals import as_json
from shared.state.ranking import as_value
from shared.state.ruleset import season_of
from shared.state.season_ranking import rows_recorded, same_standings, table_of
from shared.state.tournament import Tournament


def standings_shown(state: Tournament, tournament: str) -> dict[str, Any]:
    """The standings as recorded last."""
    table = state.season.table
    rows = table.rows if table else []
    current = same_standings(rows_recorded(table_of(state), None), rows)
    return {
        "tournament": tournament,
        "number": table.number if table else 0,
        "time": table.time if table else "",
        "final": state.results.concluded,
        "provisional": not current,
        "columns": season_of(state.entries).columns,
        "causes": msgspec.to_builtins(table.causes) if table else [],
        "rows": rows_shown(state, rows),
    }


def rows_shown(state: Tournament, rows: Sequence[SeasonRowRecorded]) -> list[dict[str, Any]]:
    """Rows with names; values as whole numbers or decimal strings."""
    players = state.entries.players
    return [
        {
            **_whole(row),
            "name": players[row.player].name,
            "values": {column: as_json(as_value(value)) for column, value in row.values.items()},
        }
        for row in rows
    ]


def _whole(row: SeasonRowRecorded) -> dict[str, Any]:
    """A row with all members, those at their defaults too."""
    return {
        **msgspec.structs.asdict(row),
        "results": [msgspec.structs.asdict(one) for one in row.results],
        "rating": msgspec.structs.asdict(row.rating) if row.rating else None,
    }
