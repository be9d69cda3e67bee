"""The round board: more minutes, time calls, which games are shown, and two organisers at once."""

from __future__ import annotations

import re

import httpx
import pytest

from bench.crowded import crowded_event
from muster_client import Muster
from services.console.app import build_web
from services.pairing import swiss_routes
from services.pairing.swiss_clocks import clock_view
from shared.clock import format_utc, to_milliseconds
from shared.settings import SERVICES
from tests.console.in_process import InProcess
from tests.console_pages.conftest import signed_in
from tests.console_pages.real_browser import SIZES, violations, window
from tests.console_pages.test_evening import paired, with_a_code


def ends_at(page: str) -> str:
    return re.search(r'ends <time datetime="[^"]+">(\d\d:\d\d)', page)[1]


def rows(page: str) -> int:
    """Games that the table lists."""
    return page.partition('id="frag-games"')[2].partition("</table>")[0].count('<th scope="row">')


def test_a_round_is_given_more_minutes_with_a_reason(organiser):
    paired(organiser)
    before = ends_at(organiser.page)
    organiser.send(do="extend", round=1, minutes="7", why="fire alarm")
    assert ends_at(organiser.page) != before
    assert organiser.send(do="extend", round=1, minutes="soon", why="fire alarm").status_code == 422
    assert organiser.shows("Nothing was saved. Please check:", "Enter a whole number.")
    assert organiser.send(do="extend", round=1, minutes="").status_code == 422
    assert organiser.shows("Enter the number of minutes.", "Enter a reason; it is recorded in the event log.")


def test_time_is_called_once(organiser):
    paired(organiser)
    call = re.search(r'<select class="input" id="call".*?<option value="(\w+)"', organiser.page)[1]
    organiser.send(do="call", round=1, call=call)
    assert f'<option value="{call}"' not in organiser.page


def test_games_are_shown_by_state_and_venue(organiser):
    event = paired(organiser)
    assert rows(organiser.page) == 2
    organiser.open(f"{event}/round?which=disputed")
    assert rows(organiser.page) == 0
    assert organiser.shows("No games match.")
    organiser.open(f"{event}/round?which=open&page=99")
    assert rows(organiser.page) == 2
    organiser.open(f"{event}/round?venue=v2")
    assert organiser.shows("No games match.")
    organiser.open(f"{event}/round?which=%3Cb%3E&venue=nowhere")
    assert rows(organiser.page) == 2
    assert "<b>&" not in organiser.page


def test_the_second_of_two_organisers_hears_that_the_round_has_begun(app, services, organiser):
    event = paired(organiser)
    second = signed_in(app, services.token("operator"))
    second.open(f"{event}/round")
    assert second.send(do="start", round=1).status_code == 409
    assert second.shows("being played", "Nothing was saved. Please check:", "0 of 2 games settled")


def result_of(page: str, game: str) -> list[str]:
    """The cells of a game's row in plain text, from the player on; the winner is marked with a star."""
    row = re.search(rf'<tr id="{game}".*?</tr>', page, re.DOTALL)[0]
    cells = [cell.replace("<b>", "*") for cell in re.findall(r"<td[^>]*>(.*?)</td>", row, re.DOTALL)]
    return [re.sub(r'<span class="vh">.*?</span>|<[^>]+>', "", cell).strip() for cell in cells[:3]]


@pytest.mark.parametrize(
    ("facts", "shown", "winner"),
    [
        ({"points_1": "150", "points_2": "129"}, "150 : 129", 0),
        ({"points_1": "99", "points_2": "150"}, "99 : 150", 1),
        ({"points_1": "80", "points_2": "80", "second_player": "1"}, "80 : 80", 0),
        ({"otherwise": "no_show-1"}, "no-show", 1),
        (
            {"by": "table", "destroyed_1": "90", "destroyed_2": "60", "objective_1": "40", "objective_2": "0"},
            "7 : 3 tournament points",
            0,
        ),
    ],
)
def test_the_board_and_the_public_pairings_show_results_and_winners(organiser, guest, facts, shown, winner):
    event = paired(organiser)
    names = result_of(organiser.page, "r1g1")[:2]
    assert result_of(organiser.page, "r1g1")[2] == ""
    organiser.open(f"{event}/games/r1g1")
    organiser.send(do="send", **facts)
    names[winner] = f"*{names[winner]}"
    assert result_of(organiser.page, "r1g1") == [*names, shown]
    guest.open(f"{event}/pairings")
    assert guest.shows("Result", f"<b><bdi>{names[winner][1:]}</bdi>")
    assert guest.shows(f">{shown}</td>")


def test_a_reported_result_is_public_when_it_counts(organiser, guest):
    event = paired(organiser)
    phone = with_a_code(organiser, event, "Ana")
    phone.send(do="report", points_1="150", points_2="129")
    organiser.open(f"{event}/round")
    assert organiser.shows('<td class="num soft">150 : 129</td>', "one side reported")
    guest.open(f"{event}/pairings")
    assert "150 : 129" not in guest.page


def test_a_large_round_shows_what_is_still_open_and_folds_the_tiles(services, organiser):
    event = f"/events/{crowded_event(services.databases, 't-crowded-board')}"
    organiser.open(f"{event}/round")
    assert organiser.shows('<details class="panel-foot"><summary>All tables', 'aria-current="true">Still open')
    assert organiser.shows("disputed", "Page 1 of 6, 600 games")
    assert organiser.shows('<span class="soft hall-name" title="Hall ')
    organiser.open(f"{event}/round?which=all")
    assert organiser.shows("Page 1 of 10, 1000 games")
    organiser.open(f"{event}/round?which=all&page=10")
    assert rows(organiser.page) == 100
    assert result_of(organiser.page, re.findall(r'<tr id="([^"]+)"', organiser.page)[-1])[2]


def test_the_table_names_its_hall_and_a_count_of_none_is_grey(organiser):
    event = paired(organiser)
    assert organiser.shows('class="mark is-dispute is-none">0 disputed', 'class="mark is-open">2 not reported')
    assert organiser.shows('<span class="soft hall-name" title="Hall">Hall</span>')
    organiser.open(f"{event}/round?venue=v1")
    assert "hall-name" not in organiser.page


def test_late_games_have_a_filter_and_come_after_disputes(services, organiser):
    event = f"/events/{crowded_event(services.databases, 't-crowded-late')}"
    organiser.open(f"{event}/round")
    assert organiser.shows(">600 late</a>", ">Late</a>")
    organiser.open(f"{event}/round?which=late")
    assert organiser.shows('aria-current="true">Late', "Page 1 of 6, 600 games")
    assert rows(organiser.page) == 100
    assert organiser.page.count('<span class="vh">, late</span>') == 40  # disputes come first
    assert organiser.page.count('<span class="chip is-time">late</span>') == 60


def passes_by(monkeypatch: pytest.MonkeyPatch, minutes: int) -> None:
    """The clock of pairing is so many minutes ahead."""

    def later(state, now: str, venue):
        return clock_view(state, format_utc(to_milliseconds(now) + minutes * 60_000), venue)

    monkeypatch.setattr(swiss_routes, "clock_view", later)


def test_a_game_is_late_when_its_own_time_is_up(organiser, monkeypatch):
    event = paired(organiser)
    assert not organiser.shows(" late</a>")
    organiser.send(f"{event}/round/several", part="several", do="time", round=1, game="r1g1", more="30", because="so")
    passes_by(monkeypatch, minutes=140)
    organiser.open(f"{event}/round?which=late")
    assert organiser.shows("1 late</a>")
    assert re.findall(r'<tr id="(r1g\d)" class="is-warn"', organiser.page) == ["r1g2"]
    organiser.open(f"{event}/games/r1g2")
    organiser.send(do="send", points_1="150", points_2="129")
    organiser.open(f"{event}/round?which=late")
    assert organiser.shows("No games match.")


@pytest.mark.engine("browser")
def test_the_board_is_accessible_and_a_filter_leaves_the_rest_as_it_is(browser, address, organiser):
    event = paired(organiser)
    for size in SIZES:
        context = window(browser, address, size, organiser.cookie())
        page = context.new_page()
        page.goto(f"{event}/round")
        assert violations(page) == []
        page.locator("#why").fill("typed before")
        page.locator("#which-disputed").click()
        page.get_by_text("No games match.").wait_for()
        assert page.locator("#why").input_value() == "typed before"
        context.close()


class ScoringAway(InProcess):
    """The services, of which scoring does not answer."""

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        if request.url.host == "scoring":
            raise httpx.ConnectError("refused")
        return super().handle_request(request)


def test_the_board_is_there_while_scoring_does_not_answer(services, organiser, tmp_path):
    event = paired(organiser)
    urls = {name: f"http://{name}" for name in SERVICES}
    app = build_web({"MUSTER_DATA": str(tmp_path)}, Muster(urls, patience=0.0, transport=ScoringAway(services)))
    alone = signed_in(app, services.token("operator"))
    assert alone.open(f"{event}/round").status_code == 200
    assert alone.shows("0 of 2 games settled", "Enter result")
    assert alone.send(do="close", round=1).status_code == 503
