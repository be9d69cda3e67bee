"""The bracket drawn and in words: before it is played, meanwhile and after, for 4 to 64 players, with any name."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from services.console.pages.bracket import DESK, WALL, GameWords, SideWords, draw_picture, lines_of, wall_pages
from tests.console_pages.cut_evening import CutEvening

LONG = "Maximiliane Wolfeschlegelsteinhausen von Hohenzollern-Brandt"
HEBREW = "אבגדה וזחטי כלמנס"
NAMES = [LONG, HEBREW, "<b>Mark</b>", "X", "Eve", "Fay", "Gus", "Hal"]


@pytest.fixture
def evening(services, app) -> CutEvening:
    """Eight players have played a round, and four of them go on."""
    evening = CutEvening(services, app, NAMES)
    evening.play(1)
    evening.asked.pairing.make_cut(evening.id, places=4)
    return evening


def words(page: str) -> str:
    """What the table says, without its marks."""
    return re.sub(r"<[^>]+>", " ", page.partition('id="frag-words"')[2])


def in_order(text: str, *parts: str) -> bool:
    return bool(re.search(".*".join(map(re.escape, parts)), text, re.S))


def test_a_bracket_says_who_will_meet_and_then_who_goes_on(guest, organiser, evening):
    seeds = [seed.name for seed in evening.asked.pairing.show_cut(evening.id).seeds]
    guest.open(f"{evening.page}/bracket")
    table = words(guest.page).replace("&lt;", "<").replace("&gt;", ">")
    assert in_order(table, "Semi-final 1", seeds[0], seeds[3], "not paired", "Semi-final 2", seeds[1], seeds[2])
    assert in_order(table, "Final", "winner of Semi-final 1", "winner of Semi-final 2")
    assert not guest.shows("Open the game")
    evening.pair(2)
    evening.report(2, most=1)
    guest.open(f"{evening.page}/bracket")
    assert guest.shows("Now: Semi-finals", "(advances)", "240 : 100", "not reported", "table 2")
    organiser.open(f"{evening.page}/bracket")
    assert f'href="{evening.page}/games/r2g2"' in organiser.page
    evening.asked.scoring.report_result(evening.id, "r2g2", facts={"winner": 2, "points_1": 20, "points_2": 90})
    evening.asked.scoring.close_round(evening.id, 2)
    evening.play(3)
    winner = evening.asked.pairing.show_bracket(evening.id).winner
    guest.open(f"{evening.page}/bracket")
    assert guest.shows("decided", "has won.", 'class="won"', "Final", "(advances)")
    assert evening.asked.registration.show_player(evening.id, winner).name in guest.page.replace("&lt;", "<").replace(
        "&gt;", ">"
    )


def test_names_stay_names_in_the_picture(guest, services, app):
    evening = CutEvening(services, app, NAMES[:4])
    evening.play(1)
    evening.asked.pairing.make_cut(evening.id, places=4)
    guest.open(f"{evening.page}/bracket")
    assert "<b>Mark" not in guest.page
    assert guest.shows("&#8296;&lt;b&gt;Mark&lt;/b&gt;&#8297;</text>")
    assert f"&#8296;{HEBREW}&#8297;</text>" in guest.page  # isolated, so that it turns nothing around it


def test_a_seat_without_a_player_is_said_to_be_one(guest, services, app):
    evening = CutEvening(services, app, ["Ana", "Ben", "Cy", "Di", "Eve"])
    evening.play(1)
    evening.asked.pairing.make_cut(evening.id, places=3)
    guest.open(f"{evening.page}/bracket")
    assert guest.shows("no game", "winner of Semi-final 2")
    evening.pair(2)
    guest.open(f"{evening.page}/bracket")
    assert guest.shows("There is no opponent.")


def test_an_event_without_a_bracket_says_so(guest, services):
    evening = services.evening("before", name="Armada")
    guest.open(f"/events/{evening.id}/bracket")
    assert guest.shows("This event has no bracket")
    guest.open(f"/events/{evening.id}/wall/bracket")
    assert guest.shows("The bracket appears here once it is decided who advances.")


def test_a_draft_of_the_cut_is_shown_to_staff_alone(guest, organiser, services, app):
    evening = CutEvening(services, app, NAMES, on_purpose=["cut"])
    evening.play(1)
    evening.asked.pairing.make_cut(evening.id, places=4)
    for page in ("bracket", "wall/bracket", "cut"):
        guest.open(f"{evening.page}/{page}")
        assert not guest.shows("Semi-final"), page
        assert HEBREW not in guest.page, page
    organiser.open(f"{evening.page}/bracket")
    assert organiser.shows("visible to staff only", "Semi-final 1")
    organiser.open(f"{evening.page}/wall/bracket")
    assert not organiser.shows("Semi-final")


def test_it_is_linked_from_the_event_and_the_walls(guest, organiser, evening):
    guest.open(f"{evening.page}/about")
    assert f'href="{evening.page}/bracket"' in guest.page
    organiser.open(f"{evening.page}/walls")
    assert f'href="{evening.page}/wall/bracket"' in organiser.page
    guest.open(f"{evening.page}/wall/bracket")
    assert guest.shows("Desert Cup", "Bracket", "Semi-finals", "Final")


def bracket(size: int, played: int = 0) -> list[list[GameWords]]:
    """A bracket of so many places, of which the first rounds are played."""
    rounds, games = [], size // 2
    while games:
        depth = len(rounds) + 1
        side = SideWords(1, "p1", "Ana", "", "", "")
        over = "p1" if depth <= played else ""
        rounds.append(
            [
                GameWords(
                    place=f"{depth}.{place}",
                    leads_to=f"{depth + 1}.{(place + 1) // 2}" if games > 1 else "",
                    round=depth,
                    id="",
                    label="",
                    status="",
                    winner=over,
                    why="",
                    next=False,
                    sides=(side, side),
                )
                for place in range(1, games + 1)
            ]
        )
        games //= 2
    return rounds


@pytest.mark.parametrize("size", [2, 4, 8, 16, 32, 64])
def test_every_box_lies_in_the_picture_and_no_two_on_each_other(size):
    picture = draw_picture(bracket(size), DESK)
    places = [(game.x, box.y) for game in picture.games for box in game.boxes]
    assert len(places) == len(set(places)) == 2 * (size - 1)
    assert all(0 <= x <= picture.width - DESK.box and 0 < y <= picture.height - DESK.line for x, y in places)
    for x in {x for x, _ in places}:
        column = sorted(y for at, y in places if at == x)
        assert all(two - one > DESK.line for one, two in pairwise(column))
    assert len(picture.lines) == size - 2


def test_a_wall_shows_four_games_at_a_time_from_the_first_that_is_open():
    assert [len(page.games) for page in wall_pages(bracket(64))] == [7] * 8 + [7]
    assert [len(page.games) for page in wall_pages(bracket(16, played=1))] == [7]
    assert [len(page.games) for page in wall_pages(bracket(8, played=3))] == [7]
    assert [len(page.games) for page in wall_pages(bracket(4))] == [3]
    assert [len(page.games) for page in wall_pages(bracket(16))] == [7, 7, 1]
    assert wall_pages([]) == []


@pytest.mark.parametrize("name", ["X", LONG, "x" * 60, "W" * 60, "山" * 60, "á" * 60, HEBREW * 3])
@pytest.mark.parametrize("measures", [DESK, WALL])
def test_a_name_takes_two_lines_at_most_and_loses_nothing_that_fits(name, measures):
    lines = lines_of(name, measures)
    assert 1 <= len(lines) <= 2
    kept = "".join(lines).rstrip("…").replace(" ", "")
    assert name.replace(" ", "").startswith(kept)
    if name in ("X", LONG):
        assert kept == name.replace(" ", "")
