"""axe finds nothing on any page, on a phone and on a desk, in light and in dark."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

import pytest
from playwright.sync_api import Page

from muster_client import Muster
from services.console.app import build_web
from services.console.live.hub import hub_of
from shared.settings import SERVICES
from tests.console_pages.conftest import signed_in
from tests.console_pages.cut_evening import CutEvening
from tests.console_pages.real_browser import resized, served, violations, window
from tests.console_pages.test_evening import paired, with_a_code
from tests.console_pages.test_last_known import Switched

NAMES = ["Ana", "אבגדה וזחטי כלמנס", "<b>Mark</b>", "Maximiliane Wolkenstein-Oberhuber", "Cy", "Di"]
BOTH = ("phone", "desk")
pytestmark = pytest.mark.engine("browser")
PAGES = {
    "home": "/",
    "sign in": "/sign-in",
    "new event": "/events/new",
    "players": "{event}/players",
    "check-in": "{event}/check-in",
    "kept apart": "{event}/apart",
    "reserved table": "{event}/player/p1/table",
    "erasure": "{event}/player/p1/erasure",
    "voiding a result": "{event}/games/r1g2/voiding",
    "reopening a round": "{event}/round/1/reopening",
    "spare player": "{event}/spare",
    "ties": "{event}/ties",
    "player": "{event}/player/p1",
    "import of players": "{event}/players/import",
    "lists": "{event}/lists",
    "list": "{event}/lists/p1",
    "awards": "{event}/awards",
    "settings": "{event}/settings",
    "waiting list": "{event}/waiting",
    "event for guests": "{event}/about",
    "pairings for guests": "{event}/pairings",
    "history of a player": "{event}/history/p1",
    "overlay": "{event}/overlay",
    "wall of pairings by table": "{event}/wall/pairings?by=table",
    "standings after a round that is not there": "{event}/standings?round=9",
    "prints": "{event}/prints",
    "printed pairings": "{event}/prints/pairings",
    "printed slips": "{event}/prints/slips",
    "printed signs": "{event}/prints/signs",
    "printed standings": "{event}/prints/standings",
    "printed certificates": "{event}/prints/certificates",
    "round": "{event}/round",
    "pairings, to be mended": "{event}/rounds/1/draft",
    "game": "{event}/games/r1g1",
    "another game": "{event}/games/r1g2",
    "referees": "{event}/referee?call=c1",
    "standings": "{event}/standings?why=p1",
    "wall of pairings": "{event}/wall/pairings",
    "wall of standings": "{event}/wall/standings",
    "wall of the clock": "{event}/wall/clock",
    "walls": "{event}/walls?clock=during&seconds=12",
    "screen": "{event}/screen?clock=before&clock=during&clock=after",
    "screen of nothing": "{event}/screen",
    "sign-up": "{event}/join",
    "operator: health": "/operator",
    "operator: webhooks": "/operator/webhooks",
    "operator: webhook": "/operator/webhooks/installation/w1",
    "operator: tokens": "/operator/tokens",
    "webhooks of an event": "{event}/webhooks",
    "record": "{event}/record",
    "sign in by a code": "/organiser/come-in?code=none",
    "nothing": "/events/t-none/",
    "cut": "{final}/cut",
    "cut, to be made anew": "{final_to_come}/cut?anew=1&places=6",
    "bracket": "{final}/bracket",
    "wall of the bracket": "{final}/wall/bracket",
}


EMPTY = ("players", "check-in", "lists", "round", "standings", "awards", "settings", "waiting", "referee", "walls")
EMPTY += ("prints", "about", "pairings", "overlay", "bracket", "cut", "wall/pairings", "wall/standings", "wall/clock")
"""Pages of an event that nobody has entered, or that has no round."""
CROWDED = ("players", "check-in", "lists", "round", "waiting?give=p510", "about", "pairings", "wall/pairings")
AWAY = ("players", "round", "standings", "referee", "games/r2g1", "about", "overlay", "wall/clock")


def _pressed(place: str, button: str, opened: str = "") -> Callable[[Page, str], None]:
    """A page after one of its buttons. opened: what has to be opened before."""

    def press(page: Page, event: str) -> None:
        page.goto(f"{event}/{place}" if not place.startswith("/") else place)
        if opened:
            page.get_by_text(opened).click()
        page.get_by_role("button", name=button).first.click()
        page.wait_for_load_state()

    return press


def _voided_without_a_reason(page: Page, event: str) -> None:
    """The page that voids the disputed result, which is at another table in each draw, after its button."""
    page.goto(f"{event}/round?which=all")
    game = page.locator("tr.is-dispute").get_attribute("id")
    _pressed(f"games/{game}/voiding", "Void the result")(page, event)


STATES: dict[str, Callable[[Page, str], None]] = {
    "round: a preview of closing it": _pressed("round", "Preview"),
    "round: minutes that are missing": _pressed("round", "Add minutes"),
    "new event: faults": _pressed("/events/new", "Create event"),
    "sign in: a key that opens nothing": _pressed("/sign-in", "Sign in"),
    "players: a code for a player": _pressed("player/p1", "Make a code"),
    "voiding: no reason": _voided_without_a_reason,
    "player: no reason": _pressed("player/p1", "Disqualify", "Disqualification…"),
    "prints: codes of all players": _pressed("prints", "Players' codes"),
    "walls: nothing chosen": _pressed("walls?preset=own&seconds=12", "Create the address"),
    "import: nothing to import": _pressed("players/import", "Preview"),
    "settings: nobody to appoint": _pressed("settings", "Add and show"),
    "sign in by a used code": _pressed("/operator/come-in?code=none", "Sign in"),
}
"""What pages are after something was sent -> how one comes there."""


@pytest.fixture(scope="module")
def event(organiser_of_all, services) -> str:
    """A tournament in its first round: a game waits for its result, another is disputed, and a judge called to it."""
    event = paired(organiser_of_all)
    organiser_of_all.open(f"{event}/walls")
    organiser_of_all.send(name="Stage", clock=["during", "after"], standings="after", seconds="12")
    ana = with_a_code(organiser_of_all, event, "Ana")
    rival = with_a_code(organiser_of_all, event, re.search(r"<h1>against (\w+)</h1>", ana.page)[1])
    ana.send(do="call", about="rules", details="is this in the way?")
    ana.send(do="report", points_1="153", points_2="146")
    rival.open(f"{event}/table")
    rival.send(do="dispute", reason="the token counted for me")
    hook = {"name": "Site", "url": "https://93.184.216.34/hook"}
    services.ask("POST", "scoring", "/tournaments/installation/webhooks", hook, services.token("operator"))
    return event


@pytest.fixture(scope="module")
def finals(services, app) -> dict[str, str]:
    """An event whose bracket is played, and one whose cut is made."""
    pages = {}
    for name in ("final_to_come", "final"):
        evening = CutEvening(services, app, NAMES)
        evening.play(1)
        evening.asked.pairing.make_cut(evening.id, places=4)
        pages[name] = evening.page
    evening.asked.pairing.pair_round(evening.id, round=2)
    return pages


@pytest.fixture(scope="module")
def page(organiser_of_all, browser, address) -> Iterator[Page]:
    """A page of the organiser's browser, which the tests of one page each share."""
    context = window(browser, address, "phone", organiser_of_all.cookie())
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing(page, event, finals, name):
    page.goto(PAGES[name].format(event=event, **finals))
    assert in_sizes(page) == []


def test_axe_finds_nothing_once_something_was_sent(organiser_of_all, browser, address, event):
    context = window(browser, address, "phone", organiser_of_all.cookie())
    page, found = context.new_page(), {}
    for name, come_there in STATES.items():
        come_there(page, event)
        if faults := in_sizes(page):
            found[name] = faults
    context.close()
    assert not found


def test_axe_finds_nothing_where_there_is_nothing_yet(organiser_of_all, browser, address, services):
    empty = services.announce(sign_up="open")
    assert looked_at(browser, address, organiser_of_all.cookie(), pages_of(empty.id, EMPTY)) == {}


def test_axe_finds_nothing_at_an_event_of_five_hundred(organiser_of_all, browser, address, services):
    crowd = services.announce(capacity=500)
    crowd.do("registration", "/venues", {"name": "Hall", "tables": 250})
    for first in range(1, 511, 170):
        people = [{"name": f"{NAMES[n % 6]} {n}", "venue": "v1"} for n in range(first, first + 170)]
        crowd.do("registration", "/players/list", {"players": people})
    crowd.round(1)
    places = pages_of(crowd.id, CROWDED)
    assert looked_at(browser, address, organiser_of_all.cookie(), places, ("desk",)) == {}


def test_axe_finds_nothing_while_every_service_is_away(browser, services, tmp_path):
    switched = Switched(services)
    urls = {name: f"http://{name}" for name in SERVICES}
    app = build_web({"MUSTER_DATA": str(tmp_path)}, Muster(urls, patience=0.0, transport=switched))
    evening = services.evening()
    organiser = signed_in(app, evening.token("organiser"))
    places = pages_of(evening.id, AWAY)
    for place in places:
        organiser.open(place)
    switched.away = set(SERVICES)
    try:
        with served(app) as address:
            places += pages_of(evening.id, ("settings",))
            assert looked_at(browser, address, organiser.cookie(), places) == {}
    finally:
        hub_of(app).stop()


def pages_of(event: str, places: Iterable[str]) -> list[str]:
    return [f"/events/{event}/{place}" for place in places]


def looked_at(browser, address, cookie, places, sizes=BOTH) -> dict[str, list[str]]:
    """Place -> what axe finds there."""
    context = window(browser, address, "phone", cookie)
    page, found = context.new_page(), {}
    for place in places:
        page.goto(place)
        if faults := in_sizes(page, sizes):
            found[place] = faults
    context.close()
    return found


def in_sizes(page: Page, sizes: Iterable[str] = BOTH) -> list[str]:
    """What axe finds on a page as it stands, in each of these sizes."""
    return [f"{size}: {one}" for size in resized(page, sizes) for one in violations(page)]
