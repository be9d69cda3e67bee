"""The audit of a tournament's logs: what every event says, who says it and when; every command decided again.

The chain itself (positions, links, hashes) is verified where bytes are read: `shared.eventlog.verify`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from muster.audit.decisions import Progress, audit_decisions
from muster.audit.due_rules import audit_due_rules
from muster.audit.findings import Findings
from muster.audit.replay import CannotFold, DecodedEvent, Logs, hear, whole
from muster.audit.times import audit_times
from shared.events.canonical import is_canonical
from shared.events.recorded import Hidden, Recorded
from shared.formats import FORMATS
from shared.formats.catalogue import CATALOGUE, UnknownEvent
from shared.tournament.state import SOURCES


def audit(
    logs: Mapping[str, Sequence[Recorded]],
    findings: Findings,
    now: str | None = None,
    hidden: Sequence[Hidden] = (),
    progress: Progress = lambda events: None,
) -> Logs:
    """Audit the logs of one tournament, as complete as they are given; what does not hold is added to `findings`.

    Returns the logs as they were read.

    now: the time at hand, after which no event can be; None where there is none. hidden: events of these logs of which
    the envelope alone was shown.
    """
    heard = {source: heard_log(log, findings) for source, log in logs.items()}
    places = {source: {event.position for event in log} for source, log in logs.items()}
    for event in hidden:
        places.setdefault(event.source, set()).add(event.position)
    ends = {source: max(known) for source, known in places.items() if known}
    for source, log in heard.items():
        audit_seen(source, log, ends, findings)
    audit_times(heard, findings, now)
    findings.counts["hidden"] = len(hidden)
    findings.counts["unread"] = sum(map(len, logs.values())) - sum(map(len, heard.values()))
    findings.counts["missing"] = sum(end - len(places[source]) for source, end in ends.items())
    # What an unread or a lost event changed is not known, so nothing can follow from it.
    if findings.counts["unread"] or findings.counts["missing"]:
        return heard
    first_hidden = {source: min(one.position for one in hidden if one.source == source) for source in _sources(hidden)}
    folds = True
    for source in SOURCES:
        try:
            audit_decisions(heard, source, first_hidden, findings, progress)
        except CannotFold as stopped:
            said = f"something possible; nothing of {source} after it was decided again"
            findings.fail("fold", stopped.event, str(stopped), said)
            folds = False
    if folds and not hidden:
        audit_due_rules(heard, findings)
        state = whole(heard)
        format = FORMATS.get(state.entries.format)
        findings.counts.update(format.vouched(state) if format else ())
    return heard


def _sources(hidden: Sequence[Hidden]) -> set[str]:
    return {event.source for event in hidden}


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
        if not (is_canonical(recorded.data) and is_canonical(recorded.seen)):
            findings.fail("schema", recorded, "data or seen in another form", "canonical JSON (RFC 8785)")
    return read


def audit_seen(source: str, log: Sequence[DecodedEvent], ends: Mapping[str, int], findings: Findings) -> None:
    """What each appender had seen: never more of another log than there is, never less than before."""
    before: Mapping[str, int] = {}
    beyond: dict[str, list[DecodedEvent]] = {}
    for heard in log:
        for other, position in heard.known.items():
            if other == source or position < 0:
                findings.fail("seen", heard, f"seen {other} {position}", "positions of the other logs, from 0")
            elif position > ends.get(other, 0):
                beyond.setdefault(other, []).append(heard)
        for other, position in before.items():
            if heard.known.get(other, 0) < position:
                findings.fail("seen", heard, f"seen {other} {heard.known.get(other, 0)}", f"{position} or more")
        before = heard.known
    for other, events in beyond.items():
        first = events[0]
        more = f", and {len(events) - 1} more events" if len(events) > 1 else ""
        end = f"{ends[other]} at most, where that log ends here" if other in ends else "that log, which is not here"
        findings.fail("seen", first, f"seen {other} {first.known[other]}{more}", end)
