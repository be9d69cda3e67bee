"""The directory: one line for each tournament, a read model that moves with the log and can be rebuilt from it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, text

from shared.application.command_handler import Projection
from shared.events.recorded import Recorded
from shared.tournament.state import Tournament

_COLUMNS = ("tournament", "name", "format", "ruleset", "status", "starts_on", "visibility", "players", "announced_at")
_INSERT = text(
    f"INSERT INTO directory ({', '.join(_COLUMNS)}) VALUES ({', '.join(':' + column for column in _COLUMNS)})"
)
_AMEND = text(
    "UPDATE directory SET name = COALESCE(:name, name), starts_on = COALESCE(:starts_on, starts_on)"
    " WHERE tournament = :tournament"
)
_STATUS = text("UPDATE directory SET status = :status WHERE tournament = :tournament")
_MOVE = text("UPDATE directory SET status = :status WHERE tournament = :tournament AND status <> 'cancelled'")
_COUNT = text("UPDATE directory SET players = players + :more WHERE tournament = :tournament")
_PAGE = text(
    f"SELECT {', '.join(_COLUMNS)} FROM directory WHERE (:everything OR visibility = 'public' OR tournament = :own)"
    " AND (announced_at < :time OR (announced_at = :time AND tournament > :after))"
    " ORDER BY announced_at DESC, tournament LIMIT :limit"
)
_ALL = text(f"SELECT {', '.join(_COLUMNS)} FROM directory ORDER BY tournament")
_CLEAR = text("DELETE FROM directory")


def _write(connection: Connection, recorded: Sequence[Recorded]) -> None:
    for event in recorded:
        place = {"tournament": event.tournament}
        data = msgspec.json.decode(event.data)
        match event.type:
            case "TournamentAnnounced":
                connection.execute(_INSERT, _first_line(event, data))
            case "TournamentAmended":
                connection.execute(_AMEND, place | {"name": data.get("name"), "starts_on": data.get("starts_on")})
            case "TournamentCancelled":
                connection.execute(_STATUS, place | {"status": "cancelled"})
            case "PlayerJoined" | "PlayerPromoted":
                connection.execute(_COUNT, place | {"more": 1})
            case "PlayerWithdrawn" if not data.get("waiting"):
                connection.execute(_COUNT, place | {"more": -1})


def _first_line(event: Recorded, data: dict[str, Any]) -> dict[str, Any]:
    return {
        "tournament": event.tournament,
        "name": data["name"],
        "format": data["format"],
        "ruleset": data["ruleset"]["id"],
        "status": "announced",
        "starts_on": data.get("starts_on", ""),
        "visibility": data.get("visibility", "public"),
        "players": 0,
        "announced_at": event.time,
    }


PROJECTION = Projection(
    frozenset(
        {
            "TournamentAnnounced",
            "TournamentAmended",
            "TournamentCancelled",
            "PlayerJoined",
            "PlayerPromoted",
            "PlayerWithdrawn",
        }
    ),
    _write,
)


def move(connection: Connection, tournament: str, status: str) -> None:
    """Mark how far a tournament is: pairing or scoring said so. One that was cancelled meanwhile stays cancelled."""
    connection.execute(_MOVE, {"tournament": tournament, "status": status})


def page(
    connection: Connection, *, everything: bool, own: str, behind: tuple[str, str] | None, limit: int
) -> list[dict[str, Any]]:
    """Lines, newest first, behind the (announced_at, tournament) given.

    everything: private ones too; own: the one private tournament that the caller may see.
    """
    time, after = behind or ("9999", "")
    parameters = {"everything": everything, "own": own, "time": time, "after": after, "limit": limit}
    return [dict(row._mapping) for row in connection.execute(_PAGE, parameters)]


def every_line(connection: Connection) -> dict[str, dict[str, Any]]:
    """Tournament -> its line, for comparing with what the log says."""
    return {row.tournament: dict(row._mapping) for row in connection.execute(_ALL)}


def rewrite(connection: Connection, lines: Sequence[dict[str, Any]]) -> None:
    """Put these lines in place of all there were, inside the caller's transaction."""
    connection.execute(_CLEAR)
    for line in lines:
        connection.execute(_INSERT, line)


def status_of(state: Tournament) -> str:
    """announced, running (round 1 is paired, a season has results), concluded or cancelled."""
    if state.entries.status == "cancelled":
        return "cancelled"
    if state.results.concluded:
        return "concluded"
    return "running" if state.begun or state.has_results else state.entries.status


def line_of(tournament: str, state: Tournament) -> dict[str, Any]:
    """A tournament's line as its folded state says it."""
    entries = state.entries
    return {
        "tournament": tournament,
        "name": entries.name,
        "format": entries.format,
        "ruleset": entries.ruleset["id"],
        "status": status_of(state),
        "starts_on": entries.starts_on,
        "visibility": entries.visibility,
        "players": sum(player.status in ("active", "dropped", "disqualified") for player in entries.players.values()),
        "announced_at": entries.announced_at,
    }
