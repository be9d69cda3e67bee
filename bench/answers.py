"""Standings of 100, 2,000 and 10,000 players over HTTP: whole, compressed, a page, a row, and after a result."""

from __future__ import annotations

import gc
import json
from collections.abc import Mapping
from time import perf_counter

from flask.testing import FlaskClient

from bench.findings import Table
from bench.plan import Plan
from bench.samples import Row, in_turns, row_of
from bench.shelf import recorded, shelve
from bench.story import Shape, facts_of_round, seats_of, story
from services.scoring.app import build_web
from shared.application.deciding import entries_of
from shared.eventlog.append import Stamp, chained
from shared.eventlog.database import Database
from shared.eventlog.engines.memory import MemoryDatabase
from shared.eventlog.read import head_of
from shared.eventlog.replicate import accept
from shared.tournament.events.scoring import ResultRuled

SIZES = (100, 2_000, 10_000)
TOURNAMENT = "t-measured"
STANDINGS = f"/tournaments/{TOURNAMENT}/standings"
GZIP = {"Accept-Encoding": "gzip"}


def run(plan: Plan) -> list[Table]:
    """A table for each size of field: milliseconds of an answer, and its bytes beside the name."""
    return [_table(plan, size) for size in (SIZES[:2] if plan.quick else SIZES)]


def _table(plan: Plan, players: int) -> Table:
    plan.say(f"answers: {players:,} players")
    shape, database = Shape(players, closed=3, open=True), MemoryDatabase("scoring")
    shelve(database, [recorded(story(shape), TOURNAMENT)])
    env = {"MUSTER_DATA": str(plan.places.folder), "MUSTER_RATE_LIMIT": "1000000/minute", "MUSTER_LOG_LEVEL": "error"}
    client = build_web(env, database).test_client()
    middle = json.loads(client.get(STANDINGS).data)["items"][players // 2]["player"]
    asked: Mapping[str, tuple[str, dict[str, str]]] = {
        "whole": (STANDINGS, {}),
        "whole, gzip": (STANDINGS, GZIP),
        "whole, CSV, gzip": (STANDINGS, {**GZIP, "Accept": "text/csv"}),
        "page of 50": (f"{STANDINGS}?limit=50", {}),
        "page of 50, gzip": (f"{STANDINGS}?limit=50", GZIP),
        "10 rows around somebody": (f"{STANDINGS}?around={middle}&limit=10", {}),
        "one row": (f"{STANDINGS}?around={middle}&limit=1", {}),
        "found by name": (f"{STANDINGS}?q=player%2077&limit=50", {}),
        "recorded after round 3, page of 50": (f"{STANDINGS}?round=3&limit=50", {}),
        "overlay of a stream": (f"/tournaments/{TOURNAMENT}/overlay", {}),
    }
    sizes = {name: len(client.get(address, headers=headers).data) for name, (address, headers) in asked.items()}
    seconds: dict[str, list[float]] = {name: [] for name in asked}
    probe = plan.probe()
    for name in in_turns(list(asked), plan.size(15, 3), probe):
        seconds[name].append(_asked(client, *asked[name]))
    rows = [row_of(f"{name} ({sizes[name]:,} bytes)", "ms", found) for name, found in seconds.items()]
    rows += _after_results(plan, client, database, shape)
    notes = ["In one process, without a server and its sockets; the state is in memory, as it is between two requests."]
    return Table(f"Standings of {players:,} players", rows, notes=notes, disk=probe.seen())


def _after_results(plan: Plan, client: FlaskClient, database: Database, shape: Shape) -> list[Row]:
    """After each new result, of games all over the field: the first page, for which it is folded and standings are kept
    up; then what changed since the result before, whole and in gzip."""
    pages, changes, bytes_plain, bytes_gzip = [], [], [], []
    facts, seats = facts_of_round(shape, 4), seats_of(shape, 4)
    version = json.loads(client.get(f"{STANDINGS}?limit=1").data)["version"]
    for number in range(0, len(seats), max(1, len(seats) // plan.size(10, 3))):
        with database.reading() as connection:
            head = head_of(connection, "scoring", TOURNAMENT)
        told = ResultRuled(round=4, game=seats[number].game, facts=facts[number], level="referee", reason="both heard")
        stamp = Stamp("referee", f"c{number}", "2026-03-07T15:00:00.000Z", {})
        accept(database, chained("scoring", TOURNAMENT, head, entries_of([told]), stamp))
        pages.append(_asked(client, f"{STANDINGS}?limit=50", {}))
        since = f"{STANDINGS}?since={version}"
        changes.append(_asked(client, since, {}))
        change = client.get(since)
        version = json.loads(change.data)["version"]
        bytes_plain.append(len(change.data))
        bytes_gzip.append(len(client.get(since, headers=GZIP).data))
    sizes = f"{sorted(bytes_plain)[len(changes) // 2]:,} bytes, {sorted(bytes_gzip)[len(changes) // 2]:,} in gzip"
    return [
        row_of("page of 50 after a new result", "ms", pages),
        row_of(f"what one result changed ({sizes})", "ms", changes),
    ]


def _asked(client: FlaskClient, address: str, headers: dict[str, str]) -> float:
    gc.collect()
    started = perf_counter()
    answer = client.get(address, headers=headers)
    ended = perf_counter()
    assert answer.status_code == 200, answer.data[:200]
    return (ended - started) * 1000
