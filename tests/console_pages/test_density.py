"""Rows at the desk: at most 44 pixels each, and twenty or more of them on a screen of 1280 x 800 pixels."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from bench.crowded import crowded_event
from tests.console_pages.real_browser import window

pytestmark = pytest.mark.engine("browser")
HIGHEST, FEWEST = 44, 20
"""Pixels of a row; rows that are whole on the screen with the head of the table at its top."""
MEASURE = """() => {
  const table = document.querySelector("#found table, #frag-games table, #frag-standings table, #frag-draft");
  scrollBy({top: table.getBoundingClientRect().top, behavior: "instant"});
  const rows = [...table.tBodies[0].rows].map((row) => row.getBoundingClientRect());
  return {heights: rows.map((row) => row.height), whole: rows.filter((row) => row.bottom <= innerHeight).length,
    wide: document.documentElement.scrollWidth > innerWidth};
}"""


@pytest.fixture(scope="module")
def events(services) -> dict[str, str]:
    """An event of 2,000 players in twenty halls, with long names: in its fourth round, and before it."""
    return {
        "begun": crowded_event(services.databases, "t-dense"),
        "paired": crowded_event(services.databases, "t-dense-paired", paired=True),
    }


@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
@pytest.mark.parametrize(
    ("event", "path"),
    [
        ("begun", "players"),
        ("begun", "round"),
        ("begun", "round?which=all"),
        ("begun", "standings"),
        ("paired", "rounds/4/draft"),
    ],
)
def test_twenty_rows_are_on_a_screen(organiser, browser: Browser, address, events, event, path, locale):
    with window(browser, address, "desk", organiser.cookie(), locale=locale) as context:
        page = context.new_page()
        page.set_viewport_size({"width": 1280, "height": 800})
        page.goto(f"/events/{events[event]}/{path}")
        found = page.evaluate(MEASURE)
    assert len(found["heights"]) >= 50
    assert max(found["heights"]) <= HIGHEST
    assert found["whole"] >= FEWEST
    assert not found["wide"]
