"""The directory of tournaments, and the reactions to events of other services."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from msgspec import UNSET, UnsetType

from shared.log.database import Connection
from shared.names import matches_words
from shared.service.commands import Projection
from shared.service.wiring import Service
from shared.shapes import View
from shared.tournament.state import Tournament

COLUMNS = (
    *("tournament", "name", "format", "ruleset", "status", "starts_on", "visibility", "players", "announced_at"),
    *("organiser", "sign_up", "registration_open", "capacity", "seated", "waiting"),
)
_INSERT = f"""INSERT INTO directory ({", ".join(COLUMNS)}) VALUES ({", ".join(f":{name}" for name in COLUMNS)})"""
_KEPT = ("tournament", "status")
# Other processes list the status by events that this state may not have read. Only a cancellation is an own event.
_REPLACE = f"""{_INSERT} ON CONFLICT (tournament) DO UPDATE SET
    {", ".join(f"{name} = excluded.{name}" for name in COLUMNS if name not in _KEPT)},
    status = CASE WHEN excluded.status = 'cancelled' THEN 'cancelled' ELSE directory.status END"""
_SELECT = f"SELECT {', '.join(COLUMNS)} FROM directory"
_VISIBLE = """(visibility = 'public' OR tournament = :own OR (organiser = :organiser AND organiser <> ''))"""


class SignUpState(View, frozen=True, kw_only=True):
    """Who may still sign up."""

    open: Annotated[bool, "True if anyone may sign up now."]
    seats_left: Annotated[int | None, "0: who signs up now waits for a seat. null: there is no limit."]
    waiting: Annotated[int, "The number of players on the waiting list."]


class TournamentListed(View, frozen=True, kw_only=True):
    """A tournament in the directory."""

    id: str
    name: str
    format: str
    ruleset: str
    status: str
    starts_on: str
    visibility: str
    players: int
    announced_at: str
    sign_up: SignUpState | UnsetType = UNSET


def _write(connection: Connection, tournament: str, state: Tournament) -> None:
    connection.run(_REPLACE, **line_of(tournament, state))


PROJECTION = Projection(
    frozenset(
        {
            "TournamentAnnounced",
            "TournamentAmended",
            "TournamentCancelled",
            "RegistrationClosed",
            "RegistrationReopened",
            "PlayerJoined",
            "PlayerWaitlisted",
            "PlayerPromoted",
            "PlayerWithdrawn",
            "PlayerDropped",
            "PlayerReinstated",
            "PlayerDisqualified",
            "DisqualificationRevoked",
            "SeatGiven",
            "SeatTakenBack",
        }
    ),
    _write,
)


def update_status(connection: Connection, tournament: str, status: str) -> None:
    """Update the status of a tournament. A cancelled one stays cancelled."""
    sql = "UPDATE directory SET status = :status WHERE tournament = :tournament AND status <> 'cancelled'"
    connection.run(sql, tournament=tournament, status=status)


def page(
    connection: Connection,
    *,
    everything: bool,
    own: str,
    organiser: str = "",
    status: str,
    search: str,
    after: tuple[str, str] | None,
    limit: int,
) -> tuple[list[TournamentListed], int]:
    """Return a page of tournaments, newest first, and the total number.

    everything: include all private tournaments. own: the one private tournament that the caller may see. organiser:
    include private tournaments announced by this organiser. status: filter; empty: all. search: words of the name;
    reads all rows if not empty. after: (announced_at, tournament) of the last row of the previous page.
    """
    conditions = ["true" if everything else _VISIBLE, "status = :status" if status else "true"]
    where = " AND ".join(conditions)
    values = {"own": own, "organiser": organiser, "status": status}
    time, last = after or ("9999", "")
    order = "ORDER BY announced_at DESC, tournament"
    if search:
        rows = connection.rows(f"{_SELECT} WHERE {where} {order}", **values)
        matching = [line for line in map(_listed, map(_line, rows)) if matches_words(line.name, search)]
        lines = [
            line for line in matching if line.announced_at < time or (line.announced_at == time and line.id > last)
        ]
        return lines[:limit], len(matching)
    following = "announced_at <= :time AND (announced_at < :time OR tournament > :last)"
    sql = f"{_SELECT} WHERE {where} AND {following} {order} LIMIT :limit"
    rows = connection.rows(sql, **values, time=time, last=last, limit=limit)
    total: int = connection.value(f"SELECT count(*) FROM directory WHERE {where}", **values)
    return [_listed(_line(row)) for row in rows], total


def _listed(line: dict[str, Any]) -> TournamentListed:
    return TournamentListed(
        id=line["tournament"],
        name=line["name"],
        format=line["format"],
        ruleset=line["ruleset"],
        status=line["status"],
        starts_on=line["starts_on"],
        visibility=line["visibility"],
        players=line["players"],
        announced_at=line["announced_at"],
        sign_up=_sign_up(line),
    )


def _sign_up(line: dict[str, Any]) -> SignUpState:
    capacity = line["capacity"]
    return SignUpState(
        open=line["sign_up"] == "open" and bool(line["registration_open"]) and line["status"] == "announced",
        seats_left=None if capacity is None else max(0, capacity - line["seated"]),
        waiting=line["waiting"],
    )


def every_line(connection: Connection) -> dict[str, dict[str, Any]]:
    """Return all rows by tournament id, to compare them with the log."""
    return {row[0]: _line(row) for row in connection.rows(f"{_SELECT} ORDER BY tournament")}


def rewrite(connection: Connection, lines: Sequence[dict[str, Any]]) -> None:
    """Replace all rows, in the caller's transaction."""
    connection.run("DELETE FROM directory")
    connection.run_many(_INSERT, lines)


def _line(row: tuple[Any, ...]) -> dict[str, Any]:
    return dict(zip(COLUMNS, row, strict=True))


def status_of(state: Tournament) -> str:
    """Return announced, running, concluded or cancelled.

    A tournament is running once round 1 is paired and published, a season once it has results.
    """
    if state.entries.status == "cancelled":
        return "cancelled"
    if state.results.concluded:
        return "concluded"
    begun = state.has_begun
    return "running" if begun or state.has_results else state.entries.status


def line_of(tournament: str, state: Tournament) -> dict[str, Any]:
    """Return the row of a tournament with this state."""
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
        "sign_up": entries.sign_up,
        "registration_open": int(entries.registration_open),
        "capacity": entries.capacity,
        "seated": entries.seated(),
        "waiting": len(entries.waiting()),
    }


class ProcessManager:
    """Updates the directory: called with (tournament, source) after copied events are committed.

    It acts on the state, not on the message, so the next call makes up for one that was lost.
    """

    def __init__(self, service: Service) -> None:
        self._service = service
        self._listed: dict[str, str] = {}

    def __call__(self, tournament: str, source: str) -> None:
        """Update the status of the tournament after events of pairing or scoring."""
        if source not in ("pairing", "scoring"):
            return
        with self._service.repository.now(tournament) as loaded:
            if not loaded.state.entries.status:
                return  # not announced: for example a recopied log of a tournament that is unknown here
            status = status_of(loaded.state)
        if status != self._listed.get(tournament):
            with self._service.database.writing() as connection:
                update_status(connection, tournament, status)
            self._listed[tournament] = status
