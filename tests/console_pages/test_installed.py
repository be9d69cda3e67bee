"""The player's page on a phone that loses its network: reloaded, reported on, and gone when the player signs out."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from urllib.parse import urlsplit

import pytest
from flask import Flask
from playwright.sync_api import Page, expect
from werkzeug.serving import make_server

from services.console.app import STATIC
from services.console.pages.table import KEEP
from tests.console_pages.test_evening import paired, with_a_code
from tests.console_pages.test_phone import real_phone, reports

KEPT = "caches.open('muster pages').then(pages => pages.keys()).then(all => all.map(one => new URL(one.url).pathname))"
UNTIL_KEPT = f"""async wanted => {{
  for (let tries = 0; tries < 1200; tries++) {{
    if (JSON.stringify((await {KEPT}).sort()) === JSON.stringify(wanted)) return true;
    await new Promise(resolve => setTimeout(resolve, 50));
  }}
  return false;
}}"""


class Network:
    """The console behind a port, as long as there is a network."""

    def __init__(self, app: Flask) -> None:
        self._app = app
        self._port = 0
        self.come_back()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    def come_back(self) -> None:
        self._server = make_server("127.0.0.1", self._port, self._app, threaded=True)
        self._port = self._server.server_port
        self._thread = Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def go(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


@pytest.fixture
def network(app: Flask) -> Iterator[Network]:
    network = Network(app)
    yield network
    network.go()


@contextmanager
def page_of(player, browser, network: Network, event: str) -> Iterator[Page]:
    """A player's table on their phone, once it is kept there."""
    with real_phone(player, browser, network.address, worker=True) as context:
        page = context.new_page()
        page.goto(f"{event}/table")
        assert page.evaluate(UNTIL_KEPT, [f"{event}/table"])
        yield page


@pytest.mark.engine("browser")
def test_a_page_is_reloaded_without_a_network_and_its_report_goes_out_once(organiser, browser, network, app, services):
    event = paired(organiser)
    ana = with_a_code(organiser, event, "Ana")
    with page_of(ana, browser, network, event) as page:
        expect(page.locator("#offline")).to_be_hidden()
        network.go()
        page.reload()
        expect(page.locator("#offline")).to_be_visible()
        assert page.locator("#offline-at").inner_text()
        assert page.evaluate("document.styleSheets[0].cssRules.length") > 100
        page.fill("#points_1", "150")
        page.fill("#points_2", "129")
        page.click("text=Send result")
        expect(page.locator("#kept")).to_be_visible()
        page.reload()
        expect(page.locator("#kept")).to_be_visible()
        network.come_back()
        page.click("#kept-now")
        expect(page.locator("main")).to_contain_text("Waiting for")
        expect(page.locator("#offline")).to_be_hidden()
    assert reports(app, services, ana.page) == 1


@pytest.mark.engine("browser")
def test_only_the_players_own_pages_are_kept_and_they_go_with_the_player(organiser, browser, network, app):
    event = paired(organiser)
    ana, ben = (with_a_code(organiser, event, name) for name in ("Ana", "Ben"))
    with page_of(ana, browser, network, event) as page:
        for place in ("my-games", "standings", "about", "history/p2", "my-games"):
            page.goto(f"{event}/{place}")
        assert page.evaluate(UNTIL_KEPT, [f"{event}/my-games", f"{event}/table"])
        page.goto(f"{event}/about")
        page.click("#own-menu > summary")
        page.click("text=Sign out")
        page.wait_for_url("**/")
        assert page.evaluate(UNTIL_KEPT, [])
        page.goto(f"{event}/table")
        assert urlsplit(page.url).path == "/sign-in"
        name, value = ben.cookie()
        page.context.add_cookies([{"name": name, "value": value, "url": network.address}])
        page.goto(f"{event}/table")
        assert page.evaluate(UNTIL_KEPT, [f"{event}/table"])
        page.goto(f"{event}/come-in?token=a.b.c")
        assert page.evaluate(UNTIL_KEPT, [])


@pytest.mark.engine("browser")
def test_what_one_player_has_kept_is_not_sent_by_the_next_one_on_this_phone(organiser, browser, network, app, services):
    event = paired(organiser)
    ana, ben = (with_a_code(organiser, event, name) for name in ("Ana", "Ben"))
    with real_phone(ana, browser, network.address, worker=True) as context:
        page = context.new_page()
        page.goto(f"{event}/table")
        page.fill("#points_1", "150")
        page.fill("#points_2", "129")
        network.go()  # for good: what a worker of the page lets through, a test cannot intercept
        page.click("text=Send result")
        expect(page.locator("#kept")).to_be_visible()
        page.close()  # what it was still asking for might sign Ana in again
        network.come_back()
        name, value = ben.cookie()
        context.add_cookies([{"name": name, "value": value, "url": network.address}])
        page = context.new_page()
        page.goto(f"{event}/table")
        expect(page.locator("text=Send result")).to_be_visible()
        expect(page.locator("#kept")).to_be_hidden()
    assert reports(app, services, ana.page) == 0


def test_pages_are_marked_for_their_own_player_alone(organiser, guest):
    event = paired(organiser)
    ana = with_a_code(organiser, event, "Ana")
    for place in ("table", "my-games"):
        assert ana.open(f"{event}/{place}").headers[KEEP]
        assert KEEP not in guest.open(f"{event}/{place}").headers
        assert KEEP not in organiser.open(f"{event}/{place}").headers
    for place in ("standings", "about", "leave", "pairings"):
        assert KEEP not in ana.open(f"{event}/{place}").headers, place
    assert KEEP not in ana.client.post(f"{event}/table").headers


def test_the_manifest_says_nothing_about_the_event(organiser, guest):
    event = paired(organiser)
    ana = with_a_code(organiser, event, "Ana")
    assert f'rel="manifest" href="{event}/phone.webmanifest"' in ana.page
    answer = guest.client.get(f"{event}/phone.webmanifest", headers={"Accept-Language": "de"})
    assert answer.mimetype == "application/manifest+json"
    told = json.loads(answer.text)
    assert (told["start_url"], told["display"], told["name"]) == (f"{event}/table", "standalone", "Muster: mein Tisch")
    assert "Club night" not in answer.text
    for icon in told["icons"]:
        assert guest.client.get(icon["src"]).mimetype == icon["type"]
    assert guest.open("/events/t-none/phone.webmanifest").status_code == 200


def test_icons_have_the_size_that_they_are_said_to_have():
    for size, name in ((192, "icon-192"), (512, "icon-512"), (512, "icon-maskable")):
        head = (STATIC / f"{name}.png").read_bytes()[:24]
        assert struct.unpack(">II", head[16:]) == (size, size)


def test_the_worker_is_revalidated_and_signing_out_clears_the_phone(organiser):
    worker = organiser.client.get("/phone-worker.js")
    assert (worker.mimetype, worker.headers["Cache-Control"]) == ("text/javascript", "no-cache")
    assert worker.text == (Path(STATIC) / "phone-worker.js").read_text()
    organiser.open("/")
    organiser.client.post("/sign-out")
    page = organiser.send("/sign-out")
    assert page.history[0].headers["Clear-Site-Data"] == '"storage"'
