"""What guests see: the event, pairings, a player's history, the overlay; and nothing of what is only for some."""

from __future__ import annotations

import re

import pytest

from tests.console_pages.real_browser import violations, window
from tests.console_pages.test_evening import paired

PUBLIC = ("/about", "/pairings", "/standings", "/overlay", "/history/p1")


@pytest.fixture(scope="module")
def evening(services):
    """An evening with a draft of round 1 that only its staff may see."""
    evening = services.evening("before", name="Zollhaus Open", on_purpose=["rounds"])
    evening.do("pairing", "/rounds")
    return evening


@pytest.fixture(scope="module")
def event(organiser_of_all) -> str:
    return paired(organiser_of_all)


def test_an_event_is_found_on_the_first_page_and_shows_its_public_data(guest, event):
    assert guest.open("/?q=club").status_code == 200, guest.page
    assert guest.shows("Upcoming", "Club night"), guest.page
    guest.open(f"{event}/")
    assert guest.address == f"{event}/about"
    assert guest.shows("Club night", "Round 1 is being played", "0 of 2 games settled", "Timetable", "timetable.ics")
    # Links lead to the services themselves, not below the console's own address.
    assert f'href="http://127.0.0.1:8003/feed?tournament={event.removeprefix("/events/")}"' in guest.page
    guest.open(f"{event}/pairings?q=ana")
    assert guest.shows("Pairings of round 1", "Ana", "not reported")
    player = re.search(r"/history/(p\d+)", guest.page)[0]
    guest.open(f"{event}{player}")
    assert guest.shows("Games", "not reported")
    guest.open(f"{event}/overlay")
    assert guest.shows("Round 1", "Table 1")


def test_a_guest_is_not_shown_the_places_of_staff(guest, organiser, event):
    guest.open(f"{event}/about")
    assert f"{event}/players" not in guest.page
    assert f"{event}/round" not in guest.page
    organiser.open(f"{event}/round")
    assert f"{event}/players" in organiser.page


def test_public_pages_have_no_private_data(guest, organiser, evening):
    """Of contacts, drafts and keys nothing comes through, for a guest or on the screen of an organiser."""
    for browser in (guest, organiser):
        for page in PUBLIC:
            answer = browser.open(f"/events/{evening.id}{page}")
            assert answer.status_code == 200 or page == "/standings", page
            assert "against" not in browser.page, page
            assert "/history/" not in browser.page or page != "/pairings", page
            assert "phone" not in browser.page, page
            assert not re.search(r"eyJ[\w-]+\.[\w-]+\.", browser.page), page
    guest.open(f"/events/{evening.id}/pairings")
    assert guest.shows("No round is published yet")


def test_an_event_of_others_is_not_there(guest, services):
    hidden = services.evening("before", visibility="private")
    for page in ("/", *PUBLIC):
        answer = guest.open(f"/events/{hidden.id}{page}")
        nowhere = guest.open(f"/events/t-none{page}")
        assert answer.status_code == nowhere.status_code == 404, page


def test_a_choice_of_language_and_colours_leads_back_and_never_away(guest, event):
    guest.open(f"{event}/about")
    guest.send("/language", language="de", back=f"{event}/about")
    assert guest.address == f"{event}/about"
    assert guest.shows('<html lang="de"', "Paarungen")
    guest.send("/colours", theme="dark", back="//elsewhere.example/")
    assert guest.address == "/"
    assert guest.shows('data-theme="dark"')


@pytest.mark.engine("browser")
@pytest.mark.parametrize("size", ["phone", "desk"])
def test_axe_finds_nothing_on_public_pages(browser, address, event, size):
    context = window(browser, address, size)
    page, found = context.new_page(), {}
    for place in ("/", *(f"{event}{page}" for page in PUBLIC)):
        page.goto(place)
        if faults := violations(page):
            found[place] = faults
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), place
    context.close()
    assert not found


def test_a_cancelled_event_is_listed_as_such(guest, services):
    evening = services.evening("before", name="Rained Off")
    evening.do("registration", "/cancellation", {"reason": "the hall is flooded"})
    guest.open("/?q=rained")
    assert guest.shows("Cancelled", "Rained Off"), guest.page
