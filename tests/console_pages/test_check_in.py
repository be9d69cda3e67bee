"""Check-in at the door: by name, by id, by the code of a player."""

from __future__ import annotations

import re

import pytest

from tests.console_pages.small_event import SmallEvent
from tests.console_pages.test_evening import announced


def test_a_player_is_found_and_checked_out_and_in_with_one_press(organiser):
    event = announced(organiser)
    organiser.open(f"{event}/players")
    assert organiser.shows(f'href="{event}/check-in"')
    organiser.open(f"{event}/check-in")
    assert organiser.shows("Hall", "4 of 4 checked in", "Library", "0 of 0 checked in")
    organiser.send(q="an")
    assert organiser.shows("Ana", "Undo check-in")
    organiser.send(do="check-out", player="p1")
    assert organiser.shows("3 of 4 checked in", "Ana is no longer checked in")
    organiser.send(q="p1")
    assert organiser.shows("Ana", "not checked in", "Check in")
    organiser.send(do="check-in", player="p1")
    assert organiser.shows("4 of 4 checked in", "Ana is checked in")


def test_all_players_are_checked_in_at_their_venues_and_it_can_be_undone(organiser):
    event = announced(organiser)
    hall, library = re.findall(r'<option value="(v\d)">', organiser.page)[:2]
    organiser.send(players="Eve\nFay", venue=library)
    organiser.send(players="Gil")
    players = re.findall(r'type="hidden" name="player" value="(p\d+)"', organiser.page)
    assert players == ["p5", "p6", "p7"]
    organiser.send(f"{event}/players/check-in", player=players, venue=hall)
    assert organiser.shows("3 players checked in", "Undo")
    undo = organiser.page.split('name="undo" value="')[1].split('"')[0]
    organiser.open(f"{event}/check-in")
    assert organiser.shows("Hall", "5 of 5 checked in", "Library", "2 of 2 checked in")
    organiser.send(f"{event}/undo", undo=undo, back=f"{event}/check-in")
    assert organiser.shows("Hall", "4 of 5 checked in", "Library", "0 of 2 checked in")


def test_no_player_is_checked_in_if_one_of_them_has_withdrawn(organiser):
    event = announced(organiser)
    organiser.send(players="Eve\nFay")
    organiser.send(f"{event}/player/p6", do="withdraw", reason="")
    organiser.open(f"{event}/players")
    answer = organiser.send(f"{event}/players/check-in", player=["p5", "p6"], venue="v1")
    assert answer.status_code == 409
    assert organiser.shows("Nothing was saved. Please check:", "The player is not taking part", "Fay has withdrawn")
    assert organiser.page.count(">checked in<") == 4


def test_the_code_of_a_player_finds_them_and_is_not_shown_again(organiser):
    event = announced(organiser)
    organiser.send(f"{event}/players/p2", do="link")
    link = re.search(r'readonly value="([^"]+)"', organiser.page)[1].replace("&amp;", "&")
    for text in (link, link.partition("token=")[2]):
        organiser.open(f"{event}/check-in")
        organiser.send(q=text)
        assert organiser.shows("Ben", "Undo check-in")
        assert not organiser.shows(text)
        assert organiser.address == f"{event}/check-in"


def test_an_invalid_code_finds_no_player(organiser):
    event = announced(organiser)
    organiser.open(f"{event}/check-in")
    for text in ("http://[", "a.b.c", "<b>", "x" * 600, "\u202eana", "p99"):
        assert organiser.send(q=text).status_code == 200
        assert organiser.shows("No player of that name")


def test_a_guest_is_sent_to_sign_in(organiser, guest):
    event = announced(organiser)
    guest.open(f"{event}/check-in")
    assert guest.address == "/sign-in"


@pytest.mark.engine("browser")
def test_names_are_found_while_they_are_typed_and_the_field_keeps_the_focus(organiser, browser, address):
    event = announced(organiser)
    context = browser.new_context(base_url=address, viewport={"width": 360, "height": 740})
    name, value = organiser.cookie()
    context.add_cookies([{"name": name, "value": value, "url": address}])
    page = context.new_page()
    page.goto(f"{event}/check-in")
    page.locator("#q").press_sequentially("cy")
    page.get_by_role("button", name="Undo check-in Cy").wait_for()
    assert page.evaluate("document.activeElement.id") == "q"
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.get_by_role("button", name="Undo check-in Cy").click()
    page.get_by_text("3 of 4 checked in").wait_for()
    assert page.url == f"{address}{event}/check-in"
    context.close()


def test_a_text_that_is_too_long_finds_no_player(organiser):
    event = announced(organiser)
    organiser.open(f"{event}/check-in")
    assert organiser.send(q="a" * 100_000).status_code == 200
    assert organiser.shows("No player of that name.")


def test_players_without_a_venue_count_in_the_only_room(services, app):
    small = SmallEvent(services, app)
    small.asked.registration.join_players(small.id, players=[{"name": "Eve"}])
    organiser = small.browser("organiser")
    organiser.open(f"{small.page}/check-in")
    assert organiser.shows("Hall", "of 5 checked in")
    assert not organiser.shows("No venue yet")
