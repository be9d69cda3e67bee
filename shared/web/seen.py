"""Muster-Seen: how far an answer had read each log, and how far the next one must have. Pure.

`Muster-Seen: registration=12, pairing=4, scoring=31`
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from shared.refusals import Fault
from shared.web.refusals import ImplausibleSeen, MalformedSeen, NotYetSeen

HEADER = "Muster-Seen"
EXAMPLE = "registration=12, pairing=4, scoring=31"
MOST_SOURCES = 64
LONGEST = 8192
FURTHEST = 5_000_000
"""Events that an owner may be ahead of a copy: no log of a tournament ever holds more (quotas, docs/http.md)."""

_ENTRY = re.compile(r"\s*([A-Za-z0-9][A-Za-z0-9._:-]{0,63})=(0|[1-9][0-9]{0,15})\s*", re.ASCII)


def parse_seen(text: str | None) -> dict[str, int]:
    """Read the header: source -> position (0 and up); nothing was said: empty. Raises MalformedSeen."""
    if text is None or not text.strip():
        return {}
    if len(text) > LONGEST:
        raise _malformed(text)
    seen: dict[str, int] = {}
    for part in text.split(","):
        entry = _ENTRY.fullmatch(part)
        if entry is None or entry[1] in seen or len(seen) == MOST_SOURCES:
            raise _malformed(part)
        seen[entry[1]] = int(entry[2])
    return seen


def render_seen(seen: Mapping[str, int]) -> str:
    """Write the header, in the order given."""
    return ", ".join([f"{source}={position}" for source, position in seen.items()])


def behind(wanted: Mapping[str, int], have: Mapping[str, int]) -> dict[str, int]:
    """Return the sources of which `have` has not read as far as `wanted`, with the positions wanted."""
    return {source: position for source, position in wanted.items() if have.get(source, 0) < position}


def not_yet_seen(wanted: Mapping[str, int], have: Mapping[str, int], retry_after: int = 1) -> NotYetSeen:
    """Build the refusal of a service that is behind. retry_after: whole seconds."""
    missing = behind(wanted, have)
    faults = [Fault(HEADER, f"{s}={p}", f"at most {s}={have.get(s, 0)} so far") for s, p in missing.items()]
    detail = f"Not yet read as far as {render_seen(missing)}."
    return NotYetSeen(detail, faults, wanted=dict(wanted), have=dict(have), retry_after=retry_after)


def refuse_implausible(missing: Mapping[str, int], have: Mapping[str, int], own: str) -> None:
    """Refuse positions that cannot be: beyond the end of a service's own log, or far beyond that of a copy.

    missing: as `behind` gives it; own: the log that this service alone appends to. Raises ImplausibleSeen.
    """
    ends = {source: have.get(source, 0) + (0 if source == own else FURTHEST) for source in missing}
    wrong = behind(missing, ends)
    if wrong:
        faults = [Fault(HEADER, f"{s}={p}", f"at most {s}={ends[s]}") for s, p in wrong.items()]
        raise ImplausibleSeen(f"No answer can have said {render_seen(wrong)}.", faults, have=dict(have))


def _malformed(part: str) -> MalformedSeen:
    fault = Fault(HEADER, part.strip()[:140], f"each log once, like {EXAMPLE}")
    return MalformedSeen(f"{HEADER} cannot be read.", [fault])
