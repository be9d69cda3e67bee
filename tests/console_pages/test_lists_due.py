"""Lists that are due: announced with the event, named when missing, entered by staff for a player."""

from __future__ import annotations

import re

import pytest

from services.console.list_text import as_text
from tests.console_pages.test_evening import FIELDS

DUST = "dust-warfare-1.0"
DUE = "Lists are due before round 1."


@pytest.fixture
def dust(organiser):
    """The address of a Dust event with three players who are here."""
    organiser.open("/events/new")
    organiser.send(**FIELDS | {"ruleset": DUST, "options_of": DUST, "check_in": ""})
    event = organiser.address.removesuffix("/players")
    organiser.send(players="Ana\nBen\nCy")
    return event


@pytest.fixture
def army(organiser):
    """A legal list of Dust as staff type it."""
    asked = organiser.client.application.extensions["muster-services"].registration
    roster = asked.show_ruleset(DUST).ruleset["roster"]["example"]
    return {name: as_text(value) if isinstance(value, list) else str(value) for name, value in roster.items()}


@pytest.mark.parametrize(
    ("ruleset", "tier", "due"),
    [
        (DUST, "", True),
        ("star-wars-armada-1.1", "casual", False),
        ("star-wars-armada-1.1", "competitive", True),
        ("round-robin", "", False),
    ],
)
def test_a_new_event_says_that_lists_are_due(organiser, ruleset, tier, due):
    organiser.open("/events/new")
    organiser.send(do="look", ruleset=ruleset, tier=tier)
    assert ("is-time" in organiser.page and organiser.shows('id="frag-summary"', DUE)) == due


def test_round_1_names_the_players_without_a_list_and_leads_to_them(organiser, dust):
    organiser.open(f"{dust}/round")
    for _ in range(2):
        assert organiser.shows("3 players have no accepted list:", "Ana", "Ben", "Cy")
        assert organiser.shows(f'href="{dust}/lists?state=none"')
        assert organiser.send(f"{dust}/round", do="pair", round=1).status_code == 409
    organiser.open(f"{dust}/lists")
    assert organiser.shows(DUE, "missing: 3", "Ana", "Ben", "Cy")


def test_staff_enter_the_list_of_a_player(organiser, dust, army):
    organiser.open(f"{dust}/lists/p1")
    assert organiser.shows("No list has been handed in.", "Enter the list", "Save the list")
    assert organiser.send(do="send", **army | {"army_total": "9999"}).status_code == 422
    assert organiser.shows('value="9999"', 'id="army_total-f"')
    organiser.send(do="check", **army)
    assert organiser.shows("This list is legal. It is not saved yet.")
    organiser.send(do="send", **army)
    assert organiser.shows("missing: 2", "accepted: 1", "The list of Ana is saved.")
    organiser.open(f"{dust}/lists/p1")
    assert organiser.shows("Replace the list")
    for player in ("p2", "p3"):
        organiser.open(f"{dust}/lists/{player}")
        organiser.send(do="send", **army)
    organiser.open(f"{dust}/round")
    assert "no accepted list" not in organiser.page
    organiser.send(do="pair", round=1)
    assert organiser.shows("Round 1 of 3")
    organiser.send(do="start", round=1)
    organiser.open(f"{dust}/lists/p1")
    assert organiser.send(do="send", **army | {"units": re.sub(r"\n.*", "", army["units"])}).status_code in (409, 422)
    assert organiser.shows("Play has started, so a change needs a reason.")
