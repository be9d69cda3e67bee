"""The `eventsourcing` library as a peer: its recorders, set up as carefully as our own log."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any
from uuid import UUID

from eventsourcing.persistence import ApplicationRecorder, JSONTranscoder, StoredEvent
from eventsourcing.sqlite import SQLiteApplicationRecorder, SQLiteDatastore
from sqlalchemy.engine import make_url

TOPIC = "shared.tournament.events.scoring:ResultReported"

transcoder = JSONTranscoder()
"""What the library decodes stored states with."""


def missing(engine: str) -> str:
    """Why the library cannot be measured on a database; empty where it can."""
    if engine == "postgresql" and find_spec("psycopg_pool") is None:
        return "eventsourcing left out on PostgreSQL: it needs psycopg_pool (the extra eventsourcing[postgres])"
    return ""


def eventsourcing_recorder(url: str, *, create: bool = False, db_function: bool = False) -> ApplicationRecorder:
    """A recorder of the library on a database. create: make its tables first.

    On SQLite the library itself sets WAL and leaves `synchronous` at SQLite's default, which is FULL.
    """
    recorder: Any
    place = make_url(url)
    if place.get_backend_name() == "sqlite":
        recorder = SQLiteApplicationRecorder(SQLiteDatastore(str(place.database)))
    else:
        from eventsourcing.postgres import PostgresApplicationRecorder, PostgresDatastore

        store = PostgresDatastore(
            str(place.database),
            place.host or "127.0.0.1",
            place.port or 5432,
            place.username or "postgres",
            place.password or "",
            enable_db_functions=db_function,
        )
        recorder = PostgresApplicationRecorder(store)
    if create:
        recorder.create_table()
    else:
        with_types = getattr(recorder.datastore, "register_type_adapters", None)
        if with_types is not None:
            with_types()
    return recorder  # type: ignore[no-any-return]


def stored_events(stream: UUID, after: int, states: Sequence[bytes]) -> list[StoredEvent]:
    """Events of one stream behind position `after`, with these bytes as their content."""
    return [StoredEvent(stream, after + number, TOPIC, state) for number, state in enumerate(states, start=1)]


def sqlite_pragmas(url: str) -> tuple[str, int]:
    """journal_mode and synchronous (2 is FULL) of a connection as the library opens it."""
    store = SQLiteDatastore(str(make_url(url).database))
    with store.transaction(commit=False) as cursor:
        cursor.execute("PRAGMA journal_mode")
        mode = cursor.fetchone()[0]
        cursor.execute("PRAGMA synchronous")
        return str(mode), int(cursor.fetchone()[0])
