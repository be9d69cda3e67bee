"""An event of 500 players: the 250 results of a round by quick entry, a line each, and the round closed."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from bench.story import Shape, recorded, shelve, story
from tests.console_pages.conftest import CSRF, Browser
from tests.console_pages.test_board import rows

PLAYERS, TABLES = 500, 250
SCRIPTED = {"HX-Request": "true"}
"""The header of quick.js, which sends a line without loading the page."""
ASKED = re.compile(r'name="asked" value="([^"]+)"')
EQUAL, TWICE, WRONG = 5, 11, 30
"""Every so many tables: equal scores, a line sent twice, a line with a fault before the right one."""


@pytest.fixture
def event(services, organiser) -> str:
    """The address of the event; round 1 has begun at 250 tables."""
    logs = recorded(story(Shape(PLAYERS, closed=0, open=True)), "t-500")
    for database in services.databases.values():
        shelve(database, [logs])
    return "/events/t-500"


class Entries:
    """A desk that types lines into the first field of quick entry."""

    def __init__(self, organiser: Browser, event: str) -> None:
        self.organiser, self.event = organiser, event
        organiser.open(f"{event}/round")
        self.csrf = CSRF.search(organiser.page)[1]

    def types(self, line: str, **more: str) -> str:
        """Send a line; the answer that takes the place of the form."""
        sent = {"csrf_token": self.csrf, "key": f"entry-{line}", "part": "quick", "round": "1", "table": line, **more}
        answer = self.organiser.client.post(f"{self.event}/quick", data=sent, headers=SCRIPTED)
        assert answer.status_code in (200, 422)
        return answer.get_data(as_text=True)


def test_250_results_are_250_lines(organiser, guest, event):
    organiser.open(f"{event}/round")
    assert organiser.shows("0 of 250 games settled", 'aria-current="true">Still open', "Page 1 of 3, 250 games")
    entered, typed = Counter(), Entries(organiser, event)
    for table in range(1, TABLES + 1):
        if table % WRONG == 0:
            assert "No game at table 999 in this round." in typed.types("999 150 129")
        second = 150 if table % EQUAL == 0 else 50 + table % 90
        said = typed.types(f"{table} 150 {second}")
        if second == 150:
            assert "Who was the second player?" in said
            scores = {"points_1": "150", "points_2": "150", "asked": ASKED.search(said)[1]}
            said = typed.types(str(table), **scores, second_player="1", key=f"equal-{table}")
        assert f"Table {table}: " in said, said
        entered[f"150 : {second}"] += 1
        if table % TWICE == 0 and second != 150:
            assert f"Table {table} already has a result" in typed.types(f"{table} 150 {second}", key=f"again-{table}")
    organiser.open(f"{event}/round?which=all")
    assert organiser.shows("250 of 250 games settled", "Page 1 of 3, 250 games")
    shown = Counter()
    for page in (1, 2, 3):
        organiser.open(f"{event}/round?which=all&page={page}")
        assert rows(organiser.page) == min(100, TABLES - 100 * (page - 1))
        shown.update(re.findall(r'<td class="num">(\d+ : \d+)</td>', organiser.page))
    assert shown == entered
    organiser.send(f"{event}/round", do="close", round=1)
    assert organiser.shows("closed")
    guest.open(f"{event}/standings")
    assert guest.shows("After round 1")
