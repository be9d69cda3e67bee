"""Somebody signs up by themselves, from the page that everybody may open."""

from __future__ import annotations

from dataclasses import replace

import pytest

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


def test_public_pages_lead_to_sign_up_while_it_is_open(organiser, guest):
    event = open_event(organiser, capacity="12", starts_on="2026-12-12")
    link = f'href="{event}/join"'
    organiser.send(f"{event}/players", players="Ana")
    for page in (f"{event}/about", "/"):
        guest.open(page)
        assert guest.shows(link, "Sign up (11 seats left)"), page
    guest.open(f"{event}/join")
    assert guest.shows("2026-12-12", "Hall, Library", "Armada", f'href="{event}/about"')
    organiser.open(f"{event}/settings")
    assert organiser.shows("Code that opens the sign-up page", f'{event}/join">')
    organiser.send(part="close")
    for page in (f"{event}/about", "/"):
        guest.open(page)
        assert link not in guest.page


def test_an_event_without_a_limit_or_without_seats_says_so_on_the_button(organiser, guest):
    event = open_event(organiser)
    guest.open(f"{event}/about")
    assert guest.shows(f'href="{event}/join"', ">Sign up<")
    event = open_event(organiser, capacity="2")
    organiser.send(f"{event}/players", players="Ana\nBen")
    guest.open(f"{event}/about")
    assert guest.shows(f'href="{event}/join"', "Join the waiting list")


@pytest.mark.parametrize(
    ("public_url", "local"),
    [("http://127.0.0.1:8000", True), ("http://localhost:8000", True), ("http://10.0.0.5", False)],
)
def test_an_address_that_no_phone_can_open_says_so(app, organiser, monkeypatch, public_url, local):
    event = open_event(organiser)
    organiser.send(f"{event}/players", players="Ana")
    monkeypatch.setitem(app.config, "SETTINGS", replace(app.config["SETTINGS"], public_url=public_url))
    for page in ("walls", "settings", "prints", "players"):
        organiser.open(f"{event}/{page}")
        if page == "players":
            organiser.send(f"{event}/players/p1", do="link")
        assert organiser.shows("on this computer only. Start with", "MUSTER_BIND=0.0.0.0") == local, page


def test_the_first_page_asks_once_for_all_upcoming_events(organiser, guest, monkeypatch):
    asked = []
    transport = guest.client.application.extensions["muster-services"].connection.http._transport
    handle = transport.handle_request
    monkeypatch.setattr(transport, "handle_request", lambda request: asked.append(request.url.path) or handle(request))
    for seats in (2, 3):
        event = open_event(organiser, capacity=str(seats))
        organiser.send(f"{event}/players", players="Ana\nBen\nCy")
    asked.clear()
    guest.open("/")
    assert asked == ["/tournaments"] * 4  # running, announced, concluded, cancelled
    assert guest.shows("Join the waiting list", "Join the waiting list", "1 player is waiting.")
