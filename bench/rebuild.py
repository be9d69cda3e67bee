"""Rebuild: a tournament of 100,000 events read and folded, verified, or begun from a snapshot."""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping
from time import perf_counter
from uuid import uuid4

import orjson

from bench.disk import Probe
from bench.findings import Table, goal_of
from bench.peers import eventsourcing_recorder, missing, stored_events, transcoder
from bench.plan import LABELS, Plan
from bench.samples import in_turns, ratio_of, row_of
from bench.shelf import Logs, recorded, shelve
from bench.story import SEED, Shape, story
from shared.application.repository import LoadedAggregate, Repository
from shared.application.snapshots import Snapshots
from shared.eventlog.database import Database
from shared.eventlog.engines import open_database
from shared.eventlog.migrate import upgrade_database
from shared.eventlog.read import log_page, news
from shared.eventlog.tables import EVENTS
from shared.eventlog.verify import verify
from shared.formats.swiss.ranking import recorded_standings, standings_after

FOLDED = 200_000
VERIFIED = 120_000
"""Goals, in events a second."""
TIMES = 3.0
"""Goal: how many times as many events as the library reads and decodes."""
OF_LOOP = 0.8
"""Goal: the rate of folding, as a share of a loop that only reads and decodes."""

TOURNAMENT = "t-measured"
SOURCES = ("scoring", "registration", "pairing")
PAGE = 5_000
AT_ONCE = 100
"""Events of one of the library's inserts: with thousands its pipeline and PostgreSQL wait for each other for ever."""
BEHIND = 1_000
"""Events appended since the snapshot was written, of the 2,000 after which a service writes the next."""

FOLD = "read and fold"
ANEW = "read, fold, compute standings anew"
VERIFY = "read and verify hashes and links"
LOOP = "the same rows, read and decoded only"
PEER = "eventsourcing: read notifications, decode JSON"


def run(plan: Plan) -> list[Table]:
    """Each database with the same tournament."""
    shape = Shape(plan.size(2_000, 400), plan.size(49, 12))
    plan.say(f"rebuild: making a tournament of {shape.players} players and {shape.closed} rounds")
    logs = recorded(story(shape), TOURNAMENT)
    tables = []
    for engine in plan.engines:
        plan.say(f"rebuild: {LABELS[engine]}")
        database = open_database(plan.places.database(engine))
        upgrade_database(database, "scoring")
        shelve(database, [logs])
        _check(database, shape)
        tables += [_events(plan, engine, database, logs, shape), _cold(plan, engine, database)]
        database.close()
    return tables


def _check(database: Database, shape: Shape) -> None:
    """What is folded is what was told: standings recorded and computed anew are the same."""
    state = Repository(database, SOURCES).cold(TOURNAMENT).state
    told, made = recorded_standings(state, shape.closed), standings_after(state, shape.closed, SEED)
    if told is None or [(row.rank, row.player) for row in told.rows] != [(row.rank, row.player) for row in made.rows]:
        raise RuntimeError("the standings that were folded are not those that were told")


def _events(plan: Plan, engine: str, database: Database, logs: Logs, shape: Shape) -> Table:
    """Events a second of everything that reads the whole."""
    count = sum(map(len, logs.values()))
    megabytes = sum(len(event.data) for log in logs.values() for event in log) / 1e6
    repository = Repository(database, SOURCES)

    def fold() -> object:
        return recorded_standings(repository.cold(TOURNAMENT).state, shape.closed)

    def fold_and_rank() -> object:
        return standings_after(repository.cold(TOURNAMENT).state, shape.closed, SEED)

    def verify_all() -> None:
        for source, log in logs.items():
            _verify(database, source, len(log))

    def read_only() -> None:
        with database.reading() as connection:
            for source in logs:
                where = {"source": source, "tournament": TOURNAMENT}
                for *_, data, _ in connection.find(EVENTS, where, order=("position",)):
                    orjson.loads(data)

    ways: dict[str, Callable[[], object]] = {FOLD: fold, ANEW: fold_and_rank, VERIFY: verify_all, LOOP: read_only}
    notes = [f"{count:,} events, {megabytes:.0f} MB of data; {shape.players} players, {shape.closed} rounds."]
    if why_not := missing(engine):
        notes.append(why_not)
    else:
        ways[PEER] = _peer(plan.places.database(engine), logs)
    probe = plan.probe()
    seconds = _timed(ways, plan.size(11, 2), probe)
    rows = [row_of(name, "events/s", [count / took for took in found]) for name, found in seconds.items()]
    medians = {row.name: row.median for row in rows}
    goals = [
        goal_of(f"Muster: {FOLD}", medians[FOLD], FOLDED, "events/s"),
        goal_of(f"Muster: {VERIFY}", medians[VERIFY], VERIFIED, "events/s"),
    ]
    loop = ratio_of(f"Muster, {FOLD} / {LOOP}, round by round", seconds[LOOP], seconds[FOLD])
    rows.append(loop)
    goals.append(goal_of(f"Muster, {FOLD} / {LOOP}", loop.median, OF_LOOP, ""))
    if PEER in seconds:
        ratio = ratio_of("Muster, read and fold / eventsourcing, round by round", seconds[PEER], seconds[FOLD])
        rows.append(ratio)
        goals.append(goal_of("Muster, read and fold / eventsourcing, read and decode", ratio.median, TIMES, ""))
    return Table(f"{LABELS[engine]}: the whole log", rows, goals, notes, probe.seen())


def _verify(database: Database, source: str, length: int) -> None:
    with database.reading() as connection:
        head = verify(log_page(connection, source, TOURNAMENT, 0, PAGE))
        while head.position < length:
            head = verify(log_page(connection, source, TOURNAMENT, head.position, PAGE), head)


def _peer(url: str, logs: Logs) -> Callable[[], object]:
    """The same data in the library's store, read through its notifications."""
    recorder = eventsourcing_recorder(url, create=True)
    for log in logs.values():
        stream = uuid4()
        for start in range(0, len(log), AT_ONCE):
            states = [event.data.encode() for event in log[start : start + AT_ONCE]]
            recorder.insert_events(stored_events(stream, start, states))

    def read() -> int:
        last = 0
        while page := recorder.select_notifications(last, PAGE, inclusive_of_start=False):
            for notification in page:
                transcoder.decode(notification.state)
            last = page[-1].id
        return last

    return read


def _cold(plan: Plan, engine: str, database: Database) -> Table:
    """A process that meets the tournament for the first time."""
    snapshots = Snapshots(database)
    whole = Repository(database, SOURCES).cold(TOURNAMENT)
    before = _before(database, whole)
    snapshots.save(TOURNAMENT, before.state, before.heads)

    def from_snapshot() -> object:
        with Repository(database, SOURCES).now(TOURNAMENT) as loaded:
            return loaded.seen

    def from_nothing() -> object:
        return Repository(database, SOURCES).cold(TOURNAMENT).seen

    if from_snapshot() != from_nothing():
        raise RuntimeError("the snapshot leads elsewhere than the log")
    probe = plan.probe()
    seconds = _timed({"from a snapshot": from_snapshot, "from the first event": from_nothing}, plan.size(7, 2), probe)
    rows = [row_of(name, "ms", [took * 1000 for took in found]) for name, found in seconds.items()]
    with database.reading() as connection:
        length = "length" if engine == "sqlite" else "octet_length"
        size = connection.exec_driver_sql(f"SELECT {length}(state) FROM snapshots").scalar_one()
    notes = [f"The snapshot is {size / 1e6:.1f} MB and {BEHIND} events behind."]
    return Table(f"{LABELS[engine]}: cold start", rows, [], notes, probe.seen())


def _before(database: Database, whole: LoadedAggregate) -> LoadedAggregate:
    """The state as it was some events ago."""
    heads = {source: head.position for source, head in whole.heads.items()}
    heads["scoring"] -= BEHIND
    loaded = Repository(database, SOURCES).cold("nothing")
    with database.reading() as connection:
        told = news(connection, TOURNAMENT, loaded.heads)
    loaded.take([event for event in told if event.position <= heads[event.source]])
    return loaded


def _timed(ways: Mapping[str, Callable[[], object]], rounds: int, probe: Probe) -> dict[str, list[float]]:
    """Seconds of each way, in turns; the first round warms up and is not counted."""
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    for name in ways:
        ways[name]()
    for name in in_turns(list(ways), rounds, probe):
        gc.collect()
        started = perf_counter()
        ways[name]()
        seconds[name].append(perf_counter() - started)
    return seconds
