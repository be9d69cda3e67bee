"""Who appends: Muster's log and its peers, each on a database of its own, each event as large as the other's.

    Muster                   shared.eventlog.append.append: head, hash chain, event row, outbox row
    Muster, with a key       the same for a command with an idempotency key: refused if it was there, and indexed
    eventsourcing            its ApplicationRecorder, which also orders all events (notifications)
    SQLAlchemy Core          begin, insert one row of the same columns, commit; no head, no hash, no outbox
    driver, head for update  begin, select the head, hash, insert, update the head, commit; no outbox

Every SQLite connection has journal_mode=WAL and synchronous=FULL; every PostgreSQL one synchronous_commit=on.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import Any, Protocol
from uuid import uuid4

import psycopg
from sqlalchemy import column, create_engine, event, insert, table

from bench.engines import conninfo
from bench.peers import eventsourcing_recorder, stored_events
from shared.clock import utc_now
from shared.eventlog.append import Entry, Stamp, append
from shared.eventlog.engines import open_database
from shared.eventlog.engines.sqlite import SQLITE_PRAGMAS
from shared.eventlog.migrate import upgrade_database
from shared.eventlog.tables import EVENTS, RELAY
from shared.events.canonical import canonical
from shared.events.recorded import EMPTY, GENESIS, Head, chain_hash, content_hash, event_id
from shared.tournament.events.scoring import ResultReported

REPORTED = ResultReported(
    round=3,
    game="r3g117",
    facts={"kind": "game", "points_1": 214, "points_2": 148, "end": "rounds", "second_player": 2},
    side=1,
)
"""What is appended again and again: a player's report of a result."""

DATA = canonical(REPORTED)
COMMAND = (
    '{"by":{"player":"p214","role":"player","token":"t-1f2e3d4c5b6a.p214.1"},"data":{},"decision":1,'
    '"same":["facts","game"],"type":"ReportResult","version":1}'
)
"""What stands on that event of the command that it came of."""

SALT = "00112233445566778899aabbccddeeff"
STORED = (DATA + SALT + COMMAND).encode()
"""As much as that, for a library that stores bytes."""

SOURCE = "scoring"
COLUMNS = ", ".join(EVENTS.columns)


class Recorder(Protocol):
    """Appends to a stream of its own, behind whatever it appended before."""

    def append(self, events: int) -> None:
        """Append so many events in one transaction; they are durable on return."""


class Muster:
    """The log itself, as services use it."""

    def __init__(self, url: str, keyed: bool = False) -> None:
        self._database = open_database(url)
        self._tournament = f"t-{uuid4().hex[:12]}"
        self._head = EMPTY
        self._entry = Entry("ResultReported", 1, DATA, COMMAND)
        self._keyed = keyed

    def append(self, events: int) -> None:
        entries = [self._entry] * events
        recorded = append(self._database, SOURCE, self._tournament, self._head, entries, stamp(self._keyed))
        self._head = Head(recorded[-1].position, recorded[-1].hash)


class EventSourcing:
    """The library's recorder. db_function: with POSTGRES_ENABLE_DB_FUNCTIONS, one statement instead of five."""

    def __init__(self, url: str, db_function: bool = False) -> None:
        self._recorder = eventsourcing_recorder(url, db_function=db_function)
        self._stream = uuid4()
        self._position = 0

    def append(self, events: int) -> None:
        self._recorder.insert_events(stored_events(self._stream, self._position, [STORED] * events))
        self._position += events


class Core:
    """A bare insert and commit in SQLAlchemy Core; the floor of anything that goes through it."""

    def __init__(self, url: str) -> None:
        self._engine = create_engine(url)
        if self._engine.dialect.name == "sqlite":
            event.listen(self._engine, "connect", _prepare)
        self._tournament = f"t-{uuid4().hex[:12]}"
        self._position = 0
        self._statement = insert(table("events", *map(column, EVENTS.columns)))
        self._names = EVENTS.columns

    def append(self, events: int) -> None:
        rows = []
        for _ in range(events):
            self._position += 1
            members = (*row_of(self._tournament, self._position), GENESIS, GENESIS, SALT, DATA, COMMAND)
            rows.append(dict(zip(self._names, members, strict=True)))
        with self._engine.begin() as connection:
            connection.execute(self._statement, rows)


class Driver:
    """A hash chain by hand on the driver: what an append costs without SQLAlchemy and without an outbox."""

    def __init__(self, url: str) -> None:
        self._sqlite = url.startswith("sqlite")
        self._connection: Any
        if self._sqlite:
            self._connection = sqlite3.connect(url.removeprefix("sqlite:///"), timeout=15, isolation_level=None)
            _prepare(self._connection, None)
        else:
            self._connection = psycopg.connect(conninfo(url), autocommit=True)
        mark = "?" if self._sqlite else "%s"
        lock = "" if self._sqlite else " FOR UPDATE"
        self._begin = "BEGIN IMMEDIATE" if self._sqlite else "BEGIN"
        self._select = f"SELECT position, hash FROM heads WHERE source = {mark} AND tournament = {mark}{lock}"
        self._insert = f"INSERT INTO events ({COLUMNS}) VALUES ({', '.join([mark] * len(EVENTS.columns))})"
        self._move = f"UPDATE heads SET position = {mark}, hash = {mark} WHERE source = {mark} AND tournament = {mark}"
        self._place = (SOURCE, f"t-{uuid4().hex[:12]}")
        self._connection.execute(f"INSERT INTO heads VALUES ({mark}, {mark}, 0, {mark})", (*self._place, GENESIS))

    def append(self, events: int) -> None:
        execute = self._connection.execute
        execute(self._begin)
        position, previous = execute(self._select, self._place).fetchone()
        for _ in range(events):
            position += 1
            members = row_of(self._place[1], position)
            hash = chain_hash(previous, *members, content_hash(SALT, DATA, COMMAND))
            execute(self._insert, (*members, previous, hash, SALT, DATA, COMMAND))
            previous = hash
        execute(self._move, (position, previous, *self._place))
        execute("COMMIT")


RECORDERS: dict[str, Callable[[str], Recorder]] = {
    "Muster": Muster,
    "Muster, with a key": lambda url: Muster(url, keyed=True),
    "Muster, relay busy": Muster,
    "eventsourcing": EventSourcing,
    "eventsourcing, database function": lambda url: EventSourcing(url, db_function=True),
    "SQLAlchemy Core": Core,
    "driver, head for update": Driver,
}
"""Name -> whoever appends; `relay busy`: as while a relay works, when an append on PostgreSQL rings for nobody."""


def stamp(keyed: bool = False) -> Stamp:
    """A new command of a player. keyed: with an idempotency key."""
    command = f"{uuid4()}~0123456789abcdef" if keyed else uuid4().hex
    return Stamp("p214", command, utc_now(), {"pairing": 9, "registration": 512})


def row_of(tournament: str, position: int) -> tuple[Any, ...]:
    """The members of an event's row as Muster would fill them, but for its content and the hashes."""
    made = stamp()
    id = event_id(SOURCE, tournament, position)
    seen = canonical(dict(made.seen))
    return SOURCE, tournament, position, id, "ResultReported", 1, made.time, made.actor, made.command_id, seen


def prepare(name: str, url: str) -> None:
    """Make the tables that a recorder wants in an empty database."""
    if name.startswith("eventsourcing"):
        eventsourcing_recorder(url, create=True)
        return
    database = open_database(url)
    upgrade_database(database, SOURCE)
    with database.writing() as connection:
        connection.change(RELAY, {}, {"busy": int(name.endswith("busy"))})
    database.close()


def _prepare(connection: Any, _record: Any) -> None:
    for pragma in SQLITE_PRAGMAS:
        connection.execute(pragma)
