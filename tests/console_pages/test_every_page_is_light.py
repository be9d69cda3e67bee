"""Every page of an event of 2,000 players loads in at most 150 KB and ten requests, and no script holds it up.

The page alone has at most 60 KB, and the console makes at most ten requests to the services for it.

The pages are those that the console has: a new one is weighed as soon as it is there. So is what comes back of a form:
faults with what was typed, a preview, a page that somebody was faster on.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import httpx
import pytest
from flask import Flask

from bench.crowded import crowded_event
from bench.pages import MOST_KB, every_page
from muster_client import Muster
from services.console.app import build_web
from shared.settings import SERVICES
from tests.console.in_process import InProcess
from tests.console_pages.conftest import CSRF, Browser, signed_in
from tests.console_pages.cut_evening import CutEvening
from tests.console_pages.sent_forms import FAULTY, FILE, OF_GUESTS, OF_PLAYERS, OF_STAFF, ROWS, STALE
from tests.console_pages.test_evening import FIELDS
from tests.console_pages.test_weight import GZIP, MOST_BYTES, MOST_REQUESTS, loaded_with, unpacked
from tests.fuzz.muster import Muster as Services

NO_ANSWERS = {"sign_ins.by_link", "events.take_back", "results.confirm", "table.leave", "table.look_first"}
NO_ANSWERS |= {"drafts.act", "players.import_players", "spares_and_ties.ties"}
"""What takes a form and leads on, answers the same in any event, or is weighed where its own event is."""
MOST_ASKED = 10
"""Requests to the services for a page. `python -m bench pages` measures their time."""
SCRIPT = re.compile(r"<script\b[^>]*>")
WAITS = re.compile(r" (?:defer|async|type=.module.)\b")


class Counted(InProcess):
    """The way to the services. asked: the requests so far."""

    def __init__(self, muster: Services) -> None:
        super().__init__(muster)
        self.asked: list[str] = []

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(f"{request.method} {request.url.host} {request.url.path}")
        return super().handle_request(request)


@pytest.fixture(scope="module")
def way(services) -> Counted:
    return Counted(services)


@pytest.fixture(scope="module")
def app(way, tmp_path_factory) -> Flask:
    urls = {name: f"http://{name}" for name in SERVICES}
    muster = Muster(urls, patience=0.0, transport=way)
    return build_web({"MUSTER_DATA": str(tmp_path_factory.mktemp("light"))}, muster)


@pytest.fixture(scope="module")
def event(services) -> str:
    """The id of the event, which is in its fourth round."""
    id = crowded_event(services.databases, "t-crowded")
    hook = {"name": "Site", "url": "https://93.184.216.34/hook"}
    operator = services.token("operator")
    for of in ("installation", id):
        made = services.ask("POST", "scoring", f"/tournaments/{of}/webhooks", hook, operator)
        assert made.status == 201, made
    return id


@pytest.fixture(scope="module")
def forms(services, event) -> list[str]:
    return [one["id"] for one in services.ask("GET", "scoring", f"/tournaments/{event}/forms").body["items"]]


def faults_of(browser: Browser, address: str, stand_in: Browser | None = None) -> list[str]:
    """What is too much about a page. stand_in: who looks at it where the first may not."""
    page = browser.client.get(address, headers=GZIP)
    if stand_in is not None and page.status_code != 200:
        page = stand_in.client.get(address, headers=GZIP)
    assert page.status_code == 200, address
    found = too_much(loaded_with(browser.client, address, page), address)
    scripts = SCRIPT.findall(unpacked(page))
    return found + [f"holds up the page: {tag}" for tag in scripts if not WAITS.search(tag)]


def too_much(sizes: Mapping[str, int], address: str) -> list[str]:
    """What is more than a page may load."""
    whole = sum(sizes.values())
    too_many = whole > MOST_BYTES or sizes[address] > MOST_KB * 1024
    found = [f"{whole:,} bytes, of these {sizes[address]:,} the page"] if too_many else []
    return found + ([f"{len(sizes)} requests"] if len(sizes) > MOST_REQUESTS else [])


def faults_of_answer(browser: Browser, address: str, fields: Mapping[str, object], shown: str = "") -> list[str]:
    """What is too much about the page that comes back of a form; a form that was taken leads on, and is no answer.

    shown: words that are on the page.
    """
    browser.open("/sign-in")
    data = {"csrf_token": CSRF.search(browser.page)[1], **fields}
    answer = browser.client.post(address, data=data, headers=GZIP)
    assert answer.status_code in (200, 404, 409, 412, 422), address
    page = unpacked(answer)
    assert shown in page, re.findall(r'role="alert".*?</section>', page, re.DOTALL)
    return too_much(loaded_with(browser.client, address, answer), address)


def test_every_page_of_2000_players_is_light(app, services, event, forms, way):
    staff = signed_in(app, services.token("operator"))
    player = signed_in(app, services.token("player", event, player="p1"))
    found = {}
    for address in every_page(app, event, forms):
        faults = faults_of(staff, address, player)
        way.asked.clear()
        staff.client.get(address)
        if len(way.asked) > MOST_ASKED:
            faults.append(f"{len(way.asked)} requests to the services: {way.asked}")
        if faults:
            found[address] = faults
    assert not found


def test_every_answer_to_a_form_of_2000_players_is_light(app, services, event):
    takers = {
        rule.endpoint for rule in app.url_map.iter_rules() if "POST" in rule.methods and "event" in rule.arguments
    }
    assert takers == {*OF_STAFF, *OF_PLAYERS, *OF_GUESTS} | NO_ANSWERS
    staff, player = services.token("operator"), services.token("player", event, player="p1")
    found = {}
    for browser, sent in (
        (signed_in(app, staff), OF_STAFF),
        (signed_in(app, player), OF_PLAYERS),
        (Browser(app), OF_GUESTS),
    ):
        for place, fields in (form for forms in sent.values() for form in forms):
            if faults := faults_of_answer(browser, f"/events/{event}/{place}", fields):
                found[f"{place}: {fields}"] = faults
    assert not found


def test_pages_of_a_player_and_of_guests_are_light(app, services, event):
    phone = signed_in(app, services.token("player", event, player="p1"))
    for page in ("table", "my-games", "leave", "standings", "about"):
        assert not faults_of(phone, f"/events/{event}/{page}")
    for page in ("about", "pairings", "standings", "round", "history/p1", "games/r4g1", "join", "wall/pairings"):
        assert not faults_of(Browser(app), f"/events/{event}/{page}")


def test_editable_pairings_are_light(app, services):
    event = crowded_event(services.databases, "t-paired", paired=True)
    staff = signed_in(app, services.token("operator"))
    assert not faults_of(staff, f"/events/{event}/rounds/4/draft")
    assert not faults_of(staff, f"/events/{event}/round")
    staff.open(f"/events/{event}/rounds/4/draft")
    first, _opponent, other, *_more = re.findall(r'name="s" value="(p\d+)"', staff.page)
    for fields, shown in (
        ({"do": "try", "s": [first, other], "allow_rematch": "yes"}, "Preview of the swap"),
        ({"do": "swap", "s": [first, other], **STALE}, "Someone else changed this first"),
        ({"do": "swap", "s": first}, "Tick two players"),
        ({"do": "move", "game": "r4g1", "table": "many"}, "Enter a table number."),
    ):
        assert not faults_of_answer(staff, f"/events/{event}/rounds/4/draft", fields, shown)


def test_a_file_of_5000_players_is_light_as_it_comes_back(app, services):
    staff = signed_in(app, services.token("operator"))
    staff.open("/events/new")
    staff.send(**FIELDS)
    address = f"{staff.address}/import"
    for text, shown in (
        (FILE, f"{ROWS:,} players to add"),
        (FILE.replace("9,Club", "9,,Club", FAULTY), f"{FAULTY} errors"),
        (FILE.replace(",Club", ",,Club"), "errors"),
    ):
        assert not faults_of_answer(staff, address, {"text": text, "do": "preview"}, shown)


def test_a_large_cut_and_its_bracket_are_light(app, services):
    evening = CutEvening(services, app, [f"Maximiliane Wolkenstein {number}" for number in range(68)])
    evening.play(1)
    evening.asked.pairing.make_cut(evening.id, places=64)
    staff = signed_in(app, services.token("operator"))
    for page in ("cut", "cut?anew=1&places=64", "bracket", "wall/bracket"):
        assert not faults_of(staff, f"{evening.page}/{page}")
    for fields in ({"do": "try", "player": "p1"}, {"do": "make", "places": "many"}):
        assert not faults_of_answer(staff, f"{evening.page}/cut", fields)


def test_slips_and_signs_that_are_many_come_in_parts_that_leave_none_out(app, services, event):
    staff = signed_in(app, services.token("operator"))
    for place, what, number in (("slips", "slip", 1_000), ("signs", "sheet sign", 1_000)):
        staff.open(f"/events/{event}/prints/{place}?round=4&paper=letter")
        assert ">Back<" not in staff.page
        seen = staff.page.count(f'class="{what}')
        while further := re.search(r'href="([^"]+)">Next<', staff.page):
            staff.open(further[1].replace("&amp;", "&"))
            assert staff.shows("print each part separately", ">Back<")
            seen += staff.page.count(f'class="{what}')
        assert seen == number


def test_an_award_can_be_given_to_each_of_2000_players(app, services, event):
    staff = signed_in(app, services.token("operator"))
    staff.open(f"/events/{event}/awards")
    assert staff.page.count('<option value="p') == 2_000
