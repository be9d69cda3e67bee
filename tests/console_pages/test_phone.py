"""A player's phone: a report that the network does not take, my games, leaving."""

from __future__ import annotations

import re
from contextlib import contextmanager

import pytest

from tests.console_pages.real_browser import violations, window
from tests.console_pages.test_evening import paired, with_a_code


@contextmanager
def real_phone(player, browser, address, worker=False):
    context = window(browser, address, "phone", player.cookie(), worker=worker)
    yield context
    context.close()


def reports(app, services, page: str) -> int:
    """How many times the result of the game on a player's page was reported, as its history has it."""
    event = re.search(r"/events/([\w-]+)/my-games", page)[1]
    game = re.search(r'name="game" value="(\w+)"', page)[1]
    scoring = app.extensions["muster-services"].acting_as(services.token("operator")).scoring
    return [one.type for one in scoring.show_game_history(event, game).items].count("ResultReported")


@pytest.mark.engine("browser")
def test_a_report_without_a_network_is_kept_and_sent_once(organiser, browser, address, app, services):
    event = paired(organiser)
    ana = with_a_code(organiser, event, "Ana")
    with real_phone(ana, browser, address) as context:
        page = context.new_page()
        page.goto(f"{event}/table")
        page.fill("#points_1", "150")
        page.fill("#points_2", "129")
        context.set_offline(True)
        page.click("text=Send result")
        page.wait_for_selector("#kept-waits:visible")
        assert violations(page) == []
        assert not page.is_visible("text=Send result")
        context.set_offline(False)
        page.wait_for_selector("text=Waiting for")
        assert page.locator(".result-rows .num").all_inner_texts() == ["150", "129"]
        assert not page.is_visible("#kept")
    assert reports(app, services, ana.page) == 1


@pytest.mark.engine("browser")
@pytest.mark.parametrize(("width", "height"), [(390, 844), (360, 640)])
@pytest.mark.parametrize("language", ["en-GB", "de-DE"])
def test_table_opponent_clock_scores_and_the_button_are_above_the_fold(
    organiser, browser, address, width, height, language
):
    event = paired(organiser)
    ana = with_a_code(organiser, event, "Ana")
    with window(browser, address, "phone", ana.cookie(), locale=language) as context:
        page = context.new_page()
        page.set_viewport_size({"width": width, "height": height})
        page.goto(f"{event}/table")
        top, bottom = page.evaluate(PLACES_OF, [*SEEN, ".dock", ".dock .btn", ".thumb"])
        for part in SEEN:
            assert 0 <= top[part] < bottom[part] <= top[".dock"], part
        assert bottom[".dock .btn"] <= top[".thumb"] < bottom[".thumb"] == height
        page.mouse.wheel(0, 2_000)
        assert page.evaluate(PLACES_OF, [".dock .btn"])[0][".dock .btn"] <= top[".dock .btn"]


SEEN = (".table-no", ".seatcard h1", ".seatcard [data-left]", "#points_1", "#points_2")
PLACES_OF = """parts => ["top", "bottom"].map(side => Object.fromEntries(
    parts.map(part => [part, document.querySelector(part).getBoundingClientRect()[side]])))"""
"""Selectors -> where each begins and ends in the window, in pixels; all at one time, since a live page may change."""


@pytest.mark.engine("browser")
def test_an_answer_lost_on_its_way_and_a_reload_report_once(organiser, browser, address, app, services):
    event = paired(organiser)
    ana = with_a_code(organiser, event, "Ana")
    with real_phone(ana, browser, address) as context:
        page = context.new_page()
        page.goto(f"{event}/table")
        page.fill("#points_1", "150")
        page.fill("#points_2", "129")
        keys = []

        def swallow(route):
            if route.request.method != "POST":
                return route.continue_()
            keys.append(re.search(r"key=([^&]+)", route.request.post_data)[1])
            route.fetch(max_redirects=0)  # the service takes it; the phone never hears
            return route.abort()

        page.route("**/table", swallow)
        page.click("text=Send result")
        page.wait_for_selector("#kept-waits:visible")
        page.unroute("**/table")
        with page.expect_request(lambda request: request.method == "POST") as again:
            page.reload()
        assert re.search(r"key=([^&]+)", again.value.post_data)[1] == keys[0]
        page.wait_for_selector("text=Waiting for")
        page.wait_for_selector("#kept", state="hidden")
        assert page.evaluate("localStorage.length") == 0
    assert reports(app, services, ana.page) == 1


@pytest.mark.engine("browser")
@pytest.mark.parametrize("status", [400, 429, 503])
def test_an_answer_that_settles_nothing_loses_no_report(organiser, browser, address, app, services, status):
    event = paired(organiser)
    ana = with_a_code(organiser, event, "Ana")
    with real_phone(ana, browser, address) as context:
        page = context.new_page()
        page.goto(f"{event}/table")
        page.fill("#points_1", "150")
        page.fill("#points_2", "129")
        page.route("**/table", lambda route: route.fulfill(status=status, body="<main>away</main>"))
        page.click("text=Send result")
        page.wait_for_selector("#kept-waits:visible")
        page.unroute("**/table")
        page.evaluate("document.getElementById('kept-now').click()")  # it may have gone out by itself
        page.wait_for_selector("text=Waiting for")
    assert reports(app, services, ana.page) == 1


@pytest.mark.engine("browser")
def test_a_refusal_comes_back_with_what_was_typed(organiser, browser, address):
    event = paired(organiser)
    with real_phone(with_a_code(organiser, event, "Ana"), browser, address) as context:
        page = context.new_page()
        page.goto(f"{event}/table")
        page.fill("#points_1", "150")
        page.click("text=Send result")
        page.wait_for_selector("text=Nothing was saved. Please check:")
        page.wait_for_selector("#points_2-f:not(:empty)")
        assert page.input_value("#points_1") == "150"
        assert not page.is_visible("#kept")
        page.fill("#points_2", "129")
        page.click("text=Send result")
        page.wait_for_selector("text=Waiting for")


@pytest.mark.engine("browser")
def test_axe_finds_nothing_on_a_players_pages(organiser, browser, address):
    event = paired(organiser)
    with real_phone(with_a_code(organiser, event, "Ana"), browser, address) as context:
        page, found = context.new_page(), {}
        for name in ("table", "my-games", "leave"):
            page.goto(f"{event}/{name}")
            found[name] = violations(page)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name
        assert found == {"table": [], "my-games": [], "leave": []}


def test_my_games_show_my_own_score_first(organiser):
    event = paired(organiser)
    ana = with_a_code(organiser, event, "Ana")
    first = ana.page.find('for="points_1" dir="auto">Ana<') > 0
    ana.send(do="report", points_1="150", points_2="129")
    ana.open(f"{event}/my-games")
    assert ana.shows("Round 1", "against ", "150 : 129" if first else "129 : 150", "does not count yet")


def test_a_report_of_an_earlier_game_is_not_taken_for_this_one(organiser):
    event = paired(organiser)
    ana = with_a_code(organiser, event, "Ana")
    assert ana.send(do="report", game="r0g9", points_1="150", points_2="129").status_code == 422
    assert ana.shows("This was about an earlier game", "Report the result")


def test_leaving_is_asked_twice(organiser):
    event = paired(organiser)
    ana = with_a_code(organiser, event, "Ana")
    assert ana.shows("Leave the event")
    ana.open(f"{event}/leave")
    assert ana.shows("Leave for good?", "No, keep playing")
    ana.send()
    ana.open(f"{event}/leave")
    organiser.open(f"{event}/players")
    assert organiser.shows("Ana", "dropped")


def test_a_stranger_has_no_games_and_cannot_leave(organiser, guest):
    event = paired(organiser)
    for name in ("my-games", "leave"):
        guest.open(f"{event}/{name}")
        assert guest.address == "/sign-in"


def test_a_judge_is_called_once_however_often_the_button_is_tapped(organiser):
    event = paired(organiser)
    ana = with_a_code(organiser, event, "Ana")
    assert ana.shows("Call a referee", "What is it about?", "Call a referee to my table")
    before = ana.page
    ana.send(do="call", about="rules", details="is <b>this</b> wall in the way?")
    assert ana.shows(
        "A referee has been called", "Stay at your table.", "is &lt;b&gt;this&lt;/b&gt; wall", "No longer needed"
    )
    assert not ana.shows("Call a referee to my table")
    ana.page = before
    assert ana.send(do="call", about="rules", details="is <b>this</b> wall in the way?").status_code == 200
    ana.page = before.replace('name="key" value="', 'name="key" value="another-')
    assert ana.send(do="call", about="time").status_code == 200
    assert ana.shows("A referee has been called", "wall in the way?")
    organiser.open(f"{event}/referee")
    assert organiser.page.count('id="call-c') == 1


def test_a_call_is_withdrawn_and_the_opponent_sees_that_a_referee_was_called(organiser):
    event = paired(organiser)
    ana = with_a_code(organiser, event, "Ana")
    rival = with_a_code(organiser, event, re.search(r"<h1>against (\w+)</h1>", ana.page)[1])
    ana.send(do="call")
    assert rival.send(do="call").status_code == 422
    assert rival.shows("A referee has already been called to this table", "Call a referee to my table")
    assert not rival.shows("A referee has been called")
    withdraws = ana.page
    ana.send(do="withdraw", call="c1")
    assert ana.shows("Call a referee to my table")
    ana.page = withdraws
    assert ana.send(do="withdraw", call="c1").status_code == 200
    assert rival.send(do="withdraw", call="c1").status_code == 422
    assert rival.shows("Nothing was saved. Please check:")
    rival.open(f"{event}/table")
    rival.send(do="call", details="x" * 300)
    assert rival.shows("Nothing was saved. Please check:", 'value="xxx')


def test_a_ruling_is_appealed_by_a_player_with_a_reason(organiser, app, services):
    event = paired(organiser)
    ana = with_a_code(organiser, event, "Ana")
    game = re.search(r'name="game" value="(\w+)"', ana.page)[1]
    muster = app.extensions["muster-services"].acting_as(services.token("operator"))
    id = event.rsplit("/", 1)[1]
    muster.registration.appoint_staff(id, name="Hedda", role="head_referee")
    referee = muster.acting_as(muster.registration.appoint_staff(id, name="Rudi", role="referee").token)
    referee.scoring.rule_result(id, game, facts={"points_1": 10, "points_2": 20}, reason="seen by me")
    ana.open(f"{event}/table")
    assert ana.shows("Settled: 10 : 20", "A referee decided:", "seen by me", "I do not accept the ruling")
    assert ana.send(do="appeal", reason="").status_code == 422
    assert ana.shows("Say briefly what is wrong")
    ana.send(do="appeal", reason="the card says otherwise")
    assert ana.shows("The ruling is under appeal")
    organiser.open(f"{event}/referee")
    assert organiser.shows("Appeal against a ruling", "the card says otherwise", "Decide")
