"""The time of the hall: moments as people read and type them.

A page has the zone of the venue that it is about, or the one that all venues of its event share. Otherwise it has the
zone that the console was given; if venues have different zones, each time then names it.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

from babel.dates import format_skeleton, get_timezone_name
from flask import current_app, g
from markupsafe import Markup

from muster_client import answers
from services.console.language import locale

UTC_NAMES = ("UTC", "Etc/UTC", "Etc/UCT", "Zulu", "Etc/Zulu", "Universal", "Etc/Universal")
"""Keys of zones that are UTC, such as that of a machine without a configured zone."""
DAY = "MMMEd"
YEAR = "yMMMEd"
"""Skeletons of Unicode for a day of this year, and of another one."""


def zone() -> tzinfo:
    """Return the zone of this page."""
    found: tzinfo = g.get("hall_zone") or current_app.config["SETTINGS"].zone
    return found


def zone_named(name: str | None) -> tzinfo | None:
    """Return a zone by its IANA name; None for no name, and for one that this machine does not know."""
    try:
        return ZoneInfo(name) if name else None
    except (KeyError, ValueError, OSError):
        return None


def use_zone(name: str | None) -> None:
    """Give this page a zone by its IANA name."""
    g.hall_zone = zone_named(name)


def use_zone_of(event: answers.TournamentView, venue: str | None = "") -> None:
    """Give this page the zone of a venue, or without one the zone that all open venues share."""
    zones = {one.time_zone or "" for one in event.venues if (one.id == venue if venue else one.open)}
    if len(zones) == 1:
        use_zone(zones.pop())
    g.zones_differ = len(zones) > 1


def read(moment: str, of: str | None = None) -> datetime | None:
    """Return an RFC 3339 moment in the zone of the page, or in another one; None if it is not valid. of: its name."""
    try:
        parsed = datetime.fromisoformat(moment)
        return (parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)).astimezone(zone_named(of) or zone())
    except (ValueError, OverflowError):  # the first and last days have no other zone
        return None


def clock(moment: str, *, zoned: bool = False, of: str | None = None) -> str:
    """Return the time of day of a moment, `14:32`; empty if it is not valid. zoned: with the zone, `14:32 CET`.

    UTC is always named: no venue uses it, so readers must know. So is any zone if venues have different ones.
    """
    at = read(moment, of)
    if at is None:
        return ""
    time = f"{at:%H:%M}"
    return f"{time} {zone_abbreviation(at)}" if zoned or is_utc(at.tzinfo) or g.get("zones_differ") else time


def at(moment: str, *, zoned: bool = False, day: bool = False, of: str | None = None) -> Markup:
    """Return a moment as HTML: `14:32`; on another day `14:32 (Sat, 5 Dec)`; with `day` `Sat, 5 Dec, 14:32`.

    zoned: as in `clock()`. of: the IANA name of a zone; None: that of the page.
    """
    found = read(moment, of)
    if found is None:
        return Markup("")
    words = clock(moment, zoned=zoned, of=of)
    if day:
        words = f"{day_of(found)}, {words}"
    elif found.date() != datetime.now(found.tzinfo).date():
        words = f"{words} ({day_of(found)})"
    return Markup('<time datetime="%s">%s</time>') % (utc(found), words)


def day_of(found: datetime) -> str:
    """Return the day of a moment, `Sat, 5 Dec`, with the year if it is not this year."""
    this_year = found.year == datetime.now(found.tzinfo).year
    return format_skeleton(DAY if this_year else YEAR, found.date(), locale=locale())


def local_day(moment: str) -> str:
    """Return the day of a moment at the venue; empty if the moment is not valid."""
    found = read(moment)
    return "" if found is None else day_of(found)


def utc(found: datetime) -> str:
    """Return a moment for programs: `2026-12-05T13:32:00Z`."""
    return found.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def zone_abbreviation(found: datetime) -> str:
    """Return the abbreviation of the zone at a moment: `CET`, `MEZ`; `UTC+5:45` if it has none."""
    if is_utc(found.tzinfo):
        return "UTC"
    word = get_timezone_name(found, width="short", locale=locale()) if zone_key(found.tzinfo) else ""
    short = next((one for one in (word, found.tzname() or "") if one.isalpha()), "")
    return short or _offset(found)


def _offset(found: datetime) -> str:
    minutes = round((found.utcoffset() or timedelta()) / timedelta(minutes=1))
    hours, rest = divmod(abs(minutes), 60)
    return f"UTC{'-' if minutes < 0 else '+'}{hours}" + (f":{rest:02}" if rest else "")


def zone_key(found: tzinfo | None) -> str:
    """Return the name of a zone, `Europe/Berlin`; empty if the machine has only its rules."""
    return str(getattr(found, "key", None) or "")


def is_utc(found: tzinfo | None) -> bool:
    """Return True if a zone is UTC."""
    return found is UTC or zone_key(found) in UTC_NAMES


def zone_name() -> str:
    """Return the name of the zone for forms, or else its current abbreviation."""
    now = datetime.now(zone())
    return zone_abbreviation(now) if is_utc(now.tzinfo) else zone_key(now.tzinfo) or zone_abbreviation(now)


def parse_local_time(text: str) -> tuple[str | None, str]:
    """Return a typed local day and time as a UTC moment for the services.

    A time that occurs twice, when clocks go back, is the first of the two. For a time that clocks skip, return None and
    the next valid time of day. Raises ValueError if the text is not a day and time.
    """
    try:
        parsed = datetime.fromisoformat(text)
        if parsed.tzinfo is not None:
            return utc(parsed), ""
        local = parsed.replace(tzinfo=zone(), fold=0)
        after = local.astimezone(UTC).astimezone(zone())
        moment = utc(local)
    except OverflowError as beyond:
        raise ValueError(text) from beyond
    if after.replace(tzinfo=None, fold=0) != parsed:
        return None, f"{after:%H:%M}"
    return moment, ""
