"""The times of events: none before what had been seen by then, none in the future.

Order is the position, never the time, and a clock that was set back a little is no fault
(docs/decisions/0014-faults-with-the-tools-of-the-system.md). What no clock can have said is one.
"""

from __future__ import annotations

from bisect import bisect_right
from datetime import datetime, timedelta
from functools import partial
from itertools import accumulate
from operator import attrgetter

from muster.audit.findings import Findings
from muster.audit.replay import DecodedEvent, Logs
from shared.refusals import expects

CLOCK_ERROR = timedelta(hours=2)
"""By how much the clocks of two services, or of one before and after it was set, may differ."""

HOURS = CLOCK_ERROR // timedelta(hours=1)


def audit_times(logs: Logs, findings: Findings, now: str | None = None) -> None:
    """Compare each time with those of the events before it and of those that had been seen, and with now.

    now: of the clock at hand, as events have it; None where there is none to compare with.
    """
    timed: dict[str, list[DecodedEvent]] = {source: [] for source in logs}
    for heard in (heard for log in logs.values() for heard in log):
        if not is_time(heard.time):
            findings.fail("time", heard, f"time {heard.time}", expects("utc-time"))
        elif now and earlier(now, heard.time):
            expected = expects("now-or-earlier", now=now, hours=HOURS)
            findings.fail("time", heard, f"{heard.time}: in the future", expected, "in the future")
        else:
            timed[heard.source].append(heard)
    latest = {source: list(accumulate(log, partial(max, key=attrgetter("time")))) for source, log in timed.items()}
    for heard in (heard for log in timed.values() for heard in log):
        for source, upto in heard.before.items():
            index = bisect_right(timed.get(source, ()), upto, key=attrgetter("position"))
            if index and earlier(heard.time, (other := latest[source][index - 1]).time):
                found = f"{heard.time}: before {source} {other.position}, which was there by then"
                findings.fail("time", heard, found, expects("time-or-later", time=other.time, hours=HOURS), other.id)
                break


def is_time(text: str) -> bool:
    """Whether a text is a time as events have it."""
    try:
        return datetime.fromisoformat(text).isoformat(timespec="milliseconds") == text.removesuffix("Z") + "+00:00"
    except ValueError:
        return False


def earlier(one: str, other: str) -> bool:
    """Whether a time is before another one by every clock; what is no time is before nothing, nor behind it."""
    if not (one < other and is_time(one) and is_time(other)):
        return False
    return datetime.fromisoformat(other) - datetime.fromisoformat(one) > CLOCK_ERROR
