"""The cut on its page: looked at before it is made, published, seats given up; and who is out, with why."""

from __future__ import annotations

import re

import pytest

from services.console.pages.cut import cut_lines, decided_by
from shared.formats.packs import shipped_ruleset
from shared.rules.parts import to_json
from tests.console_pages.conftest import Browser, signed_in
from tests.console_pages.cut_evening import DUST, CutEvening

NAMES = ["Ana", "Ben", "Cy", "Di", "Eve", "Fay", "Gus", "Hal"]


def played(services, app, **announced) -> CutEvening:
    evening = CutEvening(services, app, NAMES, **announced)
    evening.play(1)
    return evening


@pytest.fixture
def evening(services, app) -> CutEvening:
    return played(services, app)


def version(browser: Browser) -> str:
    return re.search(r'name="version" value="([^"]*)"', browser.page)[1].replace("&#34;", '"')


def made(organiser: Browser, evening: CutEvening, places: int = 4) -> list:
    """The cut is made on its page; its seats."""
    organiser.open(f"{evening.page}/cut?places={places}")
    organiser.send(do="make", places=places, version=version(organiser))
    return evening.asked.pairing.show_cut(evening.id).seeds


def test_a_cut_is_looked_at_before_it_is_made(organiser, evening):
    organiser.open(f"{evening.page}/cut")
    assert organiser.shows("The rules give no number here. Enter how many advance.")
    organiser.open(f"{evening.page}/cut?places=4")
    assert organiser.shows("4 players would advance", "in, seed 1", "in, seed 4", "Cut line", "out")
    assert organiser.shows("Make the cut: 4 players advance")
    assert evening.asked.pairing.show_cut(evening.id).seeds == []
    organiser.send(do="make", places=4, version=version(organiser))
    assert organiser.shows("made after round 1", "4 players advance", "To the round")
    assert len(evening.asked.pairing.show_cut(evening.id).seeds) == 4


def test_a_cut_that_was_looked_at_too_long_ago_is_not_made(organiser, evening):
    organiser.open(f"{evening.page}/cut?places=4")
    old = version(organiser)
    evening.asked.registration.drop_player(evening.id, evening.players[0])
    assert organiser.send(do="make", places=4, version=old).status_code == 412
    assert organiser.shows("Someone else changed this first.", "4 players would advance")
    assert evening.asked.pairing.show_cut(evening.id).seeds == []


@pytest.mark.parametrize("places", ["1", "99999", "-3", "many", "9" * 400, "4.5", "<b>"])
def test_a_number_that_cannot_be_is_no_cut(organiser, evening, places):
    assert organiser.open(f"{evening.page}/cut?places={places}").status_code == 200
    assert "<b>&" not in organiser.page
    assert organiser.send(f"{evening.page}/cut", do="make", places=places).status_code == 422
    assert organiser.shows("Nothing was saved. Please check:")
    assert evening.asked.pairing.show_cut(evening.id).seeds == []


def test_who_has_left_gives_the_seat_up_and_the_next_moves_up(organiser, guest, evening):
    seeds = made(organiser, evening)
    evening.asked.registration.drop_player(evening.id, seeds[1].player)
    organiser.open(f"{evening.page}/cut")
    assert organiser.shows("A player in the cut has left", seeds[1].name, "seed 2")
    organiser.send(do="try", player=seeds[1].player)
    assert organiser.shows(f"{seeds[1].name} gives up the seat, and ", " moves up.", "Only redoing the cut")
    assert not evening.asked.pairing.show_cut(evening.id).gave_up
    organiser.send(do="give", player=seeds[1].player)
    (gone,) = evening.asked.pairing.show_cut(evening.id).gave_up
    assert organiser.shows(f"gave up the seat; {gone.moved_up_name} moved up", "moved up as seed 2")
    assert not organiser.shows("A player in the cut has left")
    guest.open(f"{evening.page}/cut")
    assert guest.shows("moved up as seed 2")
    assert not guest.shows("Give up this seat")


def test_no_one_moves_up_once_the_bracket_has_started(organiser, evening):
    seeds = made(organiser, evening)
    evening.play(2)
    organiser.open(f"{evening.page}/cut")
    assert not organiser.shows("Redo the cut")
    organiser.send(do="try", player=seeds[0].player)
    assert organiser.shows("No one moves up: the opponent advances without a game.", "This cannot be undone.")
    assert organiser.send(do="give", player="p99").status_code in (404, 422)
    assert organiser.shows("Nothing was saved. Please check:")


def test_a_cut_can_be_redone_until_the_bracket_is_paired(organiser, evening):
    made(organiser, evening)
    organiser.open(f"{evening.page}/cut?anew=1&places=2")
    assert organiser.shows("2 players would advance", "Redo the cut")
    organiser.send(do="make", places=2, version=version(organiser))
    assert len(evening.asked.pairing.show_cut(evening.id).seeds) == 2
    organiser.open(f"{evening.page}/cut?anew=1&places=2")
    assert organiser.shows("The cut would stay the same.")


def test_a_cut_that_is_kept_back_is_published_now_or_at_a_time(organiser, guest, services, app):
    evening = played(services, app, on_purpose=["cut"])
    organiser.open(f"{evening.page}/cut?places=4")
    assert organiser.shows("Only staff can see it until you publish it.")
    made(organiser, evening)
    assert organiser.shows("visible to staff only", "Publish the cut")
    assert organiser.send(do="later", at="soon").status_code == 422
    organiser.send(do="later", at="2099-01-01T10:30")
    assert organiser.shows("It will be published automatically at", ">10:30 ")
    organiser.send(do="keep")
    assert not organiser.shows("published automatically")
    guest.open(f"{evening.page}/cut")
    assert guest.shows("It is not decided yet who advances.")
    assert not guest.shows("Ana")
    organiser.send(do="publish")
    assert organiser.shows("To the round", "The cut is published.")
    guest.open(f"{evening.page}/cut")
    assert guest.shows("in, seed 1")


def test_only_who_may_make_a_cut_is_offered_it(app, services, guest, evening):
    referee = signed_in(app, services.token("referee", evening.id))
    for browser in (guest, referee):
        browser.open(f"{evening.page}/cut?places=4")
        assert not browser.shows("Make the cut")
        browser.open("/sign-in") if browser is guest else None
        assert browser.send(f"{evening.page}/cut", do="make", places=4).status_code in (401, 403)
    assert evening.asked.pairing.show_cut(evening.id).seeds == []


def test_an_event_whose_rules_have_no_cut_says_so(organiser, services):
    evening = services.evening("before")
    organiser.open(f"/events/{evening.id}/cut")
    assert organiser.shows("The rules of this event have no bracket", "There is no cut at this event.")


LEVEL = {"winner": 1, "points_1": 200, "points_2": 100}
BETTER = [{"winner": 1, "points_1": 240 - number, "points_2": 100} for number in range(2)]


DRAWN = {"draw": [3, 4, 5, 6], "shared": [3, 3, 3, 3]}
"""What the rules say of players whom nothing separates -> the ranks of four of them, whom a draw puts in order."""
UNDRAWN = to_json(shipped_ruleset(DUST))
UNDRAWN["standings"]["unresolved"] = "shared"
UNDRAWN["options"] = [one for one in UNDRAWN["options"] if one["key"] != "unresolved_ties"]


def level(services, app, **announced) -> CutEvening:
    """Twelve players after round 1: two winners in front, and four who won alike."""
    evening = CutEvening(services, app, [f"Player {letter}" for letter in "ABCDEFGHIJKL"], **announced)
    evening.pair(1)
    games = evening.asked.pairing.show_round(evening.id, 1).pairings
    for game, facts in zip(games, [*BETTER, *[LEVEL] * 4], strict=True):
        evening.asked.scoring.report_result(evening.id, game.id, facts=facts)
    evening.asked.scoring.close_round(evening.id, 1)
    return evening


@pytest.mark.parametrize("ties", DRAWN)
def test_the_whole_tied_group_at_the_line_is_named_before_the_cut_and_after(organiser, guest, services, app, ties):
    """Places 3 to 6 are tied and two of them go on: each of the four is named, not only the two beside the line."""
    evening = level(services, app, options={"unresolved_ties": ties})
    tied = [row for row in evening.asked.scoring.show_standings(evening.id).items if row.tied][:4]
    asked = evening.asked.pairing
    foreseen = asked.make_cut(evening.id, preview=True, places=4).moves.cut
    organiser.open(f"{evening.page}/cut?places=4")
    names = ["Only a recorded draw separates these players:", *(row.name for row in tied), "</td>"]
    assert organiser.shows("in, seed 4", *names, "out")
    assert asked.show_cut(evening.id).tie_at_line is None, "there is no cut yet"
    organiser.send(do="make", places=4, version=version(organiser))
    for tie in (foreseen.tie_at_line, asked.show_cut(evening.id).tie_at_line):
        assert [(one.player, one.name) for one in tie.players] == [(row.player, row.name) for row in tied]
        assert [one.rank for one in tie.players] == DRAWN[ties]
        assert [one.goes_on for one in tie.players] == [True, True, False, False]
        assert tie.drawn
    guest.open(f"{evening.page}/cut")
    assert guest.shows("in, seed 4", *names, "out")


def test_a_line_at_which_a_column_decides_names_no_group(services, app, organiser):
    evening = level(services, app)
    for places, tied in ((2, False), (3, True), (5, True), (6, False)):
        foreseen = evening.asked.pairing.make_cut(evening.id, preview=True, places=places)
        assert bool(foreseen.moves.cut.tie_at_line) == tied
        organiser.open(f"{evening.page}/cut?places={places}")
        assert organiser.shows("Cut line, decided by") != tied


def test_a_tie_that_nothing_was_drawn_for_is_said_to_be_one(services, app, organiser):
    evening = level(services, app, pack=UNDRAWN)
    tie = evening.asked.pairing.make_cut(evening.id, preview=True, places=4).moves.cut.tie_at_line
    assert ([one.rank for one in tie.players], tie.drawn) == ([3, 3, 3, 3], False)
    organiser.open(f"{evening.page}/cut?places=4")
    assert organiser.shows("Cut line. Nothing separates these players:", *(one.name for one in tie.players), "</td>")


def test_a_tie_of_standings_that_were_corrected_since_is_not_named(services, app):
    evening = level(services, app)
    asked = evening.asked
    asked.pairing.make_cut(evening.id, places=4)
    game = asked.pairing.show_round(evening.id, 1).pairings[5].id
    asked.scoring.correct_result(evening.id, game, facts={"winner": 1, "points_1": 210, "points_2": 100}, reason="typo")
    assert asked.pairing.show_cut(evening.id).tie_at_line is None


class Row:
    """A row of standings."""

    def __init__(self, rank: int, points: int, status: str = "active") -> None:
        self.rank, self.player, self.name = rank, f"p{rank}", f"P{rank}"
        self.values, self.tied, self.status = {"points": points, "margin": 0}, False, status


def test_the_line_says_what_separates_the_last_who_is_in_from_the_first_who_is_not():
    rows = [Row(1, 9), Row(2, 8, "dropped"), Row(3, 8), Row(4, 8), Row(5, 2)]
    lines = cut_lines(rows, ["p1", "p3"])
    assert [line.number for line in lines] == [1, 0, 2, 0, 0]
    assert lines[1].why == "has left, so no seat"
    assert [line.last for line in lines] == [False, False, True, False, False]
    assert decided_by(lines, ["points", "margin"]) == ""
    assert decided_by(cut_lines(rows, ["p1", "p3", "p4"]), ["points", "margin"]) == "points"
    assert decided_by(cut_lines(rows[:1], ["p1"]), ["points"]) is None
    assert cut_lines(rows, []) == []


def test_a_cut_waits_until_the_standings_are_published(services, app, organiser):
    evening = played(services, app, on_purpose=["standings"])
    organiser.open(f"{evening.page}/cut?places=4")
    assert organiser.shows("The standings are held back. Publish them first", "It is not decided yet who advances.")
    assert not organiser.shows("Make the cut: 4 players advance")
    evening.asked.scoring.publish_standings(evening.id)
    assert len(made(organiser, evening)) == 4
