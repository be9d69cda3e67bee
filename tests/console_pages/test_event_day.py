"""The measure of the console: sixteen players at two venues, from announcement to prize-giving, in real browsers.

An organiser, two players on phones, a referee and a wall have their pages open at once. What it takes, in clicks and
typed characters, is printed step by step.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.console_pages.counted import Day, Somebody
from tests.console_pages.real_browser import window
from tests.fuzz.muster import Evening
from tests.fuzz.muster import Muster as Services

pytestmark = pytest.mark.engine("browser")

HALL = ("Ana", "Ben", "Cleo", "Dora", "Emil", "Finn", "Gil", "Hana")
LIBRARY = ("Ivo", "Jana", "Kai", "Lena", "Milo", "Nora", "Oskar", "Pia")
ROUNDS = 3
CLICKS = 90
"""Taps, ticks and fields entered, by everyone together; 147 on 28 November 2026."""
MINUTES = 5
"""Of a person's time, pressing and typing, as the clicks and characters give it; reading and waiting come on top."""


@pytest.fixture
def day(capsys: pytest.CaptureFixture[str]) -> Iterator[Day]:
    """What everybody does is counted, and printed at the end."""
    day = Day()
    yield day
    with capsys.disabled():
        print(f"\n{day.table()}")


def test_an_event_of_sixteen_at_two_venues(browser: Browser, address: str, services: Services, day: Day) -> None:
    organiser = Somebody(day, window(browser, address, "desk").new_page())
    wall = window(browser, address, "wall").new_page()
    event = announced(organiser, services)
    entered(organiser)
    phones = {name: Somebody(day, window(browser, address, "phone").new_page()) for name in pair_up(organiser)}
    for name, phone in phones.items():
        joined(organiser, phone, name)
    wall.goto(f"{event}/wall/pairings")
    assert wall.get_by_text("Round 1: find your table").count()
    assert wall.get_by_text("Ana", exact=True).count()
    referee = Somebody(day, window(browser, address, "phone").new_page())
    appointed(organiser, referee, services, event)
    for number in range(1, ROUNDS + 1):
        played(organiser, phones if number == 1 else {}, number)
        wall.goto(f"{event}/wall/standings")
        if number < ROUNDS:
            corrected(referee, number)
            paired(organiser, number + 1)
    ended(organiser)
    wall.goto(f"{event}/wall/standings")
    assert wall.locator("tbody tr").count() == 10
    assert [step.name for step in day.steps if not step.clicks] == []
    assert day.whole.seconds / 60 < MINUTES
    assert day.whole.clicks <= CLICKS
    for page in (wall, referee.page, organiser.page, *(phone.page for phone in phones.values())):
        page.context.close()


def announced(organiser: Somebody, services: Services) -> str:
    """The organiser opens the address that `make run` prints, and announces the event from one page."""
    with organiser.day.step("sign in and announce the event"):
        organiser.page.goto(f"/come-in?key={services.token('operator')}")
        organiser.follow("New event")
        organiser.write("Name of the event", "Spring Cup")
        organiser.pick("Star Wars: Armada")
        organiser.write("Rounds", str(ROUNDS))
        organiser.write("Venue 1", "Hall")
        organiser.write("Tables of venue 1", "4")
        organiser.write("Venue 2", "Library")
        organiser.write("Tables of venue 2", "4")
        organiser.press("Create event")
        organiser.page.wait_for_url(re.compile("/players"))
    return re.sub(r"/players.*", "", organiser.page.url)


def entered(organiser: Somebody) -> None:
    """A list of names with their venues is pasted, and everybody is checked in."""
    with organiser.day.step("enter 16 players and check them in"):
        lines = [f"{name};;{venue}" for venue, names in (("Hall", HALL), ("Library", LIBRARY)) for name in names]
        organiser.write("Names", "\n".join(lines), pasted=True)
        organiser.press("Add players")
        organiser.sees(LIBRARY[-1])
        organiser.press("Check in all 16")
        organiser.sees("16 players")
        expect(organiser.page.get_by_text("checked in", exact=True)).to_have_count(16)


def pair_up(organiser: Somebody) -> tuple[str, str]:
    """Round 1 is paired and begun; the two who meet at the first table."""
    with organiser.day.step("to the round"):
        organiser.follow("To the round")
    paired(organiser, 1)
    row = organiser.page.locator("#frag-games tbody tr").first
    one, two = (row.locator("td").nth(place).inner_text() for place in (0, 1))
    return one, two


def paired(organiser: Somebody, number: int) -> None:
    """A round is paired and begun, everywhere at once: the venues have buttons of their own."""
    everywhere = organiser.page.locator("#frag-next")
    with organiser.day.step(f"pair and start round {number}"):
        organiser.press(f"Pair round {number}", within=everywhere if number > 1 else None)
        organiser.press(f"Start round {number}", within=everywhere)
        organiser.sees("being played")


def joined(organiser: Somebody, phone: Somebody, name: str) -> None:
    """The desk shows the player's code, and the phone opens what it says."""
    with organiser.day.step(f"show {name}'s code at the desk"):
        organiser.follow("Players")
        organiser.press("Code", within=organiser.page.locator("tr", has_text=name))
        organiser.sees("Scan this")
        code = organiser.page.get_by_label("As a link").input_value()
    phone.page.goto(re.sub(r"^https?://[^/]+", "", code))
    phone.sees("Report the result")


def appointed(organiser: Somebody, referee: Somebody, services: Services, event: str) -> None:
    """The referee signs in with a token of the event."""
    with organiser.day.step("the referee signs in"):
        referee.page.goto("/sign-in")
        token = Evening(services, event.rsplit("/", 1)[1]).token("referee")
        referee.write("Key", token, pasted=True)
        referee.press("Sign in")


def played(organiser: Somebody, phones: dict[str, Somebody], number: int) -> None:
    """Every game is reported: one by the players' phones, the others at the desk; then the round is closed."""
    if phones:
        reported(phones)
    with organiser.day.step(f"enter the results of round {number} and close it"):
        if phones:
            organiser.follow("Round")
        for venue in ("Hall", "Library"):
            organiser.choose("Venue", venue)
            due = organiser.page.locator("#frag-games tbody tr", has_text=venue).filter(has_text="not reported")
            for table in [re.search(r"\d+", row.locator("th").inner_text())[0] for row in due.all()]:
                organiser.write("Table", f"{table} 150 129", enter=True)
                expect(organiser.page.locator("#quick-said")).to_contain_text(f"Table {table}:")
        expect(organiser.page.locator("#frag-progress")).to_contain_text("8 of 8 games settled")
        organiser.press("Close the round")
        organiser.sees("closed")


def points(who: Somebody, one: str, two: str) -> None:
    """The points of both sides, and what the ruleset asks beside them."""
    who.page.locator("[name=points_1]").fill(one)
    who.page.locator("[name=points_2]").fill(two)
    who.typed(2, len(one + two))


def reported(phones: dict[str, Somebody]) -> None:
    """One reports in three taps beside the points; the other confirms."""
    (_, first), (_, second) = phones.items()
    with first.day.step("a player reports on the phone"):
        points(first, "150", "129")
        first.press("Send result")
        first.sees("Waiting for")
    assert first.day.steps[-1].clicks <= 3
    with second.day.step("the opponent confirms"):
        second.page.reload()
        second.press("Yes, that is right")
        second.sees("Settled")


def corrected(referee: Somebody, number: int) -> None:
    """The referee corrects a result of the round that was closed, and sees first what it moves."""
    with referee.day.step(f"correct a result of round {number} after its end"):
        referee.follow("Round")
        referee.follow("Correct")
        points(referee, "90", "180")
        referee.write("Reason", "slips mixed up")
        referee.press("Preview the changes")
        referee.sees("What this would change")
        referee.press("Save the correction")
        referee.page.wait_for_url(re.compile("/round"))


def ended(organiser: Somebody) -> None:
    """The event is ended, and the winner can be announced."""
    with organiser.day.step("end the event"):
        organiser.follow("End the event")
        organiser.press("Preview")
        organiser.press("End for good")
        organiser.sees("The event is over. The standings are final.")
