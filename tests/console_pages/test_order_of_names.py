"""Every list that people search by name has the same order, whoever makes it and on whatever it is shown."""

from __future__ import annotations

import csv
import io
import random
import re
from html import unescape

import pytest

from tests.console_pages.conftest import Browser

ORDER = [
    *("adam", "Ana", "Ćwik", "d’Arc", "Émile", "Eva", "Éva", "McKay", "Mckenna", "'Neill", "O’Neill", "Øystein"),
    *("özdemir", "ÖZIL", "Zoe", "王伟"),
]
ROW = r'<th scope="row">(?:<label.*?</label>)?(?:<a [^>]*>)?<bdi>([^<]+)</bdi>'
PAGES = {
    "players": ROW,
    "standings": r"<li[^>]*>(?:<a [^>]*>)?<bdi>([^<]+)</bdi>",
    "wall/pairings": r"<li><div><b[^>]*><bdi>([^<]+)</bdi></b>",
    "prints/pairings?by=name": ROW,
}
LISTS = [("registration", "/players?sort=name"), ("scoring", "/standings?sort=name")]


@pytest.fixture(scope="module")
def evening(services):
    made = services.announce()
    names = random.Random(27).sample(ORDER, len(ORDER))
    made.do("registration", "/players/list", {"players": [{"name": name} for name in names]})
    made.round(1)
    return made


@pytest.mark.parametrize("page", PAGES)
def test_pages_list_names_in_one_order(evening, organiser: Browser, page):
    organiser.open(f"/events/{evening.id}/{page}")
    assert [unescape(name) for name in re.findall(PAGES[page], organiser.page)] == ORDER


@pytest.mark.parametrize(("service", "address"), LISTS)
def test_services_list_names_in_that_order_page_by_page_and_as_csv(services, evening, service, address):
    names, more = [], f"{address}&limit=3"
    while more:
        page = evening.ask("GET", service, more).body
        names += [one["name"] for one in page["items"]]
        more = page["next"] and f"{address}&limit=3&after={page['next']}"
    assert names == ORDER
    file = services.ask(
        "GET", service, f"/tournaments/{evening.id}{address}", token=evening.token("organiser"), Accept="text/csv"
    )
    rows = csv.DictReader(io.StringIO(file.text.decode()))
    assert [row["name"] for row in rows] == ORDER
