"""A player's page through a whole event: where they stand, whether they go on, and the time that is left."""

from __future__ import annotations

import re

import pytest

from tests.console_pages.conftest import Browser, signed_in
from tests.console_pages.cut_evening import CutEvening
from tests.console_pages.real_browser import window
from tests.console_pages.test_evening import paired, with_a_code

NAMES = ["Ana", "Ben", "Cy", "Di", "Eve", "Fay", "Gus", "Hal"]


def phone_of(evening: CutEvening, player: str, services, app) -> Browser:
    phone = signed_in(app, services.token("player", evening.id, player=player))
    phone.open(f"{evening.page}/table")
    return phone


@pytest.fixture
def evening(services, app) -> CutEvening:
    return CutEvening(services, app, NAMES, rounds=1)


def places(evening: CutEvening) -> list[str]:
    return [row.player for row in evening.asked.scoring.show_standings(evening.id).items]


def test_the_remaining_time_is_computed_from_the_service_clock(organiser):
    event = paired(organiser)
    ana = with_a_code(organiser, event, "Ana")
    assert ana.shows("Ends at", "Time left", "data-left=")
    left = int(re.search(r'data-left="(\d+)"', ana.page)[1])
    assert 0 < left <= 240 * 60
    ana.send(do="report", points_1="150", points_2="129")
    assert ana.shows("Time left")


def test_after_a_round_a_player_sees_where_they_stand(evening, services, app):
    evening.play(1)
    first, *_, last = places(evening)
    assert phone_of(evening, first, services, app).shows("Settled", "You are 1 of 8 after round 1.")
    assert phone_of(evening, last, services, app).shows("You are 8 of 8 after round 1.")


def test_the_cut_says_who_goes_on_and_who_does_not(evening, services, app):
    evening.play(1)
    first, second, *_, last = places(evening)
    evening.asked.pairing.make_cut(evening.id, places=2)
    goes_on = phone_of(evening, first, services, app)
    assert goes_on.shows("You are in the bracket as seed 1.", "See the bracket")
    out = phone_of(evening, last, services, app)
    assert out.shows(
        "The top players play on in the bracket; you did not make the cut.", f'href="{evening.page}/bracket"'
    )
    assert not out.shows("Your next table appears here automatically.")
    evening.pair(2)
    assert phone_of(evening, last, services, app).shows("you did not make the cut")
    evening.report(2)
    evening.asked.scoring.close_round(evening.id, 2)
    for player in (first, second):
        assert phone_of(evening, player, services, app).shows("Settled", "The bracket shows what comes next.")


def test_the_end_tells_the_final_place(evening, services, app):
    evening.play(1)
    evening.asked.scoring.conclude_tournament(evening.id, reason="the hall closes")
    for place, player in enumerate(places(evening), 1):
        phone = phone_of(evening, player, services, app)
        assert phone.shows("The event is over.", f"You finished {place} of 8.")
        assert not phone.shows("Your next table appears here automatically.")


def test_a_cancelled_event_says_so(evening, services, app):
    evening.asked.registration.cancel_tournament(evening.id, reason="the hall is flooded")
    phone = phone_of(evening, evening.players[0], services, app)
    assert phone.shows("The event is cancelled.")
    assert not phone.shows("You have not been paired yet")


def test_a_game_that_is_paired_waits_for_its_round(evening, services, app):
    evening.asked.pairing.pair_round(evening.id, round=1)
    if evening.asked.pairing.show_round(evening.id, 1).status == "draft":
        evening.asked.pairing.publish_round(evening.id, 1)
    phone = phone_of(evening, evening.players[0], services, app)
    assert phone.shows("against ", "The round has not started. Find your table")
    assert not phone.shows("Report the result")


def test_a_player_with_a_bye_sees_it_and_the_next_round(services, app):
    evening = CutEvening(services, app, NAMES[:3], rounds=2, starts_on="2026-12-05")
    evening.pair(1)
    game = next(game for game in evening.asked.scoring.list_games(evening.id).items if game.status == "bye")
    phone = phone_of(evening, game.player_1, services, app)
    assert phone.shows("You have a bye in round 1", "Round 2 ")


def test_a_waiting_player_sees_the_day_of_the_first_round(services, app):
    evening = CutEvening(services, app, NAMES, rounds=2, starts_on="2026-12-05")
    phone = phone_of(evening, evening.players[0], services, app)
    assert phone.shows("You have not been paired yet", "Round 1 is on ", "2026")


def test_after_a_game_a_player_knows_when_the_next_round_begins(services, app):
    evening = CutEvening(services, app, NAMES, rounds=2)
    evening.pair(1)
    evening.report(1)
    phone = phone_of(evening, evening.players[0], services, app)
    assert phone.shows("Settled", "Round 2 starts at about ", "<time ")


def test_a_player_who_left_sees_that_with_the_last_game(evening, services, app):
    evening.pair(1)
    evening.report(1)
    player = evening.players[0]
    evening.asked.registration.drop_player(evening.id, player)
    phone = phone_of(evening, player, services, app)
    assert phone.shows("You have left the event", "Settled")
    assert not phone.shows("Your next table appears here")
    evening.asked.registration.disqualify_player(evening.id, evening.players[1], reason="loaded dice")
    assert phone_of(evening, evening.players[1], services, app).shows("You are not playing at the moment.")


def test_my_games_are_those_of_every_round(services, app):
    evening = CutEvening(services, app, NAMES, rounds=2)
    evening.play(1)
    evening.pair(2)
    phone = phone_of(evening, evening.players[0], services, app)
    phone.open(f"{evening.page}/my-games")
    assert phone.shows("Round 1", "Round 2", "does not count yet")
    for name in ("Table", "Standings", "My games", "My list"):
        assert phone.shows(f">{name}</a>")


@pytest.mark.engine("browser")
def test_a_phone_whose_clock_is_a_day_off_counts_the_right_time_down(organiser, browser, address):
    event = paired(organiser)
    context = window(browser, address, "phone", with_a_code(organiser, event, "Ana").cookie())
    context.add_init_script("const now = Date.now; Date.now = () => now() + 86400000;")
    page = context.new_page()
    page.goto(f"{event}/table")
    shown = page.locator("[data-left]")
    begun = int(shown.get_attribute("data-left"))
    page.wait_for_function(
        "text => document.querySelector('[data-left]').textContent !== text", arg=shown.text_content()
    )
    parts = [int(part) for part in shown.text_content().split(":")]
    seconds = sum(part * 60**place for place, part in enumerate(reversed(parts)))
    assert 0 <= begun - seconds < 3_600
    context.close()
