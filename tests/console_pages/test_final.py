"""A cut played to its end through the pages: from the last Swiss round over the semi-finals to the end of the event."""

from __future__ import annotations

import re

from services.console.pages.rounds import closing, next_step
from tests.console_pages.conftest import Browser
from tests.console_pages.cut_evening import CutEvening

NAMES = ["Ana", "Ben", "Cy", "Di", "Eve", "Fay", "Gus", "Hal", "Ida"]


def version(browser: Browser) -> str:
    return re.search(r'name="version" value="([^"]*)"', browser.page)[1].replace("&#34;", '"')


def enter_results(organiser: Browser, event: str) -> None:
    """Every game of the round is won by its first player, on the game's own page."""
    organiser.open(f"{event}/round")
    for game in dict.fromkeys(re.findall(r'id="do-(r\d+g\d+)"', organiser.page)):
        organiser.open(f"{event}/games/{game}")
        organiser.send(do="send", points_1="200", points_2="100", winner="1")
    organiser.open(f"{event}/round")


def test_a_top_four_is_played_to_the_end_of_the_event(organiser, guest, services, app):
    evening = CutEvening(services, app, NAMES, rounds=1)
    event = evening.page
    organiser.open(f"{event}/round")
    organiser.send(do="pair", round=1)
    organiser.send(do="start", round=1)
    organiser.send(do="look", round=1)
    assert organiser.shows("What closing would do", "Not possible yet", "not reported", "Without a game:")
    enter_results(organiser, event)
    organiser.send(do="look", round=1)
    assert organiser.shows("The standings would be:", "1 <bdi>")
    assert evening.asked.pairing.show_round(evening.id, 1).status == "started"
    organiser.send(do="close", round=1, version=version(organiser))
    assert organiser.shows("All rounds are played", f'href="{event}/awards"', f'href="{event}/cut"')
    organiser.open(f"{event}/cut?places=4")
    organiser.send(do="make", places=4, version=version(organiser))
    for number, name, following in ((2, "Semi-finals", "Pair round 3: Final"), (3, "Final", "has a winner")):
        organiser.open(f"{event}/round")
        assert organiser.shows(f"Pair round {number}: {name}", "Who made the cut")
        organiser.send(do="pair", round=number)
        assert organiser.shows(f'href="{event}/bracket"', f"<h1>{name}, round {number}</h1>")
        organiser.send(do="start", round=number)
        enter_results(organiser, event)
        organiser.send(do="close", round=number)
        assert organiser.shows(following)
    organiser.open(f"{event}/awards")
    organiser.send(do="preview")
    organiser.send(do="conclude")
    assert organiser.shows("The event is over. The standings are final.")
    organiser.open(f"{event}/round")
    assert organiser.shows("This event is over")
    guest.open(f"{event}/bracket")
    assert guest.shows("decided", "has won.")


def test_a_round_that_was_looked_at_too_long_ago_is_not_closed(organiser, services, app):
    evening = CutEvening(services, app, NAMES)
    evening.pair(1)
    evening.report(1)
    organiser.open(f"{evening.page}/round")
    organiser.send(do="look", round=1)
    old = version(organiser)
    evening.asked.scoring.correct_result(
        evening.id, "r1g1", facts={"winner": 2, "points_1": 10, "points_2": 200}, reason="slips mixed up"
    )
    assert organiser.send(do="close", round=1, version=old).status_code == 412
    assert organiser.shows("Someone else changed this first.")
    assert evening.asked.pairing.show_round(evening.id, 1).status == "started"


def test_the_rules_say_when_the_cut_is_due(organiser, services, app):
    evening = CutEvening(services, app, [f"Player {number}" for number in range(1, 18)], rounds=4)
    for number in (1, 2, 3):
        evening.play(number)
    organiser.open(f"{evening.page}/round")
    assert organiser.shows("By the rules, 2 players advance from here.", "DW-CUT-1", "See who advances")
    organiser.open(f"{evening.page}/cut")
    assert organiser.shows("2 players would advance", "The rules say 2.", "Make the cut: 2 players advance")


def test_a_cut_that_is_kept_back_is_published_before_anything_is_paired(organiser, services, app):
    evening = CutEvening(services, app, NAMES, on_purpose=["cut"])
    evening.play(1)
    evening.asked.pairing.make_cut(evening.id, places=4)
    organiser.open(f"{evening.page}/round")
    assert organiser.shows("It must be published before the next round is paired.", "Check and publish the cut")


def test_the_event_is_ended_in_one_place(organiser, services, app):
    evening = CutEvening(services, app, NAMES, rounds=1)
    evening.play(1)
    organiser.open(f"{evening.page}/round")
    assert organiser.send(f"{evening.page}/conclusion").status_code == 404
    assert evening.asked.registration.show_tournament(evening.id).status == "running"


class Board:
    """A round as far as the next step needs it."""

    def __init__(self, round: int = 2, status: str = "closed") -> None:
        self.round, self.status, self.pairings = round, status, []


def test_an_event_that_is_over_has_no_next_step():
    assert next_step("concluded", Board(), 2, None, "") == "over"
    assert next_step("running", Board(status="started"), 2, None, "") == "close"
    assert closing(Board(), {}, {}, {}).moved == []


def test_staff_see_what_closing_makes_of_standings_that_are_held_back(organiser, services, app):
    evening = CutEvening(services, app, NAMES, on_purpose=["standings"])
    evening.play(1)
    evening.pair(2)
    evening.report(2)
    organiser.open(f"{evening.page}/round")
    organiser.send(do="look", round=2)
    assert organiser.shows("The standings would be:", "1 <bdi>")
    assert evening.asked.scoring.close_round(evening.id, 2).events[0].type == "RoundClosed"
