"""A large tournament over HTTP beside smaller ones, a cold start of each, and an installation of many tournaments."""

from __future__ import annotations

from collections.abc import Mapping

from bench import installation
from bench.cold import Cold, cold
from bench.crew import Crew
from bench.engines import BROKER_URL
from bench.evening import CLIENTS, READERS, ROUNDS, STEP, VENUES, Evening, Step
from bench.findings import Goal, Table, goal_of
from bench.hall import LOOK_SECONDS, Looks, audience, phones
from bench.large_check import checked
from bench.plan import Plan
from bench.samples import Row, row_of
from deploy.ports import free_ports
from deploy.stack import Stack
from shared.settings import SERVICES

PROCESSES = 2
"""That the clients are spread over, and the readers."""
COLD_SECONDS = 1.0
"""Goal: from a process that has imported everything to its first answer about the tournament."""
BEGUN_SECONDS = 2.0
"""Goal: from the start of such a process to its first answer."""
LINEAR = 1.5
"""Goal: how many times as long a step may take for a player, beside the smallest tournament."""
SMALLER = (100, 1_000)


def run(plan: Plan) -> list[Table]:
    """The sizes one after the other, each on a whole stack of its own; then the installation."""
    if not plan.rabbitmq or "postgresql" not in plan.engines:
        plan.say("large: left out, it needs PostgreSQL and RabbitMQ")
        return []
    most = plan.size(plan.players, min(plan.players, SMALLER[0]))
    taken = {players: _played(plan, players) for players in sorted({*SMALLER, most}) if players <= most}
    tables = [_table(players, one) for players, one in taken.items()]
    if len(taken) > 1:
        tables.append(linear({players: one.steps for players, one in taken.items()}))
    return [*tables, _cold_table({players: one.cold for players, one in taken.items()}), *installation.run(plan)]


class _Taken:
    """What one tournament took."""

    def __init__(self, evening: Evening, events: int, copied: float, cold: list[Cold]) -> None:
        self.steps: Mapping[str, Step] = evening.steps
        self.looks: Looks = evening.looks
        self.megabytes = evening.megabytes()
        self.games = len(evening.games)
        self.events = events
        self.copied = copied
        self.cold = cold


def _played(plan: Plan, players: int) -> _Taken:
    plan.say(f"large: {players:,} players")
    databases = {f"{name.upper()}_DATABASE_URL": plan.places.database("postgresql") for name in SERVICES}
    env = {
        **databases,
        "BROKER_URL": BROKER_URL,
        "MUSTER_EXCHANGE": plan.places.exchange(),
        "MUSTER_RATE_LIMIT": "off",
        "MUSTER_WEB_WORKERS": "2",
        "MUSTER_WEB_PORT_STEP": str(STEP),
    }
    folder = plan.places.empty_folder("large")
    with (
        Stack(folder, free_ports(4 * STEP), env) as stack,
        Crew(PROCESSES, phones) as clients,
        Crew(PROCESSES, audience) as readers,
    ):
        evening = Evening(stack, players, clients, readers)
        evening.play(plan.say)
        events, copied = checked(evening)
        started = [cold(stack.env, evening.director.path("/standings?limit=50")) for _ in range(plan.size(5, 1))]
        return _Taken(evening, events, copied, started)


def _table(players: int, taken: _Taken) -> Table:
    rows: list[Row] = []
    for name, step in taken.steps.items():
        rows.append(row_of(f"{name}: each time", "s", step.seconds))
        if step.ms:
            rows.append(row_of(f"{name}: rate", "/s", [step.things / sum(step.seconds)]))
            rows.append(row_of(f"{name}: a request", "ms", step.ms, tail=True))
    if taken.looks.ms:
        rows.append(row_of("a reader's look at standings meanwhile", "ms", taken.looks.ms, tail=True))
    rows.append(row_of("until the last copy had everything", "s", [taken.copied]))
    rows += [row_of(f"{name}: most memory of a process", "MB", found) for name, found in taken.megabytes.items()]
    notes = [
        f"{VENUES} venues (four players or more), {ROUNDS} rounds, {taken.games:,} games, {taken.events:,} events, "
        "none lost, none twice, the same in all three databases.",
        f"{CLIENTS} clients in a closed loop; {READERS} readers, each of whom looks every {LOOK_SECONDS:g} s on a new "
        "connection; commands of the tournament go to one web process of two, readers to both.",
    ]
    if taken.looks.faults:
        notes.append(f"{len(taken.looks.faults)} looks failed, the first: {taken.looks.faults[0]}")
    return Table(f"A tournament of {players:,} players on PostgreSQL and RabbitMQ", rows, notes=notes)


def linear(steps: Mapping[int, Mapping[str, Step]]) -> Table:
    """Seconds for a player, over those of the smallest tournament: 1 is linear."""
    smallest, *others = sorted(steps)
    rows: list[Row] = []
    goals: list[Goal] = []
    for name, first in steps[smallest].items():
        for players in others:
            step = steps[players][name]
            ratio = (sum(step.seconds) / players) / (sum(first.seconds) / smallest)
            rows.append(row_of(f"{name}: {players:,} players", "×", [ratio]))
        goals.append(goal_of(f"{name}, {others[-1]:,} players", ratio, LINEAR, "", at_least=False))
    notes = [f"Time of a step for each player, over that with {smallest:,} players. Less than 1: larger is cheaper."]
    return Table("How far from linear", rows, goals, notes)


def _cold_table(cold: Mapping[int, list[Cold]]) -> Table:
    rows: list[Row] = []
    for players, starts in cold.items():
        rows.append(row_of(f"{players:,} players: imports and wiring", "s", [one.imported for one in starts]))
        rows.append(row_of(f"{players:,} players: then the first answer", "s", [one.answered for one in starts]))
        rows.append(row_of(f"{players:,} players: both", "s", [one.imported + one.answered for one in starts]))
    last = max(cold)
    goals = [
        goal_of(f"{last:,} players: the first answer", rows[-2].median, COLD_SECONDS, "s", at_least=False),
        goal_of(f"{last:,} players: from nothing to it", rows[-1].median, BEGUN_SECONDS, "s", at_least=False),
    ]
    notes = [
        "A new process of scoring and its first page of standings; from the snapshot, once 2,000 events have left one."
    ]
    return Table("A cold start beside the tournament that was played", rows, goals, notes)
