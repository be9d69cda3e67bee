"""Snapshots: folded states as a cache in the database, keyed by the code that folded them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path

import msgspec
import structlog
from sqlalchemy import text

from shared.events.recorded import Head
from shared.log.database import Database
from shared.state.tournament import Tournament, decode, encode

read_heads = msgspec.json.Decoder(dict[str, Head]).decode
FOLDING = ("events", "rules/coop", "state")
"""Packages whose text decides what a fold gives; a change in any file makes older snapshots worth nothing."""

_log = structlog.get_logger("muster.handling")

_LOAD = text("SELECT heads, state FROM snapshots WHERE tournament = :tournament AND code = :code")
_DELETE = text("DELETE FROM snapshots WHERE tournament = :tournament")
_DELETE_OTHERS = text("DELETE FROM snapshots WHERE tournament = :tournament AND code <> :code")
_SAVE = text(
    "INSERT INTO snapshots (tournament, code, heads, state) VALUES (:tournament, :code, :heads, :state) "
    "ON CONFLICT (tournament, code) DO UPDATE SET heads = excluded.heads, state = excluded.state"
)


@cache
def code_version() -> str:
    """SHA-256 over the files that folding is made of."""
    digest = sha256()
    for package in FOLDING:
        for path in sorted((Path(__file__).parents[1] / package).glob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()


class Snapshots:
    """The snapshots table of one database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def load(self, tournament: str) -> tuple[Tournament, dict[str, Head]] | None:
        """As `read`, and None for a snapshot that cannot be read: a cache, so the log is folded again instead."""
        try:
            return self.read(tournament)
        except msgspec.MsgspecError as error:
            _log.warning("a snapshot cannot be read", tournament=tournament, error=str(error))
            return None

    def read(self, tournament: str) -> tuple[Tournament, dict[str, Head]] | None:
        """The state saved last by this very code, with the heads it stands for; None when there is none.

        Raises msgspec.MsgspecError where what was saved is not a state.
        """
        with self._database.reading() as connection:
            row = connection.execute(_LOAD, {"tournament": tournament, "code": code_version()}).first()
        return (decode(row.state), read_heads(row.heads)) if row is not None else None

    def save(self, tournament: str, state: Tournament, heads: Mapping[str, Head]) -> None:
        """Keep a state instead of every earlier one of this tournament; of two at once the later stays."""
        row = {
            "tournament": tournament,
            "code": code_version(),
            "heads": msgspec.json.encode(heads).decode(),
            "state": encode(state),
        }
        with self._database.writing() as connection:
            connection.execute(_DELETE_OTHERS, row)
            connection.execute(_SAVE, row)

    def delete(self, tournament: str) -> None:
        """Forget the snapshots of a tournament."""
        with self._database.writing() as connection:
            connection.execute(_DELETE, {"tournament": tournament})
