"""The audit of a tournament's logs: each event, its time and author, opened rosters, and each command decided again."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from functools import partial
from itertools import accumulate
from operator import attrgetter
from typing import Any

from msgspec import Struct

from muster.audit.decisions import Progress, audit_decisions, audit_due_rules
from muster.audit.draws import audit_draws
from muster.audit.findings import Findings
from muster.audit.replay import CannotFold, DecodedEvent, Logs, as_seen, whole
from shared.campaign.format import dice_statuses
from shared.formats.fold import CATALOGUE, UnknownEvent, read_event
from shared.log.event import Event, NotAnActor, Recorded, is_canonical, read_actor, seen_of
from shared.refusals import either, expects
from shared.swiss.games import ruleset_of
from shared.swiss.roster import check_roster
from shared.swiss.ruleset import Ruleset
from shared.tournament.registration import RostersOpened, RosterSubmitted
from shared.tournament.state import SOURCES, Tournament

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


class _HandedIn(Struct):
    """A roster that registration took without showing it. sealed: the fields that are not open yet.

    ruleset, first_day: as they were when it was handed in.
    """

    event: DecodedEvent
    roster: dict[str, Any]
    sealed: set[str]
    ruleset: Ruleset
    first_day: date | None


def audit_opened_rosters(logs: Logs, findings: Findings) -> None:
    """Check every roster that is open as a whole. Raises CannotFold."""
    known: dict[str, _HandedIn] = {}
    for heard, state in as_seen(logs, "registration"):
        match heard.event:
            case RosterSubmitted() as submitted:
                known.pop(submitted.player, None)
                if submitted.sealed:
                    known[submitted.player] = _handed_in(heard, submitted, state)
            case RostersOpened() as event:
                for opened in event.rosters:
                    if one := known.get(opened.player):
                        one.roster |= opened.roster
                        one.sealed -= opened.salts.keys()
                        if not one.sealed:
                            _check(one, findings)


def _handed_in(heard: DecodedEvent, submitted: RosterSubmitted, state: Tournament) -> _HandedIn:
    starts_on = state.entries.starts_on
    first_day = date.fromisoformat(starts_on) if starts_on else None
    ruleset = ruleset_of(state.entries)
    return _HandedIn(heard, dict(submitted.roster), set(submitted.sealed), ruleset, first_day)


def _check(one: _HandedIn, findings: Findings) -> None:
    for fault in check_roster(one.ruleset, one.roster, one.first_day):
        expected = expects("roster-by-clause", right=fault.expected, clause=fault.clause)
        findings.fail("roster", one.event, f"a roster with {fault.where}: {fault.said}", expected)


def audit(
    logs: Mapping[str, Sequence[Recorded]],
    findings: Findings,
    now: str | None = None,
    progress: Progress = lambda events: None,
) -> Logs:
    """Audit the logs of one tournament, as complete as they are given; what does not hold is added to `findings`.

    Returns the logs as they were read. now: the time at hand, after which no event can be; None where there is none.
    """
    heard = {source: heard_log(log, findings) for source, log in logs.items()}
    hashes = {source: {event.position: event.hash for event in log} for source, log in logs.items() if log}
    ends = {source: max(known) for source, known in hashes.items()}
    for source, log in heard.items():
        _audit_seen(source, log, ends, findings)
        audit_draws(log, findings)
    audit_times(heard, findings, now)
    findings.counts["unread"] = sum(map(len, logs.values())) - sum(map(len, heard.values()))
    findings.counts["missing"] = sum(end - len(hashes[source]) for source, end in ends.items())
    # What an unread or a lost event changed is not known, so nothing can follow from it.
    if findings.counts["unread"] or findings.counts["missing"]:
        return heard
    for source in SOURCES:
        try:
            audit_decisions(heard, source, hashes, findings, progress)
        except CannotFold as stopped:
            expected = expects("possible-event-of-log", source=source)
            findings.fail("fold", stopped.event, str(stopped), expected)
    if not any(failure.code == "fold" for failure in findings.failures):
        audit_due_rules(heard, findings)
        audit_opened_rosters(heard, findings)
        state = whole(heard)
        if state.entries.format == "campaign":
            findings.counts.update(dice_statuses(state))
    return heard


def heard_log(log: Sequence[Recorded], findings: Findings) -> list[DecodedEvent]:
    """The events of one log, read: of a known type and version, from its owner, in canonical form, with all members.

    What cannot be read is left out.
    """
    read = []
    for recorded in log:
        kind = CATALOGUE.get(recorded.type)
        if kind is not None and recorded.source not in kind.owners:
            expected = expects("only-from", owners=either(list(kind.owners)))
            findings.fail("owner", recorded, f"{recorded.type} from {recorded.source}", expected)
            continue
        try:
            event = read_event(recorded.type, recorded.version, recorded.data)
            read_actor(recorded.actor)
            read.append(_decoded(recorded, event))
        except UnknownEvent as error:
            findings.fail("schema", recorded, str(error), expects("known-type-of-event"))
            continue
        except NotAnActor as error:
            findings.fail("schema", recorded, str(error), expects("actor-as-canonical-json"))
            continue
        except Exception as error:  # msgspec's, or what upcasting runs into when the old form is not kept either
            expected = expects("version-of-schema", version=recorded.version)
            findings.fail("schema", recorded, f"{recorded.type}: {error}", expected)
            continue
        if not (is_canonical(recorded.data) and is_canonical(recorded.seen) and is_canonical(recorded.command or "{}")):
            findings.fail("schema", recorded, "data, seen or command in another form", expects("canonical-json"))
    return read


def _audit_seen(source: str, log: Sequence[DecodedEvent], ends: Mapping[str, int], findings: Findings) -> None:
    """What each appender had seen: never more of another log than there is, never less than before."""
    before: Mapping[str, int] = {}
    for heard in log:
        for other in {**before, **heard.known}:
            position, least = heard.known.get(other, 0), before.get(other, 0)
            found = f"seen {other} {position}"
            if other == source or position < 0:
                findings.fail("seen", heard, found, expects("positions-of-other-logs"))
            elif position < least:
                findings.fail("seen", heard, found, expects("at-least", least=least))
            elif position > (end := ends.get(other, 0)):
                expected = expects("seen-up-to", most=end) if end else expects("log-at-hand")
                findings.fail("seen", heard, found, expected, other)
        before = heard.known


def _decoded(recorded: Recorded, event: Event) -> DecodedEvent:
    return DecodedEvent(
        source=recorded.source,
        tournament=recorded.tournament,
        position=recorded.position,
        id=recorded.id,
        type=recorded.type,
        version=recorded.version,
        time=recorded.time,
        actor=recorded.actor,
        command_id=recorded.command_id,
        seen=recorded.seen,
        prev_hash=recorded.prev_hash,
        hash=recorded.hash,
        data=recorded.data,
        command=recorded.command,
        event=event,
        known=seen_of(recorded.seen),
    )
