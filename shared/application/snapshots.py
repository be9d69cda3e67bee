"""Snapshots: folded states as a cache in the database, keyed by the code that folded them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path

import msgspec

from shared.eventlog.database import Database
from shared.events.recorded import Head
from shared.formats.fold import decode, encode
from shared.logs import get_logger
from shared.tournament.state import Tournament

_PUT = """INSERT INTO snapshots (tournament, code, heads, state, hash)
    VALUES (:tournament, :code, :heads, :state, :hash)
    ON CONFLICT (tournament, code) DO UPDATE SET heads = excluded.heads, state = excluded.state, hash = excluded.hash"""
read_heads = msgspec.json.Decoder(dict[str, Head]).decode
SHARED = Path(__file__).parents[1]
FOLDING = ("events", "formats", "refusals.py", "roles.py", "rules", "shapes.py", "tournament")
"""What decides by its text what a fold gives, in `shared/`: a change in any module makes older snapshots worthless."""

_log = get_logger("muster.handling")


class SnapshotDamaged(Exception):
    """What is there is not what was saved, or no state."""


@cache
def code_version() -> str:
    """SHA-256 over the modules that folding is made of."""
    return code_version_of(SHARED)


def code_version_of(shared: Path) -> str:
    """As `code_version`, of the code in another folder."""
    digest = sha256()
    for name in FOLDING:
        place = shared / name
        for path in sorted(place.rglob("*.py")) if place.is_dir() else [place]:
            text = path.read_bytes()
            digest.update(f"{path.relative_to(shared)} {len(text)}\n".encode())
            digest.update(text)
    return digest.hexdigest()


class Snapshots:
    """The snapshots table of one database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def load(self, tournament: str) -> tuple[Tournament, dict[str, Head]] | None:
        """As `read`, and None for a snapshot that cannot be read: a cache, so the log is folded again instead."""
        try:
            return self.read(tournament)
        except SnapshotDamaged as error:
            _log.warning("a snapshot cannot be read", tournament=tournament, error=str(error))
            return None

    def read(self, tournament: str) -> tuple[Tournament, dict[str, Head]] | None:
        """The state saved last by this very code, with the heads it stands for; None when there is none.

        Raises SnapshotDamaged where what is there is not what was saved, or is no state.
        """
        with self._database.reading() as connection:
            row = connection.one(
                "SELECT heads, state, hash FROM snapshots WHERE tournament = :tournament AND code = :code",
                tournament=tournament,
                code=code_version(),
            )
        if row is None:
            return None
        heads, state, hash = row
        if hash != _hash(heads, state):
            raise SnapshotDamaged("it does not hash to what was saved")
        try:
            return decode(state), read_heads(heads)
        except msgspec.MsgspecError as error:
            raise SnapshotDamaged(str(error)) from error

    def save(self, tournament: str, state: Tournament, heads: Mapping[str, Head]) -> None:
        """Keep a state instead of every earlier one of this tournament; of two at once the later stays."""
        encoded_heads, encoded = msgspec.json.encode(heads).decode(), encode(state)
        key = {"tournament": tournament, "code": code_version()}
        with self._database.writing() as connection:
            connection.run("DELETE FROM snapshots WHERE tournament = :tournament AND code <> :code", **key)
            connection.run(_PUT, **key, heads=encoded_heads, state=encoded, hash=_hash(encoded_heads, encoded))

    def delete(self, tournament: str) -> None:
        """Forget the snapshots of a tournament."""
        with self._database.writing() as connection:
            connection.run("DELETE FROM snapshots WHERE tournament = :tournament", tournament=tournament)


def _hash(heads: str, state: bytes) -> str:
    return sha256(b"%b\n%b" % (heads.encode(), state)).hexdigest()
