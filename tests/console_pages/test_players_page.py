"""The list of players: one line a player with one action and a menu, search as you type, cards on a phone."""

from __future__ import annotations

import re

import playwright.sync_api as playwright
import pytest
from playwright.sync_api import expect

from tests.console_pages.conftest import Browser
from tests.console_pages.real_browser import violations, window
from tests.console_pages.test_evening import FIELDS

LONG_CLUB = "Gesellschaft der Freunde des Miniaturenspiels Oberfranken"


def entered(organiser: Browser) -> str:
    """The players' page of an event of two venues. Ana is checked in, Ben has a venue, Cy has none."""
    organiser.open("/events/new")
    organiser.send(**FIELDS)
    players = organiser.address
    organiser.send(players=f"Ana; {LONG_CLUB}\nBen; {LONG_CLUB}", venue="v1")
    organiser.send(players=f"Cy; {LONG_CLUB}")
    organiser.send(f"{players}/p1", do="check-in")
    return players


def test_a_row_has_one_action_and_the_rest_in_a_menu(organiser):
    players = entered(organiser)
    organiser.open(players)
    for player, action in (("p1", "Code"), ("p2", "Check in"), ("p3", "Check in")):
        row = organiser.page.split(f'<tr id="{player}">')[1].split("</tr>")[0]
        outside, menu = row.split("<details")
        assert re.findall(r"<button[^>]*>([^<]+)", outside) == [action]
        assert f'href="{players.removesuffix("s")}/{player}"' in outside
        assert f'href="{players.removesuffix("s")}/{player}#leave"' in menu
    organiser.open(f"{players}?q=be")
    assert organiser.shows(">Ben<")
    assert not organiser.shows(">Ana<")


def test_a_line_names_club_and_venue_and_an_unknown_venue_is_said(organiser):
    players = entered(organiser)
    organiser.send(players, players="Di; Reds; library\nEve;;HALL\nFay; Blues", venue="v2")
    assert organiser.shows("3 players added.")
    for player, venue in (("p4", "v2"), ("p5", "v1"), ("p6", "v2")):
        organiser.open(f"{players}?venue={venue}")
        assert f'<tr id="{player}">' in organiser.page
    assert organiser.send(players, players="Gus; Reds; Attic\nHal;;<b>").status_code == 422
    assert organiser.shows("Gus: there is no open venue “Attic”.", "Hal: there is no open venue “&lt;b&gt;”.")
    assert organiser.shows("Gus; Reds; Attic")
    organiser.open(players)
    assert ">Gus<" not in organiser.page


@pytest.mark.engine("browser")
def test_rows_are_one_line_at_the_desk_and_cards_on_a_phone(organiser, browser: playwright.Browser, address):
    players = entered(organiser)
    with window(browser, address, "desk", organiser.cookie()) as context:
        page = context.new_page()
        page.goto(players)
        heights = [row.bounding_box()["height"] for row in page.locator("tbody tr").all()]
        assert len(heights) == 3
        assert max(heights) <= 44, heights
        page.get_by_label("Find a player").press_sequentially("be")
        expect(page.locator("tbody tr")).to_have_count(1)
        page.locator("#p2 summary").press("Enter")
        expect(page.get_by_role("link", name="Drop… Ben")).to_be_visible()
        assert violations(page) == []
    with window(browser, address, "phone", organiser.cookie()) as context:
        page = context.new_page()
        page.goto(players)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        button = page.get_by_role("button", name="Check in Ben").bounding_box()
        assert button["height"] >= 44
        assert button["x"] + button["width"] <= 360
        assert page.locator("#p2").bounding_box()["height"] < 80
        page.locator("#p2 summary").click()
        expect(page.get_by_role("link", name="Drop… Ben")).to_be_in_viewport()
        assert violations(page) == []
