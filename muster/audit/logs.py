"""The audit of a tournament's logs: what every event says, who says it and when; all that was computed, computed again.

The chain itself (positions, links, hashes) is verified where bytes are read: `shared.eventlog.verify`. Order is the
position, never the time, and a clock that was set back a little is no fault
(docs/decisions/0014-faults-with-the-tools-of-the-system.md). What no clock can have said is one.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from types import MappingProxyType

import orjson

from muster.audit.campaign import audit_campaign
from muster.audit.coop import audit_sessions
from muster.audit.coop_rounds import audit_data, audit_seatings
from muster.audit.findings import Findings
from muster.audit.outcomes import audit_cuts, audit_improbable, audit_leaving, audit_rosters, audit_winners
from muster.audit.pairings import audit_pairings
from muster.audit.replay import CannotFold, DecodedEvent, Logs, format_of, hear, rounds_closed
from muster.audit.season import audit_identities, audit_season_results
from muster.audit.standings import audit_standings
from shared.events.recorded import Recorded
from shared.formats.catalogue import CATALOGUE, UnknownEvent

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
    for other, upto in {source: heard.position - 1, **{o: p for o, p in heard.seen.items() if o != source}}.items():
        positions, newest = latest.get(other, ([], []))
        index = bisect_right(positions, upto) - 1
        if index >= 0 and time < newest[index][0] - CLOCK_ERROR:
            return newest[index][1]
    return None


def _hours() -> str:
    return f"the {int(CLOCK_ERROR.total_seconds()) // 3600} hours by which clocks may differ"


AUDITS: Mapping[str, Sequence[Callable[[Logs, Findings], None]]] = MappingProxyType(
    {
        "swiss": (
            audit_rosters,
            audit_standings,
            audit_pairings,
            audit_leaving,
            audit_cuts,
            audit_winners,
            audit_improbable,
        ),
        "campaign": (audit_campaign, audit_improbable),
        "coop": (audit_data, audit_seatings, audit_sessions),
        "season": (audit_identities, audit_season_results),
    }
)
"""Format -> what replays a log as its owner saw the others, and compares what it states with what follows."""


def audit(logs: Mapping[str, Sequence[Recorded]], findings: Findings, now: str | None = None) -> None:
    """Audit the logs of one tournament, as complete as they are given; what does not hold is added to `findings`.

    now: the time at hand, after which no event can be; None where there is none.
    """
    heard = {source: heard_log(log, findings) for source, log in logs.items()}
    ends = {source: max(event.position for event in log) for source, log in logs.items() if log}
    for source, log in heard.items():
        audit_seen(source, log, ends, findings)
    audit_times(heard, findings, now)
    findings.counts["rounds"] = len(rounds_closed(heard))
    findings.counts["unread"] = sum(map(len, logs.values())) - sum(map(len, heard.values()))
    findings.counts["missing"] = sum(ends[source] - len({event.position for event in logs[source]}) for source in ends)
    # What an unread or a lost event changed is not known, so nothing can follow from it.
    if not (findings.counts["unread"] or findings.counts["missing"]):
        for audit_part in AUDITS.get(format_of(heard), ()):
            try:
                audit_part(heard, findings)
            except CannotFold as stopped:
                said = "something possible; nothing behind it was recomputed"
                findings.fail("fold", stopped.event, str(stopped), said)


def heard_log(log: Sequence[Recorded], findings: Findings) -> list[DecodedEvent]:
    """The events of one log, read: of a known type and version, from its owner, in canonical form, with all members.

    An event that cannot be read is left out.
    """
    read = []
    for recorded in log:
        kind = CATALOGUE.get(recorded.type)
        if kind is not None and recorded.source not in kind.owners:
            findings.fail(
                "owner", recorded, f"{recorded.type} from {recorded.source}", "only from " + " or ".join(kind.owners)
            )
            continue
        try:
            read.append(hear(recorded))
        except UnknownEvent as error:
            findings.fail("schema", recorded, str(error), "a type and version that this release knows")
            continue
        except Exception as error:  # msgspec's, or what upcasting runs into when the old form is not kept either
            findings.fail("schema", recorded, f"{recorded.type}: {error}", f"version {recorded.version} of its schema")
            continue
        if not (_is_canonical(recorded.data) and _is_canonical(recorded.seen)):
            findings.fail("schema", recorded, "data or seen in another form", "canonical JSON (RFC 8785)")
    return read


def audit_seen(source: str, log: Sequence[DecodedEvent], ends: Mapping[str, int], findings: Findings) -> None:
    """What each appender had seen: never more of another log than there is, never less than before."""
    before: Mapping[str, int] = {}
    beyond: dict[str, list[DecodedEvent]] = {}
    for heard in log:
        for other, position in heard.seen.items():
            if other == source or position < 0:
                findings.fail("seen", heard, f"seen {other} {position}", "positions of the other logs, from 0")
            elif position > ends.get(other, 0):
                beyond.setdefault(other, []).append(heard)
        for other, position in before.items():
            if heard.seen.get(other, 0) < position:
                findings.fail("seen", heard, f"seen {other} {heard.seen.get(other, 0)}", f"{position} or more")
        before = heard.seen
    for other, events in beyond.items():
        first = events[0]
        more = f", and {len(events) - 1} more events" if len(events) > 1 else ""
        end = f"{ends[other]} at most, where that log ends here" if other in ends else "that log, which is not here"
        findings.fail("seen", first, f"seen {other} {first.seen[other]}{more}", end)


def _is_canonical(text: str) -> bool:
    """Whether a JSON text is its own canonical form; that it is JSON is known by now."""
    try:
        return orjson.dumps(orjson.loads(text), option=orjson.OPT_SORT_KEYS) == text.encode()
    except (ValueError, TypeError):
        return False
