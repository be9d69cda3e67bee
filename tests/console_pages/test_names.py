"""Names as people have them, on every page: very long, of one letter, from right to left, or with markup in them."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.console_pages.conftest import signed_in
from tests.console_pages.real_browser import resized, window
from tests.fuzz.muster import Evening

pytestmark = pytest.mark.engine("browser")
LONG = "Wojciechowskabrzęczyszczykiewiczównaprzedwojennegostuleciaab"
RIGHT_TO_LEFT = "عبدالرحمنبنعبداللهبنمحمدبنسلمانبنخالدالهاشميالقرشيالمكيالمدن"
MARKUP = "</bdi><img src=x onerror=alert(1)>"
NAMES = [
    LONG,
    "Q",
    RIGHT_TO_LEFT,
    MARKUP,
    "שרה (1) כהן!",
    "Maximiliane Friederike Wolkenstein-Oberhuber von der Lindenau",
]
STAFF = (
    "players",
    "players/import",
    "check-in",
    "player/p1",
    "player/p3",
    "lists",
    "lists/p3",
    "waiting?give=p8",
    "round",
    "games/r1g1",
    "games/r1g2",
    "rounds/1/draft",
    "referee?call=c1",
    "standings",
    "awards",
    "settings",
    "walls",
    "prints",
)
EVERYBODY = ("about", "pairings", "history/p1", "history/p3", "join", "overlay")
PRINTED = ("prints/pairings", "prints/slips", "prints/signs", "prints/standings", "prints/certificates")
WALLS = ("wall/pairings", "wall/pairings?by=table", "wall/standings", "wall/clock")
ISOLATED = """names => {
  const found = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const node = walk.currentNode, place = node.parentElement;
    if (place.closest("script, template, title, option, .vh, textarea")) continue;
    if (!names.some((name) => node.data.replaceAll("\u2068" + name, "").includes(name))) continue;
    if (!place.closest("bdi, [dir=auto]")) found.push(place.outerHTML.slice(0, 120));
  }
  return found;
}"""
"""Places where a name that runs from right to left would turn round what stands beside it."""


@pytest.fixture(scope="module")
def evening(services) -> Evening:
    """In round 1 one game has its result and a judge is called to the other; two wait for a seat."""
    evening = services.announce(name=LONG[:50], sign_up="open", capacity=6)
    evening.do("registration", "/venues", {"name": LONG, "tables": 4})
    evening.do("registration", "/venues", {"name": "Q", "tables": 2})
    people = [{"name": name, "club": LONG, "venue": "v1"} for name in [*NAMES, LONG[::-1], "ב"]]
    evening.do("registration", "/players/list", {"players": people})
    evening.round(1)
    first, second = evening.games(1)[:2]
    evening.report(first["id"])
    evening.do("pairing", "/calls", {"game": second["id"], "text": RIGHT_TO_LEFT})
    return evening


def wrong(page: Page) -> list[str]:
    """What is wrong with a page: it is wider than its screen, a name turns its surroundings round, or became markup."""
    found = [f"turned: {place}" for place in page.evaluate(ISOLATED, [RIGHT_TO_LEFT, "שרה", "ב"])]
    if (wide := page.evaluate("document.documentElement.scrollWidth - innerWidth")) > 0:
        found.append(f"{wide} px too wide")
    if page.locator("img[src=x]").count():
        found.append("a name became markup")
    return found


def test_no_name_widens_a_page_turns_it_round_or_becomes_markup(browser, address, app, evening):
    found, event = {}, f"/events/{evening.id}"
    people = {"organiser": STAFF, "": (*EVERYBODY, *WALLS), "p3": ("table", "my-games", "leave")}
    for who, places in people.items():
        cookie = signed_in(app, evening.token(who)).cookie() if who else None
        context = window(browser, address, "phone", cookie)
        page = context.new_page()
        page.on("dialog", lambda dialog: found.setdefault("a name ran as a script", []).append(dialog.message))
        for place in places:
            page.goto(f"{event}/{place}")
            if faults := [f"{size}: {one}" for size in resized(page, ("phone", "desk")) for one in wrong(page)]:
                found[place] = faults
        context.close()
    assert not found


def test_no_name_leaves_a_printed_sheet(browser, address, app, evening):
    context = window(browser, address, "desk", signed_in(app, evening.token("organiser")).cookie())
    page, found = context.new_page(), {}
    page.emulate_media(media="print")
    for place in PRINTED:
        page.goto(f"/events/{evening.id}/{place}")
        if faults := wrong(page):
            found[place] = faults
    context.close()
    assert not found
