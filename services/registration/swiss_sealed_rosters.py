"""Rosters that are not open yet: a private row each, and the reaction that opens them.

The log holds digests of these rosters. A row is written in the transaction of its event. Other services copy logs,
not these tables.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import orjson
from msgspec import Struct

from services.registration import directory
from services.registration.players import LONGEST_LIST
from services.registration.swiss_rosters import (
    DropAbsentPlayer,
    DueRoster,
    OpenRosters,
    dropped_for_absence,
    due_rosters,
    reached,
    sealed_now,
)
from shared.formats.fold import current_data
from shared.log.database import Connection
from shared.log.event import Recorded, event_id
from shared.service.commands import CommandEnvelope, InlineWrite
from shared.service.wiring import Service
from shared.swiss.games import ruleset_of
from shared.swiss.roster_parts import SUBMISSION, Roster, salt_of, seal, sealed_fields
from shared.tournament.guards import by_rule
from shared.tournament.people import Entries, Player
from shared.tournament.registration import OpenedRoster
from shared.tournament.rounds import paginate

SECRET = 32
"""Bytes of a secret, so that nobody finds a field by trying all lists that there are."""

_OF_PLAYER = "WHERE tournament = :tournament AND player = :player"
_REPLACE = """INSERT INTO sealed_lists (tournament, player, position, secret, fields)
    VALUES (:tournament, :player, :position, :secret, :fields)
    ON CONFLICT (tournament, player) DO UPDATE
    SET position = excluded.position, secret = excluded.secret, fields = excluded.fields"""
_REPLACE_NOTE = """INSERT INTO roster_notes (tournament, player, position, note)
    VALUES (:tournament, :player, :position, :note)
    ON CONFLICT (tournament, player) DO UPDATE SET position = excluded.position, note = excluded.note"""


class Kept(Struct, frozen=True):
    """The row of the list that a player handed in last. fields: name -> value, None for a field that it has not."""

    secret: str
    fields: Mapping[str, Any]

    def fits(self, field: str, digest: str | None) -> bool:
        """Return True if a field is the one that the log has the digest of."""
        return field in self.fields and seal(self.salt(field), field, self.fields[field]) == digest

    def salt(self, field: str) -> str:
        """Return the salt of a field's digest."""
        return salt_of(self.secret, field)

    def shown(self, player: Player) -> dict[str, Any]:
        """Return the fields that fit the log's digests, without those that the list has not."""
        return {
            field: self.fields[field]
            for field, digest in player.roster_sealed.items()
            if self.fits(field, digest) and self.fields[field] is not None
        }

    def opened(self, due: DueRoster) -> OpenedRoster | None:
        """Return what opens the fields that are due; None if the row has none of them."""
        fields = [field for field, digest in due.digests.items() if self.fits(field, digest)]
        roster = {field: self.fields[field] for field in fields if self.fields[field] is not None}
        salts = {field: self.salt(field) for field in fields}
        return OpenedRoster(player=due.player, roster=roster, salts=salts) if salts else None


NOTHING = Kept("", {})


def kept(connection: Connection, tournament: str, player: str) -> Kept:
    """Return the row of a player's list; `NOTHING` if there is none."""
    row = connection.one(f"SELECT secret, fields FROM sealed_lists {_OF_PLAYER}", tournament=tournament, player=player)
    return Kept(row[0], orjson.loads(row[1])) if row else NOTHING


def all_kept(connection: Connection, tournament: str) -> dict[str, Kept]:
    """Return the rows of a tournament by player."""
    sql = "SELECT player, secret, fields FROM sealed_lists WHERE tournament = :tournament"
    rows = connection.rows(sql, tournament=tournament)
    return {player: Kept(secret, orjson.loads(fields)) for player, secret, fields in rows}


def secret_for(roster: Roster, sheet: Mapping[str, Any], before: Kept) -> str:
    """Return the secret of a submission: that of the row if its fields are the same, else a new one.

    So handing the same list in again changes nothing. Empty if the ruleset opens every field at once.
    """
    if not sealed_fields(roster, SUBMISSION):
        return ""
    same = before.secret and all(value == sheet.get(field) for field, value in before.fields.items())
    return before.secret if same else secrets.token_hex(SECRET)


def keeping(sheet: Mapping[str, Any], secret: str) -> InlineWrite:
    """Return what puts a list in the place of the one before it."""

    def write(connection: Connection, recorded: Sequence[Recorded]) -> None:
        for event in recorded:
            if event.type == "RosterSubmitted":
                data = current_data(event)
                fields = {field: sheet.get(field) for field in data.get("sealed", {})}
                of = {"tournament": event.tournament, "player": data["player"]}
                if fields:
                    text = orjson.dumps(fields).decode()
                    connection.run(_REPLACE, **of, position=event.position, secret=secret, fields=text)
                else:
                    connection.run(f"DELETE FROM sealed_lists {_OF_PLAYER}", **of)

    return write


def forget_opened(connection: Connection, recorded: Sequence[Recorded]) -> None:
    """Delete the rows of lists that these events have opened as a whole."""
    for event in recorded:
        for opened in current_data(event)["rosters"]:
            of = {"tournament": event.tournament, "player": opened["player"]}
            connection.run(f"DELETE FROM sealed_lists {_OF_PLAYER}", **of)


def lost(entries: Entries, rows: Mapping[str, Kept]) -> Iterator[str]:
    """Yield the players whose list is gone: no row fits what the log has digests of."""
    for player in entries.players.values():
        row = rows.get(player.id, NOTHING)
        if any(not row.fits(field, digest) for field, digest in player.roster_sealed.items()):
            yield player.id


def keeping_note(note: str) -> InlineWrite | None:
    """Return what keeps a note of staff that is not in the log, for the player and staff; None without a note."""
    if not note:
        return None

    def write(connection: Connection, recorded: Sequence[Recorded]) -> None:
        for event in recorded:
            data = current_data(event)
            if not data.get("note"):
                of = {"tournament": event.tournament, "player": data["player"]}
                connection.run(_REPLACE_NOTE, **of, position=event.position, note=note)

    return write


def note_kept(connection: Connection, tournament: str, player: Player) -> str:
    """Return the note about the roster's last acceptance or rejection, if it is not in the log; else nothing."""
    sql = f"SELECT note FROM roster_notes {_OF_PLAYER} AND position = :position"
    found = connection.value(sql, tournament=tournament, player=player.id, position=player.roster_decided)
    return str(found) if found is not None else ""


PAGE_BYTES = 100_000
"""Bytes of the rosters that one command opens, which become one event."""

Known = tuple[frozenset[str], int]
"""The moments that have come, and the position of registration's log."""


class RosterOpener:
    """Opens rosters of a tournament as soon as they are due. What is done follows from state and rows, so that a call
    that is lost is made up for by the next."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._done: dict[str, Known] = {}

    def __call__(self, tournament: str, source: str) -> None:
        """React to what pairing or scoring said."""
        if source in ("pairing", "scoring"):
            self.open_due(tournament)

    def open_due(self, tournament: str) -> None:
        """Open what is due and has not been opened. A row that does not fit its digest is passed over."""
        with self._service.repository.now(tournament) as loaded:
            state = loaded.state
            if state.entries.format != "swiss":
                return
            known: Known = (reached(state), loaded.heads["registration"].position)
            if self._done.get(tournament) == known:
                return
            due, later = due_rosters(state), bool(sealed_now(state))
            clause = ruleset_of(state.entries).roster.cites("open")
        if due:
            with self._service.database.reading() as connection:
                rows = all_kept(connection, tournament)
            found = [rows.get(one.player, NOTHING).opened(one) for one in due]
            rosters = [one for one in found if one is not None]
            for page in paginate(rosters, LONGEST_LIST, PAGE_BYTES) if rosters else ():
                key = f"open-rosters-{known[1]}-{page[0].player}"
                command = OpenRosters(rosters=page)
                also = None if later else forget_opened
                self._service.handler.run(
                    CommandEnvelope(tournament, command, by_rule(clause), f"{key}~muster", key, inline_write=also)
                )
        self._done[tournament] = known

    def open_over(self) -> None:
        """Open the rosters of tournaments that are over: a cancellation is registration's own event."""
        sql = """SELECT tournament FROM directory WHERE status IN ('concluded', 'cancelled')
            AND EXISTS (SELECT 1 FROM sealed_lists WHERE sealed_lists.tournament = directory.tournament)"""
        with self._service.database.reading() as connection:
            tournaments = [tournament for (tournament,) in connection.rows(sql)]
        for tournament in tournaments:
            self.open_due(tournament)


class AbsenceWatch:
    """Drops players who stayed away too often. What is done follows from the state, so a lost call is made up for."""

    def __init__(self, service: Service) -> None:
        self._service = service

    def __call__(self, tournament: str, source: str) -> None:
        """React to what pairing or scoring said."""
        if source not in ("pairing", "scoring"):
            return
        with self._service.repository.now(tournament) as loaded:
            over = directory.status_of(loaded.state) in ("concluded", "cancelled")
            absent = {} if over or loaded.state.entries.format != "swiss" else dropped_for_absence(loaded.state)
        for player, away in absent.items():
            self._service.handler.run(
                CommandEnvelope(
                    tournament,
                    DropAbsentPlayer(player=player),
                    by_rule(away.clause, event_id("scoring", tournament, away.told)),
                    command_id=f"absent-{player}~muster",
                    key=f"absent-{player}",
                )
            )


def lost_lists(service: Service) -> list[str]:
    """Return "tournament/player" for each roster of which the log has digests and no row has the content."""
    sql = """SELECT tournament FROM directory WHERE format = 'swiss' AND status IN ('announced', 'running')
        ORDER BY tournament"""
    with service.database.reading() as connection:
        tournaments = [tournament for (tournament,) in connection.rows(sql)]
    found = []
    for tournament in tournaments:
        with service.database.reading() as connection:
            rows = all_kept(connection, tournament)
        with service.repository.now(tournament) as loaded:
            found += [f"{tournament}/{player}" for player in lost(loaded.state.entries, rows)]
    return found
