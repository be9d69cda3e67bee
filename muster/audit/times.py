"""The times of events: none before what had been seen by then, none in the future.

Order is the position, never the time, and a clock that was set back a little is no fault
(docs/decisions/0014-faults-with-the-tools-of-the-system.md). What no clock can have said is one.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta

from muster.audit.findings import Findings
from muster.audit.replay import DecodedEvent, Logs

CLOCK_ERROR = timedelta(hours=2)
"""By how much the clocks of two services, or of one before and after it was set, may differ."""

FORM = "a time in UTC as 2026-03-07T18:30:00.000Z"

Latest = tuple[list[int], list[tuple[datetime, DecodedEvent]]]
"""Of a log: positions in order, and beside each the event up to there with the latest time."""


def audit_times(logs: Logs, findings: Findings, now: str | None = None) -> None:
    """Compare each time with those of the events before it and of those that had been seen, and with now.

    now: of the clock at hand, as events have it; None where there is none to compare with.
    """
    end = datetime.fromisoformat(now) + CLOCK_ERROR if now else datetime.max.replace(tzinfo=UTC)
    timed = {source: list(_timed(log, end, now or "", findings)) for source, log in logs.items()}
    latest = {source: _latest(log) for source, log in timed.items()}
    for source, log in timed.items():
        told: dict[str, list[tuple[DecodedEvent, DecodedEvent]]] = {}
        for time, heard in log:
            if found := _later_one(source, time, heard, latest):
                told.setdefault(found.id, []).append((heard, found))
        for (first, other), *more in told.values():
            rest = f", and {len(more)} more events" if more else ""
            before = f"{first.time}{rest}: before {other.source} {other.position}, which was there by then"
            findings.fail("time", first, before, f"{other.time} or later, but for {_hours()}")


def _timed(
    log: Sequence[DecodedEvent], end: datetime, now: str, findings: Findings
) -> Iterator[tuple[datetime, DecodedEvent]]:
    """Events with their times; those that have none, or one from the future, are told of and left out."""
    ahead: list[DecodedEvent] = []
    for heard in log:
        time = moment(heard.time)
        if time is None:
            findings.fail("time", heard, f"time {heard.time}", FORM)
        elif time > end:
            ahead.append(heard)
        else:
            yield time, heard
    if ahead:
        rest = f", and {len(ahead) - 1} more events" if len(ahead) > 1 else ""
        found = f"{ahead[0].time}{rest}: in the future"
        findings.fail("time", ahead[0], found, f"{now}, which is now, or earlier, but for {_hours()}")


def moment(time: str) -> datetime | None:
    """A time as events have it; None for anything else."""
    try:
        found = datetime.fromisoformat(time)
    except ValueError:
        return None
    return found if len(time) == len("2026-03-07T18:30:00.000Z") and found.tzinfo == UTC else None


def _latest(log: Sequence[tuple[datetime, DecodedEvent]]) -> Latest:
    positions: list[int] = []
    latest: list[tuple[datetime, DecodedEvent]] = []
    for time, heard in sorted(log, key=lambda timed: timed[1].position):
        positions.append(heard.position)
        latest.append(latest[-1] if latest and latest[-1][0] >= time else (time, heard))
    return positions, latest


def _later_one(source: str, time: datetime, heard: DecodedEvent, latest: Mapping[str, Latest]) -> DecodedEvent | None:
    """An event that was there before this one, and is later by more than the clocks may differ."""
    for other, upto in {source: heard.position - 1, **{o: p for o, p in heard.known.items() if o != source}}.items():
        positions, newest = latest.get(other, ([], []))
        index = bisect_right(positions, upto) - 1
        if index >= 0 and time < newest[index][0] - CLOCK_ERROR:
            return newest[index][1]
    return None


def _hours() -> str:
    return f"the {int(CLOCK_ERROR.total_seconds()) // 3600} hours by which clocks may differ"
