"""The time of the hall: moments as people read and type them, in the zone that the console was given."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo

from babel.dates import format_skeleton, get_timezone_name
from flask import current_app
from markupsafe import Markup

from services.console.language import locale

UTC_NAMES = ("UTC", "Etc/UTC", "Etc/UCT", "Zulu", "Etc/Zulu", "Universal", "Etc/Universal")
"""Keys of zones that are UTC: a machine that nobody told where it stands."""
DAY = "MMMEd"
YEAR = "yMMMEd"
"""Skeletons of Unicode for a day of this year, and of another one."""


def zone() -> tzinfo:
    """The zone of every page."""
    found: tzinfo = current_app.config["SETTINGS"].zone
    return found


def read(moment: str) -> datetime | None:
    """An RFC 3339 moment in the zone of the hall; None for what is none."""
    try:
        told = datetime.fromisoformat(moment)
        return (told if told.tzinfo else told.replace(tzinfo=UTC)).astimezone(zone())
    except (ValueError, OverflowError):  # the first and last days have no other zone
        return None


def clock(moment: str, *, zoned: bool = False) -> str:
    """The time of day of a moment, `14:32`; empty for none. zoned: with the zone, `14:32 CET`.

    UTC is always named: no hall keeps it, so whoever reads it has to know.
    """
    at = read(moment)
    if at is None:
        return ""
    time = f"{at:%H:%M}"
    return f"{time} {zone_word(at)}" if zoned or is_utc(at.tzinfo) else time


def at(moment: str, *, zoned: bool = False, day: bool = False) -> Markup:
    """A moment as an element of a page: `14:32`; on another day `14:32 (Sat, 5 Dec)`; with `day` `Sat, 5 Dec, 14:32`.

    zoned: as in `clock`.
    """
    found = read(moment)
    if found is None:
        return Markup("")
    words = clock(moment, zoned=zoned)
    if day:
        words = f"{day_of(found)}, {words}"
    elif found.date() != datetime.now(found.tzinfo).date():
        words = f"{words} ({day_of(found)})"
    return Markup('<time datetime="%s">%s</time>') % (utc(found), words)


def day_of(found: datetime) -> str:
    """The day of a moment, `Sat, 5 Dec`; with the year where it is another one."""
    this_year = found.year == datetime.now(found.tzinfo).year
    return format_skeleton(DAY if this_year else YEAR, found.date(), locale=locale())


def local_day(moment: str) -> str:
    """The day on which a moment was in the hall; empty for none."""
    found = read(moment)
    return "" if found is None else day_of(found)


def utc(found: datetime) -> str:
    """A moment as programs read it: `2026-12-05T13:32:00Z`."""
    return found.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def zone_word(found: datetime) -> str:
    """The zone in force at a moment, as the page calls it: `CET`, `MEZ`; where it has no short word, `UTC+5:45`."""
    if is_utc(found.tzinfo):
        return "UTC"
    word = get_timezone_name(found, width="short", locale=locale()) if key_of(found.tzinfo) else ""
    short = next((one for one in (word, found.tzname() or "") if one.isalpha()), "")
    return short or _offset(found)


def _offset(found: datetime) -> str:
    minutes = round((found.utcoffset() or timedelta()) / timedelta(minutes=1))
    hours, rest = divmod(abs(minutes), 60)
    return f"UTC{'-' if minutes < 0 else '+'}{hours}" + (f":{rest:02}" if rest else "")


def key_of(found: tzinfo | None) -> str:
    """The name of a zone, `Europe/Berlin`; empty where the machine has its rules alone."""
    return str(getattr(found, "key", None) or "")


def is_utc(found: tzinfo | None) -> bool:
    """Whether a zone is UTC itself."""
    return found is UTC or key_of(found) in UTC_NAMES


def zone_name() -> str:
    """What a form calls the zone in which it is filled in: its name, else the word for it now."""
    now = datetime.now(zone())
    return zone_word(now) if is_utc(now.tzinfo) else key_of(now.tzinfo) or zone_word(now)


def typed(text: str) -> tuple[str | None, str]:
    """A day and a time as somebody typed them by the clock of the hall, as services take them; else None.

    A time that comes twice, as clocks go back, is the first of the two. Of one that they skip it also says which time
    of day comes after it. Raises ValueError for what is no day and time.
    """
    try:
        told = datetime.fromisoformat(text)
        if told.tzinfo is not None:
            return utc(told), ""
        there = told.replace(tzinfo=zone(), fold=0)
        after = there.astimezone(UTC).astimezone(zone())
        moment = utc(there)
    except OverflowError as beyond:
        raise ValueError(text) from beyond
    if after.replace(tzinfo=None, fold=0) != told:
        return None, f"{after:%H:%M}"
    return moment, ""
