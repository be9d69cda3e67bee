"""Personal data: beside the log, encrypted with a key of its own for each person. Erasing is deleting the key."""

from __future__ import annotations

import secrets
from typing import Any

import orjson
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from shared.eventlog.database import Connection, Table

PERSONAL = Table("personal", ("tournament", "player", "key", "data"), ("tournament", "player"))
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
        connection.add(PERSONAL, [row])

    def add(self, connection: Connection, tournament: str, player: str, data: dict[str, Any]) -> None:
        """Keep personal data of a player beside what was kept before; members of the same name are replaced."""
        self.put(connection, tournament, player, {**(self.get(connection, tournament, player) or {}), **data})

    def get(self, connection: Connection, tournament: str, player: str) -> dict[str, Any] | None:
        """Personal data of a player; None when there are none, or none any more."""
        rows = connection.find(PERSONAL, {"tournament": tournament, "player": player}, columns=("key", "data"))
        if not rows:
            return None
        ((sealed, data),) = rows
        place = f"{tournament}/{player}".encode()
        key = _open(self._master, sealed, place)
        opened: dict[str, Any] = orjson.loads(_open(AESGCM(key), data, place))
        return opened

    def holds(self, connection: Connection, tournament: str, player: str) -> bool:
        """Whether anything is kept of a player."""
        return bool(connection.total(PERSONAL, {"tournament": tournament, "player": player}))

    def erase(self, connection: Connection, tournament: str, player: str) -> None:
        """Destroy the key and what it sealed; the log never held any of it."""
        connection.remove(PERSONAL, {"tournament": tournament, "player": player}, shred=True)


def _seal(cipher: AESGCM, plain: bytes, place: bytes) -> bytes:
    nonce = secrets.token_bytes(NONCE)
    return nonce + cipher.encrypt(nonce, plain, place)


def _open(cipher: AESGCM, sealed: bytes, place: bytes) -> bytes:
    return cipher.decrypt(bytes(sealed[:NONCE]), bytes(sealed[NONCE:]), place)
