"""The directory: one line for each tournament, a read model that moves with the log and can be rebuilt from it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from shared.application.deciding import Projection
from shared.eventlog.database import Connection, Row, Table
from shared.events.recorded import Recorded
from shared.formats.fold import read_event
from shared.names import is_found
from shared.shapes import View
from shared.tournament.events.registration import (
    PlayerJoined,
    PlayerPromoted,
    PlayerWithdrawn,
    SeatGiven,
    SeatTakenBack,
    TournamentAmended,
    TournamentAnnounced,
    TournamentCancelled,
)
from shared.tournament.publication import as_everybody_sees
from shared.tournament.state import Tournament

DIRECTORY = Table(
    "directory",
    (
        *("tournament", "name", "format", "ruleset", "status", "starts_on", "visibility", "players", "announced_at"),
        "organiser",
    ),
    ("tournament",),
)


class TournamentListed(View, frozen=True, kw_only=True):
    """A line of the directory."""

    id: str
    name: str
    format: str
    ruleset: str
    status: str
    starts_on: str
    visibility: str
    players: int
    announced_at: str


def _write(connection: Connection, recorded: Sequence[Recorded]) -> None:
    for event in recorded:
        place = {"tournament": event.tournament}
        match read_event(event.type, event.version, event.data):
            case TournamentAnnounced() as announced:
                connection.add(DIRECTORY, [_first_line(event, announced)])
            case TournamentAmended() as amended:
                changed = {"name": amended.name, "starts_on": amended.starts_on}
                if kept := {name: value for name, value in changed.items() if value is not None}:
                    connection.change(DIRECTORY, place, kept)
            case TournamentCancelled():
                connection.change(DIRECTORY, place, {"status": "cancelled"})
            case PlayerJoined() | PlayerPromoted() | SeatGiven():
                connection.change(DIRECTORY, place, {"players +": 1})
            case PlayerWithdrawn(waiting=False) | SeatTakenBack():
                connection.change(DIRECTORY, place, {"players +": -1})


def _first_line(event: Recorded, announced: TournamentAnnounced) -> dict[str, Any]:
    return {
        "tournament": event.tournament,
        "name": announced.name,
        "format": announced.format,
        "ruleset": announced.ruleset["id"],
        "status": "announced",
        "starts_on": announced.starts_on,
        "visibility": announced.visibility,
        "players": 0,
        "announced_at": event.time,
        "organiser": announced.organiser,
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
            "SeatGiven",
            "SeatTakenBack",
        }
    ),
    _write,
)


def move(connection: Connection, tournament: str, status: str) -> None:
    """Mark how far a tournament is: pairing or scoring said so. One that was cancelled meanwhile stays cancelled."""
    connection.change(DIRECTORY, {"tournament": tournament, "status <>": "cancelled"}, {"status": status})


def page(
    connection: Connection,
    *,
    everything: bool,
    own: str,
    organiser: str = "",
    status: str,
    named: str,
    behind: tuple[str, str] | None,
    limit: int,
) -> tuple[list[TournamentListed], int]:
    """Lines, newest first, behind the (announced_at, tournament) given, and how many there are from the start.

    everything: private ones too; own: the one private tournament that the caller may see; organiser: who
    announced the private ones that the caller may see. status: only of this one;
    named: only those in whose name these words stand, for which every line is read; empty: all.
    """
    kept = {"status": status} if status else {}
    seen = [kept if everything else {**kept, "visibility": "public"}]
    if own and not everything:
        seen.append({**kept, "visibility <>": "public", "tournament": own})
    if organiser and not everything:
        seen.append({**kept, "visibility <>": "public", "organiser": organiser})
    if named:
        found = [line for where in seen for line in _behind(connection, where, None) if is_found(line.name, named)]
        total = len(found)
        rows = [line for line in found if behind is None or _is_behind(line, behind)]
    else:
        total = sum(connection.total(DIRECTORY, where) for where in seen)
        rows = [line for where in seen for line in _behind(connection, where, behind, limit)]
    rows.sort(key=lambda line: line.id)
    rows.sort(key=lambda line: line.announced_at, reverse=True)
    return rows[:limit], total


def _is_behind(line: TournamentListed, behind: tuple[str, str]) -> bool:
    time, id = behind
    return line.announced_at < time or (line.announced_at == time and line.id > id)


def _behind(
    connection: Connection, where: Row, behind: tuple[str, str] | None, limit: int | None = None
) -> list[TournamentListed]:
    """A page of lines that fulfil a condition: those announced at the same moment come in order of their ids."""
    time, after = behind or ("9999", "")
    order = ("-announced_at", "tournament")
    rows = connection.find(DIRECTORY, {**where, "announced_at": time, "tournament >": after}, order=order, limit=limit)
    left = None if limit is None else limit - len(rows)
    rows += connection.find(DIRECTORY, {**where, "announced_at <": time}, order=order, limit=left)
    return [_listed(_line(row)) for row in rows]


def _listed(line: dict[str, Any]) -> TournamentListed:
    shown = {name: value for name, value in line.items() if name not in ("tournament", "organiser")}
    return TournamentListed(id=line["tournament"], **shown)


def every_line(connection: Connection) -> dict[str, dict[str, Any]]:
    """Tournament -> its line, for comparing with what the log says."""
    return {row[0]: _line(row) for row in connection.find(DIRECTORY, order=("tournament",))}


def rewrite(connection: Connection, lines: Sequence[dict[str, Any]]) -> None:
    """Put these lines in place of all there were, inside the caller's transaction."""
    connection.remove(DIRECTORY)
    connection.add(DIRECTORY, lines)


def _line(row: tuple[Any, ...]) -> dict[str, Any]:
    return dict(zip(DIRECTORY.columns, row, strict=True))


def status_of(state: Tournament) -> str:
    """announced, running (round 1 is paired and published, a season has results), concluded or cancelled."""
    if state.entries.status == "cancelled":
        return "cancelled"
    if state.results.concluded:
        return "concluded"
    begun = as_everybody_sees(state).begun
    return "running" if begun or state.has_results else state.entries.status


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
        "organiser": entries.organiser,
    }
