"""The audit of a tournament's logs: schema, times, authors, opened rosters, and every command decided again."""

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
from muster.audit.replay import CannotFold, DecodedEvent, Logs, fold_logs, states_before_events
from shared.campaign.format import dice_statuses
from shared.formats.fold import CATALOGUE, UnknownEvent, read_event
from shared.log.event import Event, NotAnActor, Recorded, is_canonical, parse_seen, read_actor
from shared.refusals import either, expects
from shared.swiss.games import ruleset_of
from shared.swiss.roster import check_paper_roster, check_roster
from shared.swiss.ruleset import Ruleset
from shared.tournament.registration import RostersOpened, RosterSubmitted
from shared.tournament.state import SOURCES, Tournament

CLOCK_ERROR = timedelta(hours=2)
"""The accepted difference between the clocks of two services, or of one clock before and after it was set."""

HOURS = CLOCK_ERROR // timedelta(hours=1)


def audit_times(logs: Logs, findings: Findings, now: str | None = None) -> None:
    """Check that no event is earlier than an event that its service had seen, or later than now.

    now: the current time in the form of events; None: do not compare with it.
    """
    timed: dict[str, list[DecodedEvent]] = {source: [] for source in logs}
    for decoded in (decoded for log in logs.values() for decoded in log):
        if not is_time(decoded.time):
            findings.fail("time", decoded, f"time {decoded.time}", expects("utc-time"))
        elif now and is_clearly_earlier(now, decoded.time):
            expected = expects("now-or-earlier", now=now, hours=HOURS)
            findings.fail("time", decoded, f"{decoded.time}: in the future", expected, "in the future")
        else:
            timed[decoded.source].append(decoded)
    latest = {source: list(accumulate(log, partial(max, key=attrgetter("time")))) for source, log in timed.items()}
    for decoded in (decoded for log in timed.values() for decoded in log):
        for source, upto in decoded.before.items():
            index = bisect_right(timed.get(source, ()), upto, key=attrgetter("position"))
            if index and is_clearly_earlier(decoded.time, (other := latest[source][index - 1]).time):
                found = f"{decoded.time}: before {source} {other.position}, which was there by then"
                findings.fail("time", decoded, found, expects("time-or-later", time=other.time, hours=HOURS), other.id)
                break


def is_time(text: str) -> bool:
    """Return True if a text is a time in the format that events use."""
    try:
        return datetime.fromisoformat(text).isoformat(timespec="milliseconds") == text.removesuffix("Z") + "+00:00"
    except ValueError:
        return False


def is_clearly_earlier(one: str, other: str) -> bool:
    """Return True if a time is earlier than another by more than CLOCK_ERROR; False if either is not a time."""
    if not (one < other and is_time(one) and is_time(other)):
        return False
    return datetime.fromisoformat(other) - datetime.fromisoformat(one) > CLOCK_ERROR


class _Roster(Struct):
    """A roster with sealed fields. sealed: the fields that are not open yet.

    ruleset, first_day: ruleset and first day of the tournament when the roster was submitted. on_paper: True if staff
    saw it on paper, so that only what was entered can be checked.
    """

    event: DecodedEvent
    roster: dict[str, Any]
    sealed: set[str]
    ruleset: Ruleset
    first_day: date | None
    on_paper: bool


def audit_opened_rosters(logs: Logs, findings: Findings) -> None:
    """Check every roster whose sealed fields were all opened. Raises CannotFold."""
    known: dict[str, _Roster] = {}
    for decoded, state in states_before_events(logs, "registration"):
        match decoded.event:
            case RosterSubmitted() as submitted:
                known.pop(submitted.player, None)
                if submitted.sealed:
                    known[submitted.player] = _roster(decoded, submitted, state)
            case RostersOpened() as event:
                for opened in event.rosters:
                    if one := known.get(opened.player):
                        one.roster |= opened.roster
                        one.sealed -= opened.salts.keys()
                        if not one.sealed:
                            _check(one, findings)


def _roster(decoded: DecodedEvent, submitted: RosterSubmitted, state: Tournament) -> _Roster:
    starts_on = state.entries.starts_on
    first_day = date.fromisoformat(starts_on) if starts_on else None
    ruleset = ruleset_of(state.entries)
    on_paper = bool(submitted.on_paper)
    return _Roster(decoded, dict(submitted.roster), set(submitted.sealed), ruleset, first_day, on_paper)


def _check(one: _Roster, findings: Findings) -> None:
    if one.on_paper:
        faults = check_paper_roster(one.ruleset, one.roster)
    else:
        faults = check_roster(one.ruleset, one.roster, one.first_day)
    for fault in faults:
        expected = expects("roster-by-clause", right=fault.expected, clause=fault.clause)
        findings.fail("roster", one.event, f"a roster with {fault.where}: {fault.said}", expected)


def audit(
    logs: Mapping[str, Sequence[Recorded]],
    findings: Findings,
    now: str | None = None,
    progress: Progress = lambda events: None,
) -> Logs:
    """Audit the logs of one tournament, which may be incomplete; report failures to `findings`.

    Returns the decoded logs. now: the current time, after which no event can be; None: do not compare with it.
    """
    decoded = {source: decode_log(log, findings) for source, log in logs.items()}
    hashes = {source: {event.position: event.hash for event in log} for source, log in logs.items() if log}
    ends = {source: max(known) for source, known in hashes.items()}
    for source, log in decoded.items():
        _audit_seen(source, log, ends, findings)
        audit_draws(log, findings)
    audit_times(decoded, findings, now)
    findings.counts["unread"] = sum(map(len, logs.values())) - sum(map(len, decoded.values()))
    findings.counts["missing"] = sum(end - len(hashes[source]) for source, end in ends.items())
    # The effect of an unreadable or missing event is unknown, so nothing after it can be decided.
    if findings.counts["unread"] or findings.counts["missing"]:
        return decoded
    for source in SOURCES:
        try:
            audit_decisions(decoded, source, hashes, findings, progress)
        except CannotFold as stopped:
            expected = expects("possible-event-of-log", source=source)
            findings.fail("fold", stopped.event, str(stopped), expected)
    if not any(failure.code == "fold" for failure in findings.failures):
        audit_due_rules(decoded, findings)
        audit_opened_rosters(decoded, findings)
        state = fold_logs(decoded)
        if state.entries.format == "campaign":
            findings.counts.update(dice_statuses(state))
    return decoded


def decode_log(log: Sequence[Recorded], findings: Findings) -> list[DecodedEvent]:
    """Return the decoded events of one log: of a known type and version, from the owner of the type, in canonical form.

    Other events are reported to `findings` and left out.
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
        except Exception as error:  # of msgspec, or of an upcaster that meets data in no known form
            expected = expects("version-of-schema", version=recorded.version)
            findings.fail("schema", recorded, f"{recorded.type}: {error}", expected)
            continue
        if not (is_canonical(recorded.data) and is_canonical(recorded.seen) and is_canonical(recorded.command or "{}")):
            findings.fail("schema", recorded, "data, seen or command in another form", expects("canonical-json"))
    return read


def _audit_seen(source: str, log: Sequence[DecodedEvent], ends: Mapping[str, int], findings: Findings) -> None:
    """Check what each event had seen: never more of another log than there is, never less than before."""
    before: Mapping[str, int] = {}
    for decoded in log:
        for other in {**before, **decoded.known}:
            position, least = decoded.known.get(other, 0), before.get(other, 0)
            found = f"seen {other} {position}"
            if other == source or position < 0:
                findings.fail("seen", decoded, found, expects("positions-of-other-logs"))
            elif position < least:
                findings.fail("seen", decoded, found, expects("at-least", least=least))
            elif position > (end := ends.get(other, 0)):
                expected = expects("seen-up-to", most=end) if end else expects("log-at-hand")
                findings.fail("seen", decoded, found, expected, other)
        before = decoded.known


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
        known=parse_seen(recorded.seen),
    )
