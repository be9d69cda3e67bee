"""The audit of a tournament's logs: what every event says, who says it and when; every command decided again.

The chain itself (positions, links, hashes) is verified where bytes are read: `shared.eventlog.verify`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from muster.audit.decisions import Progress, audit_decisions, audit_due_rules
from muster.audit.draws import audit_draws
from muster.audit.findings import Findings
from muster.audit.replay import CannotFold, DecodedEvent, Logs, whole
from muster.audit.rosters import audit_opened_rosters
from muster.audit.times import audit_times
from shared.events.actors import NotAnActor, read_actor
from shared.events.base import Event
from shared.events.canonical import is_canonical
from shared.events.recorded import Recorded, seen_of
from shared.formats.campaign.vouched_dice import vouched
from shared.formats.fold import CATALOGUE, UnknownEvent, read_event
from shared.refusals import either, expects
from shared.tournament.state import SOURCES


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
            findings.counts.update(vouched(state))
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
