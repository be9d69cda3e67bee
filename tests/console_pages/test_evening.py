"""An event played through the pages, by people without a script in their browsers."""

from __future__ import annotations

import re

from tests.console_pages.conftest import Browser

FIELDS = {"name": "Club night", "ruleset": "star-wars-armada-1.1", "venue_1": "Hall", "tables_1": "4"}
FIELDS |= {"venue_2": "Library", "tables_2": "1", "rounds": "3", "check_in": "yes"}


def announced(organiser: Browser) -> str:
    """A new event with two venues and four players who have come; its address."""
    organiser.open("/events/new")
    assert organiser.send(**FIELDS).status_code == 200, organiser.page
    event = organiser.address.removesuffix("/players")
    organiser.send(players="Ana; Reds\nBen\n\nCy\nDi")
    assert organiser.shows("Ana", "not checked in", "Reds", "Ben", "Cy", "Di")
    players = re.findall(r'name="player" value="(p\d+)"', organiser.page)
    hall = re.search(r'<option value="([^"]+)">Hall<', organiser.page)[1]
    organiser.send(f"{event}/players/check-in", player=players, venue=hall)
    assert organiser.page.count(">checked in<") == 4
    return event


def paired(organiser: Browser) -> str:
    event = announced(organiser)
    organiser.open(f"{event}/round")
    organiser.send(do="pair", round=1)
    assert organiser.shows("Round 1 of 3", "paired", "0 of 2 games settled", "Hall", "Start round 1")
    organiser.send(do="start", round=1)
    assert organiser.shows("being played", "not reported", "Enter result", "Close round 1")
    return event


def one_counts(organiser: Browser, event: str) -> None:
    """The desk enters the first result of round 1."""
    organiser.open(f"{event}/games/r1g1")
    organiser.send(do="send", points_1="150", points_2="99")


def with_a_code(organiser: Browser, event: str, name: str) -> Browser:
    """The phone of a player, who has scanned what the desk shows."""
    phone = Browser(organiser.client.application)
    organiser.open(f"{event}/players")
    player = re.search(
        rf'<tr id="(p\d+)"><th scope="row">(?:<label.*?</label>)?(?:<a [^>]*>)?<bdi>{name}<', organiser.page
    )[1]
    organiser.send(f"{event}/players/{player}", do="link")
    assert organiser.shows("Scan this with the player", "<img", "data:image/svg+xml")
    address = re.search(r'readonly value="http://[^/]+(/[^"]+)"', organiser.page)[1].replace("&amp;", "&")
    phone.open(address)
    assert "token" not in phone.address
    return phone


def test_a_round_is_played_from_announcement_to_standings(organiser):
    event = paired(organiser)
    phones = {name: with_a_code(organiser, event, name) for name in ("Ana", "Ben", "Cy", "Di")}
    ana = phones["Ana"]
    assert ana.shows("Table", "against ", "Round 1", "Report the result")
    rival = re.search(r"<h1>against (\w+)</h1>", ana.page)[1]
    ana.send(do="report", points_1="150", points_2="129", end="rounds", second_player="2")
    assert ana.shows("Waiting for", rival, "Your report", ">150<", ">129<")
    phones[rival].open(f"{event}/table")
    assert phones[rival].shows("Ana", "reported the result", ">150<", ">129<", "Yes, that is right")
    phones[rival].send(do="confirm")
    assert phones[rival].shows("Settled: 150 : 129")

    one, two = [name for name in phones if name not in ("Ana", rival)]
    phones[one].open(f"{event}/table")
    phones[one].send(do="report", points_1="60", points_2="200")
    phones[two].open(f"{event}/table")
    assert phones[two].send(do="dispute", reason="").status_code == 422
    assert phones[two].shows("Say briefly what is wrong")
    phones[two].send(do="dispute", reason="we never played turn six")
    assert phones[two].shows("A referee is needed")

    organiser.open(f"{event}/round")
    assert organiser.shows("1 disputed", "1 settled", "disputed", "Make a ruling")
    organiser.send(do="close", round=1)
    assert organiser.shows("Nothing was saved. Please check:")
    game = re.search(r'<tr id="(r1g\d)" class="is-dispute">', organiser.page)[1]
    organiser.open(f"{event}/games/{game}")
    organiser.send(version="other", points_1="60", points_2="190", reason="counted again", do="send")
    assert organiser.shows("2 of 2 games settled", "settled by a ruling")

    organiser.open(f"{event}/games/{game}")
    assert organiser.shows("Correct the result", 'value="60"', 'value="190"')
    organiser.send(points_1="190", points_2="60", reason="slips mixed up", do="preview")
    assert organiser.shows("What this would change", "rank ")
    organiser.open(f"{event}/round")
    organiser.send(do="close", round=1)
    assert organiser.shows("closed", "Pair round 2")
    organiser.open(f"{event}/standings")
    assert organiser.shows("After round 1", "Tournament points", "Margin of victory")
    player = re.search(r'<tr id="(p\d)"><td class="num podium">1<', organiser.page)[1]
    organiser.open(f"{event}/standings?why={player}")
    assert organiser.shows("Why ", "is here", "round 1: ", "AR-TB-1")


def test_a_draft_is_seen_by_staff_alone_until_it_is_published(organiser, guest):
    organiser.open("/events/new")
    organiser.send(**{**FIELDS, "check_in": "", "on_purpose": "yes", "venue_2": "", "tables_2": ""})
    event = organiser.address.removesuffix("/players")
    organiser.send(players="Ana\nBen\nCy\nDi")
    organiser.open(f"{event}/round")
    organiser.send(do="pair", round=1)
    assert organiser.shows("Round 1", "draft, visible to staff only", "Publish round 1")
    for page in ("round", "wall/pairings"):
        guest.open(f"{event}/{page}")
        assert not guest.shows("Ana", "Ben")
    organiser.send(do="publish", round=1)
    assert organiser.shows("paired", "Start round 1")
    guest.open(f"{event}/wall/pairings")
    assert guest.shows("Round 1: find your table", "Ana")


def test_the_wall_shows_who_plays_where_without_a_login(organiser, guest):
    event = paired(organiser)
    assert guest.open(f"{event}/wall/pairings").status_code == 200
    assert guest.shows("Round 1: find your table", "Ana", "against", "Ben", "Cy", "Di")
    assert guest.open(f"{event}/wall/standings").status_code == 200


def test_a_guest_sees_no_button_and_is_refused(organiser, guest):
    event = paired(organiser)
    guest.open(f"{event}/round")
    assert guest.shows("being played")
    assert not guest.shows("Close the round")
    guest.open("/sign-in")
    assert guest.send(f"{event}/round", do="close", round=1).status_code in (401, 403)


def test_two_taps_on_one_button_announce_one_event(organiser):
    organiser.open("/events/new")
    form = dict(organiser.__dict__)
    organiser.send(**FIELDS)
    first = organiser.address
    organiser.page = form["page"]
    organiser.send("/events/new", **FIELDS)
    assert organiser.address == first
