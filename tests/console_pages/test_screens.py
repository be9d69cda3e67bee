"""A screen turns through what its address names; the page of walls makes such addresses."""

from __future__ import annotations

import re

import pytest

from services.console.pages import wall as wall_pages
from tests.console_pages.conftest import Browser
from tests.console_pages.cut_evening import CutEvening
from tests.console_pages.test_evening import FIELDS, announced, one_counts, paired

DAY = "pairings_by_name=before&pairings_by_name=during&clock=during&standings=after&seconds=20"
ALWAYS = "{0}=before&{0}=during&{0}=after"


def turned(wall: Browser) -> str:
    """Follow the page to the next one as without a script. Return the seconds for which it would have stayed."""
    seconds, following = re.search(
        r'<noscript><meta http-equiv="refresh" content="(\d+);url=([^"]+)">', wall.page
    ).groups()
    wall.open(following.replace("&amp;", "&"))
    return seconds


def test_a_screen_shows_each_thing_at_its_moment_and_turns(organiser, guest):
    event = announced(organiser)
    guest.open(f"{event}/screen?{DAY}")
    assert guest.shows("The pairings appear here")
    organiser.open(f"{event}/round")
    organiser.send(do="pair", round=1)
    assert turned(guest) == "20"
    assert guest.shows("find your table", "Ana")
    organiser.send(do="start", round=1)
    turned(guest)
    assert guest.shows("find your table", "Ana")
    turned(guest)
    assert guest.shows("Time left")
    turned(guest)
    assert guest.shows("find your table")


def test_the_page_of_walls_makes_the_address_of_a_screen(organiser, guest):
    event = paired(organiser)
    one_counts(organiser, event)
    for browser in (organiser, guest):
        browser.open(f"{event}/walls?clock=during&standings=during&seconds=30&venue=v1")
        assert browser.shows("Your screen", "Hall", 'value="during" checked', "Single displays")
    address = re.search(r'href="(/events/[^"]+/screen[^"]+)"', guest.page)[1].replace("&amp;", "&")
    guest.open(address)
    assert guest.shows("Time left")
    assert turned(guest) == "30"
    assert guest.shows("Standings", "Rank", "Ana")


@pytest.mark.parametrize(
    ("preset", "moments"),
    [("hall", ("Time left", "Time left")), ("entrance", ("find your table",)), ("stage", ("Time left", "Rank"))],
)
def test_a_preset_makes_a_screen_that_changes_with_the_round(organiser, guest, preset, moments):
    event = paired(organiser)
    one_counts(organiser, event)
    organiser.open(f"{event}/walls")
    assert organiser.shows('value="hall" checked', "Entrance", "Stage", "Own choice")
    organiser.open(f"{event}/walls?preset={preset}&seconds=12&clock=before")
    assert organiser.shows("Your screen", f'value="{preset}" checked')
    guest.open(re.search(r'href="(/events/[^"]+/screen[^"]+)"', organiser.page)[1].replace("&amp;", "&"))
    for shown in moments:
        assert guest.shows(shown)
        turned(guest)


def test_an_address_is_made_of_what_was_understood(organiser):
    event = paired(organiser)
    organiser.open(f"{event}/walls?clock=during&seconds={'0' * 3000}12&venue={'v' * 3000}&more=x")
    assert organiser.shows("Your screen", f"{event}/screen?clock=during&amp;seconds=12")


def test_an_address_that_names_nothing_to_show_is_not_made(organiser):
    event = paired(organiser)
    for query, fault in (
        ("seconds=12", "Choose what the screen shows, and when."),
        ("seconds=1&clock=during", "Between 5 and 300 seconds."),
        ("seconds=many&clock=during", "Between 5 and 300 seconds."),
    ):
        assert organiser.open(f"{event}/walls?{query}").status_code == 422
        assert organiser.shows(fault)
        assert not organiser.shows("Your screen")


@pytest.mark.parametrize("query", ["", ALWAYS.format("standings"), "clock=never&seconds=x", "at=-1&what=<b>"])
def test_a_screen_with_nothing_to_show_says_so_and_waits(organiser, guest, query):
    event = paired(organiser)
    assert guest.open(f"{event}/screen?{query}").status_code == 200
    assert guest.shows("Nothing to show here right now." if "standings" not in query else "Standings appear once")
    assert turned(guest) == "12"


def test_a_place_beyond_the_end_begins_again(organiser, guest):
    event = paired(organiser)
    guest.open(f"{event}/screen?{ALWAYS.format('clock')}&at=99&page=99999999999999999999&first=x")
    assert guest.shows("Time left")


def test_a_screen_on_the_organisers_computer_shows_no_draft(organiser):
    organiser.open("/events/new")
    organiser.send(**{**FIELDS, "check_in": "", "on_purpose": "yes"})
    event = organiser.address.removesuffix("/players")
    organiser.send(players="Ana\nBen")
    organiser.open(f"{event}/round")
    organiser.send(do="pair", round=1)
    assert organiser.shows("draft")
    for place in ("screen?pairings_by_name=before", "wall/pairings"):
        organiser.open(f"{event}/{place}")
        assert organiser.shows("The pairings appear here")


def test_a_screen_shows_the_bracket_once_there_is_one(organiser, guest, services, app):
    guest.open(f"{paired(organiser)}/screen?{ALWAYS.format('bracket')}")
    assert not guest.shows("Semi-final")
    evening = CutEvening(services, app, ["Ana", "Ben", "Cy", "Di"])
    evening.play(1)
    evening.asked.pairing.make_cut(evening.id, places=4)
    guest.open(f"{evening.page}/screen?{ALWAYS.format('bracket')}")
    assert guest.shows("Bracket", "Semi-finals")


@pytest.mark.engine("browser")
def test_a_screen_rotates(organiser, browser, address, monkeypatch):
    monkeypatch.setattr(wall_pages, "SHORTEST", 1)
    event = paired(organiser)
    one_counts(organiser, event)
    page = browser.new_page(base_url=address)
    page.goto(f"{event}/screen?clock=during&standings=during&seconds=1")
    page.wait_for_selector("text=Time left")
    page.wait_for_selector("text=Rank")
    page.wait_for_selector("text=Time left")
    page.close()
