"""What changed since an earlier answer: `?since=` takes the `version` that a list gave with its items.

A version is opaque to clients, as a cursor is: the digest of the list that gave it (service, operation, what the
address names, filters), and how far each log had been read. It gives no right.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import UNSET, UnsetType

from shared.refusals import Expected, Fault, expects, one_of
from shared.web.access import JSON_ALONE
from shared.web.paging import CSV, begins_after, encoded_here, wants_csv
from shared.web.refusals import InvalidCursor, MalformedSeen, NotAcceptable
from shared.web.versions import behind, parse_seen, render_seen


def version_here(seen: Mapping[str, int]) -> str:
    """Return the version of the list that the request at hand asks for. seen: source -> position."""
    return encoded_here((render_seen(dict(sorted(seen.items()))),))


def asked_since(since: str | UnsetType, have: Mapping[str, int]) -> dict[str, int] | None:
    """Return how far each log had been read at the version asked for; None where nobody asked.

    have: how far each is read now. Raises InvalidCursor for a version of another list or tournament, and for one that
    is further than the logs are (data: `outdated`): those it came from were lost, so what it knows is none of these.
    """
    keys = begins_after(since, str, where="/since", expected=expects("list-version"))
    if keys is None:
        return None
    try:
        seen = parse_seen(keys[0])
    except MalformedSeen as error:
        raise _refused(str(since), expects("list-version")) from error
    if seen.keys() != have.keys() or behind(seen, have):
        raise _refused(str(since), expects("new-list", ends=render_seen(have)), outdated=True)
    return seen


def need_json_for(since: str | UnsetType) -> None:
    """Refuse a file of what has changed: it has no place for who is gone. Raises NotAcceptable."""
    if since is not UNSET and wants_csv():
        said = "A file has no place for who is gone; ask for what has changed as JSON."
        raise NotAcceptable(said, [Fault("Accept", CSV, one_of(JSON_ALONE))], types=list(JSON_ALONE))


def ids_gone(changed: Iterable[str], shown: Iterable[str]) -> list[str]:
    """Return which of those that changed are not shown, in order."""
    return sorted(set(changed).difference(shown))


def nothing_beside(said: Mapping[str, object], *others: str) -> dict[str, Expected]:
    """Return what is wrong where `since` is asked for beside one of the other members."""
    beside = [name for name in others if said.get(name, UNSET) is not UNSET]
    if not beside or said.get("since", UNSET) is UNSET:
        return {}
    return {"since": expects("nothing-beside", member=beside[0])}


def _refused(since: str, expected: Expected, **data: object) -> InvalidCursor:
    return InvalidCursor(
        "`since` is no version that can be gone on from.", [Fault("/since", since[:140], expected)], **data
    )
