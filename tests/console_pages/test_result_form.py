"""The form of a result, for everybody: it follows the ruleset, is checked as it is typed, and says what comes of it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.console_pages.conftest import Browser, signed_in
from tests.console_pages.real_browser import violations, window

FACTIONS, DUST, ARMADA = "fallout-factions-comp-1.0", "dust-warfare-1.0", "star-wars-armada-1.1"
NAMES = ("Ana", "Ben", "Cy", "Di")


class Club:
    """Players of some ruleset, and a game of round 1 that is being played. page: the address of their event."""

    def __init__(self, services, app, ruleset: str, scenario: str = "", **options: object) -> None:
        asked = app.extensions["muster-services"].acting_as(services.token("operator"))
        made = asked.registration.announce_tournament(
            name="Club night", ruleset=ruleset, rounds=None if ruleset == "round-robin" else 3, options=options
        )
        self.id, self.page, self.asked, self.app, self.services = made.id, f"/events/{made.id}", asked, app, services
        players = asked.registration.join_players(made.id, players=[{"name": name} for name in NAMES])
        example = asked.registration.show_ruleset(ruleset).ruleset["roster"].get("example")
        for one in players.players if example else ():
            asked.registration.submit_roster(made.id, one.id, roster=example)
        asked.pairing.pair_round(made.id, round=1, **({"scenario": scenario} if scenario else {}))
        asked.pairing.start_round(made.id, 1)
        self.game = next(game for game in asked.scoring.list_games(made.id).items if game.player_2)

    def phone(self, side: int = 1) -> Browser:
        """The phone of a player of the game."""
        player = self.game.player_1 if side == 1 else self.game.player_2
        phone = signed_in(self.app, self.services.token("player", self.id, player=player))
        phone.open(f"{self.page}/table")
        return phone

    @property
    def facts(self) -> dict:
        """What was reported."""
        return self.asked.scoring.show_game(self.id, self.game.id).facts


@pytest.fixture
def club(services, app):
    return lambda ruleset, scenario="", **options: Club(services, app, ruleset, scenario, **options)


def test_what_lay_on_the_table_is_reported_and_counted(club):
    told = club(FACTIONS, "Treasure Hunt")
    phone = told.phone()
    assert phone.shows("Scenario", "Treasure Hunt", "Destroyed units (Muster adds them up)", "Tokens held at the end")
    sent = {"by": "table", "extra-tokens_1": "3", "extra-tokens_2": "1", "extra-search_tokens_1": "2"}
    phone.send(do="look", **sent)
    name = told.game.name_1
    assert phone.shows(f"{name} wins", "2 tournament points, 15 scenario points, 2 search tokens")
    assert told.facts is None
    phone.send(do="report", **sent)
    assert phone.shows(
        "Waiting for", "2 tournament points, 15 scenario points", "0 tournament points, 5 scenario points"
    )
    assert told.facts["extra"] == {"tokens_1": 3, "tokens_2": 1, "search_tokens_1": 2}
    rival = told.phone(2)
    assert rival.shows(
        "15 scenario points", "5 scenario points", "Tokens held at the end", "3 : 1", "Yes, that is right"
    )


def test_what_was_typed_of_the_other_way_is_not_sent(club):
    told = club(FACTIONS, "Treasure Hunt")
    told.phone().send(do="report", by="points", points_1="15", points_2="5", **{"extra-tokens_1": "1"})
    assert told.facts["points_1"] == 15
    assert "extra" not in told.facts or "tokens_1" not in told.facts["extra"]


def test_every_fault_is_shown_next_to_its_field_and_the_input_is_kept(club):
    phone = club(FACTIONS, "Treasure Hunt").phone()
    answer = phone.send(do="report", by="table", **{"extra-tokens_1": "4", "extra-tokens_2": "3"})
    assert answer.status_code == 422
    assert re.search(r'id="extra-tokens_1-f"[^>]*>[^<]*at most 5 together', phone.page)
    assert phone.shows('name="extra-tokens_1" value="4" checked')
    phone.send(do="report", by="points", points_1="26", points_2="3")
    assert re.search(r'id="points_1-f"[^>]*>[^<]*at most 25', phone.page)
    assert re.search(r'id="points_2-f"[^>]*>[^<]*a multiple of 5', phone.page)
    assert phone.shows('value="26"', 'aria-invalid="true"', 'value="3"')


def test_the_facts_of_a_table_with_a_scenario_of_its_own(club):
    told = club(FACTIONS, scenario_per="table")
    phone = told.phone()
    assert phone.shows('<option value="Melee"', "If you played Melee", "Rating of own models out of action")
    phone.send(do="report", by="table", scenario="Melee",
               **{"extra-rating_lost_1": "40", "extra-rating_lost_2": "120", "extra-tokens_1": "5"})  # fmt: skip
    assert told.facts["extra"] == {"rating_lost_1": 40, "rating_lost_2": 120}
    assert phone.shows("Waiting for", "12 scenario points", "4 scenario points")


def test_a_tie_and_an_objective_are_said(club):
    told = club(DUST)
    phone = told.phone()
    assert phone.shows("Key Positions", "A tie")
    phone.send(do="look", points_1="50", points_2="40")
    assert phone.shows('id="winner-f"', "1, 2 or tie")
    phone.send(do="look", points_1="50", points_2="40", winner="draw")
    assert phone.shows("A tie", "6 match points, 50 break points")
    table = {"by": "table", "board-objective": "Key Positions", "board-noted_1": "Wood, Hill",
             "board-noted_2": "Barn, Hill", "board-controlled_1": "Hill", "board-controlled_2": "",
             "board-units_1": "45", "board-units_2": "75, 40+25, 60+(20)"}  # fmt: skip
    phone.send(do="report", **table)
    assert phone.shows("Waiting for", "10 match points, 140 break points", "3 match points, 45 break points")
    assert told.facts["board"]["units_2"][1] == {"points": 40, "gone": True, "hero_points": 25, "hero_gone": True}
    organiser = signed_in(told.app, told.services.token("operator"))
    organiser.open(f"{told.page}/games/{told.game.id}")
    assert organiser.shows('value="table" checked', 'value="Wood, Hill"', 'value="75, 40+25, 60+(20)"')


def test_the_phone_remembers_how_results_are_entered(club):
    event = club(FACTIONS, "Treasure Hunt")
    phone = event.phone()
    assert phone.shows('<details class="by">', 'value="points" checked')
    phone.send(do="report", by="table", **{"extra-tokens_1": "3", "extra-tokens_2": "1"})
    assert phone.shows("Waiting for")
    event.asked.scoring.void_result(event.id, event.game.id, reason="another table")
    phone.open(f"{event.page}/table")
    assert phone.shows('<details class="by">', 'value="table" checked')


@pytest.mark.engine("browser")
def test_the_send_button_stays_above_the_bottom_bar(club, browser, address):
    event = club(ARMADA)
    context = window(browser, address, "phone", event.phone().cookie())
    page = context.new_page()
    page.goto(f"{event.page}/table")
    button, bar = page.get_by_role("button", name="Send result"), page.locator(".thumb")
    for open_question in (False, True):
        if open_question:
            page.fill("#points_1", "80")
            page.fill("#points_2", "80")
            expect(page.get_by_role("group", name="Who was the second player?")).to_be_visible()
        box, edge = button.bounding_box(), bar.bounding_box()
        assert box["y"] > 0
        assert box["y"] + box["height"] <= edge["y"]
    context.close()


@pytest.mark.parametrize("ruleset", [ARMADA, "round-robin", DUST])
def test_a_concession_is_reported_in_every_ruleset(club, ruleset):
    told = club(ruleset)
    phone = told.phone()
    assert phone.shows(f"{told.game.name_1} concedes")
    assert not phone.shows("did not come")
    phone.send(do="report", otherwise="concession-2", points_1="300", points_2="0")
    assert phone.shows("Waiting for")
    assert told.facts["conceded_by"] == 2


def test_parts_of_the_score_and_who_did_not_come_are_said_by_staff(club):
    told = club(ARMADA)
    organiser = signed_in(told.app, told.services.token("operator"))
    organiser.open(f"{told.page}/games/{told.game.id}")
    parts = {"destroyed_1": "100", "objective_1": "40", "destroyed_2": "60", "objective_2": "0"}
    organiser.send(do="look", by="table", **parts)
    assert organiser.shows("7 tournament points, margin of victory 80")
    organiser.send(do="send", otherwise="no_show-2")
    assert told.facts["kind"] == "no_show"
    organiser.open(f"{told.page}/games/{told.game.id}")
    assert organiser.shows("Correct the result", 'value="no_show-2" checked')
    organiser.send(do="look", by="table", otherwise="", **parts)
    assert organiser.shows("7 tournament points")
    assert not organiser.shows("Nothing was saved. Please check:")


def test_what_is_unlikely_is_asked_back_and_sent_all_the_same(club):
    told = club(ARMADA)
    phone = told.phone()
    phone.send(do="look", points_1="2000", points_2="0", end="rounds")
    assert phone.shows("It is right, however unlikely")
    phone.send(do="report", points_1="2000", points_2="0", end="rounds", improbable="yes")
    assert phone.shows("Waiting for")


def test_equal_scores_open_the_question_that_decides_them(club):
    event = club(ARMADA)
    phone = event.phone()
    folded, opened = (f'data-decider="second_player"{state}>' for state in ("", " open"))
    assert phone.shows(folded, "Who was the second player?", "data-needed hidden")
    for action in ("look", "report"):
        phone.send(do=action, points_1="80", points_2="80")
        assert phone.shows(
            opened, "Needed", event.game.name_1, 'id="second_player-f"', "Scores are equal", "</details>"
        )
        assert not phone.shows("data-needed hidden")
        assert not phone.shows("Does not matter")
    phone.send(do="look", points_1="80", points_2="80", second_player="2")
    assert phone.shows(opened, f"{event.game.name_2} wins")
    phone.send(do="report", points_1="80", points_2="80", second_player="2")
    assert event.facts["second_player"] == 2


@pytest.mark.engine("browser")
def test_the_question_opens_while_equal_scores_are_typed(club, browser, address):
    event = club(ARMADA)
    context = window(browser, address, "phone", event.phone().cookie())
    page = context.new_page()
    page.goto(f"{event.page}/table")
    question = page.get_by_role("group", name="Who was the second player?")
    expect(question).to_be_hidden()
    page.fill("#points_1", "80")
    page.fill("#points_2", "80")
    expect(question).to_be_visible()
    expect(question.get_by_text("Needed")).to_be_visible()
    expect(page.locator("#frag-sum")).to_contain_text("Scores are equal")
    assert violations(page) == []
    page.fill("#points_2", "81")
    expect(question).to_be_hidden()
    page.fill("#points_2", "80")
    question.get_by_label(event.game.name_2).check()
    expect(page.locator("#frag-sum")).to_contain_text(f"{event.game.name_2} wins")
    expect(question.get_by_text("Needed")).to_be_hidden()
    page.click("text=Send result")
    expect(page.get_by_text("Waiting for")).to_be_visible()
    assert event.facts["second_player"] == 2
    context.close()


@pytest.mark.engine("browser")
@pytest.mark.parametrize(
    ("ruleset", "scenario"), [(FACTIONS, "Treasure Hunt"), (FACTIONS, ""), (DUST, ""), (ARMADA, "")]
)
def test_the_form_of_every_ruleset_is_accessible(club, browser, address, ruleset, scenario):
    told = club(ruleset, scenario, **({} if scenario or ruleset != FACTIONS else {"scenario_per": "table"}))
    for size in ("phone", "desk"):
        context = window(browser, address, size, told.phone().cookie())
        page = context.new_page()
        page.goto(f"{told.page}/table")
        page.click("details.by > summary")
        page.check("[name=by][value=table]")
        assert violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        context.close()


@pytest.mark.engine("browser")
def test_a_result_is_checked_while_it_is_typed(club, browser, address):
    told = club(FACTIONS, "Raid")
    context = window(browser, address, "phone", told.phone().cookie())
    page = context.new_page()
    page.goto(f"{told.page}/table")
    page.locator("#points_1").press_sequentially("50")
    expect(page.locator("#frag-sum")).to_contain_text("The outcome appears here.")
    expect(page.locator("#points_1-f")).to_be_empty()  # nobody has left it yet
    page.locator("#points_2").focus()
    expect(page.locator("#points_1-f")).to_have_text("A number from 0 to 45 in steps of 3.")
    assert page.get_attribute("#points_1", "aria-invalid") == "true"
    page.fill("#points_1", "15")
    expect(page.locator("#points_1-f")).to_be_empty()
    page.fill("#points_2", "33")
    page.locator("#points_1").focus()
    expect(page.locator("#points_1-f")).to_contain_text("at most 45 together")
    page.fill("#points_2", "6")
    expect(page.locator("#frag-sum")).to_contain_text(f"{told.game.name_1} wins")
    expect(page.locator("#frag-sum")).to_contain_text("2 tournament points, 15 scenario points")
    expect(page.locator("#points_1-f")).to_be_empty()
    assert told.facts is None
    page.fill("#points_2", "7")
    page.click("text=Send result")
    expect(page.locator("#points_2-f")).to_have_text("A number from 0 to 45 in steps of 3.")
    assert page.input_value("#points_2") == "7"
    assert told.facts is None
    page.fill("#points_2", "6")
    page.click("text=Send result")
    expect(page.get_by_text("Waiting for")).to_be_visible()
    assert told.facts["points_2"] == 6
    context.close()


@pytest.mark.engine("browser")
def test_only_what_belongs_to_the_answer_is_asked(club, browser, address):
    told = club(DUST)
    context = window(browser, address, "phone", told.phone().cookie())
    page = context.new_page()
    page.goto(f"{told.page}/table")
    expect(page.locator("#board-objective")).to_be_hidden()
    page.click("details.by > summary")
    page.check("[name=by][value=table]")
    expect(page.locator("#board-inside_1")).to_be_hidden()
    page.select_option("#board-objective", "Critical Positions")
    expect(page.locator("#board-inside_1")).to_be_visible()
    expect(page.locator("#board-noted_1")).to_be_hidden()
    page.fill("#board-inside_1", "0, 1, 2")
    page.fill("#board-inside_2", "0, 1, 1")
    page.fill("#board-units_1", "many")
    page.locator("#board-units_2").focus()
    expect(page.locator("#board-units_1-f")).to_contain_text("cannot be read")
    page.fill("#board-units_1", "45")
    page.fill("#board-units_2", "75, 40+25")
    expect(page.locator("#frag-sum")).to_contain_text("10 match points, 140 break points")
    context.close()


@pytest.mark.engine("browser")
def test_without_a_network_it_says_that_it_cannot_check_and_keeps_the_report(club, browser, address):
    told = club(ARMADA)
    context = window(browser, address, "phone", told.phone().cookie())
    page = context.new_page()
    page.goto(f"{told.page}/table")
    context.set_offline(True)
    page.fill("#points_1", "150")
    page.fill("#points_2", "40")
    expect(page.locator("#frag-sum")).to_contain_text("This cannot be checked right now")
    page.click("text=Send result")
    expect(page.get_by_text("Saved on this phone")).to_be_visible()
    context.set_offline(False)
    expect(page.get_by_text("Waiting for")).to_be_visible()
    assert told.facts["points_1"] == 150
    context.close()


@pytest.mark.engine("browser")
def test_without_a_script_the_browser_holds_the_bounds_and_a_button_shows_what_it_gives(club, browser, address):
    told = club(FACTIONS, "Raid")
    name, value = told.phone().cookie()
    context = browser.new_context(base_url=address, java_script_enabled=False)
    context.add_cookies([{"name": name, "value": value, "url": address}])
    page = context.new_page()
    page.goto(f"{told.page}/table")
    page.fill("#points_1", "50")
    page.fill("#points_2", "6")
    page.click("button[value=look]")
    assert page.input_value("#points_1") == "50"
    assert page.locator("#points_1:invalid").count() == 1
    page.fill("#points_1", "15")
    page.click("button[value=look]")
    expect(page.locator("#frag-sum")).to_contain_text("2 tournament points, 15 scenario points")
    assert page.locator("#extra-round_2_claims_1").is_hidden()
    page.click("details.by > summary")
    page.check("[name=by][value=table]")
    assert page.locator("#extra-round_2_claims_1").is_visible()
    assert told.facts is None
    context.close()
