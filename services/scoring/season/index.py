"""Which seasons count which tournaments: a read model over the copies of registration's log.

A season without a tournament stands in it with an empty one, so that every season is found here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from shared.formats.fold import read_event
from shared.log.database import Connection
from shared.season.entries import SEASON_ENTRIES
from shared.tournament.state import Tournament

NONE = ""
"""In place of a tournament, for a season that counts none yet."""

_INSERT = """INSERT INTO season_tournaments (season, tournament) VALUES (:season, :tournament)
    ON CONFLICT DO NOTHING"""


def gathered_by(state: Tournament) -> list[str]:
    """What the index holds of a season."""
    return sorted(SEASON_ENTRIES.of(state).gathered) or [NONE]


def note(connection: Connection, season: str, tournaments: Iterable[str]) -> None:
    """Put right what a season counts, where the index says something else."""
    wanted = sorted(tournaments)
    sql = "SELECT tournament FROM season_tournaments WHERE season = :season ORDER BY tournament"
    known = connection.rows(sql, season=season)
    if known == [(tournament,) for tournament in wanted]:
        return
    connection.run("DELETE FROM season_tournaments WHERE season = :season", season=season)
    connection.run_many(_INSERT, [{"season": season, "tournament": tournament} for tournament in wanted])


def seasons(connection: Connection) -> list[str]:
    """Every season."""
    rows = connection.rows("SELECT DISTINCT season FROM season_tournaments ORDER BY season")
    return [season for (season,) in rows]


def seasons_announced(connection: Connection) -> list[str]:
    """Every season, by the log itself; slower, for where the index may miss one."""
    rows = connection.rows(
        "SELECT tournament, type, version, data FROM events WHERE source = 'registration' AND position = 1"
    )
    return [tournament for tournament, *event in rows if getattr(read_event(*event), "format", "") == "season"]


def seasons_of(connection: Connection, tournament: str) -> list[str]:
    """The seasons that count a tournament."""
    sql = "SELECT season FROM season_tournaments WHERE tournament = :tournament ORDER BY season"
    return [season for (season,) in connection.rows(sql, tournament=tournament)]


def every_line(connection: Connection) -> dict[str, dict[str, Any]]:
    """Season -> what it counts, for comparing with what the log says."""
    sql = "SELECT season, tournament FROM season_tournaments ORDER BY season, tournament"
    lines: dict[str, dict[str, Any]] = {}
    for season, tournament in connection.rows(sql):
        lines.setdefault(season, {"season": season, "tournaments": []})["tournaments"].append(tournament)
    return lines


def line_of(season: str, state: Tournament) -> dict[str, Any] | None:
    """What a season counts as its folded state says it; None for a tournament of another format."""
    if state.entries.format != "season":
        return None
    return {"season": season, "tournaments": gathered_by(state)}


def rewrite(connection: Connection, lines: Sequence[Mapping[str, Any]]) -> None:
    """Put these lines in place of all there were, inside the caller's transaction."""
    connection.run("DELETE FROM season_tournaments")
    rows = [
        {"season": line["season"], "tournament": tournament} for line in lines for tournament in line["tournaments"]
    ]
    connection.run_many(_INSERT, rows)
