"""Scoring is killed with SIGKILL while pages are open.

A report from a phone stands in the log once, and its page says each time how it is. The board and the wall keep what
they show, say how old it is, and go on by themselves.
"""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from deploy.stack import Stack, operator
from muster.simulator.director import Director
from tests.console_pages.real_browser import PATIENCE, hurried, window
from tests.console_pages.test_process import console_of, shown
from tests.waiting import until

pytestmark = pytest.mark.engine("browser")
SCORING = "scoring"


@pytest.fixture(scope="module")
def stack() -> Iterator[Stack]:
    with Stack(env={"MUSTER_CONSOLE": "1"}) as stack:
        shown(console_of(stack))
        yield stack


@pytest.fixture(scope="module")
def evening(stack: Stack) -> Director:
    return two_games(stack)


def two_games(stack: Stack) -> Director:
    """An event with two games that are being played."""
    made = Director.announce(
        operator(stack.urls, stack.issuer), name="Evening", ruleset="star-wars-armada-1.1", tier="casual", rounds=2
    )
    made.join([{"name": name} for name in ("Ana", "Ben", "Cy", "Di")])
    made.start(made.pair())
    return made


@pytest.fixture
def phone(stack: Stack, browser) -> Iterator[BrowserContext]:
    context = window(browser, console_of(stack), "phone")
    yield context
    context.close()


def table_of(context: BrowserContext, evening: Director, player: str) -> Page:
    """The page of a player, with a result typed."""
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    token = evening.players[player].connection.token
    page.goto(f"/events/{evening.id}/come-in?token={token}")
    page.fill("#points_1", "150")
    page.fill("#points_2", "129")
    expect(page.locator("#frag-sum")).to_contain_text("wins", timeout=PATIENCE)
    return page


@contextmanager
def nobody_restarts(stack: Stack) -> Iterator[None]:
    """The supervisor stands still: what is killed stays away until the end."""
    supervisor = stack.pids()["supervisor"]
    os.kill(supervisor, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(supervisor, signal.SIGCONT)


def reports(evening: Director, game: str) -> int:
    events = evening.organiser.scoring.show_game_history(evening.id, game).items
    return [event.type for event in events].count("ResultReported")


def taken_once(page: Page, evening: Director, game: str) -> None:
    """The page says that it waits for the opponent, keeps nothing, and the log has one report."""
    expect(page.get_by_text("Waiting for")).to_be_visible(timeout=PATIENCE)
    expect(page.locator("#kept")).to_be_hidden(timeout=PATIENCE)
    until(lambda: page.evaluate("localStorage.length") == 0)
    assert reports(evening, game) == 1


def test_scoring_is_killed_between_the_tap_and_its_answer(stack, evening, phone):
    game = evening.games(1)[0]
    page = table_of(phone, evening, game["player_1"])
    with nobody_restarts(stack):
        group = stack.pids()[SCORING]
        os.killpg(group, signal.SIGSTOP)  # it takes the request, and says nothing
        page.click("text=Send result")
        expect(page.get_by_text("Sending your result")).to_be_visible(timeout=PATIENCE)
        assert not page.is_visible("text=Send result")
        os.killpg(group, signal.SIGKILL)
        expect(page.get_by_text("Saved on this phone")).to_be_visible(timeout=PATIENCE)
        page.reload()
        expect(page.get_by_text("Saved on this phone")).to_be_visible(timeout=PATIENCE)
    taken_once(page, evening, game["id"])


def test_scoring_is_killed_after_it_has_accepted_a_report(stack, evening, phone):
    game = evening.games(1)[1]
    page = table_of(phone, evening, game["player_1"])
    answers: list[int] = []
    with nobody_restarts(stack):

        def take_and_die(route):
            if route.request.method != "POST" or answers:
                return route.continue_()
            answers.append(route.fetch(max_redirects=0).status)
            os.killpg(stack.pids()[SCORING], signal.SIGKILL)
            return route.abort()

        page.route("**/table", take_and_die)
        page.click("text=Send result")
        expect(page.get_by_text("Saved on this phone")).to_be_visible(timeout=PATIENCE)
        page.reload()
        expect(page.get_by_text("Saved on this phone")).to_be_visible(timeout=PATIENCE)
        assert answers == [302]
    taken_once(page, evening, game["id"])


def test_board_and_wall_keep_what_they_show_with_its_age_until_scoring_is_back(stack, browser, phone):
    evening = two_games(stack)
    game = evening.games(1)[0]
    player = table_of(phone, evening, game["player_1"])
    desk = hurried(window(browser, console_of(stack), "desk"))
    board = open_page(desk, f"/come-in?key={evening.organiser.connection.token}", f"/events/{evening.id}/round")
    projector = hurried(window(browser, console_of(stack), "wall"))
    wall = open_page(projector, f"/events/{evening.id}/wall/standings")
    look = board.get_by_role("button", name="Preview")
    minutes = board.get_by_role("button", name="Add minutes")
    with nobody_restarts(stack):
        os.killpg(stack.pids()[SCORING], signal.SIGKILL)
        player.click("text=Send result")
        expect(player.get_by_text("Saved on this phone")).to_be_visible(timeout=PATIENCE)
        for page in (board, wall):
            note = page.locator("#frag-away")
            expect(note).to_contain_text("Scoring is away: last known state", timeout=PATIENCE)
            expect(note.locator("[data-age]")).to_have_text(re.compile(r"\d+ (second|minute)s? ago"), timeout=PATIENCE)
        for name in evening.names.values():
            expect(board.locator("#frag-games")).to_contain_text(name)
        expect(wall.locator("#frag-wall")).to_contain_text("Standings appear once a result counts.")
        expect(board.locator(f"#{game['id']}")).to_contain_text("not reported")
        expect(look).to_have_attribute("data-why", "Scoring is away", timeout=PATIENCE)
        expect(look).to_have_attribute("aria-disabled", "true")
        expect(minutes).not_to_have_attribute("aria-disabled", "true")  # the clock is pairing's
    for page in (board, wall):
        expect(page.locator("#frag-away .note")).to_have_count(0, timeout=PATIENCE)
    expect(board.locator(f"#{game['id']}")).to_contain_text("one side reported", timeout=PATIENCE)
    expect(look).not_to_have_attribute("aria-disabled", "true", timeout=PATIENCE)
    assert board.evaluate("window.never_reloaded")
    names = [evening.names[game["player_1"]], evening.names[game["player_2"]]]
    confirm = board.locator(f"#yes-{game['id']}")
    expect(confirm).to_contain_text(", ".join(names))  # there are no tables: the button says whose result it is
    confirm.click()
    winner = wall.locator("tbody tr", has_text=names[0])
    expect(board.get_by_text("1 of 2 games settled")).to_be_visible(timeout=PATIENCE)
    expect(winner.locator("td").nth(1)).not_to_have_text("0", timeout=PATIENCE)
    assert reports(evening, game["id"]) == 1
    assert wall.evaluate("window.never_reloaded")
    for context in (desk, projector):
        context.close()


def open_page(context: BrowserContext, *places: str) -> Page:
    """A page that was opened by way of others, and knows whether it was loaded anew since."""
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    for place in places:
        page.goto(place)
    page.evaluate("window.never_reloaded = true")
    return page
