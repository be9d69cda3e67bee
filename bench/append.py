"""Append: durable events per second, with one event and with 100 events in a transaction.

    Muster                            append of shared/log: head, hash chain, event row, outbox row
    Muster, as a command              as a command appends: lock the head, check for newer events and for a used
                                      idempotency key, append; the key is indexed
    eventsourcing                     the library's recorder, which also keeps one order over all events
    eventsourcing, database function  the same in one statement on PostgreSQL, without a lock: readers of its
                                      notifications can miss an event that commits late
    limit: insert and commit          rows with the same columns in SQLAlchemy Core; no head, no hash, no outbox
    limit: write and fdatasync        the same number of bytes, written to a file and synced

Every SQLite connection has journal_mode=WAL and synchronous=FULL; every PostgreSQL one synchronous_commit=on.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from tempfile import TemporaryFile
from time import perf_counter
from typing import Any
from uuid import UUID, uuid4

from eventsourcing.persistence import ApplicationRecorder, StoredEvent
from eventsourcing.sqlite import SQLiteApplicationRecorder, SQLiteDatastore
from msgspec import structs
from sqlalchemy import column, create_engine, event, insert, table
from sqlalchemy.engine import make_url

from bench.common import LABELS, Bench, Table, ratio_of, row_of, sync
from shared.clock import utc_now
from shared.log.database import Database
from shared.log.event import EMPTY_HEAD, Actor, Head, Recorded, canonical_json, event_id
from shared.log.log import Entry, Stamp, chain_events
from shared.log.migrate import upgrade_database
from shared.log.schema import open_database
from shared.tournament.results import ResultReported

TIMES = 1.0
"""Goal: how many times as many events as the fastest configuration of the library."""
BATCHED = {"sqlite": 15_000, "postgresql": 10_000}
"""Goals: events a second, a hundred a transaction."""
BATCH = 100
MUSTER, PEER, FUNCTION = "Muster", "eventsourcing", "eventsourcing, database function"

SOURCE = "scoring"
FACTS = {"kind": "game", "points_1": 214, "points_2": 148, "end": "rounds", "second_player": 2}
COMMAND = {
    "by": {"token": "t-1f2e3d4c5b6a.p214.1"},
    "data": {"facts": FACTS, "game": "r3g117"},
    "decision": 1,
    "type": "ReportResult",
    "version": 1,
}
REPORTED = Entry(
    "ResultReported",
    1,
    canonical_json(ResultReported(round=3, game="r3g117", facts=FACTS, side=1)),
    canonical_json(COMMAND),
)
STORED = (REPORTED.data + REPORTED.command).encode()
"""An event of the same size, for a library that stores bytes."""

Recorder = Callable[[int], None]
"""Appends so many events in one transaction to a stream of its own; they are durable on return."""


def run(bench: Bench) -> list[Table]:
    """Return one table for each database and size of transaction."""
    tables = []
    for engine in bench.engines:
        names = [name for name in RECORDERS if name != FUNCTION or engine == "postgresql"]
        recorders = {name: RECORDERS[name](bench.database(engine)) for name in names}
        tables += [_table(bench, engine, recorders, batch) for batch in (1, BATCH)]
    return tables


def _table(bench: Bench, engine: str, recorders: dict[str, Recorder], batch: int) -> Table:
    what = "one event a transaction" if batch == 1 else f"{batch} events a transaction"
    bench.progress(f"append: {LABELS[engine]}, {what}")
    seconds, values = bench.size(0.4, 0.1), dict[str, list[float]]()
    for recorder in recorders.values():
        _rate(recorder, seconds / 2, batch)  # connections, statements, pages
    for name in bench.turns(list(recorders), 25, 3):
        values.setdefault(name, []).append(_rate(recorders[name], seconds, batch))
    goals = {MUSTER: BATCHED[engine]} if batch > 1 else {}
    rows = [row_of(name, "events/s", found, at_least=goals.get(name)) for name, found in values.items()]
    peers = [values[name] for name in (PEER, FUNCTION) if name in values]
    fastest = [max(rates) for rates in zip(*peers, strict=True)]
    return Table(
        f"{LABELS[engine]}: {what}", [*rows, ratio_of(f"{MUSTER} / fastest {PEER}", values[MUSTER], fastest, TIMES)]
    )


def _rate(recorder: Recorder, seconds: float, batch: int) -> float:
    """Return the events per second of a writer that appends for `seconds`."""
    done, started = 0, perf_counter()
    while (took := perf_counter() - started) < seconds:
        recorder(batch)
        done += batch
    return done / took


def new_stamp(key: str = "") -> Stamp:
    """Return the stamp of a new command of a player. key: its idempotency key."""
    command = f"{key}~0123456789abcdef" if key else uuid4().hex
    return Stamp(Actor("p214", "player"), command, utc_now(), {"pairing": 9, "registration": 512})


def append(
    database: Database, source: str, tournament: str, head: Head, entries: Sequence[Entry], stamp: Stamp
) -> Head:
    """Append entries after the head of a log. Return the new head."""
    recorded = chain_events(source, tournament, head, entries, stamp)
    with database.appending() as connection:
        assert connection.extend(head, recorded, own=True, last=True)
    return Head(recorded[-1].position, recorded[-1].hash)


def muster(url: str) -> Recorder:
    """Return a recorder that appends directly to the log."""
    database, tournament, head = open_database(url), f"t-{uuid4().hex[:12]}", EMPTY_HEAD
    upgrade_database(database, SOURCE)

    def write(events: int) -> None:
        nonlocal head
        head = append(database, SOURCE, tournament, head, [REPORTED] * events, new_stamp())

    return write


def muster_command(url: str) -> Recorder:
    """Return a recorder that appends as a command does, with an idempotency key."""
    database, tournament = open_database(url), f"t-{uuid4().hex[:12]}"
    upgrade_database(database, SOURCE)
    heads = {SOURCE: append(database, SOURCE, tournament, EMPTY_HEAD, [REPORTED], new_stamp())}
    heads |= {"registration": EMPTY_HEAD, "pairing": EMPTY_HEAD}

    def write(events: int) -> None:
        key = str(uuid4())
        with database.locking_log(SOURCE, tournament, heads, 0, [key]) as held:
            assert not list(held.new_rows)
            assert not held.repeated
            recorded = chain_events(SOURCE, tournament, heads[SOURCE], [REPORTED] * events, new_stamp(key))
            assert held.connection.extend(heads[SOURCE], recorded, own=True, last=True)
        heads[SOURCE] = Head(recorded[-1].position, recorded[-1].hash)

    return write


def eventsourcing_recorder(url: str, function: bool = False) -> ApplicationRecorder:
    """Return a recorder of the library with its tables. function: set POSTGRES_ENABLE_DB_FUNCTIONS.

    On SQLite the library itself sets WAL and leaves `synchronous` at its default, FULL.
    """
    place = make_url(url)
    recorder: Any
    if place.get_backend_name() == "sqlite":
        recorder = SQLiteApplicationRecorder(SQLiteDatastore(str(place.database)))
    else:
        from eventsourcing.postgres import PostgresApplicationRecorder, PostgresDatastore

        server = (place.host or "127.0.0.1", place.port or 5432, place.username or "postgres", place.password or "")
        store = PostgresDatastore(str(place.database), *server, enable_db_functions=function)
        recorder = PostgresApplicationRecorder(store)
    recorder.create_table()
    return recorder  # type: ignore[no-any-return]


def stored_events(stream: UUID, after: int, states: list[bytes]) -> list[StoredEvent]:
    """Return the library's events of one stream after a position, with these bytes as their content."""
    return [StoredEvent(stream, after + number, "bench:Reported", state) for number, state in enumerate(states, 1)]


def eventsourcing(url: str, function: bool = False) -> Recorder:
    """Return a recorder that appends with the eventsourcing library."""
    recorder, stream, position = eventsourcing_recorder(url, function), uuid4(), 0

    def write(events: int) -> None:
        nonlocal position
        recorder.insert_events(stored_events(stream, position, [STORED] * events))
        position += events

    return write


def core(url: str) -> Recorder:
    """Return a recorder that only inserts and commits with SQLAlchemy Core: the limit for anything built on it."""
    database = open_database(url)
    upgrade_database(database, SOURCE)
    database.close()
    engine, tournament, position = create_engine(url), f"t-{uuid4().hex[:12]}", 0
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _make_durable)
    statement = insert(table("events", *map(column, Recorded.__struct_fields__)))
    members = structs.asdict(chain_events(SOURCE, tournament, EMPTY_HEAD, [REPORTED], new_stamp())[0])

    def write(events: int) -> None:
        nonlocal position
        numbers = range(position + 1, position + events + 1)
        rows = [{**members, "position": one, "id": event_id(SOURCE, tournament, one)} for one in numbers]
        with engine.begin() as connection:
            connection.execute(statement, rows)
        position += events

    return write


def _make_durable(connection: Any, _record: Any) -> None:
    for pragma in ("journal_mode=WAL", "synchronous=FULL"):
        connection.execute(f"PRAGMA {pragma}")


def disk(_url: str) -> Recorder:
    """Return a recorder that only writes the same number of bytes to a preallocated file and syncs it."""
    file = TemporaryFile()  # noqa: SIM115 - it is written to as long as the benchmark runs
    file.write(STORED * BATCH)

    def write(events: int) -> None:
        os.pwrite(file.fileno(), STORED * events, 0)
        sync(file.fileno())

    return write


RECORDERS: dict[str, Callable[[str], Recorder]] = {
    MUSTER: muster,
    "Muster, as a command": muster_command,
    PEER: eventsourcing,
    FUNCTION: lambda url: eventsourcing(url, function=True),
    "limit: insert and commit": core,
    "limit: write and fdatasync": disk,
}
