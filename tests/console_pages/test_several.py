"""Several rows selected and acted on at once, without a script: one message says what was done and what was refused."""

from __future__ import annotations

import re

import playwright.sync_api as playwright
import pytest
from playwright.sync_api import expect

from tests.console_pages.conftest import Browser
from tests.console_pages.real_browser import violations, window
from tests.console_pages.test_evening import FIELDS, paired, with_a_code


def entered(organiser: Browser, **fields: str) -> str:
    """The address of an event of two venues with four players: Ana and Ben of the hall, Cy and Di of no venue."""
    organiser.open("/events/new")
    organiser.send(**{**FIELDS, **fields})
    event = organiser.address.removesuffix("/players")
    organiser.send(players="Ana\nBen", venue="v1")
    organiser.send(players="Cy\nDi")
    return event


def ticked(page: Browser) -> list[str]:
    """The rows whose boxes are ticked."""
    return re.findall(r'form="several" name="\w+" value="(\w+)" checked', page.page)


def test_selected_players_are_checked_in_and_taken_back_together(organiser):
    event = entered(organiser)
    organiser.send(f"{event}/players/several", part="several", do="check-in", player=["p1", "p2"])
    assert organiser.address == f"{event}/players"
    assert organiser.shows("2 players checked in.", "Undo")
    assert organiser.page.count(">checked in<") == 2
    undo = re.search(r'name="undo" value="([^"]+)"', organiser.page)[1]
    organiser.send(f"{event}/undo", undo=undo, back=f"{event}/players")
    assert organiser.page.count(">checked in<") == 0


def test_what_is_refused_is_named_with_its_reason_and_stays_selected(organiser):
    event = entered(organiser)
    answer = organiser.send(f"{event}/players/several?q=", part="several", do="check-in", player=["p1", "p3", "p9"])
    assert answer.status_code == 422
    assert organiser.shows("1 player checked in. Not done for 2; still selected:", "Cy", "venue", "p9")
    assert organiser.page.count(">checked in<") == 1
    assert ticked(organiser) == ["p3"]
    organiser.send(f"{event}/players/several", part="several", do="check-in", player=["p3", "p4"], to="v2")
    assert organiser.shows("2 players checked in.")
    assert organiser.page.count(">checked in<") == 3


def test_players_are_moved_dropped_and_their_lists_accepted(organiser):
    event = entered(organiser)
    to = f"{event}/players/several"
    organiser.send(to, part="several", do="move", player=["p1", "p2"], to="v2", reason="water in the hall")
    assert organiser.shows("2 players change venue from the next round.")
    organiser.open(f"{event}/players?venue=v2")
    assert organiser.shows(">Ana<", ">Ben<")
    organiser.send(to, part="several", do="accept", player=["p1", "p2"])
    assert organiser.shows("Not done for 2; still selected:", ">Ana<", ">Ben<")
    assert organiser.send(to, part="several", do="drop", player=["p1", "p2"], reason="no train").status_code == 200
    assert organiser.shows("2 players dropped out.")
    organiser.send(to, part="several", do="check-out", player=["p1", "p3"])
    assert organiser.shows("1 check-in undone. Not done for 1; still selected:", ">Ana<")


@pytest.mark.parametrize(
    ("fields", "texts"),
    [
        ({"do": "check-in"}, ["Select one or more rows."]),
        ({"do": "dance", "player": "p1"}, ["Choose what to do with the selected rows."]),
        ({"do": "move", "player": "p1", "reason": "so"}, ["Choose the venue."]),
        ({"do": "drop", "to": "v2"}, ["Select one or more rows.", "Enter a reason; it goes into the public log."]),
        ({"do": "drop", "player": "p1", "reason": "x" * 501}, ["500"]),
        ({"do": "check-in", "player": [f"p{number}" for number in range(101)]}, ["Select 100 rows at most."]),
        ({"do": "move", "player": "p1", "to": "<b>"}, ["Not done for 1; still selected:"]),
    ],
)
def test_every_fault_is_said_and_what_was_chosen_stays(organiser, fields, texts):
    event = entered(organiser)
    assert organiser.send(f"{event}/players/several", part="several", **fields).status_code == 422
    assert organiser.shows('<form class="dock several is-kept"')
    for text in texts:
        assert text in organiser.page
    if fields.get("player") == "p1":
        assert ticked(organiser) == ["p1"]
    if reason := fields.get("reason"):
        assert f'value="{reason}"' in organiser.page
    assert ">checked in<" not in organiser.page


@pytest.mark.parametrize(
    ("path", "fields", "texts"),
    [
        ("players", {"do": "check-in"}, ["Wähle eine oder mehrere Zeilen aus."]),
        (
            "players",
            {"do": "drop", "player": "p1"},
            ["Gib einen Grund an", 'value="p1" checked', "Ausgewählt:"],
        ),
        ("players", {"do": "move", "player": "p1", "reason": "so"}, ["Wähle den Spielort.", 'value="so"']),
        (
            "players",
            {"do": "accept", "player": "p1"},
            ["Bei 1 nicht möglich; noch ausgewählt:", "Ana</bdi></a>: ", "Liste"],
        ),
        (
            "round",
            {"do": "time", "game": "r1g1", "more": "bald", "round": 1},
            ['value="bald"', "Gib eine ganze Zahl ein.", "Gib einen Grund an"],
        ),
        (
            "round",
            {"do": "confirm", "game": "r1g1", "round": 1},
            ["Bei 1 nicht möglich; noch ausgewählt:", "Es wurde kein Ergebnis gemeldet."],
        ),
    ],
)
def test_faults_are_said_in_german(organiser, path, fields, texts):
    event = paired(organiser)
    organiser.client.environ_base["HTTP_ACCEPT_LANGUAGE"] = "de"
    assert organiser.send(f"{event}/{path}/several", part="several", **fields).status_code == 422
    for text in texts:
        assert text in organiser.page, text
    assert "Nothing was saved" not in organiser.page
    assert 'lang="en"' not in organiser.page.split("<main")[1]


@pytest.mark.parametrize("value", ["\x00", "\ud800", "'; drop", "../p1", "a" * 5_000, "[1]", "💥"])
def test_bad_ids_are_refused_rows(organiser, value):
    event = entered(organiser)
    sent = {"part": "several", "do": "check-in", "player": value.encode("utf-8", "surrogatepass")}
    assert organiser.send(f"{event}/players/several", **sent).status_code == 422
    assert organiser.shows("Select rows of this page.")
    organiser.open(f"{event}/players")
    assert ">checked in<" not in organiser.page


def test_the_page_selects_all_its_rows_without_a_script(organiser, guest):
    event = entered(organiser)
    organiser.open(f"{event}/players?q=a&select=all")
    assert ticked(organiser) == ["p1"]
    assert f'action="{event}/players/several?q=a"' in organiser.page
    guest.open(f"{event}/players")
    assert 'form="several"' not in guest.page


def test_nobody_acts_on_several_rows_without_the_right_to(organiser, guest):
    event = entered(organiser)
    guest.open("/sign-in")
    answer = guest.send(f"{event}/players/several", part="several", do="check-in", player=["p1"])
    assert answer.status_code in (401, 403, 422)
    organiser.open(f"{event}/players")
    assert ">checked in<" not in organiser.page


def test_selected_reports_are_confirmed_as_the_board_has_shown_them(organiser):
    event = paired(organiser)
    ana = with_a_code(organiser, event, "Ana")
    ana.send(do="report", points_1="150", points_2="129")
    organiser.open(f"{event}/round")
    games = re.findall(r'name="game" value="(r1g\d)"', organiser.page)
    assert len(games) == 2
    game, report = re.search(r'form="several" name="report-(r1g\d)" value="(\d+)"', organiser.page).groups()
    sent = {"part": "several", "round": 1, "do": "confirm", "game": games, f"report-{game}": report}
    ana.open(f"{event}/table?change=yes")
    ana.send(do="change", points_1="150", points_2="130")
    assert organiser.send(f"{event}/round/several?which=all", **sent).status_code == 422
    assert organiser.shows("Not done for 2; still selected:", "The report was changed.")
    assert ticked(organiser) == games
    sent[f"report-{game}"] = re.search(rf'name="report-{game}" value="(\d+)"', organiser.page)[1]
    organiser.send(f"{event}/round/several?which=all", **sent)
    assert organiser.shows("1 result confirmed. Not done for 1; still selected:", "150 : 130")


def test_selected_games_are_given_time_or_entered_as_not_played(organiser):
    event = paired(organiser)
    to, games = f"{event}/round/several", {"part": "several", "round": 1, "game": ["r1g1", "r1g2"]}
    assert organiser.send(to, **games, do="time", more="soon").status_code == 422
    assert organiser.shows('value="soon"', "Enter a whole number.", "Enter a reason; it is recorded in the event log.")
    assert ticked(organiser) == ["r1g1", "r1g2"]
    assert organiser.send(to, **games, do="time", more="601", because="the alarm").status_code == 422
    assert organiser.shows('value="601"', "600")
    organiser.send(to, **games, do="time", more="9", because="the alarm")
    assert organiser.shows("2 games have extra time.")
    organiser.send(to, **games, do="absent")
    assert organiser.shows("2 of 2 games settled", "2 games entered: neither player showed up.")


@pytest.mark.engine("browser")
@pytest.mark.parametrize("size", ["desk", "phone"])
def test_the_bar_appears_with_the_first_tick(organiser, browser: playwright.Browser, address, size):
    event = entered(organiser)
    with window(browser, address, size, organiser.cookie()) as context:
        page = context.new_page()
        page.goto(f"{event}/players")
        bar = page.get_by_role("form", name="Act on selected rows")
        expect(bar).to_be_hidden()
        page.get_by_label("Select Ana").check()
        page.get_by_label("Select Ben").check()
        expect(bar).to_be_in_viewport()
        content = page.evaluate("getComputedStyle(document.querySelector('.several-count'), '::after').content")
        assert content == "counter(ticked)"
        assert violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        bar.get_by_label("Reason or note").press("Enter")
        assert page.url.endswith("/players")
        bar.get_by_role("button", name="Check in", exact=True).click()
        expect(page.get_by_text("2 players checked in.")).to_be_visible()


@pytest.mark.engine("browser")
def test_selected_games_stay_selected_while_the_board_follows_the_event(organiser, browser, address):
    event = paired(organiser)
    with window(browser, address, "desk", organiser.cookie()) as context:
        page = context.new_page()
        page.goto(f"{event}/round?select=all")
        expect(page.locator(".tick :checked")).to_have_count(2)
        with_a_code(organiser, event, "Ana").send(do="report", points_1="150", points_2="129")
        expect(page.locator("#frag-progress")).to_contain_text("1 reported by one side")
        expect(page.locator(".tick :checked")).to_have_count(2)
        assert violations(page) == []
