"""Venues as people know them: renamed in the settings, with labels on their tables and the time of their zone."""

from __future__ import annotations

import re

import pytest

from services.console.forms import Form
from services.console.table_lists import labels_in
from tests.console_pages.test_evening import FIELDS, announced, paired, with_a_code
from tests.console_pages.test_event_settings import sent, taken_back

LABELS = "A1..A3\nHall 2 / 7"


@pytest.fixture
def settings(organiser) -> str:
    """The settings of an event with a hall of four tables and a library of one are open."""
    event = announced(organiser)
    organiser.open(f"{event}/settings")
    return event


def labelled(organiser, event: str) -> None:
    organiser.open(f"{event}/settings")
    sent(organiser, "tables:v1", labels_v1=LABELS)
    assert organiser.shows("The tables are changed.")


def test_a_venue_is_renamed_and_described_and_that_is_taken_back(organiser, settings):
    about = {"name_v1": "Town hall", "time_zone_v1": "Europe/Lisbon", "note_v1": "Ring <b>twice"}
    assert sent(organiser, "about:v1", **about, address_v1="12 Harbour Road").status_code == 200
    assert organiser.shows("12 Harbour Road", "Europe/Lisbon", "Ring &lt;b&gt;twice", "Town hall is changed.")
    taken_back(organiser, settings)
    assert organiser.shows("Undone")
    assert "Town hall" not in organiser.page
    assert "12 Harbour Road" not in organiser.page


@pytest.mark.parametrize(
    ("fields", "field", "text"),
    [
        ({"time_zone_v1": "Lisbon"}, "time_zone_v1", "Europe/Lisbon"),
        ({"time_zone_v1": "nowhere at all"}, "time_zone_v1", "Europe/Berlin"),
        ({"name_v1": "LIBRARY"}, "name_v1", "as a venue has this one"),
        ({"name_v1": ""}, "name_v1", "1 to 100 characters"),
        ({"address_v1": "x" * 301}, "address_v1", "300"),
    ],
)
def test_a_wrong_description_is_refused_next_to_its_field(organiser, settings, fields, field, text):
    assert sent(organiser, "about:v1", **fields).status_code in (409, 422)
    assert organiser.shows("Nothing was saved.", f'<a href="#{field}">', f'id="{field}-f"', text)


@pytest.mark.parametrize(
    ("labels", "text"),
    [
        ("A1\nA2", "2 labels for 4 tables"),
        ("A\nB\nC\na", "Each label once; more than once: A, a."),
        ("x" * 21 + "\nB\nC\nD", "20"),
    ],
)
def test_wrong_labels_are_refused_next_to_their_field(organiser, settings, labels, text):
    assert sent(organiser, "tables:v1", labels_v1=labels).status_code == 422
    assert organiser.shows("Nothing was saved.", 'id="labels_v1-f"', text)


@pytest.mark.parametrize(
    ("lines", "labels"),
    [
        ("", {}),
        ("A1..A3", {1: "A1", 2: "A2", 5: "A3"}),
        ("Hall 2 / 7 … 9", {1: "Hall 2 / 7", 2: "Hall 2 / 8", 5: "Hall 2 / 9"}),
        ("B\n7..8", {1: "B", 2: "7", 5: "8"}),
        ("A1..B3\nx\ny", {1: "A1..B3", 2: "x", 5: "y"}),
        ("A3..A1\nx\ny", {1: "A3..A1", 2: "x", 5: "y"}),
    ],
)
def test_labels_are_lines_or_ranges(app, lines, labels):
    with app.test_request_context(method="POST", data={"labels": lines}):
        form = Form()
        assert labels_in(form, "labels", [1, 2, 5]) == labels
        assert form.is_valid


def test_labels_stay_in_the_form_and_are_taken_back(organiser, settings):
    labelled(organiser, settings)
    assert organiser.shows('name="labels_v1"', "A1\nA2\nA3\nHall 2 / 7</textarea>")
    taken_back(organiser, settings)
    assert "Hall 2 / 7" not in organiser.page


def test_labels_are_shown_wherever_a_table_is(organiser, guest):
    event = announced(organiser)
    labelled(organiser, event)
    organiser.open(f"{event}/round")
    organiser.send(do="pair", round=1)
    organiser.open(f"{event}/rounds/1/draft")
    assert organiser.shows(">A1", "A1: ", "A2: ")
    organiser.open(f"{event}/round")
    organiser.send(do="start", round=1)
    assert organiser.shows('</span>A1<span class="vh">')
    row = re.search(r"<tr id=\"r1g1\".*?</tr>", organiser.page, re.DOTALL)[0]
    assert re.search(r">A\d <span class=\"soft hall-name", row), row
    organiser.open(f"{event}/games/r1g1")
    assert organiser.shows("table A")
    phone = with_a_code(organiser, event, "Ana")
    assert re.search(r"<small>Table</small>A\d", phone.page)
    for page in ("wall/pairings", "pairings", "prints/pairings", "prints/slips", "prints/signs"):
        guest.open(f"{event}/{page}")
        assert guest.shows("A1"), page
    guest.open(f"{event}/prints/signs")
    assert guest.shows('class="chit is-long">Hall 2 / 7')


def test_quick_entry_takes_a_label_or_a_number(organiser):
    event = paired(organiser)
    labelled(organiser, event)
    for table, points in (("a1", "150"), ("2", "140")):
        answer = organiser.send(f"{event}/quick", part="quick", round=1, table=table, points_1=points, points_2="99")
        assert answer.status_code == 200
        label = {"a1": "A1", "2": "A2"}[table]
        assert re.search(rf"Table {label}: \w+ {points} : 99", organiser.page)
    answer = organiser.send(f"{event}/quick", part="quick", round=1, table="Z9", points_1="1", points_2="2")
    assert answer.status_code == 422
    assert organiser.shows("No game at table Z9 in this round.")


def test_a_game_moves_to_a_table_by_its_label(organiser):
    event = announced(organiser)
    labelled(organiser, event)
    organiser.open(f"{event}/round")
    organiser.send(do="pair", round=1)
    organiser.open(f"{event}/rounds/1/draft")
    organiser.send(game="r1g1", table="hall 2 / 7", do="move")
    assert organiser.shows(">Hall 2 / 7<", "The game has moved.")
    organiser.send(game="r1g1", table="nowhere", do="move")
    assert organiser.shows("Enter a table number.")


def test_times_are_those_of_the_venue(organiser, guest):
    event = announced(organiser)
    for venue, zone in (("v1", "Asia/Kathmandu"), ("v2", "America/New_York")):
        organiser.open(f"{event}/settings")
        sent(organiser, f"about:{venue}", **{f"time_zone_{venue}": zone})
    organiser.open(f"{event}/round")
    organiser.send(do="pair", round=1)
    organiser.send(do="start", round=1)
    hours = {}
    for venue in ("v1", "v2"):
        guest.open(f"{event}/wall/clock?venue={venue}")
        hours[venue] = int(re.search(r"Now <time[^>]*>(\d\d):", guest.page)[1])
    assert (hours["v1"] - hours["v2"]) % 24 in (9, 10, 11)
    guest.open(f"{event}/wall/pairings?venue=v1")
    assert re.search(r"Ends at</p><time[^>]*>\d\d:\d\d( \([^)]*\))?</time>", guest.page)
    guest.open(f"{event}/wall/pairings")
    assert re.search(r"Ends at</p><time[^>]*>\d\d:\d\d [A-Z][\w+:]+[^<]*</time>", guest.page)


def test_a_phone_has_the_time_of_its_venue(organiser):
    event = announced(organiser)
    for venue in ("v1", "v2"):
        organiser.open(f"{event}/settings")
        sent(organiser, f"about:{venue}", **{f"time_zone_{venue}": "Asia/Kathmandu"})
    organiser.open(f"{event}/round")
    organiser.send(do="pair", round=1)
    organiser.send(do="start", round=1)
    phone = with_a_code(organiser, event, "Ana")
    assert 'data-zone="Asia/Kathmandu"' in phone.page


def test_visitors_read_where_a_venue_is(organiser, guest):
    event = announced(organiser)
    organiser.open(f"{event}/settings")
    sent(organiser, "about:v1", address_v1="12 Harbour Road", note_v1="Enter by the yard.")
    guest.open(f"{event}/about")
    assert guest.shows("12 Harbour Road", "Enter by the yard.")
    assert with_a_code(organiser, event, "Ana").shows("12 Harbour Road", "Enter by the yard.")


def test_a_wall_shows_the_clock_of_each_venue_while_they_differ(organiser, guest, services):
    organiser.open("/events/new")
    organiser.send(**FIELDS | {"check_in": "", "pairing_scope": "venue"})
    event = organiser.address.removesuffix("/players")
    for venue, names in (("v1", "Ana\nBen"), ("v2", "Cy\nDi")):
        organiser.open(f"{event}/players")
        organiser.send(players=names, venue=venue)
    organiser.open(f"{event}/round")
    organiser.send(do="pair", round=1)
    start, token = f"/tournaments/{event.rpartition('/')[2]}/rounds/1/start", services.token("operator")
    for venue, minutes in (("v1", 90), ("v2", 30)):
        body = {"venue": venue, "minutes": minutes}
        assert services.ask("POST", "pairing", start, body, token).status == 201
    guest.open(f"{event}/wall/clock")
    clocks = re.findall(r"<dt><bdi>(\w+)</bdi></dt><dd><time[^>]*>([\d:]+)</time>", guest.page)
    assert [(name, time.count(":")) for name, time in clocks] == [("Hall", 2), ("Library", 1)]
    guest.open(f"{event}/wall/clock?venue=v2")
    assert "<dt>" not in guest.page
    assert re.search(r"Time left</p>\s*<time[^>]*>([12]\d|30):\d\d<", guest.page)
    assert guest.shows("<bdi>Library</bdi>")
