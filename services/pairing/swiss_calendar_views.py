"""The timetable of a Swiss tournament as an iCalendar feed, of the whole event or of one venue."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from msgspec import Struct

from services.pairing.swiss_clocks import PlannedRoundView, timetable_view
from services.pairing.views import rounds_in_order
from shared.refusals import Refusal
from shared.tournament.people import Entries, Venue
from shared.tournament.rounds import Round
from shared.tournament.state import Tournament

if TYPE_CHECKING:
    from icalendar import Event

REFRESH = timedelta(minutes=5)
"""Refresh interval that is suggested to calendar apps."""


class Place(Struct, frozen=True):
    """The place of a calendar. venue: id, empty for the whole event. zone: None for UTC. location: may be empty."""

    venue: str = ""
    zone: ZoneInfo | None = None
    location: str = ""


class Played(Struct, frozen=True):
    """A started round, or its part at a venue. Times as in events."""

    number: int
    stage: str
    scenario: str
    started_at: str
    ends_at: str


def place_of(entries: Entries, venue: str) -> Place:
    """Return a venue with its zone and its address; for the whole event, the zone that all open venues share."""
    known = entries.venues.get(venue)
    if known is not None:
        return Place(venue, _zone(known.time_zone), _location(known))
    zones = {one.time_zone for one in entries.venues.values() if one.open}
    alone = [one for one in entries.venues.values() if one.open]
    return Place("", _zone(zones.pop()) if len(zones) == 1 else None, _location(alone[0]) if len(alone) == 1 else "")


def _zone(name: str) -> ZoneInfo | None:
    """Return a zone; None for no name, and for one that only another machine knew."""
    try:
        return ZoneInfo(name) if name else None
    except (KeyError, ValueError, OSError):
        return None


def _location(venue: Venue) -> str:
    return ", ".join(filter(None, (venue.name, *venue.address.splitlines())))


def calendar_view(state: Tournament, tournament: str, *, changed: str, revision: int, venue: str = "") -> bytes:
    """Return the tournament and its rounds as `text/calendar`.

    changed: time of the last event of registration or pairing. revision: number of events in the two logs. venue: a
    known venue, whose parts of the rounds are listed; empty: the whole rounds.
    Raises NoTimetable if no day is fixed and no round has started.
    """
    # Imported lazily: it is slow to import, and only this route needs it.
    from icalendar import Calendar

    place = place_of(state.entries, venue)
    events = [*_events(state, tournament, place)]
    if not events:
        raise NoTimetable(f"{state.entries.name} has no day yet, and no round has begun.")
    known = state.entries.venues.get(venue)
    name = f"{state.entries.name}, {known.name}" if known else state.entries.name
    calendar = Calendar()
    calendar.add("prodid", "-//Muster//Timetable//EN")
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add("name", name)
    calendar.add("x-wr-calname", name)
    calendar.add("refresh-interval", REFRESH, parameters={"VALUE": "DURATION"})
    if place.zone is not None:
        calendar.add("x-wr-timezone", place.zone.key)
    for event in events:
        event.add("dtstamp", datetime.fromisoformat(changed))
        event.add("sequence", revision)
        if place.location:
            event.add("location", place.location)
        calendar.add_component(event)
    if place.zone is not None:
        calendar.add_missing_timezones()
    return bytes(calendar.to_ical())


def _events(state: Tournament, tournament: str, place: Place) -> Iterator[Event]:
    entries, planned = state.entries, timetable_view(state)
    cancelled = entries.status == "cancelled"
    if entries.starts_on:
        last = entries.ends_on or max((day.date for day in planned.days), default=entries.starts_on)
        yield _all_day_event(_uid(tournament, place), entries.name, entries.starts_on, last, cancelled)
    started = {round.number: found for round in rounds_in_order(state) if (found := _played(round, place.venue))}
    for row in planned.rounds:
        not_played = cancelled or (state.results.concluded and row.status == "planned")
        if event := _round_event(entries, tournament, row, started.get(row.round), not_played, place):
            yield event
    planned_numbers = {row.round for row in planned.rounds}
    for number, round in sorted(started.items()):
        if number not in planned_numbers:
            title = _title(entries, number, round.stage)
            yield _timed_event(_uid(tournament, place, number), title, round, cancelled, place.zone)
    yield from _withdrawn_events(state, tournament, {*planned_numbers, *started}, place)


def _played(round: Round, venue: str) -> Played | None:
    """Return a round with the times of a venue, or of its first start and last end; None if it has not started."""
    started_at, ends_at = round.started_at, round.ends_at
    if venue:
        clock = round.clock_of(venue) if venue in round.parts else None
        started_at, ends_at = (clock.started_at, clock.ends_at) if clock else ("", "")
    return Played(round.number, round.stage, round.scenario, started_at, ends_at) if started_at else None


def _round_event(
    entries: Entries, tournament: str, row: PlannedRoundView, started: Played | None, cancelled: bool, place: Place
) -> Event | None:
    """Return the event of a planned round: timed after its start, all-day before; None if it has no day."""
    uid, title = _uid(tournament, place, row.round), _title(entries, row.round, row.stage)
    if started is not None:
        return _timed_event(uid, title, started, cancelled, place.zone)
    return _all_day_event(uid, title, row.date, row.date, cancelled, f"{row.minutes} minutes") if row.date else None


def _withdrawn_events(state: Tournament, tournament: str, known: set[int], place: Place) -> Iterator[Event]:
    """Yield cancelled events for withdrawn rounds that are no longer planned."""
    day = state.entries.starts_on
    for number in sorted(set(state.rounds.withdrawn) - known):
        if day:
            title = _title(state.entries, number, "")
            yield _all_day_event(_uid(tournament, place, number), title, day, day, True)


def _uid(tournament: str, place: Place, round: int = 0) -> str:
    """Return the UID of a round, or of the tournament for 0. Calendars of venues have UIDs of their own."""
    parts = filter(None, (tournament, place.venue, f"round-{round}" if round else ""))
    return f"{'.'.join(parts)}@muster"


def _title(entries: Entries, number: int, stage: str) -> str:
    return f"{entries.name}: round {number}" + (" (elimination)" if stage == "elimination" else "")


def _all_day_event(uid: str, title: str, first: str, last: str, cancelled: bool, description: str = "") -> Event:
    end = date.fromisoformat(last) + timedelta(days=1)  # DTEND is exclusive
    times = {"dtstart": date.fromisoformat(first), "dtend": end}
    return _event(uid, title, cancelled, times, description, "TRANSPARENT")


def _timed_event(uid: str, title: str, round: Played, cancelled: bool, zone: ZoneInfo | None) -> Event:
    times = {"dtstart": _moment(round.started_at, zone), "dtend": _moment(round.ends_at, zone)}
    return _event(uid, title, cancelled, times, round.scenario, "OPAQUE")


def _moment(text: str, zone: ZoneInfo | None) -> datetime:
    moment = datetime.fromisoformat(text)
    return moment.astimezone(zone) if zone else moment


def _event(
    uid: str, title: str, cancelled: bool, times: Mapping[str, date], description: str, transparency: str
) -> Event:
    from icalendar import Event

    event = Event()
    event.add("uid", uid)
    event.add("summary", title)
    event.add("status", "CANCELLED" if cancelled else "CONFIRMED")
    event.add("transp", transparency)
    for name, value in times.items():
        event.add(name, value)
    if description:
        event.add("description", description)
    return event


class NoTimetable(Refusal):
    """The tournament has no day and no started round, so the calendar would be empty."""

    code = "no-timetable"
