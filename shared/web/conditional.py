"""ETag and its conditions: whether what the caller has, or means, is still so. Pure.

A version is `"<source>-<position>"`: the position in that source's log after which the resource is as shown. Where
it follows other logs too, their positions stand before: `"pairing-4/scoring-31/registration-12"`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from werkzeug.http import parse_etags

from shared.refusals import Fault
from shared.web.refusals import PreconditionFailed, PreconditionRequired

_POSITION = re.compile(r"[0-9]{1,16}", re.ASCII)


def etag(source: str, position: int, *, weak: bool = False) -> str:
    """Return the ETag of a resource at a position. weak: the answer may differ in bytes and mean the same."""
    return f'{"W/" if weak else ""}"{source}-{position}"'


def etag_of(positions: Mapping[str, int], source: str) -> str:
    """Return the ETag of a resource that follows several logs, and that commands to one of them may mean."""
    others = [f"{name}-{position}/" for name, position in sorted(positions.items()) if name != source]
    return f'"{"".join(others)}{source}-{positions.get(source, 0)}"'


def unchanged(if_none_match: str | None, current: str) -> bool:
    """Say whether the caller already has the current version (If-None-Match; weak comparison, RFC 9110 13.1.2)."""
    if if_none_match is None:
        return False
    return parse_etags(if_none_match).contains_weak(_bare(current))


def demand_match(if_match: str | None, current: str, *, required: bool = False) -> None:
    """Let a command pass only when it means the current version (If-Match; strong comparison).

    current: the resource's ETag now. required: If-Match must be there.
    Raises PreconditionFailed with the current ETag, PreconditionRequired when it is missing and must not be.
    """
    if if_match is None:
        if required:
            expected = "the ETag of the resource as you read it"
            raise PreconditionRequired(
                "Send If-Match with the ETag that you read.", [Fault("If-Match", "nothing", expected)]
            )
        return
    tags = parse_etags(if_match)
    weak = current.startswith("W/")
    if tags.star_tag or (not weak and tags.contains(_bare(current))):
        return
    fault = Fault("If-Match", if_match[:140], current)
    raise PreconditionFailed("The resource changed since you read it.", [fault], etag=current)


def position_meant(if_match: str | None, source: str) -> int | None:
    """Return the position of a source's log that If-Match means, None without If-Match or with `*`.

    For a handler that compares positions itself; of several versions the latest counts.
    Raises PreconditionFailed for an ETag of anything else.
    """
    if if_match is None or if_match.strip() == "*":
        return None
    named = [tag.rpartition("/")[2].rpartition("-") for tag in parse_etags(if_match).as_set() if tag]
    meant = [digits for name, _, digits in named if name == source and _POSITION.fullmatch(digits)]
    if meant:
        return max(map(int, meant))
    fault = Fault("If-Match", if_match[:140], f'an ETag like "{source}-12"')
    raise PreconditionFailed("If-Match does not name a version of this resource.", [fault])


def _bare(tag: str) -> str:
    return tag.removeprefix("W/").strip('"')
