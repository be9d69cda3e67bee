"""An installation of a thousand tournaments: its start, its memory, what an open tournament takes, and eviction."""

from __future__ import annotations

import re
from http.client import HTTPConnection
from time import monotonic
from uuid import uuid4

from bench.findings import Table, goal_of
from bench.load import Request, ask_once
from bench.plan import LABELS, Plan
from bench.samples import row_of
from bench.servers import SCORING, Server
from bench.shelf import recorded, shelve
from bench.story import Shape, story
from deploy.operator import operator
from shared.eventlog.engines import open_database
from shared.eventlog.migrate import upgrade_database

SHAPE = Shape(24, 3)
KEPT = 256
"""States that a process keeps."""
READY_SECONDS = 2.0
"""Goal: until the server is ready, with all these tournaments in its database."""
EVICTED = 1.25
"""Goal: memory with all of them asked about, over memory with as many as are kept."""


def run(plan: Plan) -> list[Table]:
    """Scoring alone, with one web process, on PostgreSQL."""
    many = plan.size(1_000, 300)
    plan.say(f"large: an installation of {many:,} tournaments")
    url = plan.places.database("postgresql")
    database = open_database(url)
    upgrade_database(database, "scoring")
    told = list(story(SHAPE))
    tournaments = [f"t-{uuid4().hex[:12]}" for _ in range(many)]
    shelve(database, [recorded(told, tournament) for tournament in tournaments])
    database.close()
    env = {"MUSTER_WEB_WORKERS": "1", "MUSTER_RATE_LIMIT": "off"}
    started = monotonic()
    with Server(SCORING, url, plan.places.empty_folder("installation"), env) as server:
        ready, idle = monotonic() - started, server.resident_mb()
        first = _asked(server, tournaments[:1])
        warm = server.resident_mb()
        opened = _asked(server, tournaments[1:KEPT])
        kept = server.resident_mb()
        rest = _asked(server, tournaments[KEPT:])
        all_of_them = server.resident_mb()
        cached = _cached(server)
    rows = [
        row_of("from the start until it is ready", "s", [ready]),
        row_of("memory before the first request", "MB", [idle]),
        row_of("memory after the first tournament", "MB", [warm]),
        row_of(f"memory with {KEPT} tournaments", "MB", [kept]),
        row_of("memory of an open tournament", "kB", [(kept - warm) / (KEPT - 1) * 1000]),
        row_of(f"memory after all {many:,}", "MB", [all_of_them]),
        row_of("tournaments in memory then", "", [cached]),
        row_of("the first answer of the process", "ms", first),
        row_of("the first answer about each other tournament", "ms", [*opened, *rest], tail=True),
    ]
    goals = [
        goal_of("ready", ready, READY_SECONDS, "s", at_least=False),
        goal_of(f"memory after all {many:,} / with {KEPT}", all_of_them / kept, EVICTED, "", at_least=False),
    ]
    notes = [f"Scoring with one web process; each tournament has {SHAPE.players} players and {SHAPE.closed} rounds."]
    if cached > KEPT:
        raise RuntimeError(f"{cached} tournaments are kept in memory, {KEPT} at most were expected")
    return [Table(f"{LABELS['postgresql']}: an installation of {many:,} tournaments", rows, goals, notes)]


def _asked(server: Server, tournaments: list[str]) -> list[float]:
    """Milliseconds of the first page of standings of each."""
    found = []
    connection = HTTPConnection("127.0.0.1", server.port)
    for tournament in tournaments:
        started = monotonic()
        ask_once(connection, Request("GET", f"/tournaments/{tournament}/standings?limit=50", {}))
        found.append((monotonic() - started) * 1000)
    connection.close()
    return found


def _cached(server: Server) -> int:
    """What the process says of itself."""
    token = operator({}, server.issuer).token
    connection = HTTPConnection("127.0.0.1", server.port)
    _, text = ask_once(connection, Request("GET", "/metrics", {"Authorization": f"Bearer {token}"}))
    connection.close()
    return sum(int(float(number)) for number in re.findall(rb"^muster_cached_tournaments(?:{.*})? (\S+)", text, re.M))
