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

from shared.eventlog.database import Connection, Table
from shared.shapes import View
from shared.tournament.context import By
from shared.web.refusals import LogUnreadable

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
        """Return personal data of a player; None when there are none, or none any more. Raises LogUnreadable."""
        rows = connection.find(PERSONAL, {"tournament": tournament, "player": player}, columns=("key", "data"))
        if not rows:
            return None
        ((sealed, data),) = rows
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
        for tournament, player in connection.find(PERSONAL, columns=("tournament", "player")):
            try:
                self.get(connection, tournament, player)
            except LogUnreadable:
                found.append((f"{tournament}/{player}", "it cannot be decrypted"))
        return found

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


LOOKS = Table(
    "personal_looks", ("id", "tournament", "player", "time", "actor", "role", "members"), ("id",), numbered=True
)


class LookView(View, frozen=True, kw_only=True):
    """Somebody was shown personal data."""

    id: int
    time: str
    actor: Annotated[str, "For staff, the id that the tournament shows."]
    role: str
    members: list[str]


def hold(connection: Connection, tournament: str, player: str) -> None:
    """Let no erasure come between what is read and the look that is noted."""
    connection.find(PERSONAL, {"tournament": tournament, "player": player}, columns=("player",), lock=True)


def note(connection: Connection, tournament: str, player: str, by: By, time: str, members: list[str]) -> None:
    """Keep that somebody was shown these members of a player's personal data. time: as events have it."""
    row = {
        "tournament": tournament,
        "player": player,
        "time": time,
        "actor": by.actor,
        "role": by.role,
        "members": ",".join(members),
    }
    connection.add(LOOKS, [row])


def looks_at(connection: Connection, tournament: str, player: str, after: int, limit: int) -> list[LookView]:
    """The looks at a player's personal data behind the one with the id `after`, in their order."""
    where = {"tournament": tournament, "player": player, "id >": after}
    wanted = ("id", "time", "actor", "role", "members")
    return [
        LookView(id=id, time=time, actor=actor, role=role, members=members.split(","))
        for id, time, actor, role, members in connection.find(LOOKS, where, columns=wanted, order=("id",), limit=limit)
    ]


def number_of(connection: Connection, tournament: str, player: str) -> int:
    """How many looks at a player's personal data are kept."""
    return connection.total(LOOKS, {"tournament": tournament, "player": player})


def erase(connection: Connection, tournament: str, player: str) -> None:
    """Forget who looked, once nothing is left that they looked at."""
    connection.remove(LOOKS, {"tournament": tournament, "player": player})
