"""Live pages in a real browser: what happens elsewhere appears without a reload, and so does that a service is away."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import unquote_plus

import pytest
from playwright.sync_api import Page, expect

from muster_client import Muster
from services.console import last_known
from services.console.app import build_web
from services.console.live import hub, watch
from shared.settings import SERVICES
from tests.campaign.services.league import new_league
from tests.console_pages.conftest import signed_in
from tests.console_pages.cut_evening import CutEvening
from tests.console_pages.real_browser import PATIENCE, hurried, served
from tests.console_pages.test_last_known import Switched
from tests.coop.story import new_night
from tests.waiting import until

pytestmark = pytest.mark.engine("browser")
SECONDS = (
    (last_known, "AWAY_SECONDS"),
    (watch, "GRACE_SECONDS"),
    (watch, "PAUSE"),
    (watch, "LONGEST_PAUSE"),
    (hub, "LONGEST_INTERVAL"),
)
"""For which the console waits before it says or tries anything; here for a tenth of them, as its pages do."""


@pytest.fixture(scope="module")
def switched(services) -> Switched:
    return Switched(services)


@pytest.fixture(scope="module")
def app(switched, tmp_path_factory):
    urls = {name: f"http://{name}" for name in SERVICES}
    data = str(tmp_path_factory.mktemp("live"))
    with pytest.MonkeyPatch.context() as shorter:
        for module, name in SECONDS:
            shorter.setattr(module, name, getattr(module, name) / 10)
        app = build_web({"MUSTER_DATA": data}, Muster(urls, patience=0.0, transport=switched))
        yield app
        hub.hub_of(app).stop()


@pytest.fixture(scope="module")
def address(app) -> Iterator[str]:
    with served(app) as found:
        yield found


def opened(browser, address: str, place: str, cookie: tuple[str, str] | None = None) -> Page:
    """A page that says so when it was loaded anew; all services are there, though one may have been away just now."""
    context = hurried(browser.new_context(base_url=address))
    if cookie:
        context.add_cookies([{"name": cookie[0], "value": cookie[1], "url": address}])
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    while page.goto(place).status == 503:
        page.wait_for_timeout(100)
    page.evaluate("window.never_reloaded = true")
    return page


def test_a_result_of_elsewhere_appears_on_every_open_page(browser, app, address, services):
    evening = services.evening("between")
    evening.round(2)
    game = evening.games(2)[0]
    event = f"/events/{evening.id}"
    organiser = signed_in(app, evening.token("organiser")).cookie()
    player = signed_in(app, evening.token(game["player_1"])).cookie()
    board = opened(browser, address, f"{event}/round", organiser)
    wall = opened(browser, address, f"{event}/wall/clock")
    phone = opened(browser, address, f"{event}/table", player)
    about = opened(browser, address, f"{event}/about")
    board.locator("#why").fill("typed before")
    expect(wall.get_by_text("0 of 6 games settled")).to_be_visible()
    evening.report(game["id"])
    expect(board.get_by_text("1 of 6 games settled")).to_be_visible(timeout=PATIENCE)
    expect(board.locator(f"#{game['id']}")).to_contain_text("settled", timeout=PATIENCE)
    expect(wall.get_by_text("1 of 6 games settled")).to_be_visible(timeout=PATIENCE)
    expect(phone.get_by_text("Settled: 100 : 50")).to_be_visible(timeout=PATIENCE)
    expect(about.get_by_text("1 of 6 games settled")).to_be_visible(timeout=PATIENCE)
    assert board.locator("#why").input_value() == "typed before"
    for page in (board, wall, phone, about):
        assert page.evaluate("window.never_reloaded")
        page.context.close()


def test_a_voiding_replaces_the_message_of_the_confirmation(browser, app, address, services):
    evening = services.evening("between")
    evening.round(2)
    game = evening.games(2)[0]
    scoring = app.extensions["muster-services"].acting_as(evening.token("organiser")).scoring
    first, second = (signed_in(app, evening.token(game[side])) for side in ("player_1", "player_2"))
    first.open(f"/events/{evening.id}/table")
    first.send(do="report", points_1="150", points_2="129", end="rounds")
    phone = opened(browser, address, f"/events/{evening.id}/table", second.cookie())
    phone.get_by_role("button", name="Yes, that is right").click()
    expect(phone.get_by_text("The result is confirmed.")).to_be_visible()
    scoring.void_result(evening.id, game["id"], reason="that was table 2")
    expect(phone.locator("#voided")).to_contain_text("that was table 2", timeout=PATIENCE)
    expect(phone.get_by_text("The result is confirmed.")).to_have_count(0)
    phone.context.close()


def test_a_phone_is_woken_by_its_own_game_alone(browser, app, address, services):
    evening = services.evening("between")
    phone = opened(browser, address, f"/events/{evening.id}/table", signed_in(app, evening.token("p1")).cookie())
    asked: list[str] = []
    phone.on("request", lambda request: asked.append(unquote_plus(request.url.removeprefix(address))))
    evening.round(2)
    games = evening.games(2)
    own = next(game["id"] for game in games if "p1" in (game["player_1"], game["player_2"]))
    other = next(game["id"] for game in games if game["id"] != own)
    until(lambda: phone.wait_for_timeout(50) or any("/live?" in one and own in one for one in asked))
    (listened,) = {one for one in asked if "/live?" in one and own in one}
    assert other not in listened
    assert "games" in listened
    evening.report(own)
    expect(phone.get_by_text("Settled: 100 : 50")).to_be_visible(timeout=PATIENCE)
    phone.context.close()


def test_a_board_says_that_scoring_is_away_and_recovers(browser, app, address, services, switched):
    evening = services.evening()
    event = f"/events/{evening.id}"
    board = opened(browser, address, f"{event}/round", signed_in(app, evening.token("organiser")).cookie())
    wall = opened(browser, address, f"{event}/wall/standings")
    switched.away = {"scoring"}
    for page in (board, wall):
        expect(page.locator("#frag-away")).to_contain_text("Scoring is away", timeout=PATIENCE)
    expect(board.locator("#frag-games")).to_contain_text("Player 1")
    expect(wall.locator("#frag-wall")).to_contain_text("Player 1")
    switched.away.clear()
    for page in (board, wall):
        expect(page.locator("#frag-away .note")).to_have_count(0, timeout=PATIENCE)
        assert page.evaluate("window.never_reloaded")
    board.route("**", lambda route: route.abort())
    expect(board.locator("#frag-away")).to_contain_text("Muster is not responding", timeout=PATIENCE)
    expect(board.locator("#frag-games")).to_contain_text("Player 1")
    board.unroute("**")
    expect(board.locator("#frag-away .note")).to_have_count(0, timeout=PATIENCE)
    for page in (board, wall):
        page.context.close()


UNSEEN = "for (const [name, value] of [['hidden', true], ['visibilityState', 'hidden']])"
UNSEEN += " Object.defineProperty(document, name, { get: () => value });"
"""A browser source whose scene is not on the air: the program says that nobody sees it."""


def test_a_call_reaches_the_referees_queue_and_what_is_typed_there_stays(browser, app, address, services):
    evening = services.evening("between")
    evening.round(2)
    games = evening.games(2)
    event = f"/events/{evening.id}"
    evening.do("pairing", "/calls", {"game": games[0]["id"], "reason": "rules"})
    referee = signed_in(app, evening.token("referee")).cookie()
    queue = opened(browser, address, f"{event}/referee?call=c1", referee)
    queue.get_by_label("Or in your own words").fill("typed before")
    expect(queue.locator("#waiting")).to_have_text("1 open")
    evening.do("pairing", "/calls", {"game": games[1]["id"], "text": "come <b>quickly</b>"})
    expect(queue.locator("#frag-queue")).to_contain_text("come <b>quickly</b>", timeout=PATIENCE)
    expect(queue.locator("#waiting")).to_have_text("2 open", timeout=PATIENCE)
    expect(queue).to_have_title(re.compile(r"\(2\)"))
    assert queue.get_by_label("Or in your own words").input_value() == "typed before"
    assert queue.evaluate("window.never_reloaded")
    queue.context.close()


def test_the_queue_keeps_what_was_known_while_pairing_is_away_with_its_age(browser, app, address, services, switched):
    evening = services.evening("between")
    evening.round(2)
    event = f"/events/{evening.id}"
    evening.do("pairing", "/calls", {"game": evening.games(2)[0]["id"], "text": "we wait"})
    queue = opened(browser, address, f"{event}/referee", signed_in(app, evening.token("referee")).cookie())
    switched.away = set(SERVICES)
    expect(queue.locator("#frag-away")).to_contain_text("Pairing is away", timeout=PATIENCE)
    expect(queue.locator("#frag-away [data-age]").first).to_be_attached()
    expect(queue.locator("#frag-queue")).to_contain_text("we wait")
    switched.away.clear()
    expect(queue.locator("#frag-away .note")).to_have_count(0, timeout=PATIENCE)
    queue.context.close()


@pytest.mark.parametrize("source", ["seen", "unseen"])
def test_an_overlay_hears_without_a_gesture_or_a_cookie_and_while_its_scene_is_not_on_the_air(
    browser, address, services, switched, source
):
    evening = services.evening("between")
    evening.round(2)
    game = evening.games(2)[0]
    context = hurried(browser.new_context(base_url=address))
    overlay = context.new_page()
    if source == "unseen":
        overlay.add_init_script(UNSEEN)
    overlay.goto(f"/events/{evening.id}/overlay?top=3")
    overlay.evaluate("window.never_reloaded = true")
    expect(overlay.get_by_text("0 of 6 games settled")).to_be_visible()
    evening.report(game["id"])
    expect(overlay.get_by_text("1 of 6 games settled")).to_be_visible(timeout=PATIENCE)
    switched.away = {"scoring"}
    expect(overlay.locator("#frag-away")).to_contain_text("Last known state", timeout=PATIENCE)
    expect(overlay.get_by_text("1 of 6 games settled")).to_be_visible()
    switched.away.clear()
    expect(overlay.locator("#frag-away .note")).to_have_count(0, timeout=PATIENCE)
    assert overlay.evaluate("window.never_reloaded")
    assert context.cookies() == []
    context.close()


def test_the_bracket_follows_from_before_the_cut_to_a_decided_game(browser, app, address, services):
    evening = CutEvening(services, app, ["Ana", "Ben", "Cy", "Di"])
    bracket = opened(browser, address, f"{evening.page}/bracket")
    expect(bracket.get_by_text("It is not decided yet who advances")).to_be_visible()
    evening.play(1)
    evening.asked.pairing.make_cut(evening.id, places=4)
    expect(bracket.locator("#frag-words")).to_contain_text("Ana", timeout=PATIENCE)
    evening.pair(2)
    evening.report(2, most=1)
    expect(bracket.locator("#frag-words")).to_contain_text("settled", timeout=PATIENCE)
    expect(bracket.locator("#frag-picture svg").first).to_be_visible()
    assert bracket.evaluate("window.never_reloaded")
    bracket.context.close()


def test_what_needs_a_service_that_is_away_says_so_cannot_be_pressed_and_comes_back(
    browser, app, address, services, switched
):
    evening = services.evening("between")
    evening.round(2)
    event = f"/events/{evening.id}"
    evening.do("pairing", "/calls", {"game": evening.games(2)[0]["id"]})
    organiser = signed_in(app, evening.token("organiser")).cookie()
    board, players, queue = (
        opened(browser, address, f"{event}/{page}", organiser) for page in ("round", "players", "referee")
    )
    add = players.get_by_role("button", name="Add", exact=False).first
    for page in (board, players, queue):
        expect(page.locator("[data-why]")).to_have_count(0)
    look, minutes = (
        board.get_by_role("button", name="Preview"),
        board.get_by_role("button", name="Add minutes"),
    )
    close = board.get_by_role("button", name="Close the round")

    switched.away = {"scoring"}
    expect(look).to_have_attribute("aria-disabled", "true", timeout=PATIENCE)
    expect(look).to_have_attribute("data-why", "Scoring is away")
    said = "button => getComputedStyle(button, '::after').content"
    until(lambda: "Scoring is away" in look.evaluate(said))  # the page may be changing at this moment
    expect(minutes).not_to_have_attribute("aria-disabled", "true")
    expect(close).to_have_attribute("aria-disabled", "true")  # games are open: that stays so
    sent: list[str] = []
    board.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    look.click(force=True)
    look.press("Enter")
    assert sent == []
    assert board.evaluate("window.never_reloaded")

    switched.away = set(SERVICES)
    expect(add).to_have_attribute("aria-disabled", "true", timeout=PATIENCE)
    expect(minutes).to_have_attribute("data-why", "Pairing is away", timeout=PATIENCE)
    expect(queue.get_by_role("button", name="I will go")).to_have_attribute("aria-disabled", "true", timeout=PATIENCE)
    expect(players.locator("#own-menu button", has_text="Sign out")).not_to_have_attribute("aria-disabled", "true")

    switched.away.clear()
    for page in (board, players, queue):
        expect(page.locator("[data-why]")).to_have_count(0, timeout=PATIENCE)
        assert page.evaluate("window.never_reloaded")
    expect(close).to_have_attribute("aria-disabled", "true")
    look.click()
    expect(board.get_by_role("heading", name="What closing would do")).to_be_visible(timeout=PATIENCE)
    for page in (board, players, queue):
        page.context.close()


def test_without_a_script_the_page_says_it_and_the_form_still_gets_a_clear_answer(app, services, switched):
    evening = services.evening("between")
    organiser = signed_in(app, evening.token("organiser"))
    organiser.open(f"/events/{evening.id}/awards")
    switched.away = {"scoring"}
    try:
        organiser.open(f"/events/{evening.id}/awards")
        assert organiser.shows("Scoring is away", "Still works:", "Does not work:")
        assert not organiser.shows("aria-disabled")
        assert organiser.send(do="give", name="Best painted", player="p2").status_code == 503
        assert organiser.shows("Scoring is not responding", "Go back", "it counts once")
    finally:
        switched.away.clear()


def test_the_page_of_a_campaign_and_of_a_co_operative_evening_follows_what_happens(browser, app, address, services):
    league, night = new_league(services, 4, built=True), new_night(services, 8)
    league.pair()
    games, tables = (opened(browser, address, f"/events/{event.id}/about") for event in (league, night))
    expect(games.get_by_text("not reported")).to_have_count(2)
    expect(tables.get_by_text("not started")).to_have_count(2)
    league.play("r1g1", "p1")
    night.set_up("r1t1")
    expect(games.get_by_text("settled")).to_be_visible(timeout=PATIENCE)
    expect(tables.get_by_text("being played")).to_be_visible(timeout=PATIENCE)
    for page in (games, tables):
        assert page.evaluate("window.never_reloaded")
        page.context.close()


CLOCK = re.compile(r"^\d+:\d\d(:\d\d)?$")


def test_the_clock_of_a_phone_goes_on_behind_a_report_that_was_refused(browser, app, address, services):
    evening = services.evening("between")
    evening.round(2)
    game = evening.games(2)[0]
    player = signed_in(app, evening.token(game["player_1"])).cookie()
    phone = opened(browser, address, f"/events/{evening.id}/table", player)
    clock = phone.locator("[data-left]").first
    expect(clock).to_have_text(CLOCK)
    for field in phone.locator("input[name^=points_]").all():
        field.fill("80")
    phone.get_by_role("button", name="Send result").click()
    expect(phone.locator("[role=alert]")).to_be_visible()
    phone.evaluate("document.querySelector('[data-left]').textContent = ''")  # until the next tick writes it again
    expect(clock).to_have_text(CLOCK)
    for field in phone.locator("input[name^=points_]").all():
        field.fill("90")
    phone.locator("input[name^=points_]").first.fill("150")
    phone.get_by_role("button", name="Send result").click()
    expect(phone.get_by_role("status").filter(has_text="Your result was sent.")).to_be_visible()
    phone.context.close()
