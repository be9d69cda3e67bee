"""100,000 events behind: a whole Muster whose workers stood still, until every copy has everything again."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Collection
from pathlib import Path
from time import monotonic

import httpx

from bench.engines import BROKER_URL
from bench.findings import Table
from bench.plan import Plan
from bench.processes import memory_mb
from bench.recorders import COMMAND, DATA, SOURCE, stamp
from bench.samples import Row, row_of
from deploy.operator import operator
from deploy.stack import Stack
from muster.simulator.director import Director
from shared.eventlog import outbox
from shared.eventlog.append import Entry, append
from shared.eventlog.database import Database
from shared.eventlog.engines import open_database
from shared.eventlog.read import heads_of_several
from shared.events.recorded import EMPTY, Head
from shared.settings import SERVICES

EVENTS = 100_000
AT_ONCE = 100
TOURNAMENTS = 20
COPYING = ("registration", "pairing")
WORKERS = tuple(f"{service}.worker" for service in SERVICES)
LOOK_SECONDS = 0.2
GIVE_UP_SECONDS = 1_800.0
RULESET = "star-wars-armada-400"


def run(plan: Plan) -> list[Table]:
    """By the broker, and while the owner's relay stands still, so that all comes over HTTP; on each pair of engines."""
    events = plan.size(EVENTS, 2_000)
    kinds = {"embedded: SQLite, a folder": dict[str, str]()}
    if plan.rabbitmq and "postgresql" in plan.engines:
        databases = {f"{service.upper()}_DATABASE_URL": plan.places.database("postgresql") for service in SERVICES}
        servers = {**databases, "BROKER_URL": BROKER_URL, "MUSTER_EXCHANGE": plan.places.exchange()}
        kinds["servers: PostgreSQL, RabbitMQ quorum queues"] = servers
    return [_table(plan, name, env, events) for name, env in kinds.items()]


def _table(plan: Plan, name: str, env: dict[str, str], events: int) -> Table:
    plan.say(f"behind: {name}, {events:,} events")
    with Stack(env=env) as stack:
        behind = _Behind(stack)
        rows = behind.worked_off("relay and queues", events, WORKERS)
        rows += behind.worked_off("catch-up alone", events, [f"{service}.worker" for service in COPYING])
        behind.close()
    notes = [
        f"{events:,} reports of {TOURNAMENTS} tournaments in scoring's log, appended while workers stood still, then "
        "until registration and pairing have verified copies of all of them. Memory: how much more the worker "
        "of pairing, and with the relay that of scoring, took at most than when they began.",
    ]
    return Table(f"Behind, {name}", rows, notes=notes)


class _Behind:
    """A Muster whose scoring has a log that others have not copied yet."""

    def __init__(self, stack: Stack) -> None:
        self._stack = stack
        host = operator(stack.urls, stack.issuer)
        self._tournaments = [
            Director.announce(host, name=f"Cup {number}", ruleset=RULESET, rounds=3).id for number in range(TOURNAMENTS)
        ]
        self._databases = {name: open_database(stack.settings(name).database_url) for name in SERVICES}
        self._heads: dict[str, Head] = {}
        self._asking = httpx.Client(headers={"Authorization": f"Bearer {host.connection.token}"})
        self._wait(lambda: self._copied("registration", COPYING[1:]), "the announcements were not copied")

    def close(self) -> None:
        """Close all connections."""
        self._asking.close()
        for database in self._databases.values():
            database.close()

    def worked_off(self, how: str, events: int, workers: Collection[str]) -> list[Row]:
        """Stop all workers, append, let some of them go on, and measure until all is copied."""
        pids = self._stack.pids()
        for name in WORKERS:
            os.kill(pids[name], signal.SIGSTOP)
        self._append(events)
        watched = {name: pids[name] for name in ("scoring.worker", "pairing.worker") if name in workers}
        before = {name: memory_mb(pid, "VmRSS") for name, pid in watched.items()}
        for pid in watched.values():
            Path(f"/proc/{pid}/clear_refs").write_text("5")  # the peak is counted anew
        started = monotonic()
        for name in workers:
            os.kill(pids[name], signal.SIGCONT)
        told: list[float] = []
        rows: list[Row] = []
        if "scoring.worker" in workers:
            self._wait(self._published, "not everything was published", told)
            rows.append(row_of(f"{how}: published", "events/s", [events / (monotonic() - started)]))
        self._wait(lambda: self._copied(SOURCE, COPYING), "not everything was copied", told)
        rows.append(row_of(f"{how}: copied", "events/s", [events / (monotonic() - started)]))
        rows.append(row_of(f"{how}: most that pairing said it was behind", "events", [max(told)]))
        for name, pid in watched.items():
            rows.append(row_of(f"{how}: {name}", "MB more", [max(0.0, memory_mb(pid, "VmHWM") - before[name])]))
        for name in WORKERS:
            os.kill(pids[name], signal.SIGCONT)
        self._wait(self._published, "not everything was published")
        return rows

    def _append(self, events: int) -> None:
        entries = [Entry("ResultReported", 1, DATA, COMMAND)] * AT_ONCE
        for number in range(events // AT_ONCE):
            tournament = self._tournaments[number % TOURNAMENTS]
            head = self._heads.get(tournament, EMPTY)
            last = append(self._databases[SOURCE], SOURCE, tournament, head, entries, stamp())[-1]
            self._heads[tournament] = Head(last.position, last.hash)

    def _published(self) -> bool:
        with self._databases[SOURCE].reading() as connection:
            return outbox.depth(connection) == 0

    def _copied(self, source: str, readers: Collection[str]) -> bool:
        owned = self._ends(self._databases[source], source)
        return all(self._ends(self._databases[name], source) == owned for name in readers)

    def _ends(self, database: Database, source: str) -> dict[str, int]:
        with database.reading() as connection:
            found = heads_of_several(connection, self._tournaments)
        return {tournament: heads[source].position for tournament, heads in found.items() if source in heads}

    def _wait(self, done: Callable[[], bool], otherwise: str, told: list[float] | None = None) -> None:
        """Until it is done; told: takes what pairing's /readyz says meanwhile of how far it is behind."""
        ends = monotonic() + GIVE_UP_SECONDS
        while not done():
            if monotonic() > ends:
                raise RuntimeError(f"{otherwise}\n{self._stack.output()}")
            if told is not None:
                told.append(self._behind())
            time.sleep(LOOK_SECONDS)
        if told is not None:
            told.append(self._behind())

    def _behind(self) -> float:
        said = self._asking.get(f"{self._stack.urls['pairing']}/readyz").json()
        return float(said["checks"]["copies"]["detail"][SOURCE]["behind"])
