"""Fold: a tournament of 100,000 events read and folded, verified, and started from a snapshot."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import perf_counter
from uuid import uuid4

import orjson
from eventsourcing.persistence import JSONTranscoder

from bench.append import eventsourcing_recorder, stored_events
from bench.common import LABELS, Bench, Table, ratio_of, row_of
from bench.story import Logs, Shape, recorded, shelve, story
from shared.log.database import Database
from shared.log.log import verify
from shared.log.migrate import upgrade_database
from shared.log.reading import log_page
from shared.log.schema import open_database
from shared.service.state import Repository, Snapshots

TOURNAMENT = "t-measured"
SOURCES = ("registration", "pairing", "scoring")
PAGE, AT_ONCE, BEHIND = 5_000, 100, 1_000
"""Events of one read, of one of the library's inserts, and appended since the snapshot."""
FOLD, VERIFY = "read and fold", "read and verify hashes and links"
LIMIT, PEER = "limit: the same rows read and decoded", "eventsourcing: read notifications, decode JSON"
GOALS = {FOLD: 200_000, VERIFY: 120_000}
"""Events a second."""
RATIOS = {PEER: 3.0, LIMIT: 0.8}
"""Goals: folded events over those that the library reads and decodes, and over those of the limit."""
ROWS = "SELECT data FROM events WHERE source = :source AND tournament = :tournament ORDER BY position"


def run(bench: Bench) -> list[Table]:
    """Return two tables for each database, all with the same tournament."""
    shape = Shape(bench.size(2_000, 400), bench.size(49, 12))
    bench.progress(f"fold: making a tournament of {shape.players:,} players and {shape.closed} rounds")
    logs = recorded(story(shape), TOURNAMENT)
    tables = []
    for engine in bench.engines:
        bench.progress(f"fold: {LABELS[engine]}")
        database = open_database(bench.database(engine))
        upgrade_database(database, "scoring")
        cold = _cold_start(bench, engine, database, logs)
        tables += [_whole_log(bench, engine, database, logs), cold]
        database.close()
    return tables


def _whole_log(bench: Bench, engine: str, database: Database, logs: Logs) -> Table:
    count = sum(map(len, logs.values()))
    megabytes = sum(len(event.data) for log in logs.values() for event in log) / 1e6

    def verify_all() -> None:
        for source, log in logs.items():
            with database.reading() as connection:
                head = verify(log_page(connection, source, TOURNAMENT, 0, PAGE))
                while head.position < len(log):
                    head = verify(log_page(connection, source, TOURNAMENT, head.position, PAGE), head)

    def read_all() -> None:
        with database.reading() as connection:
            for source in logs:
                for (data,) in connection.rows(ROWS, source=source, tournament=TOURNAMENT):
                    orjson.loads(data)

    ways: dict[str, Callable[[], object]] = {
        FOLD: lambda: Repository(database, SOURCES).cold(TOURNAMENT),
        VERIFY: verify_all,
        PEER: _peer(bench.database(engine), logs),
        LIMIT: read_all,
    }
    seconds = _timed(bench, ways, 11)
    rows = [
        row_of(name, "events/s", [count / took for took in found], at_least=GOALS.get(name))
        for name, found in seconds.items()
    ]
    rows += [
        ratio_of(f"{FOLD} / {other.partition(':')[0]}", seconds[other], seconds[FOLD], goal)
        for other, goal in RATIOS.items()
    ]
    return Table(f"{LABELS[engine]}: {count:,} events, {megabytes:.0f} MB of data", rows)


def _peer(url: str, logs: Logs) -> Callable[[], object]:
    """Put the same data into the library's store; return a function that reads its notifications."""
    recorder, transcoder = eventsourcing_recorder(url), JSONTranscoder()
    for log in logs.values():
        stream = uuid4()
        for start in range(0, len(log), AT_ONCE):  # with thousands its pipeline and PostgreSQL wait for each other
            states = [event.data.encode() for event in log[start : start + AT_ONCE]]
            recorder.insert_events(stored_events(stream, start, states))

    def read() -> None:
        last = 0
        while page := recorder.select_notifications(last, PAGE, inclusive_of_start=False):
            for notification in page:
                transcoder.decode(notification.state)
            last = page[-1].id

    return read


def _cold_start(bench: Bench, engine: str, database: Database, logs: Logs) -> Table:
    """Measure a process that reads the tournament for the first time. Leaves complete logs in the database."""
    scoring = logs["scoring"]
    shelve(database, [{**logs, "scoring": scoring[:-BEHIND]}])
    before = Repository(database, SOURCES).cold(TOURNAMENT)
    snapshots = Snapshots(database)
    snapshots.save(TOURNAMENT, before.state, before.heads)
    shelve(database, [{"scoring": scoring[-BEHIND:]}])

    def from_snapshot() -> Mapping[str, int]:
        with Repository(database, SOURCES).now(TOURNAMENT) as loaded:
            return loaded.seen

    def from_first_event() -> Mapping[str, int]:
        return Repository(database, SOURCES).cold(TOURNAMENT).seen

    ends = {source: len(log) for source, log in logs.items()}
    if not ends == from_snapshot() == from_first_event():
        raise RuntimeError(f"the logs end at {ends}, the state at {from_snapshot()} and {from_first_event()}")
    seconds = _timed(bench, {"from a snapshot": from_snapshot, "from the first event": from_first_event}, 7)
    rows = [row_of(name, "ms", [took * 1000 for took in found]) for name, found in seconds.items()]
    return Table(f"{LABELS[engine]}: cold start", rows, [f"The snapshot is {BEHIND:,} events behind."])


def _timed(bench: Bench, ways: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, list[float]]:
    """Return the seconds of each way, in turns, after one round that is not counted."""
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    for way in ways.values():
        way()
    for name in bench.turns(list(ways), rounds, 2):
        started = perf_counter()
        ways[name]()
        seconds[name].append(perf_counter() - started)
    return seconds
