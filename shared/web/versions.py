"""Versions of resources: ETag with its conditions, and the header Muster-Seen. Pure functions.

An ETag is `"<source>-<position>"`: the position in that source's log that the resource includes. If the resource
depends on other logs too, their positions come first: `"pairing-4/scoring-31/registration-12"`. A representation other
than plain JSON has a prefix: `"gzip/csv/pairing-4/registration-12"`.

The ETag of a preview is `"preview/…"` with all of these positions. A command with it in If-Match runs as previewed or
is refused.

Muster-Seen says how far an answer has read each log, and how far the next answer must have read:
`Muster-Seen: registration=12, pairing=4, scoring=31`
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec import Struct
from werkzeug.http import parse_etags

from shared.refusals import Fault, expects
from shared.web.refusals import ImplausibleSeen, MalformedSeen, NotYetSeen, PreconditionFailed

SEEN = "Muster-Seen"
EXAMPLE = "registration=12, pairing=4, scoring=31"
MOST_SOURCES = 64
LONGEST = 8192
MAX_LAG = 5_000_000
"""Most events that an owner may be ahead of a copy; quotas keep the log of a tournament shorter."""

QUOTE = '"'
_ENTRY = re.compile(r"\s*([A-Za-z0-9][A-Za-z0-9._:-]{0,63})=(0|[1-9][0-9]{0,15})\s*", re.ASCII)
_POSITION = re.compile(r"[0-9]{1,16}", re.ASCII)


def etag(source: str, position: int) -> str:
    """Return the ETag of a resource at a position."""
    return f'"{source}-{position}"'


def etag_of(positions: Mapping[str, int], source: str) -> str:
    """Return the ETag of a resource that depends on several logs. source: the log that commands append to."""
    others = [f"{name}-{position}/" for name, position in sorted(positions.items()) if name != source]
    return f'"{"".join(others)}{source}-{positions.get(source, 0)}"'


PRIVATE = re.compile(r"(?:^|/)private-([0-9]{1,16})/", re.ASCII)


def with_private(tag: str, revision: int) -> str:
    """Return the ETag of a version that includes private rows of a revision: `"private-7/pairing-4"`."""
    return with_form(f"private-{revision}", tag)


def preview_tag(positions: Mapping[str, int]) -> str:
    """Return the ETag of a preview, without quotation marks. It is valid for exactly one state."""
    return "/".join(["preview", *(f"{name}-{position}" for name, position in sorted(positions.items()))])


def with_form(form: str, tag: str) -> str:
    """Return the ETag of the same version in another representation, such as `gzip`."""
    return f'"{form}/{tag.strip(QUOTE)}"'


def is_listed(tags: str | None, tag: str) -> bool:
    """Return True if a header lists an ETag (weak comparison, RFC 9110 13.1.2)."""
    return tags is not None and parse_etags(tags).contains_weak(tag.strip(QUOTE))


def is_unchanged(if_none_match: str | None, current: str) -> bool:
    """Return True if If-None-Match lists the current version, compressed or not."""
    return is_listed(if_none_match, current) or is_listed(if_none_match, with_form("gzip", current))


class IfMatch(Struct, frozen=True):
    """The conditions of an If-Match header.

    position: in the own log, up to which the caller knows the resource; None: any. revision: the same for private rows;
    0 if the header names none. previews: tags of previews without quotation marks, one of which has to be current; with
    them the position does not matter.
    """

    position: int | None = None
    revision: int = 0
    previews: frozenset[str] = frozenset()


def parse_if_match(header: str | None, source: str) -> IfMatch:
    """Return the conditions of If-Match for the log of a source; of several versions the latest counts.

    Without a header, and for `*`, there are no conditions.
    Raises PreconditionFailed for an ETag of anything else.
    """
    if header is None or header.strip() == "*":
        return IfMatch()
    tags = [tag for tag in parse_etags(header).as_set() if tag]
    revision = max((int(match[1]) for tag in tags if (match := PRIVATE.search(tag))), default=0)
    if previews := frozenset(tag for tag in tags if tag.startswith("preview/")):
        return IfMatch(None, revision, previews)
    versions = [tag.rpartition("/")[2].rpartition("-") for tag in tags]
    positions = [int(digits) for name, _, digits in versions if name == source and _POSITION.fullmatch(digits)]
    if not positions:
        fault = Fault("If-Match", header[:140], expects("etag", example=f'"{source}-12"'))
        raise PreconditionFailed("If-Match does not name a version of this resource.", [fault])
    return IfMatch(max(positions), revision)


def parse_seen(text: str | None) -> dict[str, int]:
    """Parse Muster-Seen: source -> position (0 and up); empty without the header. Raises MalformedSeen."""
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
    """Format Muster-Seen, in the given order."""
    return ", ".join([f"{source}={position}" for source, position in seen.items()])


def missing_positions(required: Mapping[str, int], have: Mapping[str, int]) -> dict[str, int]:
    """Return the positions in `required` that `have` has not reached, by source."""
    return {source: position for source, position in required.items() if have.get(source, 0) < position}


def not_yet_seen(required: Mapping[str, int], have: Mapping[str, int], retry_after: int = 1) -> NotYetSeen:
    """Return the refusal of a service that has not read far enough. retry_after: whole seconds."""
    missing = missing_positions(required, have)
    faults = [
        Fault(SEEN, f"{source}={position}", expects("read-so-far", log=source, most=have.get(source, 0)))
        for source, position in missing.items()
    ]
    detail = f"This service has not yet read as far as {render_seen(missing)}."
    return NotYetSeen(detail, faults, wanted=dict(required), have=dict(have), retry_after=retry_after)


def refuse_implausible(missing: Mapping[str, int], have: Mapping[str, int], own: str) -> None:
    """Raise ImplausibleSeen for positions beyond the end of the own log, or far beyond the end of a copy.

    missing: from `missing_positions`. own: the log that only this service appends to.
    """
    ends = {source: have.get(source, 0) + (0 if source == own else MAX_LAG) for source in missing}
    implausible = missing_positions(missing, ends)
    if implausible:
        faults = [
            Fault(SEEN, f"{source}={position}", expects("possible-position", log=source, most=ends[source]))
            for source, position in implausible.items()
        ]
        raise ImplausibleSeen(f"No answer can have said {render_seen(implausible)}.", faults, have=dict(have))


def _malformed(part: str) -> MalformedSeen:
    fault = Fault(SEEN, part.strip()[:140], expects("seen-header", example=EXAMPLE))
    return MalformedSeen(f"{SEEN} cannot be read.", [fault])
