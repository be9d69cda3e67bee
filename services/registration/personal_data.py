"""Personal data: beside the log, encrypted with a key of its own for each person. Erasing is deleting the key.

Who looked at it stands beside it and is erased with it, not in the log: that is for ever, and who cared for somebody's
needs is as private as the needs are.
"""

from __future__ import annotations

import secrets
from typing import Annotated, Any

import orjson
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from shared.log.database import Connection
from shared.shapes import View
from shared.tournament.guards import By
from shared.web.refusals import LogUnreadable

_OF_PLAYER = "WHERE tournament = :tournament AND player = :player"
NONCE = 12
"""Bytes of a nonce of AES-GCM; it stands before the encrypted text."""


class PersonalDataVault:
    """Seals and opens personal data. master: 32 bytes; it seals each person's own key."""

    def __init__(self, master: bytes) -> None:
        self._master = AESGCM(master)

    def put(self, connection: Connection, tournament: str, player: str, data: dict[str, Any]) -> None:
        """Keep personal data of a player, in place of what was kept before."""
        key = AESGCM.generate_key(256)
        place = f"{tournament}/{player}".encode()
        self.erase(connection, tournament, player)
        connection.run(
            "INSERT INTO personal (tournament, player, key, data) VALUES (:tournament, :player, :key, :data)",
            tournament=tournament,
            player=player,
            key=_seal(self._master, key, place),
            data=_seal(AESGCM(key), orjson.dumps(data), place),
        )

    def add(self, connection: Connection, tournament: str, player: str, data: dict[str, Any]) -> None:
        """Keep personal data of a player beside what was kept before; members of the same name are replaced."""
        self.put(connection, tournament, player, {**(self.get(connection, tournament, player) or {}), **data})

    def get(self, connection: Connection, tournament: str, player: str) -> dict[str, Any] | None:
        """Return personal data of a player; None when there are none, or none any more. Raises LogUnreadable."""
        sql = f"SELECT key, data FROM personal {_OF_PLAYER}"
        row = connection.one(sql, tournament=tournament, player=player)
        if row is None:
            return None
        sealed, data = row
        place = f"{tournament}/{player}".encode()
        try:
            key = _open(self._master, sealed, place)
            opened: dict[str, Any] = orjson.loads(_open(AESGCM(key), data, place))
        except InvalidTag as error:
            raise LogUnreadable(f"The personal data of {player} are damaged in this database.", event="") from error
        return opened

    def damaged(self, connection: Connection) -> list[tuple[str, str]]:
        """Return the rows that cannot be opened: which, and why."""
        found = []
        for tournament, player in connection.rows("SELECT tournament, player FROM personal"):
            try:
                self.get(connection, tournament, player)
            except LogUnreadable:
                found.append((f"{tournament}/{player}", "it cannot be decrypted"))
        return found

    def holds(self, connection: Connection, tournament: str, player: str) -> bool:
        """Whether anything is kept of a player."""
        sql = f"SELECT player FROM personal {_OF_PLAYER}"
        return connection.one(sql, tournament=tournament, player=player) is not None

    def erase(self, connection: Connection, tournament: str, player: str) -> None:
        """Destroy the key and what it sealed; the log never held any of it."""
        connection.shred(f"DELETE FROM personal {_OF_PLAYER}", tournament=tournament, player=player)


def _seal(cipher: AESGCM, plain: bytes, place: bytes) -> bytes:
    nonce = secrets.token_bytes(NONCE)
    return nonce + cipher.encrypt(nonce, plain, place)


def _open(cipher: AESGCM, sealed: bytes, place: bytes) -> bytes:
    return cipher.decrypt(bytes(sealed[:NONCE]), bytes(sealed[NONCE:]), place)


class LookView(View, frozen=True, kw_only=True):
    """Somebody was shown personal data."""

    id: int
    time: str
    actor: Annotated[str, "For staff, the id that the tournament shows."]
    role: str
    members: list[str]


def hold(connection: Connection, tournament: str, player: str) -> None:
    """Let no erasure come between what is read and the look that is noted."""
    connection.locked(f"SELECT player FROM personal {_OF_PLAYER}", tournament=tournament, player=player)


def note(connection: Connection, tournament: str, player: str, by: By, time: str, members: list[str]) -> None:
    """Keep that somebody was shown these members of a player's personal data. time: as events have it."""
    connection.run(
        """INSERT INTO personal_looks (tournament, player, time, actor, role, members)
            VALUES (:tournament, :player, :time, :actor, :role, :members)""",
        tournament=tournament,
        player=player,
        time=time,
        actor=by.actor,
        role=by.role,
        members=",".join(members),
    )


def looks_at(connection: Connection, tournament: str, player: str, after: int, limit: int) -> list[LookView]:
    """The looks at a player's personal data behind the one with the id `after`, in their order."""
    sql = f"""SELECT id, time, actor, role, members FROM personal_looks {_OF_PLAYER} AND id > :after
        ORDER BY id LIMIT :limit"""
    rows = connection.rows(sql, tournament=tournament, player=player, after=after, limit=limit)
    return [
        LookView(id=id, time=time, actor=actor, role=role, members=members.split(","))
        for id, time, actor, role, members in rows
    ]


def number_of(connection: Connection, tournament: str, player: str) -> int:
    """How many looks at a player's personal data are kept."""
    sql = f"SELECT count(*) FROM personal_looks {_OF_PLAYER}"
    number: int = connection.value(sql, tournament=tournament, player=player)
    return number


def erase(connection: Connection, tournament: str, player: str) -> None:
    """Forget who looked, once nothing is left that they looked at, and what staff noted about the player's roster."""
    connection.run(f"DELETE FROM personal_looks {_OF_PLAYER}", tournament=tournament, player=player)
    connection.run(f"DELETE FROM roster_notes {_OF_PLAYER}", tournament=tournament, player=player)
