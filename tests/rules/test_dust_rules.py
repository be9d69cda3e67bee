"""Clauses of Dust Warfare: events, rosters, rounds, tables, forms, with options on and off."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from shared.formats.options import apply_options
from shared.formats.packs import shipped_ruleset
from shared.rules.model import Facts, Game, ImpossibleResult, OptionsRefused
from shared.rules.pairing import Table, assign_tables
from shared.rules.parts import score_sheets
from shared.swiss.elimination import cut_places
from shared.swiss.pairing import pair_round
from shared.swiss.roster import check_roster
from shared.swiss.rounds import number_of_rounds, round_minutes
from shared.swiss.ruleset import Ruleset
from shared.swiss.scoring import score_game
from tests.rules.story import bye, entered, played

DUST = shipped_ruleset("dust-warfare-1.0")
EXAMPLES: dict[str, Any] = yaml.safe_load((Path(__file__).parent / "data" / "dust_examples.yaml").read_text("utf-8"))
LEGAL = {
    "faction": "Allies",
    "army_total": 300,
    "units": [
        {"section": "Command", "points": 100, "name": "Officers", "options": [{"name": "Radio", "points": 10}]},
        {"section": "Platoon", "points": 190, "name": "Walkers"},
    ],
}


def with_options(**options: Any) -> Ruleset:
    return apply_options(DUST, options)


def won(round: int, one: str, two: str, points_1: int, points_2: int, winner: Any = 1) -> Game:
    return played(round, one, two, points_1, points_2, DUST, winner=winner)


def faults(ruleset: Ruleset = DUST, **facts: Any) -> list[tuple[str, str]]:
    with pytest.raises(ImpossibleResult) as refused:
        score_game(ruleset, Facts(**facts))
    return [(fault.where, fault.clause) for fault in refused.value.faults]


@pytest.mark.clause("DW-SET-2", "DW-SET-3", "DW-ROS-4", "DW-AMB-25", "DW-TIME-1", "DW-TIME-2")
def test_the_roster_limit_bounds_scores_and_sets_the_length_of_rounds() -> None:
    small = with_options(ap_limit="299")
    assert [fault.clause for fault in check_roster(small, LEGAL)] == ["DW-ROS-4"]
    assert faults(small, points_1=300, points_2=0, winner=1) == [("/points_1", "DW-RES-2")]
    assert score_game(DUST, Facts(points_1=400, points_2=0, winner=1)).values_1["break_points"] == 400
    with pytest.raises(OptionsRefused) as refused:
        with_options(ap_limit=500)
    assert [fault.where for fault in refused.value.faults] == ["/ap_limit"]
    assert [round_minutes(with_options(ap_limit=500, extra_minutes=more), 500) for more in (0, 20)] == [150, 170]


@pytest.mark.clause("DW-ROS-2", "DW-ROS-4", "DW-ROS-1")
def test_a_list_names_every_unit_and_adds_up() -> None:
    assert check_roster(DUST, LEGAL) == []
    bad = {
        "army_total": 420,
        "units": [{"points": 401, "name": "Tank"}, {"section": "Platoon", "name": "", "points": 9}],
    }
    assert [(fault.where, fault.clause) for fault in check_roster(DUST, bad)] == [
        ("/army_total", "DW-ROS-4"),
        ("/army_total", "DW-ROS-2"),
        ("/units/0/section", "DW-ROS-2"),
        ("/units/1/name", "DW-ROS-2"),
    ]
    assert [fault.where for fault in check_roster(DUST, {"units": [], "colour": "red"})] == ["/colour"]


@pytest.mark.clause("DW-EX-1", "DW-RND-1", "DW-CUT-1", "DW-CUT-3", "DW-AMB-10")
@pytest.mark.parametrize(("players", "rounds", "cut", "after"), EXAMPLES["DW-EX-1"]["rounds"])
def test_rounds_and_cut_of_the_digest(players: int, rounds: int, cut: int, after: int) -> None:
    places = cut_places(DUST, players)
    assert (number_of_rounds(DUST, players), places.places, places.after_round) == (rounds, cut, after)
    assert not cut or 2 ** (rounds - after) == cut


@pytest.mark.clause("DW-EX-1", "DW-TIME-1", "DW-TIME-2")
def test_times_of_the_digest() -> None:
    example = EXAMPLES["DW-EX-1"]
    assert {limit: round_minutes(DUST, limit) for limit in example["minutes"]} == example["minutes"]
    day = example["day"]
    rounds = number_of_rounds(DUST, day["players"]) or 0
    assert rounds * (round_minutes(DUST, day["limit"]) + DUST.clock.break_minutes) == day["minutes"]


@pytest.mark.clause("DW-AMB-10", "DW-CUT-3")
def test_an_organiser_may_set_rounds_and_cut_outside_the_table() -> None:
    own = with_options(rounds_table="2-2:1,3-300:9,301-512:10:4:8")
    assert [number_of_rounds(own, players) for players in (2, 257, 301)] == [1, 9, 10]
    assert (cut_places(own, 301).places, cut_places(own, 301).after_round) == (4, 8)
    assert with_options(rounds_table=[{"least": 3, "most": 9, "rounds": 4}]).rounds.table[0].rounds == 4
    for text in ("3-9", "3-9:4:4:3", "3-9:4,12-20:5", "few:2"):
        with pytest.raises(OptionsRefused) as refused:
            with_options(rounds_table=text)
        assert {fault.where for fault in refused.value.faults} == {"/rounds_table"}


@pytest.mark.clause("DW-TBL-1", "DW-TBL-3")
def test_a_repeated_table_is_allowed_for_two_players() -> None:
    paired = pair_round(DUST, entered("a", "b", "c", "d"), [], round=1, seed="").pairings
    tables = [Table("hall", number) for number in (1, 2, 3)]
    history = {player: {1, 2} for player in "abcd"}
    seated = assign_tables(paired, tables, history=history, avoid_repeats=DUST.tables.avoid_repeats)
    assert [seat.table.number for seat in seated if seat.table] == [1, 2]


@pytest.mark.clause("DW-DOC-1", "DW-DOC-2", "DW-AMB-24", "DW-CUT-2")
def test_score_sheets_have_running_totals_that_restart_after_the_cut() -> None:
    sheet, slip, *_ = DUST.forms
    assert (sheet.lines, slip.lines, slip.order) == (4, 4, "upwards")
    games = [won(number, "a", f"p{number}", 10 * number, 5) for number in range(1, 7)]
    games += [won(7, "q", "a", 40, 30), bye(8, "a", DUST)]
    sheets = score_sheets(sheet, "a", games, DUST.columns, cut_after=6)
    assert [[line.round for line in lines] for lines in sheets] == [[1, 2, 3, 4], [5, 6], [7, 8]]
    assert [sheets[0][-1].totals, sheets[1][-1].totals] == [(40, 100), (60, 210)]
    assert [(line.opponent, line.totals) for line in sheets[2]] == [("q", (3, 30)), ("", (13, 30))]
