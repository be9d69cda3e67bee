"""A tournament of 10,000 players over HTTP, next to smaller ones: the time of each step, and a check of every log.

20 venues, five rounds, PostgreSQL and RabbitMQ, one web process for each service. All players are entered in lists and
check in; each round is paired as a draft, published, reported by one phone of each game, confirmed by the other and
closed, while 500 readers look at standings every ten seconds. A step that takes as long for each player as in the
smallest tournament is linear.
"""

from __future__ import annotations

import random
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.client import HTTPConnection
from time import monotonic

import orjson
from msgspec import Struct, field

from bench.clients import TIMEOUT, Event, Request, memory_mb, processes_of, send_all, send_once
from bench.common import ROOT, SERVERS, Bench, Row, Table, row_of
from deploy.stack import Stack, operator
from shared.log.event import Recorded
from shared.log.reading import heads_of, whole_log
from shared.log.schema import open_database
from shared.settings import SERVICES

ROUNDS, VENUES, CLIENTS, READERS = 5, 20, 64, 500
SMALLER = (100, 1_000)
LOOK_SECONDS, AGREE_SECONDS = 10.0, 300.0
"""Between two looks of one reader; for the last copy to have everything."""
LINEAR, AUDIT_SECONDS = 1.5, 120.0
"""Goals: a step's time for each player, over that in the smallest tournament; seconds of `muster verify`."""


class Step(Struct):
    """A measured step. things: total of players, games or rows. seconds: time of each run. ms: time of each request."""

    things: int = 0
    seconds: list[float] = field(default_factory=list)
    ms: list[float] = field(default_factory=list)


def run(bench: Bench) -> list[Table]:
    """Play the sizes one after the other, each on a new Muster."""
    if not bench.has_servers:
        bench.progress("large: left out, it needs PostgreSQL and RabbitMQ")
        return []
    largest = bench.size(bench.players, min(bench.players, SMALLER[0]))
    sizes = sorted({size for size in SMALLER if size <= largest} | {largest})
    steps, tables = dict[int, Mapping[str, Step]](), []
    for players in sizes:
        env = next(env for name, _, env in bench.kinds() if name == SERVERS)
        with Stack(bench.empty_folder("large"), env=env) as stack:
            event = LargeEvent(stack, players)
            event.play(bench.progress)
            tables.append(_table(bench, event))
            steps[players] = event.steps
    return [*tables, *([linear(steps)] if len(sizes) > 1 else [])]


class LargeEvent:
    """A tournament to measure. looks: response times of the readers in ms. games: ids of the reported games."""

    def __init__(self, stack: Stack, players: int) -> None:
        self.stack = stack
        self.players = players
        self.steps: dict[str, Step] = {}
        self.looks: list[float] = []
        self.faults: list[str] = []
        self.games: list[str] = []
        self.operator = operator(stack.urls, stack.issuer)
        self._event = Event(self.operator, players, min(VENUES, players // 4), ROUNDS, ["rounds"])
        self.director = self._event.director

    def play(self, progress: Callable[[str], None]) -> None:
        """Play it to the end of the last round. Raises RuntimeError if more than a few requests failed."""
        progress(f"large: {self.players:,} players enter")
        with self._step("enter", self.players):
            self._event.enter()
        self._send("check in", "registration", self._event.check_ins())
        self.director.do("registration", "/registration/close")
        for number in range(1, ROUNDS + 1):
            progress(f"large: {self.players:,} players, round {number}")
            self._round(number)

    def _round(self, number: int) -> None:
        director, event = self.director, self._event
        with self._step("pair a round", self.players):
            director.pair(round=number)
        with self._step("publish it", self.players):
            director.do("pairing", f"/rounds/{number}/publication", {})
        event.start_round()
        self.games += [game["id"] for game in event.games]
        with self._readers():
            self._send("report", "scoring", event.reports())
            self._send("confirm", "scoring", event.confirmations())
            with self._step("close a round", self.players):
                director.close(number)
        with self._step("read a page of standings", self.players):
            director.standings(limit=50)

    @contextmanager
    def _step(self, name: str, things: int) -> Iterator[Step]:
        step, started = self.steps.setdefault(name, Step()), monotonic()
        yield step
        step.seconds.append(monotonic() - started)
        step.things += things

    def _send(self, name: str, service: str, requests: Sequence[Request]) -> None:
        with self._step(name, len(requests)) as step:
            step.ms += send_all(self.stack.settings(service).port, requests, CLIENTS)[1]

    @contextmanager
    def _readers(self) -> Iterator[None]:
        """Let readers look at standings meanwhile, each on a new connection every ten seconds."""
        request = Request("GET", self.director.path("/standings?limit=50"), {"Accept-Encoding": "gzip"})
        port, stop = self.stack.settings("scoring").port, threading.Event()

        def read() -> None:
            pause = random.uniform(0.0, LOOK_SECONDS)
            while not stop.wait(pause):
                pause, started = LOOK_SECONDS, monotonic()
                connection = HTTPConnection("127.0.0.1", port, timeout=TIMEOUT)
                try:
                    send_once(connection, request)
                except (OSError, RuntimeError) as error:
                    self.faults.append(str(error))
                finally:
                    connection.close()
                self.looks.append((monotonic() - started) * 1000)

        threads = [threading.Thread(target=read) for _ in range(READERS)]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            stop.set()
            for thread in threads:
                thread.join()


def _table(bench: Bench, event: LargeEvent) -> Table:
    events, agreed = _check(event)
    audited = _audit(bench, event)
    rows: list[Row] = []
    for name, step in event.steps.items():
        rows.append(row_of(f"{name}: each time", "s", step.seconds))
        if step.ms:
            rows.append(row_of(f"{name}: rate", "/s", [step.things / sum(step.seconds)]))
            rows.append(row_of(f"{name}: a request", "ms", step.ms, tail=True))
    if event.looks:
        rows.append(row_of("a reader's look at standings meanwhile", "ms", event.looks, tail=True))
    rows.append(row_of("until the last copy had everything", "s", [agreed]))
    rows.append(row_of("muster verify: every command decided again", "s", [audited], at_most=AUDIT_SECONDS))
    for service in SERVICES:
        for name, pids in processes_of(event.stack, service).items():
            rows.append(row_of(f"{name}: most memory of a process", "MB", [memory_mb(pids, "VmHWM")]))
    notes = [
        f"{len(event.games):,} games, {events:,} events: none lost, none twice, the same in all three databases.",
        f"{CLIENTS} clients in a closed loop, {READERS} readers; {len(event.faults)} looks failed.",
    ]
    return Table(f"A tournament of {event.players:,} players on PostgreSQL and RabbitMQ", rows, notes)


def _audit(bench: Bench, event: LargeEvent) -> float:
    """Export the tournament and verify the file as an auditor would; return the seconds of `muster verify`."""
    file = bench.empty_folder("export") / "log.jsonl"
    muster = (sys.executable, "-m", "muster.cli.main")
    options = ("--url", event.stack.urls["registration"], "--token", event.operator.token, "--output", str(file))
    subprocess.run((*muster, "export", event.director.id, *options), cwd=ROOT, check=True, capture_output=True)
    started = monotonic()
    subprocess.run((*muster, "verify", str(file)), cwd=ROOT, check=True, capture_output=True)
    return monotonic() - started


def _check(event: LargeEvent) -> tuple[int, float]:
    """Return the number of events and the seconds until the last copy had all of them.

    Raises RuntimeError if an event is missing, duplicated, or different in a copy.
    """
    databases = {name: open_database(event.stack.settings(name).database_url) for name in SERVICES}
    tournament, started = event.director.id, monotonic()
    while True:
        heads = []
        for database in databases.values():
            with database.reading() as connection:
                heads.append({source: head.hash for source, head in heads_of(connection, tournament).items()})
        seconds = monotonic() - started
        if all(other == heads[0] for other in heads):
            break
        if seconds > AGREE_SECONDS:
            raise RuntimeError(f"copies did not become the same: {heads}")
        time.sleep(0.1)
    own = {}
    for name, database in databases.items():
        with database.reading() as connection:
            own[name] = whole_log(connection, name, tournament)
        database.close()
    each_once("PlayerJoined", own["registration"], "player", event.director.players)
    each_once("PlayerCheckedIn", own["registration"], "player", event.director.players)
    each_once("ResultReported", own["scoring"], "game", event.games)
    each_once("ResultConfirmed", own["scoring"], "game", event.games)
    each_once("RoundClosed", own["scoring"], "round", range(1, ROUNDS + 1))
    return sum(map(len, own.values())), seconds


def each_once(type: str, log: Iterable[Recorded], member: str, expected: Iterable[object]) -> None:
    """Raise RuntimeError unless the events of a type name each expected value once, and no other."""
    counted = Counter(orjson.loads(event.data)[member] for event in log if event.type == type)
    wanted = Counter(list(expected))
    if counted != wanted:
        lost, more = wanted - counted, counted - wanted
        raise RuntimeError(f"{type}: {lost.total()} lost, {more.total()} more than once or unknown")


def linear(steps: Mapping[int, Mapping[str, Step]]) -> Table:
    """Return the time per player of each step relative to the smallest tournament; 1 is linear."""
    smallest, *others = sorted(steps)
    rows = []
    for name, first in steps[smallest].items():
        for players in others:
            ratio = (sum(steps[players][name].seconds) / players) / (sum(first.seconds) / smallest)
            rows.append(row_of(f"{name}: {players:,} players", "×", [ratio], at_most=LINEAR))
    notes = [f"Time of a step for each player, over that with {smallest:,} players. Less than 1: larger is cheaper."]
    return Table("How far from linear", rows, notes)
