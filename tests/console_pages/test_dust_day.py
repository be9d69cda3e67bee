"""A day of Dust Warfare by clicks alone: lists by file and on paper, one round, a cut of two, and the final."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from shared.formats.packs import shipped_ruleset
from tests.console_pages.counted import Day, Somebody
from tests.console_pages.real_browser import window
from tests.fuzz.muster import Muster as Services

pytestmark = pytest.mark.engine("browser")
PLAYERS = ("Ana", "Ben", "Cleo", "Dora", "Emil", "Finn")
ARMY = json.dumps(shipped_ruleset("dust-warfare-1.0").roster.example).encode()


@pytest.fixture
def day(capsys: pytest.CaptureFixture[str]) -> Iterator[Day]:
    """What the organiser does is counted, and printed at the end."""
    day = Day()
    yield day
    with capsys.disabled():
        print(f"\n{day.table()}")


def test_a_dust_event_with_lists_and_a_cut(browser: Browser, address: str, services: Services, day: Day) -> None:
    organiser = Somebody(day, window(browser, address, "desk").new_page())
    announced(organiser, services)
    lists_seen(organiser)
    played(organiser, 1)
    cut(organiser)
    played(organiser, 2)
    ended(organiser)
    event = re.sub(r"/[^/]*$", "", organiser.page.url)
    guest = window(browser, address, "phone").new_page()
    guest.goto(f"{event}/bracket")
    expect(guest.get_by_text("has won.")).to_be_visible()
    assert [step.name for step in day.steps if not step.clicks] == []
    for page in (organiser.page, guest):
        page.context.close()


def announced(organiser: Somebody, services: Services) -> None:
    """The page of a new event says that lists are due; six players are entered and checked in."""
    with organiser.day.step("announce the event and enter 6 players"):
        organiser.page.goto(f"/come-in?key={services.token('operator')}")
        organiser.follow("New event")
        organiser.write("Name of the event", "Desert Cup")
        organiser.pick("Dust Warfare")
        organiser.sees("Lists are due before round 1.")
        organiser.write("Rounds", "1")
        organiser.write("Venue 1", "Hall")
        organiser.write("Tables of venue 1", "3")
        organiser.press("Create event")
        organiser.write("Names", "\n".join(PLAYERS), pasted=True)
        organiser.press("Add players")
        organiser.press("Check in all 6")
        expect(organiser.page.get_by_text("checked in", exact=True)).to_have_count(6)


def lists_seen(organiser: Somebody) -> None:
    """Round 1 names who has no list. One list is a file, the others are seen on paper."""
    with organiser.day.step("hear that lists are missing"):
        organiser.follow("To the round")
        organiser.sees("6 players have no accepted list:")
        organiser.page.locator("main a[href*='/lists?state=none']").first.click()
        organiser.typed(1, 0)
    for player in PLAYERS:
        with organiser.day.step(f"the list of {player}"):
            organiser.follow(player)
            if player == PLAYERS[0]:
                organiser.page.get_by_text("Use a file instead").click()
                file = {"name": "army.json", "mimeType": "application/json", "buffer": ARMY}
                organiser.page.locator("#file").set_input_files(file)
                organiser.typed(3, 0)
                organiser.press("Save the list")
            else:
                organiser.page.locator("summary", has_text="Accept the list on paper").click()
                organiser.typed(1, 0)
                organiser.write("Total army points", "390", within=organiser.page.locator("#paper"))
                organiser.write("Reason", "printed", within=organiser.page.locator("#paper"))
                organiser.press("Accept the list on paper", within=organiser.page.locator("#paper"))
            organiser.page.wait_for_url(re.compile(r"/lists(#\w+)?$"))


def played(organiser: Somebody, number: int) -> None:
    """A round is paired, begun, entered by quick entry, and closed."""
    with organiser.day.step(f"play round {number}"):
        if number == 1:
            organiser.follow("Round")
        organiser.press(f"Pair round {number}")
        organiser.press(f"Start round {number}")
        organiser.sees("being played")
        said = organiser.page.locator("#quick-said li")
        for count, table in enumerate(organiser.page.locator("#frag-games tbody th").all_inner_texts(), 1):
            organiser.write("Table", f"{re.search(r'[0-9]+', table)[0]} 90 40", enter=True)
            organiser.page.locator("#quick [data-question] input").first.check()  # who won: points do not say it
            organiser.typed(1, 0)
            organiser.press("Enter", within=organiser.page.locator("#quick"))
            expect(said).to_have_count(count)
            expect(said.first).to_contain_text("(winner) 90 : 40")
        organiser.press("Close the round")
        organiser.sees("closed")


def cut(organiser: Somebody) -> None:
    """The first two advance; first it is shown who they are."""
    with organiser.day.step("make the cut"):
        organiser.page.locator("aside a[href$='/cut']").click()
        organiser.typed(1, 0)
        organiser.write("How many advance", "2")
        organiser.press("Preview")
        organiser.sees("2 players would advance")
        organiser.press("Make the cut: 2 players advance")
        organiser.sees("2 players advance")
        organiser.page.locator("aside a[href$='/round']").click()
        organiser.typed(1, 0)


def ended(organiser: Somebody) -> None:
    """The bracket has a winner, and the event ends."""
    with organiser.day.step("end the event"):
        organiser.sees("The bracket has a winner")
        organiser.follow("End the event")
        organiser.press("Preview")
        organiser.press("End for good")
        organiser.sees("The event is over. The standings are final.")
