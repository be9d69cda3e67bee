"""What the logs of a measured tournament hold: everything that was acknowledged, each once, and the same everywhere."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable

import orjson

from bench.evening import Evening
from shared.eventlog.database import Database
from shared.eventlog.engines import open_database
from shared.eventlog.read import heads_of, log_page
from shared.events.recorded import Recorded
from shared.settings import SERVICES, load

PAGE = 5_000
LOOK_SECONDS = 0.1
GIVE_UP_SECONDS = 300.0


def checked(evening: Evening) -> tuple[int, float]:
    """How many events the three logs hold, and the seconds until the last copy had them all.

    Raises RuntimeError where something is missing, there twice, or not everywhere.
    """
    databases = {name: open_database(load(name, evening.stack.env).database_url) for name in SERVICES}
    tournament = evening.director.id
    seconds = _agreed(databases, tournament)
    own = {name: _log(database, name, tournament) for name, database in databases.items()}
    for database in databases.values():
        database.close()
    players = list(evening.director.players)
    each_once("PlayerJoined", own["registration"], "player", players)
    each_once("PlayerCheckedIn", own["registration"], "player", players)
    each_once("ResultReported", own["scoring"], "game", evening.games)
    each_once("ResultConfirmed", own["scoring"], "game", evening.games)
    each_once("RoundClosed", own["scoring"], "round", range(1, evening.closed + 1))
    return sum(map(len, own.values())), seconds


def _agreed(databases: dict[str, Database], tournament: str) -> float:
    """Wait until every service has read every log as far as its owner has written it."""
    started = time.monotonic()
    while True:
        heads = {}
        for name, database in databases.items():
            with database.reading() as connection:
                heads[name] = {source: head.hash for source, head in heads_of(connection, tournament).items()}
        first, *others = heads.values()
        if all(other == first for other in others):
            return time.monotonic() - started
        if time.monotonic() - started > GIVE_UP_SECONDS:
            raise RuntimeError(f"copies did not become the same: {heads}")
        time.sleep(LOOK_SECONDS)


def _log(database: Database, source: str, tournament: str) -> list[Recorded]:
    events: list[Recorded] = []
    with database.reading() as connection:
        while page := log_page(connection, source, tournament, len(events), PAGE):
            events += page
    return events


def each_once(type: str, log: Iterable[Recorded], member: str, expected: Iterable[object]) -> None:
    """Raise RuntimeError unless the events of a type name each of what is expected once, and nothing else."""
    counted = Counter(orjson.loads(event.data)[member] for event in log if event.type == type)
    wanted = Counter(expected)
    if counted != wanted:
        lost, more = wanted - counted, counted - wanted
        raise RuntimeError(f"{type}: {lost.total()} lost, {more.total()} more than once or unknown")
