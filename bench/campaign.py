"""A campaign of 200 groups over 20 rounds, folded from its stored events."""

from __future__ import annotations

import gc
from collections.abc import Callable
from functools import partial
from time import perf_counter

from bench.campaign_story import League
from bench.findings import Table, goal_of
from bench.plan import LABELS, Plan
from bench.samples import in_turns, row_of
from bench.shelf import Logs, recorded, shelve
from shared.application.repository import Repository
from shared.eventlog.engines import open_database
from shared.eventlog.migrate import upgrade_database
from shared.formats.campaign.league import as_rows, table_after
from shared.formats.campaign.state import CAMPAIGN
from shared.formats.fold import fold
from shared.tournament.state import Tournament

GROUPS, ROUNDS = 200, 20
GOAL_SECONDS = 3.0
TOURNAMENT = "t-measured"
SOURCES = ("registration", "pairing", "scoring")
FOLD = "fold"
"""From stored events to the state: their data decoded, every change applied."""


def run(plan: Plan) -> list[Table]:
    """Seconds from stored events to the state of the campaign: in memory, and read from each database."""
    groups, rounds = plan.size(GROUPS, 24), plan.size(ROUNDS, 3)
    plan.say(f"campaign: playing {groups} groups over {rounds} rounds")
    league = League(groups, rounds)
    logs = recorded(league.story(), TOURNAMENT)
    _check(logs, league)
    ways: dict[str, Callable[[], object]] = {FOLD: lambda: _folded(logs)}
    databases = []
    for engine in plan.engines:
        database = open_database(plan.places.database(engine))
        upgrade_database(database, "scoring")
        shelve(database, [logs])
        databases.append(database)
        ways[f"read from {LABELS[engine]} and {FOLD}"] = partial(Repository(database, SOURCES).cold, TOURNAMENT)
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    probe = plan.probe()
    for name in in_turns(list(ways), plan.size(5, 1), probe):
        gc.collect()
        started = perf_counter()
        ways[name]()
        seconds[name].append(perf_counter() - started)
    for database in databases:
        database.close()
    events = sum(map(len, logs.values()))
    size = sum(len(event.data) for log in logs.values() for event in log) / 1e6
    rows = [row_of(name, "s", found) for name, found in seconds.items()]
    goals = [] if plan.quick else [goal_of(FOLD, rows[0].median, GOAL_SECONDS, "s", at_least=False)]
    notes = [f"{events:,} events, {size:.0f} MB of data; every outcome of every step is one, and every roll."]
    return [Table(f"{groups} groups over {rounds} rounds", rows, goals, notes, probe.seen())]


def _folded(logs: Logs) -> Tournament:
    state = Tournament()
    for source in SOURCES:
        fold(state, logs[source])
    return state


def _check(logs: Logs, league: League) -> None:
    """What is folded is what was played: every group, and the last table."""
    state = _folded(logs)
    if CAMPAIGN.of(state).groups != league.groups or as_rows(table_after(state, league.rounds)) != as_rows(
        league.table()
    ):
        raise RuntimeError("the campaign that was folded is not the one that was played")
