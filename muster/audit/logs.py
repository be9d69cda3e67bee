"""The audit of a tournament's logs: what every event says, who says it, and everything computed computed again.

The chain itself (positions, links, hashes) is verified where bytes are read: `shared.eventlog.verify`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

import orjson

from muster.audit.campaign import audit_campaign
from muster.audit.coop import audit_coop
from muster.audit.findings import Findings
from muster.audit.improbable import audit_improbable
from muster.audit.outcomes import audit_outcomes
from muster.audit.pairings import audit_pairings
from muster.audit.replay import DecodedEvent, Logs, format_of, hear, rounds_closed
from muster.audit.rosters import audit_rosters
from muster.audit.season import audit_season
from muster.audit.standings import audit_standings
from muster.audit.times import audit_times
from shared.events.recorded import Recorded
from shared.formats.catalogue import CATALOGUE, UnknownEvent

AUDITS: Mapping[str, Sequence[Callable[[Logs, Findings], None]]] = MappingProxyType(
    {
        "swiss": (audit_rosters, audit_standings, audit_pairings, audit_outcomes, audit_improbable),
        "campaign": (audit_campaign, audit_improbable),
        "coop": (audit_coop,),
        "season": (audit_season,),
    }
)
"""Format -> what is computed again."""


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
            audit_part(heard, findings)


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
