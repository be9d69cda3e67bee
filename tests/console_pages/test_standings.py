"""Standings in the console: every column, who stands above whom and why, ranks over the rounds, a file to keep."""

from __future__ import annotations

import re

import pytest

from services.console.app import build_web
from services.console.pages.standings import points_of
from tests.console_pages.conftest import Browser, signed_in
from tests.console_pages.large_event import COLUMNS, WORDS, services_with
from tests.console_pages.test_evening import announced, paired

SCORES = (("160", "120"), ("140", "131"))


def closed(organiser: Browser) -> str:
    """An event whose first round is closed; its address."""
    event = paired(organiser)
    for game, (first, second) in zip(("r1g1", "r1g2"), SCORES, strict=True):
        organiser.open(f"{event}/games/{game}")
        organiser.send(do="send", points_1=first, points_2=second)
    organiser.open(f"{event}/round")
    organiser.send(do="close", round=1)
    return event


def test_an_opened_row_says_who_is_above_and_below_and_what_decides(organiser):
    event = closed(organiser)
    organiser.open(f"{event}/standings")
    rows = re.findall(r'<tr id="(p\d+)"', organiser.page)
    names = re.findall(r'#p\d+"><bdi>(\w+)</bdi><span class="vh">', organiser.page)
    assert len(rows) == len(names) == 4
    organiser.open(f"{event}/standings?why={rows[1]}")
    assert organiser.shows(f"Why {names[1]} is here", f"Below {names[0]}:", "decided by ", f"Above {names[2]}:")
    organiser.open(f"{event}/standings?why={rows[0]}")
    assert organiser.shows(f"Above {names[1]}:")
    assert not organiser.shows("Below ")


def test_ranks_over_three_rounds_are_a_picture_with_a_table(guest, services):
    evening = services.announce(rounds=4)
    evening.do("registration", "/players/list", {"players": [{"name": f"Player {n}"} for n in range(1, 9)]})
    for number in (1, 2, 3):
        evening.round(number)
        for game in evening.games(number):
            evening.report(game["id"])
        evening.do("scoring", f"/rounds/{number}/close")
        first = evening.ask("GET", "scoring", f"/standings?round={number}").body["items"][0]["player"]
        guest.open(f"/events/{evening.id}/standings?why={first}")
        assert guest.shows("Why Player ")
        shown = guest.shows('<svg class="plot"', "Rank after each round", f'<th scope="row">{number}</th><td>1</td>')
        assert shown == (number == 3)


def test_standings_of_a_closed_round_and_of_one_that_is_not(organiser):
    event = closed(organiser)
    organiser.open(f"{event}/standings?round=1")
    assert organiser.shows('aria-current="true">Round 1', "Ana")
    assert organiser.open(f"{event}/standings?round=9").status_code == 422
    assert not organiser.shows("Traceback")


def test_the_file_comes_through_the_console(organiser):
    event = closed(organiser)
    answer = organiser.client.get(f"{event}/standings.csv?round=1")
    assert answer.mimetype == "text/csv"
    assert answer.headers["Content-Disposition"] == 'attachment; filename="standings-after-round-1.csv"'
    assert len(answer.get_data(as_text=True).splitlines()) == 5


def test_an_event_without_a_round_has_an_empty_state(organiser):
    event = announced(organiser)
    assert organiser.open(f"{event}/standings?why=p1").status_code == 200
    organiser.open(f"{event}/standings?q=nobody")
    assert organiser.shows("No player of that name.")


def test_500_players_come_fifty_at_a_time_with_every_column(services, tmp_path):
    app = build_web({"MUSTER_DATA": str(tmp_path)}, services_with(services, players=500))
    organiser = signed_in(app, services.token("operator"))
    event = announced(organiser)
    organiser.open(f"{event}/standings")
    assert organiser.page.count("<tr id=") == 50
    assert organiser.shows(*(f"{place} · {WORDS[name].capitalize()}" for place, name in enumerate(COLUMNS, 1)))
    assert organiser.shows("1 to 50 of 500")
    organiser.open(re.search(r'href="([^"]+)">More', organiser.page)[1].replace("&amp;", "&"))
    assert organiser.shows("51 to 100 of 500", "Back to the top")


@pytest.mark.parametrize("players", [1, 2, 2_000])
def test_every_point_lies_within_the_picture(players):
    points = points_of({3: players, 1: 1}, players)
    assert [point.round for point in points] == [1, 3]
    assert all(0 <= point.x <= 380 and 15 <= point.y <= 105 for point in points)
    assert points[0].y == 15


def test_standings_that_are_kept_back_are_published_from_their_page(services, app, guest):
    evening = services.evening("between", on_purpose=["standings"])
    page = f"/events/{evening.id}/standings"
    organiser, referee = (signed_in(app, evening.token(role)) for role in ("organiser", "referee"))
    referee.open(page)
    assert not referee.shows("Publish the standings")
    organiser.open(page)
    assert organiser.shows("Only staff can see the standings", "Publish the standings")
    assert organiser.send().status_code == 200
    assert organiser.shows("The standings are published.")
    assert not organiser.shows("Publish the standings")
    guest.open(page)
    assert guest.shows("Player 1")
    assert guest.send().status_code in (401, 403, 409)
