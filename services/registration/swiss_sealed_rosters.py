"""Sealed rosters: their private rows, and the reactions that open them and drop absent players.

The log holds only digests of sealed fields. A row is written in the transaction of its event. Other services copy
logs, not these tables.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import orjson
from msgspec import Struct

from services.registration import directory
from services.registration.players import MAX_PLAYERS
from services.registration.swiss_rosters import (
    DropAbsentPlayer,
    DueRoster,
    OpenRosters,
    currently_sealed,
    dropped_for_absence,
    due_rosters,
    moments_reached,
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
"""Bytes of a secret: enough to prevent guessing a field by trying all possible lists."""

_OF_PLAYER = "WHERE tournament = :tournament AND player = :player"
_REPLACE = """INSERT INTO sealed_lists (tournament, player, position, secret, fields)
    VALUES (:tournament, :player, :position, :secret, :fields)
    ON CONFLICT (tournament, player) DO UPDATE
    SET position = excluded.position, secret = excluded.secret, fields = excluded.fields"""
_REPLACE_NOTE = """INSERT INTO roster_notes (tournament, player, position, note)
    VALUES (:tournament, :player, :position, :note)
    ON CONFLICT (tournament, player) DO UPDATE SET position = excluded.position, note = excluded.note"""


class SealedRoster(Struct, frozen=True):
    """The row of the latest roster of a player. fields: name -> value; None for a field that the roster lacks."""

    secret: str
    fields: Mapping[str, Any]

    def fits(self, field: str, digest: str | None) -> bool:
        """Return True if the row has the field, and it matches the digest from the log."""
        return field in self.fields and seal(self.salt(field), field, self.fields[field]) == digest

    def salt(self, field: str) -> str:
        """Return the salt of a field's digest."""
        return salt_of(self.secret, field)

    def shown(self, player: Player) -> dict[str, Any]:
        """Return the fields that match the log's digests, without those that the roster lacks."""
        return {
            field: self.fields[field]
            for field, digest in player.roster_sealed.items()
            if self.fits(field, digest) and self.fields[field] is not None
        }

    def opened(self, due: DueRoster) -> OpenedRoster | None:
        """Return the values and salts of the fields that are due; None if the row has none of them."""
        fields = [field for field, digest in due.digests.items() if self.fits(field, digest)]
        roster = {field: self.fields[field] for field in fields if self.fields[field] is not None}
        salts = {field: self.salt(field) for field in fields}
        return OpenedRoster(player=due.player, roster=roster, salts=salts) if salts else None


NO_SEALED_ROSTER = SealedRoster("", {})


def sealed_roster(connection: Connection, tournament: str, player: str) -> SealedRoster:
    """Return the row of a player; NO_SEALED_ROSTER if there is none."""
    row = connection.first(
        f"SELECT secret, fields FROM sealed_lists {_OF_PLAYER}", tournament=tournament, player=player
    )
    return SealedRoster(row[0], orjson.loads(row[1])) if row else NO_SEALED_ROSTER


def sealed_rosters(connection: Connection, tournament: str) -> dict[str, SealedRoster]:
    """Return the rows of a tournament, by player."""
    sql = "SELECT player, secret, fields FROM sealed_lists WHERE tournament = :tournament"
    rows = connection.rows(sql, tournament=tournament)
    return {player: SealedRoster(secret, orjson.loads(fields)) for player, secret, fields in rows}


def secret_for(roster: Roster, sheet: Mapping[str, Any], before: SealedRoster) -> str:
    """Return the secret of a submission: that of the row if the fields are unchanged, otherwise a new one.

    So submitting the same roster again changes nothing. Empty if the ruleset opens every field at once.
    """
    if not sealed_fields(roster, SUBMISSION):
        return ""
    unchanged = before.secret and all(value == sheet.get(field) for field, value in before.fields.items())
    return before.secret if unchanged else secrets.token_hex(SECRET)


def roster_writer(sheet: Mapping[str, Any], secret: str) -> InlineWrite:
    """Return the write that replaces a player's row after a submission."""

    def write(connection: Connection, recorded: Sequence[Recorded]) -> None:
        for event in recorded:
            if event.type == "RosterSubmitted":
                data = current_data(event)
                fields = {field: sheet.get(field) for field in data.get("sealed", {})}
                key = {"tournament": event.tournament, "player": data["player"]}
                if fields:
                    text = orjson.dumps(fields).decode()
                    connection.run(_REPLACE, **key, position=event.position, secret=secret, fields=text)
                else:
                    connection.run(f"DELETE FROM sealed_lists {_OF_PLAYER}", **key)

    return write


def delete_opened(connection: Connection, recorded: Sequence[Recorded]) -> None:
    """Delete the rows of rosters that these events have opened completely."""
    for event in recorded:
        for opened in current_data(event)["rosters"]:
            key = {"tournament": event.tournament, "player": opened["player"]}
            connection.run(f"DELETE FROM sealed_lists {_OF_PLAYER}", **key)


def players_with_lost_roster(entries: Entries, rows: Mapping[str, SealedRoster]) -> Iterator[str]:
    """Yield the players whose sealed fields are lost: no row matches the digests in the log."""
    for player in entries.players.values():
        row = rows.get(player.id, NO_SEALED_ROSTER)
        if any(not row.fits(field, digest) for field, digest in player.roster_sealed.items()):
            yield player.id


def note_writer(note: str) -> InlineWrite | None:
    """Return the write that stores a note of staff that is not in the log; None without a note."""
    if not note:
        return None

    def write(connection: Connection, recorded: Sequence[Recorded]) -> None:
        for event in recorded:
            data = current_data(event)
            if not data.get("note"):
                key = {"tournament": event.tournament, "player": data["player"]}
                connection.run(_REPLACE_NOTE, **key, position=event.position, note=note)

    return write


def private_note(connection: Connection, tournament: str, player: Player) -> str:
    """Return the note of the latest acceptance or rejection if it is outside the log; otherwise empty."""
    sql = f"SELECT note FROM roster_notes {_OF_PLAYER} AND position = :position"
    note = connection.value(sql, tournament=tournament, player=player.id, position=player.roster_decided)
    return str(note) if note is not None else ""


PAGE_BYTES = 100_000
"""Maximum bytes of the rosters in one command, which become one event."""

Progress = tuple[frozenset[str], int]
"""The moments that have come, and the position of registration's log."""


class RosterOpener:
    """Opens rosters of a tournament as soon as they are due.

    It acts on state and rows, not on messages, so the next call makes up for one that was lost.
    """

    def __init__(self, service: Service) -> None:
        self._service = service
        self._done: dict[str, Progress] = {}

    def __call__(self, tournament: str, source: str) -> None:
        """React to copied events of pairing or scoring."""
        if source in ("pairing", "scoring"):
            self.open_due(tournament)

    def open_due(self, tournament: str) -> None:
        """Open the rosters that are due. Skip rows that do not match their digests."""
        with self._service.repository.now(tournament) as loaded:
            state = loaded.state
            if state.entries.format != "swiss":
                return
            progress: Progress = (moments_reached(state), loaded.heads["registration"].position)
            if self._done.get(tournament) == progress:
                return
            due, has_later_fields = due_rosters(state), bool(currently_sealed(state))
            clause = ruleset_of(state.entries).roster.cites("open")
        if due:
            with self._service.database.reading() as connection:
                rows = sealed_rosters(connection, tournament)
            opened = [rows.get(roster.player, NO_SEALED_ROSTER).opened(roster) for roster in due]
            rosters = [roster for roster in opened if roster is not None]
            for page in paginate(rosters, MAX_PLAYERS, PAGE_BYTES) if rosters else ():
                key = f"open-rosters-{progress[1]}-{page[0].player}"
                command = OpenRosters(rosters=page)
                write = None if has_later_fields else delete_opened
                self._service.handler.run(
                    CommandEnvelope(tournament, command, by_rule(clause), f"{key}~muster", key, inline_write=write)
                )
        self._done[tournament] = progress

    def open_over(self) -> None:
        """Open the rosters of tournaments that are over. No copied event announces a cancellation: it is our own."""
        sql = """SELECT tournament FROM directory WHERE status IN ('concluded', 'cancelled')
            AND EXISTS (SELECT 1 FROM sealed_lists WHERE sealed_lists.tournament = directory.tournament)"""
        with self._service.database.reading() as connection:
            tournaments = [tournament for (tournament,) in connection.rows(sql)]
        for tournament in tournaments:
            self.open_due(tournament)


class AbsenceWatch:
    """Drops players who were absent too often. It acts on the state, so the next call makes up for a lost one."""

    def __init__(self, service: Service) -> None:
        self._service = service

    def __call__(self, tournament: str, source: str) -> None:
        """React to copied events of pairing or scoring."""
        if source not in ("pairing", "scoring"):
            return
        with self._service.repository.now(tournament) as loaded:
            over = directory.status_of(loaded.state) in ("concluded", "cancelled")
            absent = {} if over or loaded.state.entries.format != "swiss" else dropped_for_absence(loaded.state)
        for player, absence in absent.items():
            self._service.handler.run(
                CommandEnvelope(
                    tournament,
                    DropAbsentPlayer(player=player),
                    by_rule(absence.clause, event_id("scoring", tournament, absence.reported_at)),
                    command_id=f"absent-{player}~muster",
                    key=f"absent-{player}",
                )
            )


def find_lost_rosters(service: Service) -> list[str]:
    """Return "tournament/player" for each roster with digests in the log and no matching row."""
    sql = """SELECT tournament FROM directory WHERE format = 'swiss' AND status IN ('announced', 'running')
        ORDER BY tournament"""
    with service.database.reading() as connection:
        tournaments = [tournament for (tournament,) in connection.rows(sql)]
    lost = []
    for tournament in tournaments:
        with service.database.reading() as connection:
            rows = sealed_rosters(connection, tournament)
        with service.repository.now(tournament) as loaded:
            lost += [f"{tournament}/{player}" for player in players_with_lost_roster(loaded.state.entries, rows)]
    return lost
