"""A player's own list on the phone: seen, checked, handed in and replaced while lists are open, with every fault."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.console.list_text import Unreadable, as_text, entries_of
from tests.console_pages.conftest import signed_in
from tests.console_pages.real_browser import violations, window

FACTIONS, ARMADA = "fallout-factions-comp-1.0", "star-wars-armada-1.1"
NAMES = ("Ana", "Ben", "Cy", "Di")
FLEET = {
    "faction": "rebel",
    "fleet_total": "289",
    "commanders": "General Dodonna; 20",
    "ships": "Assault Frigate; 81\n  upgrades: Gallant Haven; 8\nAssault Frigate; 81\nNebulon-B; 57",
    "squadrons": "X-wing; 13\nX-wing; 13\nZ-95; 16",
    "objectives": "Most Wanted; category assault\nContested Outpost; category defense\n"
    "Superior Positions; category navigation",
}


@pytest.fixture
def phone(services, app):
    """The phone of a player of an event that nothing is paired in, by its ruleset; and how its services are asked."""

    def made(ruleset: str):
        asked = app.extensions["muster-services"].acting_as(services.token("operator"))
        event = asked.registration.announce_tournament(name="Club night", ruleset=ruleset, rounds=3)
        players = asked.registration.join_players(event.id, players=[{"name": name} for name in NAMES]).players
        phone = signed_in(app, services.token("player", event.id, player=players[0].id))
        phone.open(f"/events/{event.id}/my-list")
        return phone, asked, event.id, players

    return made


def test_a_list_is_handed_in_seen_and_replaced(phone):
    ana, asked, event, players = phone(ARMADA)
    assert ana.shows("You have not handed in a list yet.", "Ships", "An example", "Hand in the list")
    ana.send(do="check", **FLEET)
    assert ana.shows("This list is legal. It is not handed in yet.", "Gallant Haven")
    assert asked.registration.show_roster(event, players[0].id).status == ""
    ana.send(do="send", **FLEET)
    assert ana.shows("Your list is handed in.", "Your list is accepted.", "upgrades: Gallant Haven; 8")
    roster = asked.registration.show_roster(event, players[0].id).roster
    assert roster["ships"][0] == {
        "name": "Assault Frigate", "points": 81, "upgrades": [{"name": "Gallant Haven", "points": 8}],
    }  # fmt: skip
    ana.send(do="send", **{**FLEET, "fleet_total": "273", "squadrons": "X-wing; 13\nX-wing; 13"})
    assert asked.registration.show_roster(event, players[0].id).roster["fleet_total"] == 273


def test_every_fault_is_shown_next_to_its_field_and_the_input_stays(phone):
    ana, *_ = phone(ARMADA)
    answer = ana.send(do="send", **{**FLEET, "faction": "jawas", "objectives": "Most Wanted; category assault"})
    assert answer.status_code == 422
    assert ana.shows('id="faction-f"', 'id="objectives-f"', "AR-ROS-3")
    assert ana.shows('value="jawas"', "Assault Frigate; 81")
    ana.send(do="check", **{**FLEET, "ships": "Assault Frigate; <b>"})
    assert ana.shows("Line 1 cannot be read", "Assault Frigate; &lt;b&gt;")


def test_a_list_is_locked_once_play_has_begun(phone):
    ana, asked, event, players = phone(ARMADA)
    example = asked.registration.show_ruleset(ARMADA).ruleset["roster"]["example"]
    for player in players:
        asked.registration.submit_roster(event, player.id, roster=example)
    asked.pairing.pair_round(event, round=1)
    asked.pairing.start_round(event, 1)
    ana.open(f"/events/{event}/my-list")
    assert ana.shows("Contents", "General Dodonna", "Play has started: only staff can change it now.")
    assert not ana.shows("Hand in the list")


def test_a_game_that_waits_for_a_list_leads_to_it(phone):
    ana, asked, event, players = phone(FACTIONS)
    example = asked.registration.show_ruleset(FACTIONS).ruleset["roster"]["example"]
    for player in players[1:]:
        asked.registration.submit_roster(event, player.id, roster=example)
    asked.pairing.pair_round(event, round=1, scenario="Raid")
    asked.pairing.start_round(event, 1)
    ana.open(f"/events/{event}/table")
    assert ana.shows("Your game is waiting for a list", f'href="/events/{event}/my-list"')
    ana.open(f"/events/{event}/my-list")
    assert ana.shows("Hand in a list")


def test_an_event_without_lists_and_a_stranger(phone, guest):
    ana, _, event, _ = phone("round-robin")
    assert ana.shows("This event does not use lists.")
    guest.open(f"/events/{event}/my-list")
    assert guest.address == "/sign-in"


@pytest.mark.engine("browser")
def test_axe_finds_nothing_on_it(phone, browser, address):
    ana, _, event, _ = phone(ARMADA)
    for size in ("phone", "desk"):
        context = window(browser, address, size, ana.cookie())
        page = context.new_page()
        page.goto(f"/events/{event}/my-list")
        assert violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        context.close()


WORDS = st.from_regex(r"[A-Za-z][A-Za-z' -]{0,20}[a-z]", fullmatch=True)
ENTRY = st.fixed_dictionaries(
    {"name": WORDS}, optional={"points": st.integers(0, 999), "class": WORDS, "requisite": st.integers(0, 9)}
)
NESTED = st.builds(lambda entry, inner: entry | ({"perks": inner} if inner else {}), ENTRY, st.lists(ENTRY, max_size=3))


@given(st.lists(NESTED, max_size=4))
def test_what_is_shown_is_read_as_it_was(entries):
    assert entries_of(as_text(entries)) == entries


@pytest.mark.parametrize("text", ["; 5", "A; b", "A\n  no list", "A; name B", "A\n" * 501, "A; points 5; <i>"])
def test_what_is_no_list_is_refused_with_its_line(text):
    with pytest.raises(Unreadable):
        entries_of(text)
