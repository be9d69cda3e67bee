"""Dust Warfare by its clauses: events, lists, rounds, pairing, results, and every option on and off."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as some

from shared.rules.cut import cut_places
from shared.rules.draw import recorded_draw
from shared.rules.forms import score_sheets
from shared.rules.model import Entrant, Facts, Game
from shared.rules.options import apply_options
from shared.rules.pack import shipped_ruleset
from shared.rules.pairing import pair_round
from shared.rules.refusals import ImpossibleResult, OptionsRefused
from shared.rules.roster import check_roster
from shared.rules.rounds import number_of_rounds, round_minutes, time_calls
from shared.rules.ruleset import Ruleset
from shared.rules.scoring import bye_score, double_no_show_score, no_show_score, score_game
from shared.rules.standings import rank
from shared.rules.tables import Table, assign_tables
from tests.rules.story import bye, entered, played, short

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


def seed_where(purpose: str, round: int, order: list[str]) -> str:
    """A seed whose recorded draw puts players into this order: draws are inputs of the examples."""
    seeds = (str(number) for number in range(1000))
    return next(seed for seed in seeds if recorded_draw(seed, purpose, round, order) == order)


@pytest.mark.clause("DW-SET-1", "DW-SET-2", "DW-SET-5", "DW-STAFF-1", "DW-REG-3", "DW-ROS-3", "DW-AMB-18")
def test_what_an_event_holds() -> None:
    assert (DUST.document.version, DUST.document.date) == ("1.0", "2012-07-01")
    (tier,) = DUST.tiers
    assert (tier.rounds, tier.list_due, tier.judge_may_play) == ("table", True, False)
    assert (DUST.entry.late, DUST.roster.locked) == ("none", "start")


@pytest.mark.clause("DW-SET-2", "DW-SET-3", "DW-ROS-4", "DW-AMB-25", "DW-TIME-1", "DW-TIME-2")
def test_the_limit_of_lists_is_that_of_scores_and_sets_the_length_of_rounds() -> None:
    small = with_options(ap_limit="299")
    assert [fault.clause for fault in check_roster(small, LEGAL)] == ["DW-ROS-4"]
    assert faults(small, points_1=300, points_2=0, winner=1) == [("/points_1", "DW-RES-2")]
    assert score_game(DUST, Facts(points_1=400, points_2=0, winner=1)).values_1["break_points"] == 400
    with pytest.raises(OptionsRefused) as refused:
        with_options(ap_limit=500)
    assert [fault.where for fault in refused.value.faults] == ["/ap_limit"]
    assert [round_minutes(with_options(ap_limit=500, extra_minutes=more), 500) for more in (0, 20)] == [150, 170]
    assert DUST.clock.break_minutes == 15


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
def test_an_organiser_may_enter_rounds_and_cut_where_the_table_has_none() -> None:
    own = with_options(rounds_table="2-2:1,3-300:9,301-512:10:4:8")
    assert [number_of_rounds(own, players) for players in (2, 257, 301)] == [1, 9, 10]
    assert (cut_places(own, 301).places, cut_places(own, 301).after_round) == (4, 8)
    assert with_options(rounds_table=[{"least": 3, "most": 9, "rounds": 4}]).rounds.table[0].rounds == 4
    for text in ("3-9", "3-9:4:4:3", "3-9:4,12-20:5", "few:2"):
        with pytest.raises(OptionsRefused) as refused:
            with_options(rounds_table=text)
        assert {fault.where for fault in refused.value.faults} == {"/rounds_table"}


@pytest.mark.clause("DW-AMB-16", "DW-TIME-4")
def test_play_ends_with_the_game_turn_or_at_once() -> None:
    assert (DUST.clock.game_rounds, DUST.clock.at_time) == (5, "finish_game_round")
    assert with_options(time_call="stop_now").clock.at_time == "stop_now"
    assert [call.second for call in time_calls(DUST, 300)] == [90 * 60]


@pytest.mark.clause("DW-PAIR-1", "DW-PAIR-5", "DW-PAIR-6", "DW-EX-10")
@pytest.mark.parametrize(("seed", "purpose", "round", "group", "order", "digits"), EXAMPLES["DW-EX-10"])
def test_recorded_draws(seed: str, purpose: str, round: int, group: list[str], order: list[str], digits: str) -> None:
    assert recorded_draw(seed, purpose, round, group) == order
    if purpose == "first-pairing":
        pairs = [pairing.players for pairing in pair_round(DUST, entered(*group), [], round=1, seed=seed).pairings]
        assert pairs == [("p5", "p4"), ("p3", "p1"), ("p2",)]
    else:
        games = [won(1, "p2", "p1", 9, 0), won(1, "p4", "p3", 9, 0), won(1, "p6", "p5", 9, 0), bye(1, "p7", DUST)]
        paired = pair_round(DUST, entered(*(f"p{n}" for n in range(1, 8))), games, round=2, seed=seed)
        assert paired.pairings[-1].players == ("p3",)


@pytest.mark.clause("DW-EX-4", "DW-AMB-9", "DW-TB-1")
def test_equal_at_the_top_is_drawn() -> None:
    games = [won(1, "Ana", "Ben", 150, 50), won(1, "Cy", "Dee", 150, 70)]
    games += [won(2, "Cy", "Ana", 100, 100, "draw"), won(2, "Dee", "Ben", 120, 40)]
    field = entered("Ana", "Ben", "Cy", "Dee")
    first, last = (seed_where("standings", 1, ["Cy", "Ana"]), seed_where("standings", 2, ["Ana", "Cy"]))
    after = rank(DUST, field, games, round=1, seed=first)
    assert short(after) == ["Cy 10/150", "Ana 10/150", "Dee 3/70", "Ben 3/50"]
    assert [row.tied for row in after.rows] == [True, True, False, False]
    pairs = [pairing.players for pairing in pair_round(DUST, field, games, round=2, seed="", standings=after).pairings]
    assert pairs == [("Cy", "Ana"), ("Dee", "Ben")]
    final = rank(DUST, field, games, round=2, seed=last)
    assert short(final) == ["Ana 16/250", "Cy 16/250", "Dee 13/190", "Ben 6/90"]


@pytest.mark.clause("DW-AMB-9")
def test_places_below_the_first_may_be_shared_and_are_still_paired_in_drawn_order() -> None:
    games = [won(1, "a", "b", 100, 50), won(1, "c", "d", 100, 50)]
    shared = with_options(unresolved_ties="shared")
    found = rank(shared, entered("a", "b", "c", "d"), games, round=1, seed="s")
    assert [row.rank for row in found.rows] == [1, 2, 3, 3]
    assert [row.tied for row in found.rows] == [True] * 4
    assert [list(draw.order) for draw in found.draws] == [
        recorded_draw("s", "standings", 1, group) for group in (["a", "c"], ["b", "d"])
    ]
    assert [row.rank for row in rank(DUST, entered("a", "b", "c", "d"), games, round=1, seed="s").rows] == [1, 2, 3, 4]


@pytest.mark.clause("DW-EX-9", "DW-AMB-17", "DW-AMB-10", "DW-PAIR-5")
def test_a_drop_after_round_one() -> None:
    games = [won(1, "Ana", "Ben", 100, 40), won(1, "Dee", "Eli", 90, 80), won(1, "Fay", "Gus", 70, 60, "draw")]
    field = entered("Ben", "Dee", "Eli", "Fay", "Gus")
    before = rank(DUST, [*field, Entrant("Ana")], games, round=1, seed="")
    assert short(before) == ["Ana 10/100", "Dee 10/90", "Fay 6/70", "Gus 6/60", "Eli 3/80", "Ben 3/40"]
    field.append(Entrant("Ana", status="dropped", dropped_after=1))
    paired = pair_round(DUST, field, games, round=2, seed=seed_where("bye", 2, ["Eli", "Ben"]))
    assert [set(pairing.players) for pairing in paired.pairings] == [{"Dee", "Fay"}, {"Gus", "Ben"}, {"Eli"}]
    games += [won(2, "Dee", "Fay", 120, 30), won(2, "Gus", "Ben", 50, 50, "draw"), bye(2, "Eli", DUST)]
    final = rank(DUST, field, games, round=2, seed="")
    assert short(final) == ["Dee 20/210", "Eli 13/80", "Gus 12/110", "Ana 10/100", "Fay 9/100", "Ben 9/90"]
    assert next(row.status for row in final.rows if row.player == "Ana") == "dropped"


@pytest.mark.clause("DW-PAIR-2", "DW-PAIR-3")
@given(some.permutations(range(8)), some.lists(some.integers(0, 200), min_size=8, max_size=8))
def test_while_nobody_has_met_neighbours_in_the_standings_play(order: list[int], points: list[int]) -> None:
    names = [f"p{number}" for number in order]
    games = [won(1, names[n], f"x{n}", points[n], 0, winner=1 if n % 2 else "draw") for n in range(8)]
    field = entered(*names)
    standings = rank(DUST, field, games, round=1, seed="s")
    listed = [row.player for row in standings.rows]
    pairs = [pairing.players for pairing in pair_round(DUST, field, games, round=2, seed="s").pairings]
    assert pairs == list(zip(listed[::2], listed[1::2], strict=True))


@pytest.mark.clause("DW-AMB-6", "DW-BYE-1")
def test_break_points_of_a_bye() -> None:
    assert bye_score(DUST).values_1 == {"match_points": 10, "break_points": 0}
    assert bye_score(with_options(bye_bp="120")).values_1["break_points"] == 120
    assert bye_score(with_options(bye_bp="half", ap_limit=301)).values_1["break_points"] == 150
    assert no_show_score(with_options(bye_bp="half", ap_limit=300), 1).values_2["break_points"] == 150
    with pytest.raises(OptionsRefused):
        with_options(bye_bp="third")


@pytest.mark.clause("DW-AMB-7")
def test_a_second_bye_is_possible_or_avoided() -> None:
    games = [bye(1, "a", DUST), won(1, "b", "c", 50, 10), bye(2, "c", DUST), won(2, "b", "a", 50, 10)]
    field = entered("a", "b", "c")
    assert pair_round(DUST, field, games, round=3, seed="1").pairings[-1].player_1 in ("a", "c")
    avoided = pair_round(with_options(avoid_repeat_byes="true"), field, games, round=3, seed="1")
    assert avoided.pairings[-1].player_1 == "b"


@pytest.mark.clause("DW-AMB-23")
def test_the_bye_may_move_where_it_leaves_only_a_rematch() -> None:
    field = entered("a", "b", "c")
    games = [won(1, "a", "b", 100, 90), bye(1, "c", DUST), won(2, "a", "c", 80, 10), bye(2, "b", DUST)]
    seed = seed_where("bye", 3, ["b", "c"])
    rigid = pair_round(DUST, field, games, round=3, seed=seed)
    assert [pairing.players for pairing in rigid.pairings] == [("a", "c"), ("b",)]
    assert rigid.pairings[0].rematch
    moved = pair_round(with_options(bye_may_move=True), field, games, round=3, seed=seed)
    assert [set(pairing.players) for pairing in moved.pairings] == [{"b", "c"}, {"a"}]
    assert not moved.pairings[0].rematch


@pytest.mark.clause("DW-AMB-8")
def test_which_sheet_moves() -> None:
    games = [won(1, "a", "b", 150, 140), won(1, "c", "d", 100, 20), won(1, "e", "f", 90, 10)]
    later = [won(2, "a", "x", 10, 0), won(2, "b", "y", 150, 0), won(2, "c", "z", 1, 0), won(2, "d", "w", 0, 0, "draw")]
    field = entered(*"abcdef")

    def pairs(ruleset: Ruleset) -> list[tuple[str, ...]]:
        return [pairing.players for pairing in pair_round(ruleset, field, games + later, round=3, seed="").pairings]

    assert [row.player for row in rank(DUST, field, games + later, round=2, seed="").rows] == list("acbedf")
    assert pairs(DUST) == pairs(with_options(rematch_move="higher"))
    met = [*games, won(2, "a", "c", 160, 100), won(2, "b", "x", 150, 0)]
    listed = [row.player for row in rank(DUST, field, met, round=2, seed="").rows]
    assert listed[:4] == list("abce")
    lower = [pairing.players for pairing in pair_round(DUST, field, met, round=3, seed="").pairings]
    higher = [
        pairing.players
        for pairing in pair_round(with_options(rematch_move="higher"), field, met, round=3, seed="").pairings
    ]
    assert (lower[0], higher[0]) == (("a", "e"), ("b", "c"))


@pytest.mark.clause("DW-FOR-1", "DW-FOR-2", "DW-AMB-1", "DW-AMB-2", "DW-AMB-20", "DW-COND-1")
def test_forfeits() -> None:
    told: dict[str, Any] = {"kind": "forfeit", "conceded_by": 2, "extra": {"list_2": 299}}
    assert score_game(DUST, Facts(**told)).values_1 == {"match_points": 10, "break_points": 149}
    assert score_game(with_options(forfeit_bp_rounding="up"), Facts(**told)).values_1["break_points"] == 150
    assert score_game(DUST, Facts(**told)).values_2 == {"match_points": 3, "break_points": 0}
    assert faults(**told, points_1=150) == [("/points_1", "DW-FOR-2")]
    assert score_game(with_options(forfeit_bp_rounding="up"), Facts(**told, points_1=150)).outcome_1 == "win"
    assert faults(kind="forfeit", points_1=149) == [("/conceded_by", "DW-FOR-2")]
    assert faults(kind="forfeit", conceded_by=2, points_1=149, points_2=10, winner=2) == [
        ("/points_2", "DW-FOR-2"),
        ("/winner", "DW-FOR-2"),
    ]
    both = score_game(with_options(no_show_mp=0), Facts("double_forfeit"))
    assert both.values_1 == both.values_2 == {"match_points": 3, "break_points": 0}
    assert (both.outcome_1, both.outcome_2) == ("loss", "loss")


@pytest.mark.clause("DW-AMB-17")
def test_absentees_have_the_points_of_a_loss_or_none() -> None:
    assert no_show_score(DUST, 2).values_2 == {"match_points": 3, "break_points": 0}
    assert no_show_score(with_options(no_show_mp="0"), 2).values_2["match_points"] == 0
    assert double_no_show_score(with_options(no_show_mp=0)).values_1["match_points"] == 0
    assert DUST.no_show.drop_after == 2


@pytest.mark.clause("DW-AMB-19")
def test_concessions() -> None:
    told: dict[str, Any] = {"points_1": 90, "points_2": 120, "conceded_by": 2, "extra": {"list_2": 299}}
    assert score_game(DUST, Facts(**told)).values_1 == {"match_points": 10, "break_points": 149}
    assert score_game(DUST, Facts(**told)).values_2 == {"match_points": 3, "break_points": 0}
    table = with_options(concession_bp="table")
    assert score_game(table, Facts(**told)).values_1["break_points"] == 90
    assert faults(**told, winner=2, end="time") == [("/end", "DW-AMB-19"), ("/winner", "DW-AMB-19")]


@pytest.mark.clause("DW-DQ-1", "DW-AMB-3")
def test_a_disqualified_player_leaves_the_standings_or_is_shown_last() -> None:
    games = [won(1, "a", "b", 200, 0), won(1, "c", "d", 100, 90)]
    field = [Entrant("a", status="disqualified"), *entered("b", "c", "d")]
    assert short(rank(DUST, field, games, round=1, seed="")) == ["c 10/100", "d 3/90", "b 3/0"]
    listed = rank(with_options(dq_listed="true"), field, games, round=1, seed="")
    assert [row.player for row in listed.rows] == ["c", "d", "b", "a"]
    assert listed.rows[-1].status == "disqualified"
    paired = pair_round(DUST, field, games, round=2, seed="")
    assert "a" not in {player for pairing in paired.pairings for player in pairing.players}


@pytest.mark.clause("DW-RES-1", "DW-RES-2")
@pytest.mark.parametrize(
    ("facts", "where"),
    [
        ({"points_1": 401, "points_2": 500, "winner": 1}, ["/points_1", "/points_2"]),
        ({"points_1": 251, "points_2": 0, "winner": 1, "extra": {"list_2": 250}}, ["/points_1"]),
        ({"points_1": 0, "points_2": 0, "winner": 1, "extra": {"list_2": 401, "lists": 3}}, ["/extra/lists"]),
        ({"points_1": 0, "points_2": 0, "winner": 1, "extra": {"list_2": 401}}, ["/extra/list_2"]),
        ({"points_1": 10, "points_2": 10, "winner": 1, "second_player": 2}, ["/second_player"]),
        ({"points_1": 500, "conceded_by": 2}, ["/points_1"]),
    ],
)
def test_break_points_beyond_what_is_possible(facts: dict[str, Any], where: list[str]) -> None:
    found = faults(**facts)
    assert [place for place, _ in found] == where
    assert all(clause for _, clause in found)


@pytest.mark.clause("DW-TBL-1", "DW-TBL-3", "DW-TBL-4")
def test_a_table_for_two_which_may_come_again() -> None:
    paired = pair_round(DUST, entered("a", "b", "c", "d"), [], round=1, seed="").pairings
    tables = [Table("hall", number) for number in (1, 2, 3)]
    history = {player: {1, 2} for player in "abcd"}
    seated = assign_tables(paired, tables, history=history, avoid_repeats=DUST.tables.avoid_repeats)
    assert [seat.table.number for seat in seated if seat.table] == [1, 2]
    assert DUST.builder is not None


@pytest.mark.clause("DW-DOC-1", "DW-DOC-2", "DW-AMB-24", "DW-CUT-2")
def test_score_sheets_run_on_and_begin_anew_after_the_cut() -> None:
    sheet, slip = DUST.forms
    assert (sheet.lines, slip.lines, slip.order) == (4, 4, "upwards")
    games = [won(number, "a", f"p{number}", 10 * number, 5) for number in range(1, 7)]
    games += [won(7, "q", "a", 40, 30), bye(8, "a", DUST)]
    sheets = score_sheets(sheet, "a", games, DUST.columns, cut_after=6)
    assert [[line.round for line in lines] for lines in sheets] == [[1, 2, 3, 4], [5, 6], [7, 8]]
    assert [sheets[0][-1].totals, sheets[1][-1].totals] == [(40, 100), (60, 210)]
    assert [(line.opponent, line.totals) for line in sheets[2]] == [("q", (3, 30)), ("", (13, 30))]
