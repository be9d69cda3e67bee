"""Put a story into databases: hashed and chained as services would have done it, thousands of events a transaction."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from uuid import UUID

from bench.story import Appended
from shared.application.deciding import entries_of
from shared.eventlog.append import Stamp, chained
from shared.eventlog.database import Database
from shared.eventlog.replicate import Outcome, accept_all
from shared.events.recorded import EMPTY, Head, Recorded

START = datetime(2026, 3, 7, 9, 0, tzinfo=UTC)
STEP = timedelta(milliseconds=250)
RUN = 1000
"""Events of one run of copies."""

Logs = dict[str, list[Recorded]]
"""Source -> its log of one tournament."""


def recorded(told: Iterable[Appended], tournament: str) -> Logs:
    """The logs that a story becomes. Times and command ids are made up and always the same."""
    logs: Logs = {"registration": [], "pairing": [], "scoring": []}
    for number, (source, actor, events) in enumerate(told):
        seen = {other: len(log) for other, log in logs.items() if other != source}
        time = (START + STEP * number).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        stamp = Stamp(actor, f"{UUID(int=number)}~0123456789abcdef", time, seen)
        log = logs[source]
        head = Head(log[-1].position, log[-1].hash) if log else EMPTY
        log += chained(source, tournament, head, entries_of(events), stamp)
    return logs


def shelve(database: Database, logs: Iterable[Logs]) -> None:
    """Write whole logs as they are, without outbox rows: nothing of them is on its way anywhere."""
    runs: list[Sequence[Recorded]] = []
    for each in logs:
        for log in each.values():
            runs += [log[start : start + RUN] for start in range(0, len(log), RUN)]
    for start in range(0, len(runs), 20):
        verdicts = accept_all(database, runs[start : start + 20])
        assert all(verdict is Outcome.ACCEPTED for verdict in verdicts), verdicts
