"""The wall turns its pages by itself, with a script and without one, and keeps to one venue on request."""

from __future__ import annotations

import re

import pytest

from services.console.pages import wall
from tests.console_pages.test_evening import FIELDS, announced, one_counts, paired

NAMES = [f"Player {number:02}" for number in range(1, 19)]


@pytest.fixture(scope="module")
def event(organiser_of_all) -> str:
    """Eighteen players, more than fit on one page of the wall."""
    organiser_of_all.open("/events/new")
    organiser_of_all.send(**{**FIELDS, "check_in": "", "tables_1": "9", "venue_2": "", "tables_2": ""})
    event = organiser_of_all.address.removesuffix("/players")
    organiser_of_all.send(players="\n".join(NAMES))
    organiser_of_all.open(f"{event}/round")
    organiser_of_all.send(do="pair", round=1)
    organiser_of_all.send(do="start", round=1)
    one_counts(organiser_of_all, event)
    return event


@pytest.mark.engine("browser")
def test_pages_rotate_and_start_again(browser, address, event, monkeypatch):
    monkeypatch.setattr(wall, "SECONDS", 1)
    page = browser.new_page(base_url=address, viewport={"width": 1920, "height": 1080})
    page.goto(f"{event}/wall/pairings")
    for number, name in ((1, "Player 01"), (2, "Player 18"), (1, "Player 01")):
        pips = page.locator(f'ol.pips[aria-label="Page {number} of 2"]')
        page.locator("body", has=pips, has_text=name).wait_for()
    page.goto(f"{event}/wall/standings")
    page.wait_for_selector("text=Player 18")
    page.close()


def test_without_a_script_the_page_leads_on(guest, event):
    guest.open(f"{event}/wall/pairings")
    on = re.search(r'<noscript><meta http-equiv="refresh" content="12;url=([^"]+)">', guest.page)[1]
    guest.open(on)
    assert guest.shows("Player 17", "Player 18", "Page 2 of 2")


def test_a_wall_of_one_venue_shows_its_players_alone(organiser, guest):
    event = paired(organiser)
    guest.open(f"{event}/wall/pairings?venue=v1")
    assert guest.shows("Ana", "Hall")
    assert not guest.shows("Library")
    guest.open(f"{event}/wall/pairings?venue=v2")
    assert not guest.shows("Ana")


def test_a_wall_speaks_german(guest, event):
    page = guest.client.get(f"{event}/wall/pairings", headers={"Accept-Language": "de"}).get_data(as_text=True)
    assert "Runde 1: Finde deinen Tisch" in page


def test_the_clock_tells_the_time_left_and_what_comes(organiser, guest):
    event = paired(organiser)
    guest.open(f"{event}/wall/clock")
    assert guest.shows("Round 1", "Time left", "0 of 2 games settled", "end of the round", "Now ")
    assert "start</p>" not in guest.page
    assert re.search(r'<time datetime="PT\d+S" data-left="-?\d+" data-hours>[\d:]+:\d\d</time>', guest.page)
    guest.open(f"{event}/wall/clock?venue=v1")
    assert guest.shows("Hall")


def test_a_clock_without_a_running_round_says_so(guest, organiser):
    event = announced(organiser)
    guest.open(f"{event}/wall/clock")
    assert guest.shows("No round is being played right now.")


def test_pairings_stand_by_table_on_request(guest, event):
    guest.open(f"{event}/wall/pairings?by=table")
    tables = [int(one) for one in re.findall(r"table </span>(\d+)</span>", guest.page)]
    assert tables == sorted(tables)
    assert tables[:4] == [1, 1, 2, 2]
    assert "page=2&amp;by=table" in guest.page


def test_the_walls_of_an_event_are_listed_for_each_venue(organiser):
    event = paired(organiser)
    organiser.open(f"{event}/prints")
    assert f'href="{event}/walls"' in organiser.page
    organiser.open(f"{event}/walls")
    assert organiser.page.count("data:image/svg+xml") == 12
    assert organiser.page.count("%23fff") == 12, "phones read dark on light alone"
    assert f'href="{event}/wall/clock?venue=v2"' in organiser.page


def test_players_of_a_large_field_are_listed_by_name_until_a_result_counts(guest, services):
    crowd = services.announce(capacity=500)
    people = [{"name": f"Name {number:03}"} for number in range(50)]
    crowd.do("registration", "/players/list", {"players": people})
    shown, address = [], f"/events/{crowd.id}/wall/standings"
    for number in (1, 2):
        guest.open(address)
        assert guest.shows("50 players", f"Page {number} of 2")
        shown += re.findall(r"<bdi>(Name \d+)</bdi>", guest.page)
        address = re.search(r'url=([^"]+)">', guest.page)[1].replace("&amp;", "&")
    assert shown == [f"Name {number:03}" for number in range(50)]
    guest.open(address)
    assert guest.shows("Name 000", "Page 1 of 2")


def test_standings_tell_their_range_and_set_long_names_smaller(organiser_of_all, guest):
    hebrew, long = "אבגדה וזחטי כלמנס", "Maximiliane " * 4 + "Wolkenstein"
    organiser_of_all.open("/events/new")
    organiser_of_all.send(**{**FIELDS, "check_in": "", "tables_1": "9", "venue_2": "", "tables_2": ""})
    event = organiser_of_all.address.removesuffix("/players")
    organiser_of_all.send(players="\n".join([hebrew, long, *NAMES[:10]]))
    organiser_of_all.open(f"{event}/round")
    organiser_of_all.send(do="pair", round=1)
    organiser_of_all.send(do="start", round=1)
    one_counts(organiser_of_all, event)
    guest.open(f"{event}/wall/standings")
    assert guest.shows("1 to 10 of 12", "Page 1 of 2")
    first = guest.page
    guest.open(re.search(r'content="12;url=([^"]+)"', first)[1].replace("&amp;", "&"))
    assert guest.shows("11 to 12 of 12", "Page 2 of 2")
    both = first + guest.page
    assert f'<th scope="row" class="long"><bdi>{long}</bdi>' in both
    assert f'<th scope="row"><bdi>{hebrew}</bdi>' in both


@pytest.mark.engine("browser")
def test_only_the_time_left_is_large_on_the_clock(organiser, browser, address):
    event = paired(organiser)
    page = browser.new_page(base_url=address, viewport={"width": 1920, "height": 1080})
    page.goto(f"{event}/wall/clock")
    heights = page.locator(".wall-clock time").evaluate_all("times => times.map(time => time.offsetHeight)")
    page.close()
    assert len(heights) > 1
    assert heights[0] > 5 * max(heights[1:])


@pytest.fixture(scope="module")
def big_event(organiser_of_all) -> str:
    """130 players at tables up to number 165."""
    organiser_of_all.open("/events/new")
    organiser_of_all.send(**{**FIELDS, "check_in": "", "tables_1": "101-165", "venue_2": "", "tables_2": ""})
    event = organiser_of_all.address.removesuffix("/players")
    organiser_of_all.send(players="\n".join(f"Name {number:03}" for number in range(130)))
    organiser_of_all.open(f"{event}/round")
    organiser_of_all.send(do="pair", round=1)
    organiser_of_all.send(do="start", round=1)
    one_counts(organiser_of_all, event)
    return event


def test_a_large_field_fills_three_columns_and_comes_round_in_ninety_seconds(guest, big_event):
    guest.open(f"{big_event}/wall/pairings")
    assert guest.page.count("<li><div><b") == 42
    assert guest.shows("<bdi>Nam</bdi> – <bdi>Nam</bdi>", "Page 1 of 4")
    assert 'class="wall-list is-dense"' in guest.page
    assert [seconds_for(pages) for pages in (1, 7, 8, 12, 18, 50)] == [12, 12, 11, 7, 5, 5]


def seconds_for(pages: int) -> int:
    return wall.seconds_per_page(wall.Turn("", {"pages": pages}))


def test_screens_share_the_alphabet(guest, organiser_of_all, big_event):
    shown: list[str] = []
    for part in (1, 2, 3):
        guest.open(f"{big_event}/wall/pairings?part={part}&parts=3")
        shown += re.findall(r"<bdi>(Name \d+)</bdi></b>", guest.page)
        if "Page 1 of 2" in guest.page:
            guest.open(f"{big_event}/wall/pairings?part={part}&parts=3&page=2")
            shown += re.findall(r"<bdi>(Name \d+)</bdi></b>", guest.page)
    assert shown == [f"Name {number:03}" for number in range(130)]
    organiser_of_all.open(f"{big_event}/walls")
    assert organiser_of_all.shows("screen 1 of 3", "screen 3 of 3")


@pytest.mark.engine("browser")
def test_a_table_number_of_three_digits_fits_its_box(browser, address, big_event):
    page = browser.new_page(base_url=address, viewport={"width": 1920, "height": 1080})
    page.goto(f"{big_event}/wall/pairings")
    boxes = page.eval_on_selector_all(
        ".wall-list .chit",
        "all => all.map(one => [one.scrollWidth, one.clientWidth, one.scrollHeight, one.clientHeight])",
    )
    assert len(boxes) == 42
    assert all(wide <= width + 1 and high <= height + 1 for wide, width, high, height in boxes)
    page.close()


def test_standings_of_a_large_field_come_in_three_columns_page_by_page(guest, big_event):
    ranked, address = [], f"{big_event}/wall/standings"
    for number in (1, 2, 3, 4):
        guest.open(address)
        assert guest.shows(f"Page {number} of 4")
        ranked += re.findall(r"<bdi>(Name \d+)</bdi>", guest.page)
        address = re.search(r'data-turn="([^"]+)"', guest.page)[1].replace("&amp;", "&")
    assert len(ranked) == len({*ranked}) == 130
    assert address == f"{big_event}/wall/standings"


@pytest.mark.parametrize(
    "query",
    ["first=-5", "first=9999999", "first=x", f"first={'9' * 5000}", "page=0", f"page={'9' * 400}", "parts=-1&part=7"],
)
@pytest.mark.parametrize("what", ["standings", "pairings"])
def test_a_wall_of_a_strange_address_shows_a_page(guest, event, what, query):
    assert guest.open(f"{event}/wall/{what}?{query}").status_code == 200
    assert guest.shows("Player 01")
