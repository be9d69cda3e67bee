"""Time zones by their IANA names: which exist, and which of them a wrong name may mean."""

from __future__ import annotations

from difflib import get_close_matches
from functools import cache
from zoneinfo import available_timezones

from shared.refusals import Expected, expects

LONGEST = 40
"""Characters of a wrong name that are compared with the names of zones."""


@cache
def _zones() -> dict[str, str]:
    """Return the zones that this machine knows: name in lower case -> name."""
    return {name.lower(): name for name in sorted(available_timezones())}


def time_zone_fault(name: str) -> Expected | None:
    """Return the expectation of a name that is no time zone: similar zones, if there are any. An empty name is valid.

    Names are compared exactly, so that every machine reads what was recorded.
    """
    zones = _zones()
    if not name or zones.get(name[: LONGEST + 1].lower()) == name:
        return None
    similar = _similar_zones(name[:LONGEST].lower().replace(" ", "_"))
    return expects("time-zone-near", zones=similar) if similar else expects("time-zone")


def _similar_zones(name: str) -> list[str]:
    """Return up to five zones with such a name or such a city."""
    zones = _zones()
    if name in zones:
        return [zones[name]]
    cities: dict[str, str] = {zone.rpartition("/")[2]: zone for zone in zones if "/" in zone}
    found = [zones[cities[city]] for city in get_close_matches(name.rpartition("/")[2], cities, n=5, cutoff=0.75)]
    found += [zones[zone] for zone in get_close_matches(name, zones, n=5, cutoff=0.75)]
    return list(dict.fromkeys(found))[:5]
