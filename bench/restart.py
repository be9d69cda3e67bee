"""Restart: first and second starts, a killed web process, and 1,000 tournaments in the databases.

The limits of a start are an empty Python program and an empty Flask application behind the same server.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from http.client import HTTPConnection
from time import monotonic
from uuid import uuid4

import httpx

from bench.clients import Request, memory_mb, processes_of, send_once, web_processes
from bench.common import Bench, Table, row_of
from bench.http import bare_server
from bench.story import Shape, recorded, shelve, story
from deploy.stack import Stack
from shared.log.migrate import upgrade_database
from shared.log.schema import open_database
from shared.settings import SERVICES

MANY, KEPT = 1_000, 256
QUICK_MANY, QUICK_KEPT = 60, 30
"""Tournaments of an installation, and states that a process keeps in memory (in a quick run it keeps all)."""
READY_SECONDS, EVICTED = 2.0, 1.25
"""Goals: until a Muster with so many tournaments is ready; memory after all of them over that with those kept."""


def run(bench: Bench) -> list[Table]:
    """Measure starts on SQLite, and many tournaments on PostgreSQL if there is one."""
    return [_starts(bench), _many(bench)]


def _starts(bench: Bench) -> Table:
    bench.progress("restart: starts and kills")
    found: dict[str, list[float]] = {}

    def timed(name: str, started: float) -> None:
        found.setdefault(name, []).append(monotonic() - started)

    for _ in bench.turns([None], 3, 1):
        folder = bench.empty_folder("start")
        for name in ("start on an empty folder", "start on existing data"):
            started = monotonic()
            with Stack(folder):
                timed(name, started)
        started = monotonic()
        with bare_server(bench, "sqlite"):
            timed("limit: start of a bare Flask application", started)
        started = monotonic()
        subprocess.run((sys.executable, "-c", "pass"), check=True)
        timed("limit: start of a bare Python", started)
    with Stack(bench.empty_folder("kill")) as stack:
        for _ in bench.turns([None], 10, 2):
            master = next(pids[0] for name, pids in processes_of(stack, "scoring").items() if "worker" not in name)
            os.killpg(master, signal.SIGKILL)
            started = monotonic()
            for path in ("/healthz", "/readyz"):
                _wait_until_answered(stack.urls["scoring"] + path)
                timed(f"SIGKILL of scoring to {path} 200", started)
            time.sleep(bench.size(6.0, 0.0))  # a process that has lived for so long is started again at once
    return Table("Starts and kills, on SQLite", [row_of(name, "s", seconds) for name, seconds in found.items()])


def _wait_until_answered(url: str) -> None:
    while True:
        try:
            if httpx.get(url, timeout=30.0, trust_env=False).status_code == 200:
                return
        except httpx.TransportError:
            time.sleep(0.005)


def _many(bench: Bench) -> Table:
    """Measure scoring with more tournaments than a process keeps in memory."""
    name, _, env = bench.kinds()[-1]
    many, some, shape = bench.size(MANY, QUICK_MANY), bench.size(KEPT, QUICK_KEPT), Shape(24, 3)
    bench.progress(f"restart: {name}, {many:,} tournaments")
    commands = list(story(shape))
    tournaments = [f"t-{uuid4().hex[:12]}" for _ in range(many)]
    logs = [recorded(commands, tournament) for tournament in tournaments]
    stack = Stack(bench.empty_folder("many"), env=env)
    for service in SERVICES:
        database = open_database(stack.settings(service).database_url)
        upgrade_database(database, service)
        shelve(database, logs)
        database.close()
    started = monotonic()
    with stack:
        ready, port = monotonic() - started, stack.settings("scoring").port
        idle = memory_mb(web_processes(stack, "scoring"))
        _first_answers(port, tournaments[:1])
        warm = memory_mb(web_processes(stack, "scoring"))
        first = _first_answers(port, tournaments[1:some])
        kept = memory_mb(web_processes(stack, "scoring"))
        first += _first_answers(port, tournaments[some:])
        whole = memory_mb(web_processes(stack, "scoring"))
    rows = [
        row_of("start to ready", "s", [ready], at_most=READY_SECONDS),
        row_of("memory of scoring before the first request", "MB", [idle]),
        row_of("memory of an open tournament", "kB", [(kept - warm) / (some - 1) * 1000]),
        row_of(f"memory of scoring with {some} open tournaments", "MB", [kept]),
        row_of(f"memory of scoring after all {many:,}", "MB", [whole]),
        row_of("the same over that with those kept", "×", [whole / kept], at_most=EVICTED),
        row_of("first answer about a tournament", "ms", first, tail=True),
    ]
    notes = [f"Each tournament has {shape.players} players and {shape.closed} rounds."]
    return Table(f"{name}: {many:,} tournaments", rows, notes)


def _first_answers(port: int, tournaments: list[str]) -> list[float]:
    """Return the response time in ms of the first standings page of each tournament."""
    times = []
    connection = HTTPConnection("127.0.0.1", port)
    for tournament in tournaments:
        started = monotonic()
        send_once(connection, Request("GET", f"/tournaments/{tournament}/standings?limit=50", {}))
        times.append((monotonic() - started) * 1000)
    connection.close()
    return times
