"""Which seasons count which tournaments: a read model over the copies of registration's log.

A season without a tournament stands in it with an empty one, so that every season is found here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, text

from shared.formats.season.entries import SEASON_ENTRIES
from shared.tournament.state import Tournament

NONE = ""
"""In place of a tournament, for a season that counts none yet."""

_SEASONS = text("SELECT DISTINCT season FROM season_tournaments ORDER BY season")
_OF_SEASON = text("SELECT tournament FROM season_tournaments WHERE season = :season")
_OF_TOURNAMENT = text("SELECT season FROM season_tournaments WHERE tournament = :tournament ORDER BY season")
_ALL = text("SELECT season, tournament FROM season_tournaments ORDER BY season, tournament")
_FORGET = text("DELETE FROM season_tournaments WHERE season = :season")
_CLEAR = text("DELETE FROM season_tournaments")
_NOTE = text("INSERT INTO season_tournaments (season, tournament) VALUES (:season, :tournament)")
_ANNOUNCED = text(
    "SELECT tournament FROM events WHERE source = 'registration' AND position = 1"
    ' AND data LIKE \'%"format":"season"%\''
)


def gathered_by(state: Tournament) -> list[str]:
    """What the index holds of a season."""
    return sorted(SEASON_ENTRIES.of(state).gathered) or [NONE]


def note(connection: Connection, season: str, tournaments: Iterable[str]) -> None:
    """Put right what a season counts, where the index says something else."""
    wanted = sorted(tournaments)
    if sorted(row.tournament for row in connection.execute(_OF_SEASON, {"season": season})) == wanted:
        return
    connection.execute(_FORGET, {"season": season})
    for tournament in wanted:
        connection.execute(_NOTE, {"season": season, "tournament": tournament})


def seasons(connection: Connection) -> list[str]:
    """Every season."""
    return [row.season for row in connection.execute(_SEASONS)]


def seasons_announced(connection: Connection) -> list[str]:
    """Every season, by the log itself; slower, for where the index may miss one."""
    return [row.tournament for row in connection.execute(_ANNOUNCED)]


def seasons_of(connection: Connection, tournament: str) -> list[str]:
    """The seasons that count a tournament."""
    return [row.season for row in connection.execute(_OF_TOURNAMENT, {"tournament": tournament})]


def every_line(connection: Connection) -> dict[str, dict[str, Any]]:
    """Season -> what it counts, for comparing with what the log says."""
    lines: dict[str, dict[str, Any]] = {}
    for row in connection.execute(_ALL):
        line = lines.setdefault(row.season, {"season": row.season, "tournaments": []})
        line["tournaments"].append(row.tournament)
    return lines


def line_of(season: str, state: Tournament) -> dict[str, Any] | None:
    """What a season counts as its folded state says it; None for a tournament of another format."""
    if state.entries.format != "season":
        return None
    return {"season": season, "tournaments": gathered_by(state)}


def rewrite(connection: Connection, lines: Sequence[Mapping[str, Any]]) -> None:
    """Put these lines in place of all there were, inside the caller's transaction."""
    connection.execute(_CLEAR)
    for line in lines:
        for tournament in line["tournaments"]:
            connection.execute(_NOTE, {"season": line["season"], "tournament": tournament})
