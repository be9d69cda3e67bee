"""Which seasons count which tournaments: a read model over the copies of registration's log.

A season without a tournament stands in it with an empty one, so that every season is found here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from shared.eventlog.database import Connection, Table
from shared.eventlog.tables import EVENTS
from shared.formats.fold import read_event
from shared.formats.season.entries import SEASON_ENTRIES
from shared.tournament.state import Tournament

NONE = ""
"""In place of a tournament, for a season that counts none yet."""

SEASON_TOURNAMENTS = Table("season_tournaments", ("season", "tournament"), ("season", "tournament"))


def gathered_by(state: Tournament) -> list[str]:
    """What the index holds of a season."""
    return sorted(SEASON_ENTRIES.of(state).gathered) or [NONE]


def note(connection: Connection, season: str, tournaments: Iterable[str]) -> None:
    """Put right what a season counts, where the index says something else."""
    wanted = sorted(tournaments)
    known = connection.find(SEASON_TOURNAMENTS, {"season": season}, columns=("tournament",), order=("tournament",))
    if known == [(tournament,) for tournament in wanted]:
        return
    connection.remove(SEASON_TOURNAMENTS, {"season": season})
    connection.add(SEASON_TOURNAMENTS, [{"season": season, "tournament": tournament} for tournament in wanted])


def seasons(connection: Connection) -> list[str]:
    """Every season."""
    return sorted({season for season, _ in connection.find(SEASON_TOURNAMENTS)})


def seasons_announced(connection: Connection) -> list[str]:
    """Every season, by the log itself; slower, for where the index may miss one."""
    first = {"source": "registration", "position": 1}
    rows = connection.find(EVENTS, first, columns=("tournament", "type", "version", "data"))
    return [tournament for tournament, *event in rows if getattr(read_event(*event), "format", "") == "season"]


def seasons_of(connection: Connection, tournament: str) -> list[str]:
    """The seasons that count a tournament."""
    counting = connection.find(SEASON_TOURNAMENTS, {"tournament": tournament}, columns=("season",), order=("season",))
    return [season for (season,) in counting]


def every_line(connection: Connection) -> dict[str, dict[str, Any]]:
    """Season -> what it counts, for comparing with what the log says."""
    lines: dict[str, dict[str, Any]] = {}
    for season, tournament in connection.find(SEASON_TOURNAMENTS, order=("season", "tournament")):
        lines.setdefault(season, {"season": season, "tournaments": []})["tournaments"].append(tournament)
    return lines


def line_of(season: str, state: Tournament) -> dict[str, Any] | None:
    """What a season counts as its folded state says it; None for a tournament of another format."""
    if state.entries.format != "season":
        return None
    return {"season": season, "tournaments": gathered_by(state)}


def rewrite(connection: Connection, lines: Sequence[Mapping[str, Any]]) -> None:
    """Put these lines in place of all there were, inside the caller's transaction."""
    connection.remove(SEASON_TOURNAMENTS)
    rows = [
        {"season": line["season"], "tournament": tournament} for line in lines for tournament in line["tournaments"]
    ]
    connection.add(SEASON_TOURNAMENTS, rows)
