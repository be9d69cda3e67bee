"""Append: events a second that are durable on return, one a transaction and a hundred a transaction."""

from __future__ import annotations

from time import perf_counter

from bench.crew import Crew
from bench.findings import Goal, Table, goal_of
from bench.peers import missing, sqlite_pragmas
from bench.plan import LABELS, Plan
from bench.recorders import RECORDERS, Recorder, prepare
from bench.samples import Row, in_turns, ratio_of, row_of

TIMES = {"sqlite": 1.0, "postgresql": 1.5}
"""Goals: how many times as many events as the `eventsourcing` library, one a transaction."""
TIMES_BATCHED = 1.0
"""Goal: the same, a hundred a transaction."""
BATCHED = {"sqlite": 15_000, "postgresql": 10_000}
"""Goals: events a second, a hundred a transaction."""
PEER = "eventsourcing"
BATCH = 100
WRITERS = 4

ALONE = {
    "sqlite": ("Muster", "Muster, with a key", "eventsourcing", "SQLAlchemy Core", "driver, head for update"),
    "postgresql": tuple(RECORDERS),
}
TOGETHER = ("Muster", "Muster, relay busy", "eventsourcing", "eventsourcing, database function")
"""Several writers at once. On SQLite one writes at a time whoever asks, so it is measured on PostgreSQL."""

FUNCTION = (
    "The library's database function takes no lock on the table, so that a reader of its notifications can pass an "
    "event that commits late; without it, as by default, the library locks the table and keeps the order."
)


def run(plan: Plan) -> list[Table]:
    """Every database, one writer and several."""
    tables = []
    for engine in plan.engines:
        why_not = missing(engine)
        names = [name for name in ALONE[engine] if not (why_not and name.startswith(PEER))]
        urls = {name: plan.places.database(engine) for name in names}
        for name, url in urls.items():
            prepare(name, url)
        recorders = {name: RECORDERS[name](url) for name, url in urls.items()}
        tables.append(_alone(plan, engine, recorders, 1))
        tables.append(_alone(plan, engine, recorders, BATCH))
        if engine == "sqlite":
            mode, synchronous = sqlite_pragmas(urls[PEER])
            tables[-2].notes.append(
                f"eventsourcing opens SQLite with journal_mode={mode}, synchronous={synchronous} (2 is FULL), as Muster"
            )
        else:
            tables.append(_together(plan, engine, {name: urls[name] for name in TOGETHER if name in urls}))
        if why_not:
            tables[-1].notes.append(why_not)
    return tables


def rate(recorder: Recorder, seconds: float, batch: int) -> float:
    """Events a second of one writer that appends for so many seconds."""
    done, started = 0, perf_counter()
    while (took := perf_counter() - started) < seconds:
        recorder.append(batch)
        done += batch
    return done / took


def _alone(plan: Plan, engine: str, recorders: dict[str, Recorder], batch: int) -> Table:
    what = "one event a transaction" if batch == 1 else f"{batch} events a transaction"
    plan.say(f"append: {LABELS[engine]}, one writer, {what}")
    seconds, rounds = plan.size(0.4, 0.2), plan.size(25, 3)
    values: dict[str, list[float]] = {name: [] for name in recorders}
    for recorder in recorders.values():
        rate(recorder, seconds / 2, batch)  # connections, statements, pages
    probe = plan.probe()
    for name in in_turns(list(recorders), rounds, probe):
        values[name].append(rate(recorders[name], seconds, batch))
    rows, goals = _judged(values, TIMES[engine] if batch == 1 else TIMES_BATCHED)
    if batch > 1:
        goals.append(goal_of(f"Muster, {what}", rows[0].median, BATCHED[engine], "events/s"))
    notes = [FUNCTION] if any(name.endswith("function") for name in values) else []
    return Table(f"{LABELS[engine]}: one writer, {what}", rows, goals, notes, probe.seen())


def _judged(values: dict[str, list[float]], times: float) -> tuple[list[Row], list[Goal]]:
    """A row for each recorder, and the comparison with the library. times: the goal of that."""
    rows = [row_of(name, "events/s", found) for name, found in values.items()]
    if PEER not in values:
        return rows, []
    ratio = ratio_of(f"Muster / {PEER}, round by round", values["Muster"], values[PEER])
    return [*rows, ratio], [goal_of(f"Muster / {PEER}", ratio.median, times, "")]


class _Writers:
    """What each process of several writers holds: a recorder for every name."""

    def __init__(self, urls: dict[str, str]) -> None:
        self._recorders = {name: RECORDERS[name](url) for name, url in urls.items()}
        for recorder in self._recorders.values():
            rate(recorder, 0.05, 1)

    def __call__(self, order: tuple[str, float]) -> float:
        name, seconds = order
        return rate(self._recorders[name], seconds, 1)


def _together(plan: Plan, engine: str, urls: dict[str, str]) -> Table:
    plan.say(f"append: {LABELS[engine]}, {WRITERS} writers")
    seconds, rounds = plan.size(0.4, 0.3), plan.size(15, 3)
    values: dict[str, list[float]] = {name: [] for name in urls}
    probe = plan.probe()
    with Crew(WRITERS, _Writers, urls) as crew:
        for name in in_turns(list(urls), rounds, probe):
            values[name].append(sum(crew.do(*[(name, seconds)] * len(crew))))
    rows, goals = _judged(values, TIMES[engine])
    title = f"{LABELS[engine]}: {WRITERS} writers, each with a tournament of its own, one event a transaction"
    return Table(title, rows, goals, ["The writers share this machine's cores with the database."], probe.seen())
