"""Streams: from a result's answer to the stream, with 0, 500 and 2,000 others open, and what these cost."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.client import HTTPConnection
from time import monotonic, sleep

from msgspec import Struct, field

from bench.crew import Crew
from bench.crowd import crowd, opened
from bench.findings import Table
from bench.floor import Floor
from bench.load import TIMEOUT, Request, ask_once
from bench.plan import LABELS, Plan
from bench.samples import Row, row_of
from bench.servers import SCORING, Server
from bench.story import Shape
from shared.eventlog.engines import open_database
from shared.eventlog.migrate import upgrade_database

OPEN = (0, 500, 2000)
PLAYERS, CLOSED = 48, 4
PAUSE = 0.05
"""Seconds between an answer and the next result."""
IDLE_SECONDS = 15.0
COMES_SECONDS = 30.0
ENV = {"MUSTER_STREAMS": "2500", "MUSTER_STREAMS_PER_CALLER": "2500", "MUSTER_RATE_LIMIT": "off"}


class _Taken(Struct):
    """With so many streams open. post: milliseconds to the answer; then: from there to the stream.

    processor: milliseconds of the web processes for a result; idle: percent of a core while nothing happens.
    megabytes: resident, of the web processes.
    """

    others: int
    post: list[float] = field(default_factory=list)
    then: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)
    idle: list[float] = field(default_factory=list)
    megabytes: list[float] = field(default_factory=list)


class Watcher:
    """A stream of one's own, and when each event came by it: id -> time.monotonic()."""

    def __init__(self, connection: socket.socket) -> None:
        self.came: dict[str, float] = {}
        self._connection = connection
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def when(self, event: str) -> float:
        """When it came. Raises TimeoutError where it does not come."""
        with self._changed:
            if not self._changed.wait_for(lambda: event in self.came, COMES_SECONDS):
                raise TimeoutError(f"{event} did not come by the stream")
            return self.came[event]

    def close(self) -> None:
        self._connection.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self._connection.close()

    def _read(self) -> None:
        self._connection.settimeout(None)
        for line in self._connection.makefile("rb"):
            if line.startswith(b"data: "):
                came, event = monotonic(), json.loads(line[6:])["id"]
                with self._changed:
                    self.came[event] = came
                    self._changed.notify_all()


def run(plan: Plan) -> list[Table]:
    """Each database behind the server as it is deployed."""
    return [_beside(plan, engine) for engine in plan.engines]


def _beside(plan: Plan, engine: str) -> Table:
    url = plan.places.database(engine)
    database = open_database(url)
    upgrade_database(database, "scoring")
    taken = [_Taken(others) for others in OPEN]
    with Server(SCORING, url, plan.places.empty_folder("streams"), ENV) as server:
        floor = Floor(database, server.tickets, Shape(PLAYERS, CLOSED, open=True), plan.size(5, 1))
        with Crew(1, crowd, server.port) as listeners:
            probe = plan.probe()
            for one in taken:
                plan.say(f"streams: {LABELS[engine]}, {one.others} open")
                listeners.do(one.others)
                with _watched(server.port) as watcher:
                    sleep(plan.size(2.0, 1.0))
                    _idle(server, plan.size(IDLE_SECONDS, 3.0), one)
                    _post(server, floor.reports(), watcher, one)
                floor.clear()
    database.close()
    return Table(
        f"{LABELS[engine]}: from a result to the stream", _rows(taken), [], _notes(len(taken[0].post)), probe.seen()
    )


@contextmanager
def _watched(port: int) -> Iterator[Watcher]:
    watcher = Watcher(opened(port))
    try:
        yield watcher
    finally:
        watcher.close()


def _idle(server: Server, seconds: float, taken: _Taken) -> None:
    before = server.processor_ms()
    sleep(seconds)
    taken.idle.append((server.processor_ms() - before) / seconds / 10)
    taken.megabytes.append(server.resident_mb())


def _post(server: Server, reports: Sequence[Request], watcher: Watcher, taken: _Taken) -> None:
    connection = HTTPConnection("127.0.0.1", server.port, timeout=TIMEOUT)
    before = server.processor_ms()
    for report in reports:
        started = monotonic()
        _, answer = ask_once(connection, report)
        answered = monotonic()
        came = watcher.when(json.loads(answer)["events"][0]["id"])
        taken.post.append((answered - started) * 1000)
        taken.then.append(max(0.0, came - answered) * 1000)
        sleep(PAUSE)
    taken.processor.append((server.processor_ms() - before) / len(reports))
    connection.close()


def _rows(taken: Sequence[_Taken]) -> list[Row]:
    rows = [row_of(f"{one.others} others: from the answer to the stream", "ms", one.then, tail=True) for one in taken]
    rows += [row_of(f"{one.others} others: POST to answer", "ms", one.post, tail=True) for one in taken]
    rows += [row_of(f"{one.others} others: processor time a result", "ms", one.processor) for one in taken]
    rows += [row_of(f"{one.others} others: of a core while nothing happens", "%", one.idle) for one in taken]
    rows += [row_of(f"{one.others} others: resident", "MB", one.megabytes) for one in taken]
    return rows


def _notes(results: int) -> list[str]:
    return [
        f"{results} results, one after the other, {PAUSE:g} s between an answer and the next; every stream is told of",
        "each. The stream that is watched was opened last. 0: the event came by the stream before the answer.",
        "Streams are read by another process of this machine. Processor time and memory are those of the web",
        "processes.",
    ]
