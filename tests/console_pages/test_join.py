"""Somebody signs up by themselves, from the page that everybody may open."""

from __future__ import annotations

from tests.console_pages.conftest import KEY
from tests.console_pages.test_evening import FIELDS, announced


def open_event(organiser, **fields):
    organiser.open("/events/new")
    assert organiser.send(**{**FIELDS, "sign_up": "open", **fields}).status_code == 200, organiser.page
    return organiser.address.removesuffix("/players")


def test_two_taps_sign_up_once_and_lead_to_the_players_own_page(organiser, guest):
    event = open_event(organiser)
    guest.open(f"{event}/join")
    page, key = guest.page, KEY.search(guest.page)[1]
    for _ in range(2):
        guest.page = page
        guest.send(f"{event}/join", name="Zoe <b>", club="Reds", key=key)
        assert guest.address == f"{event}/table"
        assert guest.shows("Hello, Zoe &lt;b&gt;")
    organiser.open(f"{event}/players")
    assert organiser.page.count(">Zoe &lt;b&gt;<") == 1


def test_a_fault_is_shown_next_to_its_field_and_the_input_is_kept(organiser, guest):
    event = open_event(organiser)
    guest.open(f"{event}/join")
    assert guest.send(name="", club="Reds").status_code == 422
    assert guest.shows('id="name-f"', 'value="Reds"')


def test_a_sign_up_for_a_full_event_joins_the_waiting_list(organiser, guest):
    event = open_event(organiser, capacity="2")
    organiser.send(f"{event}/players", players="Ana\nBen")
    guest.open(f"{event}/join")
    assert guest.shows("The event is full")
    guest.send(name="Zoe")
    assert guest.shows("You are number 1 on the waiting list")


def test_an_event_without_sign_up_says_so(organiser, guest):
    guest.open(f"{announced(organiser)}/join")
    assert guest.shows("Sign-up is not open")
    assert 'name="name"' not in guest.page
    assert guest.open("/events/t-000000000000/join").status_code == 404
