"""The round page has a row for each venue, where its round is published, started, timed and closed."""

from __future__ import annotations

import re
from html import unescape

import pytest

from tests.console_pages.test_venue_staff import appointed
from tests.console_pages.test_venues_apart import announce


@pytest.fixture
def event(organiser):
    """Two venues with two games each, paired by themselves; nothing is paired."""
    address = announce(organiser, pairing_scope="venue", rounds_apart="1", on_purpose="", rounds="3")
    organiser.send(players="Ana\nBen\nCy\nDi", venue="v1")
    organiser.send(f"{address}/players", players="Eve\nFay\nGil\nHal", venue="v2")
    organiser.open(f"{address}/round")
    return address


def row(page: str, venue: str) -> str:
    """Return the text of a venue's row and the names of its buttons."""
    found = page.split(f'<tr id="part-{venue}">')[1].split("</tr>")[0]
    return unescape(re.sub(r"<[^>]+>", " ", found)) + " " + " ".join(re.findall(r'name="do" value="(\w+)"', found))


def results(organiser, event: str, number: int, venue: str) -> None:
    """Report all games of a venue."""
    services = organiser.client.application.extensions["muster-services"]
    id = event.rpartition("/")[2]
    for game in services.pairing.show_round(id, number).pairings:
        if game.venue == venue:
            organiser.send(f"{event}/games/{game.id}", points_1="100", points_2="50", do="report")


def test_the_form_takes_the_bound(organiser, event):
    services = organiser.client.application.extensions["muster-services"]
    assert services.registration.show_tournament(event.rpartition("/")[2]).rounds_apart == 1
    organiser.open(f"/events/new?copy={event.rpartition('/')[2]}")
    assert organiser.shows('id="rounds_apart" name="rounds_apart" type="text" value="1"')
    organiser.open("/events/new")
    refused = organiser.send(name="X", venue_1="A", venue_2="B", pairing_scope="venue", rounds_apart="many")
    assert refused.status_code == 422
    assert organiser.shows("Enter a whole number.")


def test_one_venue_is_paired_started_and_given_time(organiser, event):
    assert "pair" in row(organiser.page, "v1")
    organiser.send(do="pair", round=1, venue="v1")
    assert organiser.shows("Town hall: Round 1 is paired.")
    assert "start" in row(organiser.page, "v1")
    assert "not paired" in row(organiser.page, "v2")
    organiser.send(do="start", round=1, venue="v1")
    assert "being played" in row(organiser.page, "v1")
    organiser.send(do="extend", round=1, venue="v1", minutes="5", why="fire alarm")
    assert organiser.shows("Town hall: Round 1 has extra time.")
    organiser.send(do="call", round=1, venue="v1", call="start")
    assert organiser.shows("Time is called in round 1.")


def test_a_refusal_names_the_venue_and_changes_nothing(organiser, event):
    organiser.send(do="pair", round=1)
    organiser.send(do="start", round=1, venue="v1")
    refused = organiser.send(do="close", round=1, venue="v1")
    assert refused.status_code == 409
    assert organiser.shows("Town hall: Some games are still open")
    assert re.search(r'value="close" data-needs="scoring" aria-disabled="true"', organiser.page)
    assert organiser.shows("Close round 1 at all venues")
    assert "being played" in row(organiser.page, "v1")
    assert organiser.send(do="start", round=1, venue="v9").status_code == 422


def test_setting_aside_needs_a_reason(organiser, event):
    organiser.send(do="pair", round=1)
    organiser.send(do="start", round=1)
    assert organiser.send(do="aside", round=1, venue="v2", why="").status_code == 422
    assert organiser.shows("Enter a reason")
    organiser.send(do="aside", round=1, venue="v2", why="no network")
    assert organiser.shows("Gym: Round 1 is set aside; the other venues go on.")
    assert "set aside" in row(organiser.page, "v2")
    assert "without" in row(organiser.page, "v2")
    organiser.send(do="without", round=1, venue="v2", why="the hall was flooded")
    assert organiser.shows("Gym: Round 1 is closed without the missing results.")
    assert "pair" in row(organiser.page, "v2")


def test_a_head_referee_runs_their_venue(organiser, event):
    rita = appointed(organiser, event, "head_referee", "v2")
    rita.open(f"{event}/round")
    assert 'value="v1"' not in "".join(re.findall(r'<input type="hidden" name="venue"[^>]*>', rita.page))
    rita.send(do="pair", round=1, venue="v2")
    rita.send(do="start", round=1, venue="v2")
    assert "being played" in row(rita.page, "v2")
    assert rita.shows("You run the round of your venue in its row above.")
    assert rita.send(do="pair", round=1, venue="v1").status_code == 403


def test_an_event_at_one_venue_has_no_rows(organiser):
    address = announce(organiser, venue_2="", tables_2="")
    organiser.open(f"{address}/round")
    assert 'id="frag-venues"' not in organiser.page


@pytest.mark.parametrize("page", ["wall/pairings", "prints/pairings"])
def test_walls_and_prints_of_a_venue_follow_its_own_round(organiser, event, page):
    organiser.send(do="pair", round=1)
    organiser.send(do="start", round=1)
    organiser.send(do="aside", round=1, venue="v1", why="no network")
    organiser.send(do="without", round=1, venue="v1", why="the hall was flooded")
    organiser.send(do="pair", round=2, venue="v1")
    assert organiser.shows("Town hall: Round 2 is paired.")
    for venue, names in (("v1", ("Ana", "Ben")), ("v2", ("Eve", "Fay"))):
        organiser.open(f"{event}/{page}?venue={venue}")
        assert all(organiser.shows(name) for name in names)


@pytest.fixture
def ahead(organiser, event):
    """The town hall is in round 2 while the gym still plays round 1."""
    organiser.send(do="pair", round=1)
    organiser.send(do="start", round=1)
    results(organiser, event, 1, "v1")
    organiser.open(f"{event}/round")
    organiser.send(do="close", round=1, venue="v1")
    organiser.send(do="pair", round=2, venue="v1")
    organiser.send(do="publish", round=2, venue="v1")
    organiser.send(do="start", round=2, venue="v1")
    assert "Round 2" in row(organiser.page, "v1")
    assert "Round 1" in row(organiser.page, "v2")
    return event


def games(page: str) -> str:
    """Return the table of games of a round page."""
    return page.split('id="frag-games"')[1].split("</table>")[0]


@pytest.mark.parametrize(("venue", "number", "names"), [("v1", 2, "Ana Ben Cy Di"), ("v2", 1, "Eve Fay Gil Hal")])
def test_a_venue_leads_to_its_own_round(organiser, ahead, venue, number, names):
    organiser.open(f"{ahead}/round")
    tab = unescape(re.search(rf'id="venue-{venue}" href="([^"]+)"', organiser.page)[1])
    linked = unescape(organiser.page.split(f'id="part-{venue}"')[1].split('<a href="')[1].split('"')[0])
    for address in (tab, linked):
        organiser.open(address)
        assert organiser.shows(f"<h1>Round {number} of 3</h1>", "0 of 2 games settled")
        assert all(name in games(organiser.page) for name in names.split())
        assert "No games match" not in organiser.page


@pytest.mark.parametrize(("venue", "status"), [("", 422), ("v2", 200)])
def test_quick_entry_finds_a_table_in_the_round_of_its_venue(organiser, ahead, venue, status):
    organiser.open(f"{ahead}/round")
    sent = {"part": "quick", "round": "2", "venue": venue}
    assert organiser.send(f"{ahead}/quick", **sent, table="1 100 90").status_code == status
    if status == 422:
        assert organiser.shows("Table 1 is at more than one venue. Choose the venue.")
    organiser.open(f"{ahead}/round")
    assert ("1 of 2" in row(organiser.page, "v2")) == (status == 200)
    assert "0 of 2" in row(organiser.page, "v1")
    assert organiser.send(f"{ahead}/quick", **sent, table="9 100 90").status_code == 422
    assert organiser.shows("No game at table 9 in this round.")


def test_a_wall_of_all_venues_shows_the_round_of_each(organiser, ahead):
    organiser.open(f"{ahead}/wall/pairings")
    assert organiser.shows("<h1>Find your table</h1>")
    assert organiser.shows("Town hall</bdi>, round 2", "Gym</bdi>, round 1")
    lines = organiser.page.split('id="frag-page"')[1].split("</ol>")[0]
    assert all(lines.count(f"<b><bdi>{name}<") == 1 for name in ["Ana", "Ben", "Cy", "Di", "Eve", "Fay", "Gil", "Hal"])


def test_each_clock_of_the_wall_has_its_round_and_count(organiser, ahead):
    results(organiser, ahead, 1, "v2")
    organiser.open(f"{ahead}/wall/clock")
    clocks = organiser.page.split('id="frag-clock"')[1].split("</main>")[0]
    for name, words in (("Town hall", "Round 2, 0 of 2 games settled"), ("Gym", "Round 1, 2 of 2 games settled")):
        part = clocks.split(f"<bdi>{name}</bdi>")[1].split("</div>")[0]
        assert words in part
    assert clocks.count("games settled") == 2
    assert '<p class="push">Round' not in organiser.page


def test_the_button_of_all_venues_says_so(organiser, event):
    assert organiser.page.count("Pair round 1 at all venues") == 2


def test_players_of_a_venue_are_counted_and_all_have_their_venue(organiser, event):
    organiser.send(f"{event}/players", players="Ida", venue="v2")
    organiser.open(f"{event}/players?venue=v2")
    assert organiser.shows("5 players", ">5 active<")
    assert '<th scope="col" class="hide-small">Venue' not in organiser.page
    organiser.open(f"{event}/players?venue=all")
    assert organiser.shows("9 players", ">9 active<", '<th scope="col" class="hide-small">Venue')
    assert [organiser.page.count(f'one-line"><bdi>{name}<') for name in ("Town hall", "Gym")] == [4, 5]
