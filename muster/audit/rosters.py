"""Every list as it was submitted: the log holds in clear what its ruleset opens, and digests alone of the rest.

What is behind a digest no log tells, so whether that part was legal is not computed here.
"""

from __future__ import annotations

import re

from muster.audit.findings import Findings
from muster.audit.replay import CannotFold, Logs, as_seen
from shared.formats.swiss.rules.openness import sealed_fields
from shared.formats.swiss.ruleset import ruleset_of
from shared.tournament.events.registration import RosterSubmitted

DIGEST = re.compile(r"[0-9a-f]{64}")


def audit_rosters(logs: Logs, findings: Findings) -> None:
    """Replay registration's log, and compare which fields of each roster are sealed with what the ruleset hides."""
    try:
        for heard, state in as_seen(logs, "registration"):
            event = heard.event
            if not isinstance(event, RosterSubmitted):
                continue
            hidden = sealed_fields(ruleset_of(state.entries).roster)
            for field in hidden:
                if field in event.roster:
                    findings.fail("roster", heard, f"{field} in clear", "its digest alone")
                if not DIGEST.fullmatch(event.sealed.get(field, "")):
                    said = f"{field}: {event.sealed.get(field, 'no digest')}"
                    findings.fail("roster", heard, said, "a digest, 64 hexadecimal digits")
            for field in sorted(set(event.sealed) - set(hidden)):
                findings.fail("roster", heard, f"a digest of {field}", "the field in clear, as the ruleset opens it")
    except CannotFold as stopped:
        findings.fail("fold", stopped.event, str(stopped), "something possible; nothing behind it was recomputed")
