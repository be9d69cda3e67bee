"""A reported result on both phones: everything that it says, with names, before the opponent confirms it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.console_pages.conftest import signed_in
from tests.console_pages.real_browser import violations, window
from tests.console_pages.test_result_form import ARMADA, DUST, Club

TAG = re.compile(r"<[^>]+>")
LISTED = {"by": "table", "board-objective": "Key Positions", "board-noted_1": "Wood, Hill",
          "board-noted_2": "Barn, Hill", "board-controlled_1": "Hill", "board-controlled_2": "",
          "board-units_1": "45", "board-units_2": "75, 40+25, 60+(20)"}  # fmt: skip


def text_of(page: str) -> str:
    """The words of a page, with one blank between them."""
    return " ".join(TAG.sub(" ", page[page.index("<main") :]).split())


@pytest.fixture
def club(services, app):
    return lambda ruleset, **options: Club(services, app, ruleset, **options)


@pytest.mark.parametrize(
    ("ruleset", "sent", "own", "rivals"),
    [
        pytest.param(
            ARMADA,
            {"points_1": "150", "points_2": "129", "end": "rounds"},
            [
                "You 6 tournament points, margin of victory 21 150",
                "{rival} 4 tournament points",
                "129",
                "You win",
                "All rounds were played",
            ],
            [
                "{me} 6 tournament points, margin of victory 21 150",
                "You 4 tournament points",
                "129",
                "{me} wins",
                "All rounds were played",
            ],
            id="points",
        ),
        pytest.param(
            ARMADA,
            {"points_1": "80", "points_2": "80", "second_player": "1"},
            ["You 5 tournament points, margin of victory 0 80", "You win", "Who was the second player? {me}"],
            ["{me} 5 tournament points, margin of victory 0 80", "{me} wins", "Who was the second player? {me}"],
            id="equal scores",
        ),
        pytest.param(
            ARMADA,
            {"points_1": "60", "points_2": "400", "otherwise": "concession-1"},
            ["{rival} wins", "What happened {me} concedes"],
            ["You win", "What happened {me} concedes"],
            id="conceded",
        ),
        pytest.param(
            ARMADA,
            {"points_1": "2000", "points_2": "0", "end": "rounds", "improbable": "yes"},
            ["You win", "This result is unusual."],
            ["{me} wins", "This result is unusual.", "Yes, that is right"],
            id="unusual",
        ),
        pytest.param(
            DUST,
            {"points_1": "50", "points_2": "40", "winner": "draw"},
            ["You 6 match points, 50 break points 50", "{rival} 6 match points", "A tie"],
            ["{me} 6 match points, 50 break points 50", "You 6 match points", "A tie"],
            id="tie",
        ),
        pytest.param(
            DUST,
            LISTED,
            ["You win", "Objective played Key Positions", "units destroyed {me} 45 : 75, 40+25, 60+(20) {rival}"],
            ["{me} wins", "Objective played Key Positions", "Areas noted {me} Wood, Hill : Barn, Hill {rival}"],
            id="the table",
        ),
    ],
)
def test_both_phones_show_everything_that_was_reported(club, ruleset, sent, own, rivals):
    event = club(ruleset)
    phone = event.phone()
    phone.send(do="report", **sent)
    for page, expected in ((phone.page, own), (event.phone(2).page, rivals)):
        words = text_of(page)
        for text in expected:
            text = text.format(me=event.game.name_1, rival=event.game.name_2)
            assert text in words[words.index("Round 1") :]


def report_of(page) -> str:
    """The report that the confirmation of a page names."""
    return re.search(r'name="report" value="(\d+)"', page.page)[1]


def test_a_player_changes_the_own_report_until_the_opponent_answers(club):
    event = club(ARMADA)
    phone = event.phone()
    phone.send(do="report", points_1="129", points_2="150", end="rounds")
    rival = event.phone(2)
    seen = report_of(rival)
    assert phone.shows("Your report", f'href="{event.page}/table?change=yes">Change my report')
    phone.open(f"{event.page}/table?change=yes")
    assert phone.shows(
        "Change my report", 'value="129"', 'value="150"', " wins</b>", "Send the change", "Keep my report"
    )
    assert phone.send(do="change", points_1="150", points_2="many", end="rounds").status_code == 422
    assert phone.shows('value="150"', 'value="many"', "Enter a whole number.", "Send the change")
    assert phone.send(do="change", points_1="150", points_2="129", end="rounds").status_code == 200
    assert phone.shows("Your report was changed.", "Waiting for", ">150<", ">129<")
    assert rival.send(do="confirm", report=seen).status_code == 422
    assert rival.shows("The report was changed. Nothing was confirmed.", ">150<", ">129<", "Yes, that is right")
    rival.send(do="confirm", report=report_of(rival))
    assert rival.shows("Settled: 150 : 129")
    phone.open(f"{event.page}/table?change=yes")
    assert phone.shows("Settled: 150 : 129")
    assert not phone.shows("Send the change")


@pytest.mark.parametrize("report", ["", "x", "-1", "9" * 40, "0"])
def test_a_confirmation_that_names_no_report_binds_no_changed_one(club, report):
    event = club(ARMADA)
    phone = event.phone()
    phone.send(do="report", points_1="129", points_2="150", end="rounds")
    phone.open(f"{event.page}/table?change=yes")
    phone.send(do="change", points_1="150", points_2="129", end="rounds")
    rival = event.phone(2)
    assert rival.send(do="confirm", report=report).status_code == 422
    assert rival.shows("Yes, that is right")


def test_a_change_is_checked_while_it_is_typed_and_only_its_author_is_offered_it(club):
    event = club(ARMADA)
    phone = event.phone()
    phone.send(do="report", points_1="129", points_2="150", end="rounds")
    phone.open(f"{event.page}/table?change=yes")
    game = {"game": event.game.id}
    phone.send(f"{event.page}/table/look", points_1="150", points_2="129", end="rounds", **game)
    assert "tournament points" in phone.page
    rival = event.phone(2)
    rival.open(f"{event.page}/table?change=yes")
    assert rival.shows("Yes, that is right")
    assert not rival.shows("Send the change")
    assert rival.send(do="change", points_1="150", points_2="129", end="rounds").status_code == 422
    assert rival.shows("Another result has been reported.")


def test_staff_confirm_the_report_that_the_board_has_shown(club, services, app):
    event = club(ARMADA)
    phone = event.phone()
    phone.send(do="report", points_1="129", points_2="150", end="rounds")
    organiser = signed_in(app, services.token("operator"))
    organiser.open(f"{event.page}/round")
    seen, to = report_of(organiser), f"{event.page}/games/{event.game.id}/confirmation"
    phone.open(f"{event.page}/table?change=yes")
    phone.send(do="change", points_1="150", points_2="129", end="rounds")
    organiser.send(to, report=seen)
    assert organiser.shows("The report was changed. Nothing was confirmed.")
    assert organiser.shows("changed the report to 150 : 129 (before: 129 : 150).")
    organiser.open(f"{event.page}/round")
    organiser.send(to, report=report_of(organiser))
    assert organiser.shows("The result is confirmed.")


@pytest.mark.engine("browser")
def test_a_confirmation_is_accessible(club, browser, address):
    event = club(DUST)
    event.phone().send(do="report", **LISTED)
    for side in (1, 2):
        context = window(browser, address, "phone", event.phone(side).cookie())
        page = context.new_page()
        page.goto(f"{event.page}/table")
        assert page.locator(".result-rows > li").count() == 2
        assert violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        context.close()


@pytest.mark.engine("browser")
def test_a_change_is_sent_from_the_phone(club, browser, address):
    event = club(ARMADA)
    phone = event.phone()
    phone.send(do="report", points_1="129", points_2="150", end="rounds")
    with window(browser, address, "phone", phone.cookie()) as context:
        page = context.new_page()
        page.goto(f"{event.page}/table")
        page.get_by_role("link", name="Change my report").click()
        page.locator("[name=points_1]").fill("200")
        expect(page.get_by_role("button", name="Send the change")).to_be_in_viewport()
        assert violations(page) == []
        page.get_by_role("button", name="Send the change").click()
        expect(page.get_by_text("Your report was changed.")).to_be_visible()
        expect(page.locator(".result-rows")).to_contain_text("200")
