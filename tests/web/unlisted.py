"""Refusals without a problem table entry, so that a service's test can require none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from shared.refusals import Refusal
from shared.web.refusals import Kind


def unlisted(kinds: Mapping[str, Kind], packages: Iterable[str]) -> dict[str, str]:
    """Return the refusals that no table lists.

    packages: only refusals defined in these packages (and already imported) are looked at.
    Returns code -> qualified name of the class.
    """
    inside = tuple(packages)
    found: dict[str, str] = {}
    waiting = list(Refusal.__subclasses__())
    while waiting:
        refusal = waiting.pop()
        waiting += refusal.__subclasses__()
        named_here = any(refusal.__module__ == p or refusal.__module__.startswith(p + ".") for p in inside)
        if named_here and "code" in vars(refusal) and refusal.code not in kinds:
            found[refusal.code] = f"{refusal.__module__}.{refusal.__qualname__}"
    return found
