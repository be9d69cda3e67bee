"""Replication: from a result's answer to its verified copy in pairing's database, and backlogs worked off."""

from __future__ import annotations

import time
from contextlib import ExitStack
from http.client import HTTPConnection
from random import Random
from time import monotonic

from sqlalchemy import text

from bench import backlog
from bench.engines import BROKER_URL
from bench.findings import Table, goal_of
from bench.floor import Floor
from bench.load import Request, ask_once
from bench.plan import Plan
from bench.samples import in_turns, row_of
from bench.servers import tickets_of
from bench.shelf import shelve
from bench.story import Shape
from deploy.stack import Stack
from shared.eventlog.engines import open_database
from shared.eventlog.migrate import upgrade_database
from shared.settings import SERVICES, load
from shared.web.versions import parse_seen

EMBEDDED = "embedded: SQLite, a folder"
SERVERS = "servers: PostgreSQL, RabbitMQ quorum queues"
GOALS_MS = {EMBEDDED: 300.0, SERVERS: 100.0}
"""Goals: the 99th percentile from the answer to the copy."""
LOOK_SECONDS = 0.001
"""Between two looks into pairing's database."""
GIVE_UP_SECONDS = 30.0
PLAYERS = 200
AT_ONCE = 20
"""Results of one turn."""

_HEAD = text("SELECT position FROM heads WHERE source = 'scoring' AND tournament = :tournament")


def run(plan: Plan) -> list[Table]:
    """Single results through whole stacks, then backlogs through relay and consumer."""
    return [_copies(plan), *backlog.run(plan)]


class _Trial:
    """A whole stack with a tournament in play, and a look into pairing's database."""

    def __init__(self, plan: Plan, name: str, env: dict[str, str], tournaments: int) -> None:
        self.name = name
        self.answered_ms: list[float] = []
        self.copied_ms: list[float] = []
        self.stack = Stack(plan.places.empty_folder("stack"), env=env)
        databases = {service: open_database(load(service, self.stack.env).database_url) for service in SERVICES}
        for service, database in databases.items():
            upgrade_database(database, service)
        shape = Shape(PLAYERS, 1, open=True)
        floor = Floor(databases["scoring"], tickets_of(self.stack.env), shape, tournaments)
        for service in ("registration", "pairing"):
            shelve(databases[service], floor.logs)
        self._copies = databases["pairing"]
        self._asks = floor.reports()
        self._random = Random(7)

    def turn(self) -> None:
        """Post some results, one after the other, each once the last is copied and a moment has passed."""
        port = self.stack.settings("scoring").port
        posts = HTTPConnection("127.0.0.1", port)
        for ask in self._asks[:AT_ONCE]:
            self._post(posts, ask)
            time.sleep(self._random.uniform(0.0, 0.05))  # out of step with whatever looks at the clock
        del self._asks[:AT_ONCE]
        posts.close()

    def _post(self, posts: HTTPConnection, ask: Request) -> None:
        started = monotonic()
        headers, _ = ask_once(posts, ask)
        answered = monotonic()
        wanted = parse_seen(headers["Muster-Seen"])["scoring"]
        tournament = {"tournament": ask.path.split("/")[2]}
        with self._copies.reading() as connection:
            while int(connection.execute(_HEAD, tournament).scalar_one()) < wanted:
                if monotonic() - answered > GIVE_UP_SECONDS:
                    raise RuntimeError(f"{self.name}: a result was not copied\n{self.stack.output()}")
                time.sleep(LOOK_SECONDS)
        self.copied_ms.append((monotonic() - answered) * 1000)
        self.answered_ms.append((answered - started) * 1000)


def _copies(plan: Plan) -> Table:
    turns = plan.size(15, 2)
    tournaments = -(-(turns + 1) * AT_ONCE * 2 // PLAYERS)
    with ExitStack() as opened:
        plan.say("replication: starting whole stacks")
        trials = [_Trial(plan, EMBEDDED, {}, tournaments)]
        if plan.rabbitmq and "postgresql" in plan.engines:
            trials.append(_Trial(plan, SERVERS, _servers(plan), tournaments))
        for trial in trials:
            opened.enter_context(trial.stack)
            trial.turn()
            trial.answered_ms, trial.copied_ms = [], []
        plan.say("replication: single results")
        probe = plan.probe()
        for trial in in_turns(trials, turns, probe):
            trial.turn()
    rows = [row_of(f"{trial.name}: answer to copy", "ms", trial.copied_ms, tail=True) for trial in trials]
    rows += [row_of(f"{trial.name}: POST to answer", "ms", trial.answered_ms, tail=True) for trial in trials]
    goals = [
        goal_of(f"{trial.name}: p99 from answer to copy", row.p99 or 0.0, GOALS_MS[trial.name], "ms", at_least=False)
        for trial, row in zip(trials, rows, strict=False)
    ]
    notes = [f"Whole stacks side by side on this machine, one result at a time, looked for every {LOOK_SECONDS:g} s."]
    return Table("From a result's answer to its copy in pairing", rows, goals, notes, probe.seen())


def _servers(plan: Plan) -> dict[str, str]:
    databases = {f"{service.upper()}_DATABASE_URL": plan.places.database("postgresql") for service in SERVICES}
    return {**databases, "BROKER_URL": BROKER_URL, "MUSTER_EXCHANGE": plan.places.exchange()}
