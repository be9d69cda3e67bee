"""What staff of one venue see first, and what they are offered: their venue, and nothing that they may not do."""

from __future__ import annotations

import re

import pytest

from tests.console_pages.conftest import Browser, signed_in
from tests.console_pages.test_evening import FIELDS

ENTER = ">Enter result<"


@pytest.fixture
def event(organiser) -> str:
    """Four players in the hall, of whom one is there, and two in the library, who are."""
    organiser.open("/events/new")
    organiser.send(**{**FIELDS, "tables_2": "4"})
    event = organiser.address.removesuffix("/players")
    organiser.send(players="Ana\nBen\nCy\nDi", venue="v1")
    organiser.send(players="Eve\nFay", venue="v2")
    organiser.send(f"{event}/players/check-in", player=["p1", "p5", "p6"])
    return event


def appointed(organiser: Browser, event: str, role: str, venue: str) -> Browser:
    organiser.open(f"{event}/settings")
    organiser.send(part="staff", staff_name="Rita", staff_role=role, staff_venue=venue)
    token = re.search(r'id="token" readonly value="([^"]+)"', organiser.page)[1]
    return signed_in(organiser.client.application, token)


def test_players_are_those_of_the_own_venue_and_others_can_only_be_looked_at(organiser, event):
    rita = appointed(organiser, event, "referee", "v1")
    rita.open(f"{event}/players")
    assert rita.shows('aria-current="true">Hall', "Ana", "Ben", "Check in all 3")
    assert not rita.shows(">Eve<")
    rita.open(f"{event}/players?venue=all")
    assert rita.shows("Ana", "Eve", "Check in all 3")
    row = rita.page.split('<tr id="p5">')[1].split("</tr>")[0]
    assert "Drop" not in row
    rita.open(f"{event}/player/p5")
    assert rita.shows("This player is at another venue")
    assert not rita.shows("Disqualify")
    rita.open(f"{event}/player/p1")
    assert rita.shows("Drop") or rita.shows("Withdraw")
    assert not rita.shows("Move to another venue")
    rita.open(f"{event}/players")
    rita.send(players="Gil; Reds", venue=re.search(r'name="venue" value="(v\d)"', rita.page)[1])
    assert rita.shows("Gil")
    rita.send(f"{event}/players/check-in", player=["p2", "p3"], venue="v1")
    assert rita.shows("2 players checked in")


def test_the_desk_counts_its_venue_and_sends_others_on(organiser, event):
    rita = appointed(organiser, event, "referee", "v1")
    rita.open(f"{event}/check-in")
    assert rita.shows("Hall", "1 of 4 checked in")
    assert not rita.shows("2 of 2 checked in")
    rita.open(f"{event}/check-in?venue=all")
    assert rita.shows("1 of 4 checked in", "2 of 2 checked in")
    rita.send(q="Eve")
    assert rita.shows("Plays at Library; staff there check them in")
    assert not rita.shows("Undo check-in")
    rita.send(q="Ben")
    assert rita.shows("Check in<")


@pytest.mark.parametrize("role", ["referee", "head_referee"])
def test_the_board_shows_the_tables_of_the_venue_and_offers_nothing_for_all(organiser, event, role):
    rita = appointed(organiser, event, role, "v2")
    rita.open(f"{event}/round")
    assert rita.shows("Rounds are paired, started and closed by the organiser")
    assert not rita.shows('value="pair"')
    organiser.send(f"{event}/players/check-in", player=["p2", "p3", "p4"])
    organiser.open(f"{event}/round")
    organiser.send(do="pair", round=1)
    organiser.send(do="start", round=1)
    assert organiser.shows("0 of 3 games settled", "Hall", "Library", "Enter result", "Close round 1")
    rita.open(f"{event}/round")
    mine = rita.page.count(ENTER)
    assert rita.shows(f"0 of {mine} games settled", 'aria-current="true">Library')
    runs = role == "head_referee"
    offered = re.findall(r'name="venue" value="(v\d)"', rita.page)
    assert (rita.shows('value="close"'), rita.shows('value="extend"'), "v2" in offered) == (runs, runs, runs)
    assert "v1" not in offered
    rita.open(f"{event}/round?venue=all")
    assert rita.shows("0 of 3 games settled", "Hall")
    assert rita.page.count(ENTER) == mine


def test_a_referee_is_not_offered_what_a_head_referee_decides(organiser, event):
    rita = appointed(organiser, event, "referee", "v1")
    organiser.send(f"{event}/player/p1", do="disqualify", reason="hit the table")
    organiser.open(f"{event}/player/p1")
    assert organiser.shows("disqualified", "Revoke the disqualification")
    rita.open(f"{event}/player/p1")
    assert rita.shows("disqualified", "Leaving and coming back")
    assert not rita.shows("Revoke the disqualification")


@pytest.mark.parametrize(
    ("ruleset", "offered"),
    [
        ("star-wars-armada-1.1", {"head_referee"}),
        ("dust-warfare-1.0", {"organiser"}),
        ("fallout-factions-comp-1.0", {"referee", "head_referee", "organiser"}),
    ],
)
def test_disqualifying_is_offered_to_those_alone_whom_the_rules_name(services, app, ruleset, offered):
    evening = services.announce(ruleset=ruleset, rounds=2)
    evening.do("registration", "/players/list", {"players": [{"name": "Ana"}, {"name": "Ben"}]})
    staff = {"organiser": signed_in(app, evening.token("organiser"))}
    for role in ("head_referee", "referee"):
        token = evening.do("registration", "/staff", {"name": role.title(), "role": role}).body["token"]
        staff[role] = signed_in(app, token)
    for role, browser in staff.items():
        browser.open(f"/events/{evening.id}/player/p1")
        assert browser.shows('value="disqualify"') == (role in offered), role
        assert browser.shows("under these rules someone else disqualifies") != (role in offered), role
    refused = next((one for role, one in staff.items() if role not in offered), None)
    if refused is not None:
        assert refused.send(do="disqualify", reason="hit the table").status_code == 422


def test_walls_and_lists_of_the_venue_come_first(organiser, event):
    rita = appointed(organiser, event, "referee", "v2")
    rita.open(f"{event}/walls")
    assert rita.shows(
        f"{event}/wall/pairings?venue=v2", f"{event}/wall/clock?venue=v2", f"{event}/wall/pairings?venue=v1"
    )
    rita.open(f"{event}/lists?state=none")
    assert rita.shows("missing: 2", "Eve", "Fay")
    rita.open(f"{event}/lists?state=none&venue=all")
    assert rita.shows("missing: 6", "Ana")


def test_who_acts_everywhere_sees_everything_first_and_may_choose(organiser, event):
    organiser.open(f"{event}/players")
    assert organiser.shows('aria-current="true">All venues', "Ana", "Eve")
    organiser.open(f"{event}/players?venue=v2&q=a")
    assert organiser.shows("Fay")
    assert not organiser.shows(">Ana<")
    organiser.open(f"{event}/players?venue=%00")
    assert organiser.shows("Ana", "Eve")
