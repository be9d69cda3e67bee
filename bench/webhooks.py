"""Events to receivers of webhooks: how many a second of a backlog, and how long after the append one arrives."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
from flask.testing import FlaskClient

from bench.figures import quantile
from bench.findings import Table, goal_of
from bench.plan import LABELS, Plan
from bench.receivers import Arrival
from bench.samples import Row, row_of
from bench.shelf import recorded, shelve
from bench.story import Shape, story
from services.scoring.app import build_web
from shared.application.deciding import entries_of
from shared.eventlog.append import Stamp, chained
from shared.eventlog.database import Database
from shared.eventlog.engines import open_database
from shared.eventlog.migrate import upgrade_database
from shared.eventlog.read import head_of
from shared.eventlog.replicate import accept
from shared.roles import OPERATOR
from shared.tournament.events.registration import VenueOpened
from tests.issuing import token_of

RECEIVERS = 20
TOURNAMENTS = 10
PACED_SECONDS = 0.05
"""Between two events of which the delay is measured."""
LONGEST = 900.0
NOWHERE = "http://127.0.0.1:9"
WEBHOOKS = "/tournaments/installation/webhooks"


def run(plan: Plan) -> list[Table]:
    """A table for each engine."""
    return [_table(plan, engine) for engine in plan.engines]


def _table(plan: Plan, engine: str) -> Table:
    events = plan.size(10_000, 400)
    folder = plan.places.folder / f"webhooks-{engine}"
    folder.mkdir()
    env = {
        "MUSTER_DATA": str(folder),
        "MUSTER_LOG_LEVEL": "error",
        "MUSTER_RATE_LIMIT": "1000000/minute",
        "MUSTER_WEBHOOK_NETWORKS": "127.0.0.0/8",
        "MUSTER_WEBHOOK_HTTP": "yes",
        "SCORING_DATABASE_URL": plan.places.database(engine),
        **{f"{name}_URL": NOWHERE for name in ("REGISTRATION", "PAIRING", "SCORING")},
    }
    database = open_database(env["SCORING_DATABASE_URL"])
    upgrade_database(database, "scoring")
    probe = plan.probe()
    try:
        client = build_web(env, database).test_client()
        names = [f"t-{number}" for number in range(TOURNAMENTS)]
        shelve(database, [recorded(story(Shape(8, closed=1, open=False)), name) for name in names])
        probe.take()
        with _receivers() as ports:
            _subscribe(client, env, ports)
            plan.say(f"webhooks: {events:,} events to {RECEIVERS} receivers, {LABELS[engine]}")
            _open_venues(database, names, events)
            with _deliverer(env):
                rate = _rate(ports, events)
                plan.say(f"webhooks: delays, {LABELS[engine]}")
                delays = _delays(database, names, ports, plan.size(200, 40))
        probe.take()
    finally:
        database.close()
    rows: list[Row] = [
        row_of("messages, a backlog", "a second", [rate * RECEIVERS]),
        row_of("events, each to every receiver", "a second", [rate]),
        row_of("from the append to a receiver", "ms", delays, tail=True),
    ]
    goals = [goal_of("99th percentile of the delay", quantile(delays, 0.99), 2000.0, "ms", at_least=False)]
    notes = [f"{RECEIVERS} webhooks of the installation, {TOURNAMENTS} tournaments, over HTTP on this machine."]
    return Table(f"Webhooks, {LABELS[engine]}", rows, goals, notes=notes, disk=probe.seen())


@contextmanager
def _receivers() -> Iterator[list[int]]:
    command = [sys.executable, "-m", "bench.receivers", str(RECEIVERS)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield [int(port) for port in process.stdout.readline().split()]
        finally:
            process.kill()


@contextmanager
def _deliverer(env: dict[str, str]) -> Iterator[None]:
    command = [sys.executable, "-m", "services.scoring.worker", "webhooks"]
    with subprocess.Popen(command, env={**os.environ, **env}, cwd=Path(__file__).parents[1]) as process:
        try:
            yield
        finally:
            process.terminate()


def _subscribe(client: FlaskClient, env: dict[str, str], ports: list[int]) -> None:
    headers = {"Authorization": f"Bearer {token_of(env, OPERATOR, iat=int(time.time()))}"}
    for port in ports:
        body = {"name": f"Receiver {port}", "url": f"http://127.0.0.1:{port}/", "filter": {"types": ["VenueOpened"]}}
        answer = client.post(WEBHOOKS, json=body, headers=headers)
        assert answer.status_code == 201, answer.data


def _open_venues(database: Database, names: list[str], number: int) -> list[str]:
    """That many events, over all tournaments in turn; returns their ids."""
    found = []
    for index, name in enumerate(names):
        with database.reading() as connection:
            head = head_of(connection, "registration", name)
        share = number // len(names) + (index < number % len(names))
        venues = [VenueOpened(venue=f"v{head.position}-{count}", name=f"Hall {count}") for count in range(share)]
        stamp = Stamp("organiser", f"c{head.position}", "2026-03-07T15:00:00.000Z", {})
        told = list(chained("registration", name, head, entries_of(venues), stamp))
        if told:
            accept(database, told)
        found += [event.id for event in told]
    return found


def _arrivals(ports: list[int]) -> list[Arrival]:
    answer = httpx.get(f"http://127.0.0.1:{ports[0]}/arrivals", timeout=30)
    return [(port, id, at) for port, id, at in answer.json() if ".verification." not in id]


def _rate(ports: list[int], events: int) -> float:
    """Events a second, from the first message to the last."""
    came: list[Arrival] = []
    deadline = time.monotonic() + LONGEST
    while len({arrival[:2] for arrival in came}) < events * len(ports):
        assert time.monotonic() < deadline, f"{len(came)} messages came"
        time.sleep(0.2)
        came += _arrivals(ports)
    times = [at for *_, at in came]
    return events / max(0.001, max(times) - min(times))


def _delays(database: Database, names: list[str], ports: list[int], number: int) -> list[float]:
    """Milliseconds from the append of events that come one by one to each receiver."""
    appended: dict[str, float] = {}
    for index in range(number):
        (id,) = _open_venues(database, [names[index % len(names)]], 1)
        appended[id] = time.time()
        time.sleep(PACED_SECONDS)
    came: list[Arrival] = []
    deadline = time.monotonic() + 60
    while len({arrival[:2] for arrival in came}) < number * len(ports):
        assert time.monotonic() < deadline, f"{len(came)} messages came"
        time.sleep(0.2)
        came += _arrivals(ports)
    return [(at - appended[id]) * 1000 for _, id, at in came]
