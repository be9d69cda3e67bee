"""Personal data: beside the log, encrypted with a key of its own for each person. Erasing is deleting the key."""

from __future__ import annotations

import secrets
from typing import Any

import orjson
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from sqlalchemy import Connection, text

from shared.eventlog.database import Database

_PUT = text("INSERT INTO personal (tournament, player, key, data) VALUES (:tournament, :player, :key, :data)")
_GET = text("SELECT key, data FROM personal WHERE tournament = :tournament AND player = :player")
_ERASE = text("DELETE FROM personal WHERE tournament = :tournament AND player = :player")
HURRY = 200
"""Milliseconds that writers may wait for a journal to be emptied; one that is in use empties itself later."""
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
        row = {
            "tournament": tournament,
            "player": player,
            "key": _seal(self._master, key, place),
            "data": _seal(AESGCM(key), orjson.dumps(data), place),
        }
        connection.execute(_PUT, row)

    def add(self, connection: Connection, tournament: str, player: str, data: dict[str, Any]) -> None:
        """Keep personal data of a player beside what was kept before; members of the same name are replaced."""
        self.put(connection, tournament, player, {**(self.get(connection, tournament, player) or {}), **data})

    def get(self, connection: Connection, tournament: str, player: str) -> dict[str, Any] | None:
        """Personal data of a player; None when there are none, or none any more."""
        row = connection.execute(_GET, {"tournament": tournament, "player": player}).first()
        if row is None:
            return None
        place = f"{tournament}/{player}".encode()
        key = _open(self._master, row.key, place)
        opened: dict[str, Any] = orjson.loads(_open(AESGCM(key), row.data, place))
        return opened

    def holds(self, connection: Connection, tournament: str, player: str) -> bool:
        """Whether anything is kept of a player."""
        return connection.execute(_GET, {"tournament": tournament, "player": player}).first() is not None

    def erase(self, connection: Connection, tournament: str, player: str) -> None:
        """Destroy the key and what it sealed; the log never held any of it."""
        if connection.dialect.name == "sqlite":
            connection.exec_driver_sql("PRAGMA secure_delete = ON")  # zeros in the file, not only a free page
        connection.execute(_ERASE, {"tournament": tournament, "player": player})

    def forget(self, database: Database) -> None:
        """Have the database's own journal forget, too, what was erased, as far as nobody reads it at this moment.

        PostgreSQL does so by itself, when it vacuums.
        """
        if database.dialect == "sqlite":
            with database.reading() as connection:
                patience = connection.exec_driver_sql("PRAGMA busy_timeout").scalar_one()
                connection.exec_driver_sql(f"PRAGMA busy_timeout = {HURRY}").close()
                connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").close()
                connection.exec_driver_sql(f"PRAGMA busy_timeout = {patience}").close()


def _seal(cipher: AESGCM, plain: bytes, place: bytes) -> bytes:
    nonce = secrets.token_bytes(NONCE)
    return nonce + cipher.encrypt(nonce, plain, place)


def _open(cipher: AESGCM, sealed: bytes, place: bytes) -> bytes:
    return cipher.decrypt(bytes(sealed[:NONCE]), bytes(sealed[NONCE:]), place)
