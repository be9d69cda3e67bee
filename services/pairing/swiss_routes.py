"""The timetable as an iCalendar object (RFC 5545), for calendar apps that subscribe to it.

One event for each round, whose UID stays the same for good, and one for the tournament. A round that has begun has its
hour; one that is to come has its day, all day long, since no timetable knows the hour.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING

from services.pairing.swiss.timetable import PlannedRoundView, timetable_view
from services.pairing.tournament.refusals import NoTimetable
from services.pairing.tournament.views import RoundListed, rounds_view
from shared.tournament.people import Entries
from shared.tournament.state import Tournament

if TYPE_CHECKING:
    from icalendar import Event

REFRESH = timedelta(minutes=5)
"""How often an app may look again, for those that ask."""


def calendar_view(state: Tournament, tournament: str, *, changed: str, revision: int) -> bytes:
    """The rounds of a tournament and the tournament itself, as `text/calendar`.

    changed: the time of the last event of registration or pairing; revision: how many events the two logs hold.
    Raises NoTimetable where no day is fixed and no round has begun.
    """
    # Imported at its first use: it takes longer than everything else that a service imports for one route.
    from icalendar import Calendar

    events = [*_events(state, tournament)]
    if not events:
        raise NoTimetable(f"{state.entries.name} has no day yet, and no round has begun.")
    calendar = Calendar()
    calendar.add("prodid", "-//Muster//Timetable//EN")
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add("name", state.entries.name)
    calendar.add("x-wr-calname", state.entries.name)
    calendar.add("refresh-interval", REFRESH, parameters={"VALUE": "DURATION"})
    for event in events:
        event.add("dtstamp", datetime.fromisoformat(changed))
        event.add("sequence", revision)
        calendar.add_component(event)
    return bytes(calendar.to_ical())


def _events(state: Tournament, tournament: str) -> Iterator[Event]:
    entries, planned = state.entries, timetable_view(state)
    off = entries.status == "cancelled"
    if entries.starts_on:
        last = entries.ends_on or max((day.date for day in planned.days), default=entries.starts_on)
        yield _whole_days(f"{tournament}@muster", entries.name, entries.starts_on, last, off)
    begun = {round.round: round for round in rounds_view(state).items if round.started_at}
    for row in planned.rounds:
        given_up = off or (state.results.concluded and row.status == "planned")
        if event := _round(entries, tournament, row, begun.get(row.round), given_up):
            yield event
    known = {row.round for row in planned.rounds}
    for number, round in sorted(begun.items()):
        if number not in known:
            yield _timed(_uid(tournament, number), _title(entries, number, round.stage), round, off)
    yield from _withdrawn(state, tournament, {*known, *begun})


def _round(
    entries: Entries, tournament: str, row: PlannedRoundView, begun: RoundListed | None, off: bool
) -> Event | None:
    """A round of the timetable: at its hour once it has begun, on its day before that, nowhere without a day."""
    uid, title = _uid(tournament, row.round), _title(entries, row.round, row.stage)
    if begun is not None:
        return _timed(uid, title, begun, off)
    return _whole_days(uid, title, row.date, row.date, off, f"{row.minutes} minutes") if row.date else None


def _withdrawn(state: Tournament, tournament: str, known: set[int]) -> Iterator[Event]:
    """Rounds that were taken back and will not be played."""
    day = state.entries.starts_on
    for number in sorted(set(state.rounds.withdrawn) - known):
        if day:
            yield _whole_days(_uid(tournament, number), _title(state.entries, number, ""), day, day, True)


def _uid(tournament: str, round: int) -> str:
    return f"{tournament}.round-{round}@muster"


def _title(entries: Entries, number: int, stage: str) -> str:
    return f"{entries.name}: round {number}" + (" (elimination)" if stage == "elimination" else "")


def _whole_days(uid: str, title: str, first: str, last: str, off: bool, about: str = "") -> Event:
    """first, last: days; the end of an event is the day after it."""
    ends = date.fromisoformat(last) + timedelta(days=1)
    return _event(uid, title, off, {"dtstart": date.fromisoformat(first), "dtend": ends}, about, "TRANSPARENT")


def _timed(uid: str, title: str, round: RoundListed, off: bool) -> Event:
    """A round at its hour, in UTC: an app shows it by the clock of whoever looks."""
    times = {"dtstart": datetime.fromisoformat(round.started_at), "dtend": datetime.fromisoformat(round.ends_at)}
    return _event(uid, title, off, times, round.scenario, "OPAQUE")


def _event(uid: str, title: str, off: bool, times: Mapping[str, date], about: str, transparency: str) -> Event:
    from icalendar import Event

    event = Event()
    event.add("uid", uid)
    event.add("summary", title)
    event.add("status", "CANCELLED" if off else "CONFIRMED")
    event.add("transp", transparency)
    for name, value in times.items():
        event.add(name, value)
    if about:
        event.add("description", about)
    return event
