"""What there is to see of campaigns, co-operative events and seasons, and where their pages lead."""

from __future__ import annotations

import re
from functools import partial
from html import unescape

import pytest

from tests.campaign.services.league import new_league
from tests.campaign.services.sides_story import new_sides
from tests.console_pages.conftest import Browser, signed_in
from tests.console_pages.real_browser import violations, window
from tests.coop.story import new_night
from tests.season.story import new_season

LINK = re.compile(r'href="([^"#]+)')


@pytest.fixture(scope="module")
def league(services):
    """A campaign of four groups, of whose first round one game is played."""
    league = new_league(services, 4, built=True)
    league.pair()
    league.play("r1g1", "p1")
    return league


@pytest.fixture(scope="module")
def season(services):
    """A season that has gathered nothing yet."""
    return new_season(services)


@pytest.fixture(scope="module")
def night(services):
    """Two tables of a co-operative evening, one of which has won."""
    night = new_night(services, 8)
    night.set_up("r1t1")
    night.win()
    night.confirm()
    return night


def test_a_campaign_shows_its_league_table_its_groups_and_the_games_of_the_round(guest, league):
    assert guest.open(f"/events/{league.id}/about").status_code == 200
    assert guest.shows("Fallout Skirmish", "4 groups", "League standings", "Player 1", "Raiders", "3", "320")
    assert guest.shows("Games of round 1", "Player 1", "Player 2", "settled", "Player 3", "Player 4", "not reported")


def test_a_campaign_that_has_not_begun_shows_its_groups(guest, services):
    league = new_league(services, 2, built=True)
    guest.open(f"/events/{league.id}/about")
    assert guest.shows("2 groups", "Player 1", "Player 2")
    assert not guest.shows("Games of round")


@pytest.mark.parametrize("which", ["league", "night"])
def test_staff_and_players_see_that_the_event_is_run_through_the_api(app, guest, which, request):
    event = request.getfixturevalue(which)
    told = "This event is run through the API"
    for role in ("organiser", "p1"):
        mine = signed_in(app, event.token(role))
        mine.open(f"/events/{event.id}/about")
        assert mine.shows(told, "/docs")
    guest.open(f"/events/{event.id}/about")
    assert not guest.shows(told)


@pytest.mark.parametrize("new", [new_league, partial(new_night, seated=False)])
@pytest.mark.parametrize("players", [0, 2])
def test_an_event_that_was_only_announced_or_whose_players_are_not_ready_has_its_page(guest, services, new, players):
    assert guest.open(f"/events/{new(services, players).id}/about").status_code == 200


def test_a_private_event_is_shown_to_its_own_people(app, guest, services):
    league = new_league(services, 2, built=True, visibility="private")
    assert guest.open(f"/events/{league.id}/about").status_code == 404
    referee = signed_in(app, league.token("referee"))
    referee.open(f"/events/{league.id}/about")
    assert referee.shows("League standings", "Player 1")


def test_a_co_operative_evening_shows_its_tables_and_who_survived(guest, night):
    assert guest.open(f"/events/{night.id}/about").status_code == 200
    assert guest.shows("8 players", "Tables of round 1", "won", "not started")
    assert guest.shows("Survivors", "provisional", "Survivor ", "<b>3</b>")


@pytest.mark.clause("AB-REP-3")
@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("en", "Corrected by organiser (before: won): a goal was tapped by mistake"),
        ("de", "Korrigiert von organiser (vorher: gewonnen): a goal was tapped by mistake"),
    ],
)
def test_a_corrected_table_shows_what_it_was(guest, services, language, line):
    night = new_night(services, 3)
    night.set_up("r1t1")
    night.win()
    night.confirm()
    told = {"outcome": "defeat", "rounds": 3, "completed": ["g01"], "others": 9, "position": 9}
    body = {"told": told, "reason": "a goal was tapped by mistake"}
    night.do("scoring", "/sessions/r1t1/correction", body)
    answer = guest.client.get(f"/events/{night.id}/about", headers={"Accept-Language": language})
    page = answer.get_data(as_text=True)
    assert line in page
    assert {"en": "lost", "de": "verloren"}[language] in page


def test_the_page_says_that_no_one_is_seated_yet(guest, services):
    night = new_night(services, 4, seated=False)
    guest.open(f"/events/{night.id}/about")
    assert guest.shows("No one is seated yet.")


@pytest.mark.parametrize("role", ["guest", "p1", "referee", "organiser"])
@pytest.mark.parametrize("which", ["league", "night", "season"])
def test_nothing_that_its_pages_lead_to_is_refused(app, which, role, request):
    event = request.getfixturevalue(which)
    browser = Browser(app) if role == "guest" else signed_in(app, event.token(role))
    begin = f"/events/{event.id}/"
    seen: dict[str, int] = {}
    open = [begin]
    while open:
        address = open.pop()
        seen[address] = browser.open(address).status_code
        open += (
            {unescape(link) for link in LINK.findall(browser.page) if link.startswith(begin)} - seen.keys() - {*open}
        )
    assert {address: status for address, status in seen.items() if status != 200} == {}
    assert len(seen) > 1 or role == "guest"


@pytest.mark.parametrize("which", ["league", "night"])
def test_in_german_nothing_of_it_is_english(guest, which, request):
    event = request.getfixturevalue(which)
    page = guest.client.get(f"/events/{event.id}/about", headers={"Accept-Language": "de"}).get_data(as_text=True)
    words = {"league": ("Rangliste der Liga", "Spiele der Runde 1"), "night": ("Tische der Runde 1", "Überlebende")}[
        which
    ]
    assert all(word in page for word in words)
    assert 'lang="en"' not in page[page.index("<main") :]


@pytest.mark.engine("browser")
@pytest.mark.parametrize("size", ["phone", "desk"])
@pytest.mark.parametrize("which", ["league", "night"])
def test_axe_finds_nothing_and_nothing_is_wider_than_the_window(browser, address, which, size, request):
    event = request.getfixturevalue(which)
    with window(browser, address, size) as context:
        page = context.new_page()
        page.goto(f"/events/{event.id}/about")
        assert violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_game_of_three_names_all_three_on_every_page(app, guest, services):
    league = new_sides(services, ("raiders",) * 3, [["p1"], ["p2"], ["p3"]])
    names = {f"Player {number}" for number in (1, 2, 3)}
    guest.open(f"/events/{league.id}/about")
    assert guest.shows("Games of round 1", "Player 1", "Player 2", "Player 3", "Table 1")
    guest.open(f"/events/{league.id}/wall/pairings")
    for name in names:
        line = next(one for one in guest.page.split("<li>") if f"<b><bdi>{name}</bdi></b>" in one)
        assert all(other in line for other in names)
    phone = signed_in(app, league.token("p3"))
    phone.open(f"/events/{league.id}/table")
    assert phone.shows("against Player 1, Player 2")
