"""Every page in German: no English text of the catalogue is left on it, and on a phone no long word runs out of it."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from services.console.language import catalog
from tests.console_pages.conftest import signed_in
from tests.console_pages.real_browser import window
from tests.console_pages.test_accessibility import PAGES, event, finals  # noqa: F401
from tests.console_pages.test_evening import paired, with_a_code
from tests.fuzz.muster import Evening

MORE = {
    "about": "{event}/about",
    "public pairings": "{event}/pairings",
    "history": "{event}/history/p1",
    "overlay": "{event}/overlay",
    "prints": "{event}/prints",
    "printed pairings": "{event}/prints/pairings?by=name",
    "slips": "{event}/prints/slips",
    "signs": "{event}/prints/signs",
    "printed standings": "{event}/prints/standings",
    "certificates": "{event}/prints/certificates",
    "form": "{event}/prints/forms/fleet-list",
    "another form": "{event}/prints/forms/result-slip",
    "bracket on a wall": "{final}/wall/bracket",
}
OWN = {"table": "{event}/table", "my games": "{event}/my-games", "leaving": "{event}/leave"}
"""Pages of a player."""
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
NOT_READ = {"script", "style"}
SPOKEN = {"aria-label", "placeholder", "alt", "title"}
PLACE = re.compile(r"%\(\w+\)s|%%")
LEAST = 9
"""Letters of a text with places from which it is looked for: shorter ones are in other texts by chance."""


class Texts(HTMLParser):
    """The texts of a page that are read out as being of its language."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._foreign: list[bool] = [False]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = dict(attrs)
        foreign = self._foreign[-1] or tag in NOT_READ or known.get("lang", "de") != "de"
        if tag not in VOID:
            self._foreign.append(foreign)
        if not foreign:
            self.found += [value for name, value in attrs if name in SPOKEN and value]

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            self._foreign.pop()

    def handle_data(self, data: str) -> None:
        if not self._foreign[-1] and data.strip():
            self.found.append(" ".join(data.split()))


def english() -> list[re.Pattern[str]]:
    """The English of every text that German says in another way."""
    patterns = []
    for message in catalog("de"):
        if message.context or not message.id:
            continue
        pairs = (
            zip(message.id, message.string, strict=True)
            if isinstance(message.id, tuple)
            else [(message.id, message.string)]
        )
        for text, german in pairs:
            fixed = PLACE.sub("", text)
            if text != german and sum(map(str.isalpha, fixed)) >= (LEAST if PLACE.search(text) else 2):
                patterns.append(re.compile(".+".join(map(re.escape, PLACE.split(text)))))
    return patterns


def texts_of(page: str) -> list[str]:
    reader = Texts()
    reader.feed(page)
    return reader.found


def test_no_english_is_left_on_a_german_page(organiser_of_all, event, finals):  # noqa: F811
    known, left = english(), {}
    ana = with_a_code(organiser_of_all, event, "Ana")
    pages = [(organiser_of_all, page) for page in (PAGES | MORE).items()] + [(ana, page) for page in OWN.items()]
    for who, (name, place) in pages:
        answer = who.client.get(
            place.format(event=event, **finals), headers={"Accept-Language": "de"}, follow_redirects=True
        )
        assert '<html lang="de"' in answer.get_data(as_text=True), name
        texts = {text for text in texts_of(answer.get_data(as_text=True)) if any(one.fullmatch(text) for one in known)}
        if texts:
            left[name] = texts
    assert not left


def test_a_refusal_is_german_on_the_page_that_comes_back(organiser, services):
    evening = Evening(services, paired(organiser).split("/")[2])
    game = evening.games(1)[0]
    player = signed_in(organiser.client.application, evening.token(game["player_1"]))
    for browser in (organiser, player):
        browser.client.environ_base["HTTP_ACCEPT_LANGUAGE"] = "de"
    organiser.open(f"/events/{evening.id}/round")
    assert organiser.send(do="close", round=1).status_code == 409
    said = "Einige Spiele sind noch offen. Spiele ohne Ergebnis: 2."
    assert organiser.shows("Nichts wurde gespeichert. Bitte prüfe:", said)
    player.open(f"/events/{evening.id}/table")
    evening.report(game["id"])
    assert player.send(do="report", game=game["id"], points_1="1", points_2="0").status_code == 422
    assert player.shows("Es wurde schon ein anderes Ergebnis gemeldet. Es zählt schon.")
    for browser in (organiser, player):
        assert 'lang="en"' not in browser.page.partition("<main")[2].partition("</main>")[0]


def test_a_text_that_is_left_in_english_is_seen():
    assert texts_of('<p>Round<span lang="en">Round</span><br>1</p><a aria-label="Wall"></a>') == ["Round", "1", "Wall"]
    assert any(one.fullmatch("3 games are paired.") for one in english())


OF_PAPER = {"printed slips", "printed signs", "printed certificates"}
"""Sheets, which are as wide as the paper that they fill."""


@pytest.mark.engine("browser")
def test_on_a_phone_no_german_page_is_wider_than_the_phone(organiser_of_all, browser, address, event, finals):  # noqa: F811
    context = window(browser, address, "phone", organiser_of_all.cookie(), locale="de-DE")
    page, wide = context.new_page(), {}
    for name, place in (PAGES | {one: MORE[one] for one in ("about", "public pairings", "history", "prints")}).items():
        page.goto(place.format(event=event, **finals))
        width = page.evaluate("document.documentElement.scrollWidth")
        if width > 360 and "wall" not in name and "screen" not in name and name not in OF_PAPER:
            wide[name] = width
    context.close()
    assert not wide
