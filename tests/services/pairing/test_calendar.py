"""The timetable as a calendar app reads it: days, hours, what is called off, and the same UID all the way."""

from __future__ import annotations

from datetime import date, datetime, timedelta

import icalendar
import pytest

from shared.tournament.registration import PlayerJoined, TournamentAmended, TournamentCancelled, VenueOpened
from shared.tournament.results import TournamentConcluded
from tests.services.pairing.stories import DUST, Story, pack

NAME = "Frühling, Cup; 3 Runden \\ „Große Schlacht am alten Hafen bei den sieben Brücken“"


@pytest.fixture
def cup(serve):
    """Three rounds on one day; round 1 is paired."""
    story = Story(name=NAME, starts_on="2026-05-02", ends_on="2026-05-02", tier="competitive")
    story.join(4)
    pairing = serve(story)
    assert pairing.post("/rounds").status_code == 201
    return pairing


def calendar(pairing) -> icalendar.Calendar:
    answer = pairing.get("/timetable.ics")
    assert (answer.status_code, answer.content_type) == (200, "text/calendar; charset=utf-8"), answer.data
    assert all(len(line) <= 75 for line in answer.data.split(b"\r\n"))
    return icalendar.Calendar.from_ical(answer.data)


def events(pairing) -> dict[str, icalendar.Event]:
    """By UID, without the tournament in it."""
    found = calendar(pairing).walk("VEVENT")
    known = {str(event["UID"]): event for event in found}
    assert len(known) == len(found)
    return {uid.removeprefix(pairing.story.id): event for uid, event in known.items()}


def times_and_status(event: icalendar.Event) -> tuple:
    return event.decoded("dtstart"), event.decoded("dtend"), str(event["STATUS"])


def test_rounds_to_come_have_their_day(cup):
    found = events(cup)
    day = (date(2026, 5, 2), date(2026, 5, 3), "CONFIRMED")
    assert {uid: times_and_status(event) for uid, event in found.items()} == dict.fromkeys(
        ["@muster", *(f".round-{number}@muster" for number in (1, 2, 3))], day
    )
    assert str(found["@muster"]["SUMMARY"]) == NAME
    assert str(found[".round-2@muster"]["SUMMARY"]) == f"{NAME}: round 2"
    assert str(found[".round-2@muster"]["TRANSP"]) == "TRANSPARENT"
    assert str(calendar(cup)["X-WR-CALNAME"]) == NAME
    assert calendar(cup)["METHOD"] == "PUBLISH"


@pytest.mark.parametrize(("day", "day_after"), [("1900-01-01", date(1900, 1, 2)), ("2999-12-31", date(3000, 1, 1))])
def test_the_first_and_the_last_day_that_a_tournament_may_have_are_in_a_calendar(serve, day, day_after):
    found = events(serve(Story(starts_on=day, ends_on=day)))
    assert times_and_status(found["@muster"]) == (date.fromisoformat(day), day_after, "CONFIRMED")


def test_a_round_that_has_begun_has_its_hour_under_the_same_uid(cup):
    before = events(cup)
    assert cup.post("/rounds/1/start", {"minutes": 90}).status_code == 201
    round, after = cup.get("/rounds/1").json, events(cup)
    starts, ends, status = times_and_status(after[".round-1@muster"])
    assert starts == datetime.fromisoformat(round["started_at"]).replace(microsecond=0)
    assert (ends - starts, status, starts.utcoffset()) == (timedelta(minutes=90), "CONFIRMED", timedelta())
    assert before.keys() == after.keys()
    assert all(after[uid]["SEQUENCE"] > before[uid]["SEQUENCE"] for uid in after)
    cup.post("/rounds/1/extensions", {"minutes": 15, "reason": "a fire alarm"})
    assert times_and_status(events(cup)[".round-1@muster"])[1] == ends + timedelta(minutes=15)


def test_the_same_state_is_the_same_bytes(cup):
    first = cup.get("/timetable.ics")
    again = cup.get("/timetable.ics")
    assert first.data == again.data
    assert cup.get("/timetable.ics", If_None_Match=first.headers["ETag"]).status_code == 304


def test_a_cancelled_tournament_calls_every_round_off(cup):
    before = events(cup)
    cup.story.registration(TournamentCancelled(reason="no hall"))
    cup.copy_from_story()
    after = events(cup)
    assert before.keys() == after.keys()
    assert {str(event["STATUS"]) for event in after.values()} == {"CANCELLED"}
    assert all(after[uid]["SEQUENCE"] > before[uid]["SEQUENCE"] for uid in after)


def test_rounds_that_are_not_played_after_an_early_end_are_called_off(cup):
    assert cup.post("/rounds/1/start").status_code == 201
    cup.story.scoring(TournamentConcluded(winner="p1", reason="a storm", rounds=1))
    cup.copy_from_story()
    found = {uid: str(event["STATUS"]) for uid, event in events(cup).items()}
    assert found == {
        "@muster": "CONFIRMED",
        ".round-1@muster": "CONFIRMED",
        ".round-2@muster": "CANCELLED",
        ".round-3@muster": "CANCELLED",
    }


def test_a_withdrawn_round_that_is_no_longer_planned_is_cancelled(cup):
    assert cup.post("/rounds/1/withdrawal", {"reason": "the wrong list"}).status_code == 201
    assert times_and_status(events(cup)[".round-1@muster"])[2] == "CONFIRMED"
    cup.story.registration(TournamentAmended(rounds=0))
    cup.copy_from_story()
    assert times_and_status(events(cup)[".round-1@muster"])[2] == "CANCELLED"


def test_a_tournament_without_a_day_has_a_calendar_once_a_round_has_begun(serve):
    story = Story(tier="competitive")
    story.join(4)
    pairing = serve(story)
    refused = pairing.get("/timetable.ics")
    assert (refused.status_code, refused.json["code"]) == (404, "no-timetable")
    assert pairing.post("/rounds").status_code == 201
    assert pairing.get("/timetable.ics").json["code"] == "no-timetable"
    assert pairing.post("/rounds/1/start").status_code == 201
    assert [*events(pairing)] == [".round-1@muster"]


def test_without_a_fixed_number_of_rounds_the_calendar_has_only_the_tournament(serve):
    story = Story(pack=pack(DUST), rounds=None, starts_on="2026-05-02")
    story.registration(PlayerJoined(player="p1", name="Ana"))
    assert [*events(serve(story))] == ["@muster"]


def test_the_calendar_is_only_sent_as_text_calendar(cup):
    assert cup.get("/timetable.ics", Accept="application/json").json["code"] == "not-acceptable"
    assert cup.get("/timetable.ics", Accept="text/calendar").status_code == 200


@pytest.fixture
def halls(serve):
    """Two venues in different zones that are paired apart; round 1 has begun in Lisbon."""
    story = Story(starts_on="2026-05-02", pairing_scope="venue")
    for number, zone in enumerate(("Europe/Lisbon", "Atlantic/Azores"), start=1):
        story.registration(
            VenueOpened(
                venue=f"v{number}", name=zone.partition("/")[2], time_zone=zone, address="12 Harbour Road\n1100"
            )
        )
        story.join(4, venue=f"v{number}")
    pairing = serve(story)
    assert pairing.post("/rounds").status_code == 201
    assert pairing.post("/rounds/1/start", {"venue": "v1", "minutes": 90}).status_code == 201
    return pairing


def test_the_calendar_of_a_venue_has_its_hours_its_zone_and_its_address(halls):
    found = {}
    for venue in ("v1", "v2"):
        answer = halls.get(f"/timetable.ics?venue={venue}")
        assert answer.status_code == 200, answer.data
        found[venue] = icalendar.Calendar.from_ical(answer.data)
    lisbon, azores = found["v1"], found["v2"]
    assert lisbon["X-WR-TIMEZONE"] == "Europe/Lisbon"
    assert [str(zone["TZID"]) for zone in lisbon.walk("VTIMEZONE")] == ["Europe/Lisbon"]
    rounds = {str(event["UID"]): event for event in lisbon.walk("VEVENT")}
    first = rounds[f"{halls.story.id}.v1.round-1@muster"]
    assert str(first["LOCATION"]) == "Lisbon, 12 Harbour Road, 1100"
    assert first["DTSTART"].params["TZID"] == "Europe/Lisbon"
    began = datetime.fromisoformat(halls.get("/rounds/1").json["started_at"]).replace(microsecond=0)
    assert first.decoded("dtstart") == began
    assert first.decoded("dtend") - first.decoded("dtstart") == timedelta(minutes=90)
    (waiting,) = [one for one in azores.walk("VEVENT") if str(one["UID"]).endswith("v2.round-1@muster")]
    assert waiting.decoded("dtstart") == date(2026, 5, 2)


def test_venues_in_one_zone_share_it_in_the_calendar_of_the_event(serve):
    story = Story(starts_on="2026-05-02")
    for number in (1, 2):
        story.registration(VenueOpened(venue=f"v{number}", name=f"Hall {number}", time_zone="Europe/Lisbon"))
    answer = serve(story).get("/timetable.ics")
    assert icalendar.Calendar.from_ical(answer.data)["X-WR-TIMEZONE"] == "Europe/Lisbon"


def test_a_calendar_of_an_unknown_venue_is_refused(halls):
    assert halls.get("/timetable.ics?venue=v9").json["code"] == "venue-unknown"
