"""The progress of the venues: what each one waits for, its time, and that nobody else's calls are shown to visitors."""

from __future__ import annotations

import re

import pytest

from tests.console_pages.conftest import Browser, signed_in
from tests.console_pages.real_browser import SIZES, violations, window
from tests.console_pages.test_evening import FIELDS
from tests.console_pages.test_event_settings import sent


@pytest.fixture
def event(organiser) -> str:
    """Round 1 is played at two venues that are paired apart: three games in the hall, two in the gym."""
    organiser.open("/events/new")
    halls = {"venue_1": "Hall", "tables_1": "4", "venue_2": "Gym", "tables_2": "4", "pairing_scope": "venue"}
    organiser.send(**FIELDS | halls | {"check_in": ""})
    event = organiser.address.removesuffix("/players")
    for venue, names in (("v1", "Ana\nBen\nCy\nDi\nEve\nFay"), ("v2", "Gus\nHal\nIda\nJo")):
        organiser.open(f"{event}/players")
        organiser.send(players=names, venue=venue)
    organiser.open(f"{event}/round")
    organiser.send(do="pair", round=1)
    organiser.send(do="start", round=1)
    return event


def rows(browser: Browser) -> dict[str, str]:
    """Name of a venue -> the text of its row."""
    found = re.findall(r"<tr[^>]*>\s*<th scope=\"row\">(.*?)</tr>", browser.page, re.DOTALL)
    texts = [" ".join(re.sub(r"<[^>]+>", " ", row).split()) for row in found]
    return {text.split()[0]: text for text in texts}


def test_each_venue_says_what_it_waits_for(organiser, event):
    organiser.open(f"{event}/games/r1g1")
    organiser.send(do="send", points_1="150", points_2="99")
    organiser.open(f"{event}/progress")
    assert organiser.shows('aria-current="page">Progress', "Round 1", "1 of 5 games settled")
    found = rows(organiser)
    assert list(found) == ["Hall", "Gym"]
    assert re.search(r"1 of 3 2 not reported ends at \d\d:\d\d", found["Hall"])
    assert re.search(r"0 of 2 2 not reported ends at \d\d:\d\d .* – 0 in 1 min too few results to say", found["Gym"])


def test_calls_are_counted_for_staff_alone(organiser, guest, app, services, event):
    services.copy(event.rpartition("/")[2])
    organiser.open(f"{event}/games/r1g4")
    tournament = event.rpartition("/")[2]
    asked = services.ask(
        "POST", "pairing", f"/tournaments/{tournament}/calls", {"game": "r1g4"}, services.token("operator")
    )
    assert asked.status == 201, asked
    organiser.open(f"{event}/progress")
    assert "1 call" in rows(organiser)["Gym"]
    assert f'href="{event}/referee?venue=v2"' in organiser.page
    assert "call" not in rows(organiser)["Hall"]
    guest.open(f"{event}/progress")
    assert "call" not in rows(guest)["Gym"]


def test_times_are_those_of_each_venue(organiser, event):
    for venue, zone in (("v1", "Asia/Kathmandu"), ("v2", "America/New_York")):
        organiser.open(f"{event}/settings")
        sent(organiser, f"about:{venue}", **{f"time_zone_{venue}": zone})
    organiser.open(f"{event}/progress")
    found = rows(organiser)
    ends = [re.search(r"ends at (\d\d):(\d\d) (\S+)", found[name]) for name in ("Hall", "Gym")]
    assert (int(ends[0][1]) - int(ends[1][1])) % 24 in (9, 10, 11)
    assert ends[0][3] != ends[1][3]


def test_before_the_first_round_there_is_nothing_to_see(organiser):
    organiser.open("/events/new")
    organiser.send(**FIELDS)
    organiser.open(f"{organiser.address.removesuffix('/players')}/progress")
    assert organiser.shows("The first round is not paired yet.")
    assert "<table" not in organiser.page


def test_an_event_at_one_venue_has_no_such_place_in_its_menu(organiser):
    organiser.open("/events/new")
    organiser.send(**FIELDS | {"venue_2": "", "tables_2": ""})
    assert ">Progress<" not in organiser.page


def test_a_private_event_is_not_shown_to_strangers(app, services, organiser):
    token = services.token("operator")
    body = {"name": "Secret", "ruleset": "star-wars-armada-1.1", "visibility": "private"}
    id = services.ask("POST", "registration", "/tournaments", body, token).body["id"]
    stranger = Browser(app)
    assert stranger.open(f"/events/{id}/progress").status_code == 404
    assert signed_in(app, token).open(f"/events/{id}/progress").status_code == 200


@pytest.mark.engine("browser")
@pytest.mark.parametrize("size", ["phone", "desk"])
def test_the_page_is_accessible_and_fits(organiser, event, browser, address, size):
    with window(browser, address, size, organiser.cookie()) as context:
        page = context.new_page()
        page.goto(f"{event}/progress")
        assert not violations(page)
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= SIZES[size][0]
