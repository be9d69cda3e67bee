"""Several venues: the form asks who plays whom, check-in counts seats, and a draft says who plays away."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.console_pages.real_browser import violations, window
from tests.console_pages.test_evening import FIELDS


def announce(organiser, **fields):
    """Announce an event with a town hall of two tables and a gym; return its address."""
    organiser.open("/events/new")
    halls = {"venue_1": "Town hall", "tables_1": "2", "venue_2": "Gym", "tables_2": "4"}
    sent = organiser.send(**FIELDS | halls | {"on_purpose": "yes", "check_in": ""} | fields)
    assert sent.status_code == 200, organiser.page
    return organiser.address.removesuffix("/players")


@pytest.mark.parametrize(("scope", "said"), [("event", "everyone together"), ("venue", "each venue separately")])
def test_the_form_asks_whether_venues_are_paired_apart(organiser, scope, said):
    organiser.open("/events/new")
    assert organiser.shows("Pair everyone together", "Pair each venue separately")
    organiser.send(do="look", venue_1="Town hall", pairing_scope=scope)
    assert f"<dd>{said}" not in organiser.page
    organiser.send(do="look", venue_1="Town hall", venue_2="Gym", pairing_scope=scope)
    assert organiser.shows("Summary", f"<dd>{said}")
    event = announce(organiser, pairing_scope=scope)
    asked = organiser.client.application.extensions["muster-services"].registration
    assert asked.show_tournament(event.rpartition("/")[2]).pairing_scope == scope
    organiser.open(f"/events/new?copy={event.rpartition('/')[2]}")
    assert organiser.shows(f'name="pairing_scope" value="{scope}" checked')


def test_check_in_names_a_venue_with_more_players_than_seats(organiser):
    event = announce(organiser)
    organiser.send(players="Ana\nBen\nCy\nDi", venue="v1")
    organiser.open(f"{event}/check-in")
    assert "seats" not in organiser.page
    organiser.open(f"{event}/players")
    organiser.send(players="Eve", venue="v1")
    organiser.open(f"{event}/check-in")
    assert organiser.shows("Town hall", "5 players, 4 seats", "Gym")


@pytest.mark.parametrize("scope", ["event", "venue"])
def test_a_draft_names_the_players_who_play_away(organiser, scope):
    event = announce(organiser, pairing_scope=scope)
    organiser.send(players="Ana\nBen\nCy", venue="v1")
    organiser.send(players="Di\nEve\nFay", venue="v2")
    organiser.open(f"{event}/round")
    organiser.send(do="pair", round=1)
    organiser.open(f"{event}/rounds/1/draft")
    away = re.search(r"(\d+) players? plays? away from their venue", organiser.page)
    assert bool(away) == (scope == "event")


@pytest.mark.engine("browser")
def test_the_question_appears_as_soon_as_a_second_venue_has_a_name(organiser, browser, address):
    context = window(browser, address, "phone", organiser.cookie())
    page = context.new_page()
    page.goto("/events/new")
    asked = page.get_by_role("group", name="Who plays whom?")
    page.get_by_label("Venue 1", exact=True).fill("Town hall")
    expect(asked).to_be_hidden()
    page.get_by_label("Venue 2", exact=True).fill("Gym")
    expect(asked).to_be_visible()
    assert violations(page) == []
    context.close()
