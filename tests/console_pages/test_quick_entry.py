"""Quick entry on the round board: a table number and two scores, without a script and by the keyboard alone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.console_pages.conftest import Browser
from tests.console_pages.real_browser import violations, window
from tests.console_pages.test_evening import announced, paired, with_a_code


def players_at(board: Browser, game: str) -> tuple[str, str, str]:
    """The table of a game and its players, as the board names them."""
    row = re.search(rf'<tr id="{game}".*?</tr>', board.page, re.DOTALL)[0]
    one, two = re.findall(r"<bdi>(\w+)</bdi>", row)[:2]
    return re.search(r'<th scope="row">(?:<label.*?</label>)?(?:<input[^>]*>)?(\d+)', row)[1], one, two


def test_a_result_is_entered_by_table_and_acknowledged_with_an_undo(organiser):
    event = paired(organiser)
    table, one, two = players_at(organiser, "r1g1")
    assert (
        organiser.send(f"{event}/quick", part="quick", round=1, table=table, points_1="150", points_2="129").status_code
        == 200
    )
    assert organiser.address == f"{event}/round"
    assert organiser.shows(f"Table {table}: {one} 150 : 129 {two}", "Undo", "150 : 129")


@pytest.mark.parametrize("line", ["{} 150 129", "{};150:129", " {}  150 - 129 "])
def test_a_whole_line_is_typed_into_the_first_field(organiser, line):
    event = paired(organiser)
    table, one, two = players_at(organiser, "r1g1")
    organiser.send(f"{event}/quick", part="quick", round=1, table=line.format(table), points_1="", points_2="")
    assert organiser.shows(f"Table {table}: {one} 150 : 129 {two}")


def test_a_faulty_line_stands_in_its_fields(organiser):
    event = paired(organiser)
    table, *_ = players_at(organiser, "r1g1")
    assert organiser.send(f"{event}/quick", part="quick", round=1, table=f"{table} 80 80").status_code == 422
    assert organiser.shows("Who was the second player?")
    for name, value in {"table": table, "points_1": "80", "points_2": "80"}.items():
        assert re.search(rf'name="{name}" value="{value}"', organiser.page), name
    assert organiser.send(f"{event}/quick", part="quick", round=1, table=f"{table} 80").status_code == 422
    assert organiser.shows(f'value="{table} 80"', "Enter the table number.")


@pytest.mark.parametrize(("scores", "wrong"), [("x 4", "x"), ("4:x7", "x7"), ("-5 4", "-5")])
def test_a_line_names_the_score_that_is_no_number(organiser, scores, wrong):
    event = paired(organiser)
    table, *_ = players_at(organiser, "r1g1")
    assert organiser.send(f"{event}/quick", part="quick", round=1, table=f"{table} {scores}").status_code == 422
    assert organiser.shows(f'name="table" value="{table}"', f"“{wrong}” is not a score. Enter a whole number.")


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"table": ""}, "Enter the table number."),
        ({"table": "x"}, "Enter the table number."),
        ({"table": "77"}, "No game at table 77 in this round."),
        ({"table": "99999999"}, "No game at table 99999999 in this round."),
        ({"points_1": ""}, "Enter the score."),
        ({"points_1": "many"}, "“many” is not a score. Enter a whole number."),
        ({"points_1": "80", "points_2": "80"}, "Who was the second player?"),
    ],
)
def test_every_fault_is_said_and_what_was_typed_stays(organiser, fields, text):
    event = paired(organiser)
    table, *_ = players_at(organiser, "r1g1")
    sent = {"table": table, "points_1": "150", "points_2": "129"} | fields
    answer = organiser.send(f"{event}/quick", part="quick", round=1, **sent)
    assert answer.status_code == 422
    assert organiser.shows(text)
    for name, value in sent.items():
        assert re.search(rf'name="{name}" value="{value}"', organiser.page), name


def test_equal_scores_are_decided_by_one_answer(organiser):
    event = paired(organiser)
    table, one, two = players_at(organiser, "r1g1")
    sent = {"part": "quick", "round": 1, "table": table, "points_1": "80", "points_2": "80"}
    organiser.send(f"{event}/quick", **sent)
    organiser.send(f"{event}/quick", **sent, second_player="2", asked=asked_for(organiser))
    assert organiser.shows(f"Table {table}: {one} 80 : 80 {two}", f"<b><bdi>{two}</bdi>")


def asked_for(board: Browser) -> str:
    """The game and the scores that the question on the board is about."""
    return re.search(r'name="asked" value="([^"]+)"', board.page)[1]


@pytest.mark.parametrize("line", ["{other} 80 80", "{table} 81 81"])
def test_an_answer_counts_only_for_the_game_and_the_scores_of_its_question(organiser, line):
    event = paired(organiser)
    (table, *_), (other, *_) = players_at(organiser, "r1g1"), players_at(organiser, "r1g2")
    sent = {"part": "quick", "round": 1, "table": table, "points_1": "80", "points_2": "80"}
    organiser.send(f"{event}/quick", **sent)
    typed = sent | {"table": line.format(table=table, other=other)}
    answer = organiser.send(f"{event}/quick", **typed, second_player="2", asked=asked_for(organiser))
    assert answer.status_code == 422
    assert organiser.shows("Who was the second player?")
    assert not re.search(r'name="second_player" value="\d" *checked', organiser.page)


def test_a_line_that_needs_no_answer_is_saved_without_the_one_to_another_question(organiser, services):
    event = paired(organiser)
    (table, *_), (other, *_) = players_at(organiser, "r1g1"), players_at(organiser, "r1g2")
    sent = {"part": "quick", "round": 1, "points_1": "80", "points_2": "80"}
    organiser.send(f"{event}/quick", **sent, table=table)
    typed = sent | {"table": f"{other} 20 10", "second_player": "2", "asked": asked_for(organiser)}
    assert organiser.send(f"{event}/quick", **typed).status_code == 200
    organiser.open(f"{event}/games/r1g2")
    assert organiser.shows("20 : 10")
    assert not re.search(r'name="second_player" value="2" *checked', organiser.page)


def test_a_settled_or_disputed_game_is_not_overwritten(organiser):
    event = paired(organiser)
    table, one, two = players_at(organiser, "r1g1")
    sent = {"part": "quick", "round": 1, "table": table, "points_1": "150", "points_2": "129"}
    organiser.send(f"{event}/quick", **sent)
    assert organiser.send(f"{event}/quick", **sent | {"points_1": "9"}).status_code == 422
    assert organiser.shows(f"Table {table} already has a result: {one} 150 : 129 {two}.", "/games/r1g1")
    table, one, two = players_at(organiser, "r1g2")
    with_a_code(organiser, event, one).send(do="report", points_1="150", points_2="129")
    with_a_code(organiser, event, two).send(do="dispute", reason="no")
    organiser.open(f"{event}/round")
    assert organiser.send(f"{event}/quick", **sent | {"table": table}).status_code == 422
    assert organiser.shows(f"Table {table} is disputed: make a ruling.", "/games/r1g2")


def test_quick_entry_is_for_staff_while_games_are_open(organiser, guest):
    event = announced(organiser)
    organiser.open(f"{event}/round")
    organiser.send(do="pair", round=1)
    assert 'id="quick"' not in organiser.page
    organiser.send(do="start", round=1)
    assert 'id="quick"' in organiser.page
    guest.open(f"{event}/round")
    assert 'id="quick"' not in guest.page


@pytest.mark.engine("browser")
def test_results_are_entered_by_the_keyboard_alone(browser, address, organiser):
    event = paired(organiser)
    table, one, two = players_at(organiser, "r1g1")
    other, _, second = players_at(organiser, "r1g2")
    with window(browser, address, "desk", organiser.cookie()) as context:
        page = context.new_page()
        page.goto(f"{event}/round")
        loads = []
        page.on("framenavigated", lambda _: loads.append(1))
        page.get_by_label("Table", exact=True).focus()
        for key in (table, "Enter", "150", "Enter", "129", "Enter"):
            page.keyboard.press(key) if key == "Enter" else page.keyboard.type(key)
        for key in (f"{other} 80 80", "Enter"):  # without waiting for the answer
            page.keyboard.press(key) if key == "Enter" else page.keyboard.type(key)
        said = page.locator("#quick-said")
        expect(said).to_contain_text(f"Table {table}: {one} (winner) 150 : 129 {two}")
        expect(page.get_by_role("group", name="Who was the second player?")).to_be_visible()
        assert violations(page) == []
        page.get_by_role("radio", name=second).press("Space")
        page.keyboard.press("Enter")
        expect(said.get_by_role("listitem")).to_have_count(2)
        expect(said).to_contain_text(f"Table {other}:")
        expect(said).to_contain_text(f"80 : 80 {second} (winner)")
        expect(page.get_by_label("Table", exact=True)).to_be_focused()
        assert loads == []


@pytest.mark.engine("browser")
def test_another_line_drops_the_question(browser, address, organiser):
    event = paired(organiser)
    table, *_ = players_at(organiser, "r1g1")
    other, one, two = players_at(organiser, "r1g2")
    with window(browser, address, "phone", organiser.cookie()) as context:
        page = context.new_page()
        page.goto(f"{event}/round")
        first, question = page.get_by_label("Table", exact=True), page.get_by_role("group", name="Who was the second")
        first.fill(f"{table} 80 80")
        first.press("Enter")
        expect(question).to_be_visible()
        first.fill(f"{other} x 10")
        expect(question).to_have_count(0)
        first.press("Enter")
        expect(page.locator("#quick")).to_contain_text("“x” is not a score.")
        first.fill(f"{other} 20 10")
        first.press("Enter")
        expect(page.locator("#quick-said")).to_contain_text(f"Table {other}: {one} (winner) 20 : 10 {two}")
