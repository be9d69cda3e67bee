"""A reported result on both phones: everything that it says, with names, before the opponent confirms it."""

from __future__ import annotations

import re

import pytest

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


def test_a_player_has_their_own_report_corrected(club, services, app):
    event = club(ARMADA)
    phone = event.phone()
    phone.send(do="report", points_1="129", points_2="150", end="rounds")
    assert phone.shows("Your report", "My report is wrong", "A referee enters the right result.")
    assert phone.send(do="dispute", reason="").status_code == 422
    assert phone.shows("<details open><summary>My report is wrong", "Say briefly what is wrong")
    phone.send(do="dispute", reason="scores swapped")
    for page in (phone, event.phone(2)):
        assert page.shows("A referee is needed", "The report has to be corrected.")
    organiser = signed_in(app, services.token("operator"))
    organiser.open(f"{event.page}/referee")
    assert organiser.shows("scores swapped")


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
