"""Screens are set up from the console, each at an address of its own, and turn to what they are set to show."""

from __future__ import annotations

import re

import pytest

from services.console.pages import screens
from tests.console_pages.conftest import Browser
from tests.console_pages.cut_evening import CutEvening
from tests.console_pages.test_evening import FIELDS, announced, one_counts, paired

DAY = {"pairings_by_name": ["before", "during"], "clock": "during", "standings": "after"}


def set_up(organiser: Browser, event: str, name: str = "Stage", **fields: object):
    """Set a screen up by the form of the page."""
    organiser.open(f"{event}/walls")
    return organiser.send(name=name, version=version(organiser), **{"seconds": "20", **(fields or DAY)})


def version(browser: Browser) -> str:
    return re.search(r'name="version" value="([^"]*)"', browser.page)[1].replace("&#34;", '"')


def turned(wall: Browser) -> str:
    """Go where the page leads by itself without a script; returns how long it would have stayed."""
    seconds, on = re.search(r'<noscript><meta http-equiv="refresh" content="(\d+);url=([^"]+)">', wall.page).groups()
    wall.open(on.replace("&amp;", "&"))
    return seconds


def test_a_screen_shows_each_thing_when_it_is_wanted_and_turns(organiser, guest):
    event = announced(organiser)
    set_up(organiser, event)
    assert organiser.shows("Stage</bdi>", "Pairings by name", "before a round", f"{event}/screen/stage")
    assert organiser.shows("Stage is set up.")
    guest.open(f"{event}/screen/stage")
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


def test_a_change_is_taken_up_at_the_next_turn(organiser, guest):
    event = paired(organiser)
    one_counts(organiser, event)
    set_up(organiser, event, clock="during")
    guest.open(f"{event}/screen/stage")
    assert guest.shows("Time left")
    organiser.open(f"{event}/walls?screen=stage")
    assert organiser.shows("Change Stage", 'value="Stage"', 'value="during" checked', "Show this from now on")
    organiser.send(screen="stage", version=version(organiser), name="The stage", standings="during", seconds="30")
    turned(guest)
    assert guest.shows("Standings", "Rank", "Ana")
    assert turned(guest) == "30"
    organiser.open(f"{event}/walls")
    organiser.send(do="remove", screen="stage", version=version(organiser))
    assert organiser.shows("The screen is removed.")
    turned(guest)
    assert guest.shows("This screen is not set up.")
    assert guest.client.get(f"{event}/screen/stage").status_code == 404
    assert guest.client.get(f"{event}/screen/stage", headers={"HX-Request": "true"}).status_code == 200


def test_what_is_always_shown_is_ticked_three_times(organiser, guest):
    event = paired(organiser)
    set_up(organiser, event, clock=["before", "during", "after"])
    organiser.open(f"{event}/walls?screen=stage")
    assert organiser.page.count(" checked") == 4  # one of them chooses the colours
    assert not organiser.shows("<b>Clock</b>,")
    guest.open(f"{event}/screen/stage?at=99&page=99999999999999999999&first=x")
    assert guest.shows("Time left")


def test_a_screen_that_has_nothing_to_show_says_so_and_waits(organiser, guest):
    event = paired(organiser)
    set_up(organiser, event, standings="after")
    guest.open(f"{event}/screen/stage")
    assert guest.shows("There is nothing to show here now.")
    assert turned(guest) == "20"


def test_the_form_keeps_what_was_typed_and_tells_all_faults(organiser):
    event = paired(organiser)
    answer = set_up(organiser, event, name="", seconds="many")
    assert answer.status_code == 422
    assert organiser.shows(
        "This was not done", "A whole number", "Give the screen a name.", "Tick what the screen shows"
    )
    assert 'value="many"' in organiser.page
    answer = set_up(organiser, event, clock="during", seconds="1", venue="v9")
    assert answer.status_code == 422
    assert organiser.shows("5", 'value="during" checked')
    assert organiser.shows('id="seconds-f"')


def test_a_name_that_is_taken_is_refused_but_not_two_taps(organiser):
    event = paired(organiser)
    set_up(organiser, event, name="Bühne <b>links</b>", clock="during")
    assert f"{event}/screen/buhne-b-links-b" in organiser.page
    assert "<b>links" not in organiser.page
    assert set_up(organiser, event, name="Bühne <b>links</b>", clock="during").status_code == 200
    answer = set_up(organiser, event, name="Bühne (B) links b", clock="after")
    assert (answer.status_code, organiser.shows("There is such a screen.")) == (409, True)
    set_up(organiser, event, name="במה", clock="during")
    assert f"{event}/screen/screen" in organiser.page


def test_two_organisers_at_once_do_not_undo_each_other(app, organiser):
    event = paired(organiser)
    set_up(organiser, event, clock="during")
    organiser.open(f"{event}/walls?screen=stage")
    stale = version(organiser)
    organiser.send(screen="stage", version=stale, name="First", clock="during", seconds="12")
    answer = organiser.send(screen="stage", version=stale, name="Second", clock="during", seconds="12")
    assert answer.status_code == 412
    assert organiser.shows("Somebody was faster", "First</bdi>", 'value="Second"')


def test_guests_see_the_screens_and_no_form(organiser, guest):
    event = paired(organiser)
    set_up(organiser, event, clock="during")
    guest.open(f"{event}/walls")
    assert guest.shows("Stage</bdi>", f"{event}/screen/stage", "One thing at a time")
    assert "Set up a screen" not in guest.page
    assert guest.send(name="x", clock="during", seconds="12").status_code in (401, 403)


def test_a_screen_on_the_organisers_computer_shows_no_draft(organiser):
    organiser.open("/events/new")
    organiser.send(**{**FIELDS, "check_in": "", "on_purpose": "yes"})
    event = organiser.address.removesuffix("/players")
    organiser.send(players="Ana\nBen")
    organiser.open(f"{event}/round")
    organiser.send(do="pair", round=1)
    assert organiser.shows("draft")
    set_up(organiser, event, pairings_by_name="before")
    for place in ("screen/stage", "wall/pairings"):
        organiser.open(f"{event}/{place}")
        assert organiser.shows("The pairings appear here")


def test_a_screen_shows_the_bracket_once_there_is_one(organiser, guest, services, app):
    event = paired(organiser)
    set_up(organiser, event, bracket=["before", "during", "after"])
    guest.open(f"{event}/screen/stage")
    assert not guest.shows("Semi-final")
    evening = CutEvening(services, app, ["Ana", "Ben", "Cy", "Di"])
    evening.play(1)
    evening.asked.pairing.make_cut(evening.id, places=4)
    set_up(organiser, evening.page, bracket=["before", "during", "after"])
    guest.open(f"{evening.page}/screen/stage")
    assert guest.shows("Bracket", "Semi-finals")


def test_a_screen_speaks_german(organiser, guest):
    event = paired(organiser)
    page = guest.client.get(f"{event}/screen/none", headers={"Accept-Language": "de"}).get_data(as_text=True)
    assert "Diese Leinwand ist nicht eingerichtet." in page


@pytest.mark.engine("browser")
def test_a_screen_goes_on_by_itself(organiser, browser, address, monkeypatch):
    """By a script: from one thing to the next, and to what is set up only later."""
    monkeypatch.setattr(screens, "SECONDS", 1)
    event = paired(organiser)
    one_counts(organiser, event)
    page = browser.new_page(base_url=address)
    page.goto(f"{event}/screen/stage")
    set_up(organiser, event, clock="during", standings="during", seconds="5")
    page.wait_for_selector("text=Time left")
    page.wait_for_selector("text=Rank")
    page.wait_for_selector("text=Time left")
    page.close()
