"""The elimination stage computed from games: pairings and places."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from shared.formats.options import apply_options
from shared.formats.packs import shipped_ruleset, shipped_swiss
from shared.rules.model import Facts, Game, Score, draw_order
from shared.swiss.elimination import (
    bracket_seeds,
    elimination_stage,
    pair_elimination,
    rank_by_round_reached,
    tie_winner,
)
from shared.swiss.standings import Row, Standings
from tests.rules.story import entered, played

DUST = shipped_ruleset("dust-warfare-1.0")
HIGH = [f"high-{number:02}" for number in range(33)]
LOW = [f"low-{number:02}" for number in range(33)]


def three_rounds() -> list[Game]:
    """Return three rounds in which the higher player wins, with more break points the higher: a cut to eight."""
    return [
        played(round, one, LOW[(place + round) % 33], 200 - place, 0, DUST, winner=1)
        for round in (1, 2, 3)
        for place, one in enumerate(HIGH)
    ]


def at_the_cut(*rows: str) -> Standings:
    """Return rows such as `Ana 16/200`, or with a last word `disqualified`, all tied at the cut."""
    made = []
    for rank, row in enumerate(rows, 1):
        player, points, *status = row.split()
        match, broken = map(int, points.split("/"))
        values = {"match_points": match, "break_points": broken}
        made.append(Row(rank, player, values, True, status[0] if status else "active"))
    return Standings(3, ("match_points", "break_points"), tuple(made), ())


def tied(standings: Standings) -> list[str]:
    return [row.player for row in standings.rows if row.tied]


@pytest.mark.clause("DW-CUT-1")
def test_there_is_no_elimination_before_the_cut() -> None:
    entrants, games = entered(*HIGH, *LOW), three_rounds()
    assert elimination_stage(DUST, entrants, [], seed="s") is None
    assert elimination_stage(DUST, entrants, games[:66], seed="s") is None
    stage = elimination_stage(DUST, entrants, games, seed="s")
    assert stage is not None
    assert stage.seeds == HIGH[:8]


@pytest.mark.clause("DW-AMB-4")
def test_a_drawn_bracket_is_paired_as_the_recorded_draw_says() -> None:
    drawn_bracket = apply_options(DUST, {"bracket": "random"})
    entrants = entered(*HIGH, *LOW)
    stage = elimination_stage(drawn_bracket, entrants, three_rounds(), seed="s")
    assert stage is not None
    paired = pair_elimination(drawn_bracket, stage, entrants, round=4, seed="s")
    order = draw_order("s", "bracket", 4, HIGH[:8])
    assert [list(draw.order) for draw in paired.draws] == [order]
    pairs = [(pairing.player_1, pairing.player_2) for pairing in paired.pairings]
    assert pairs == [(order[one - 1], order[two - 1]) for one, two in bracket_seeds(8)]


@pytest.mark.clause("DW-AMB-12", "DW-AMB-9")
def test_players_tied_at_the_cut_stay_tied_only_if_eliminated_together() -> None:
    swiss = at_the_cut(*("Ana 30/90", "Ben 30/90", "Cy 30/90", "Dee 30/90", "Eli 30/80", "Fay 30/80", "Gus 3/0"))
    final = rank_by_round_reached(swiss, {"Ben": 6, "Ana": 5, "Cy": 4, "Dee": 4}, 5, ())
    assert [row.player for row in final.rows] == ["Ben", "Ana", "Cy", "Dee", "Eli", "Fay", "Gus"]
    assert tied(final) == ["Cy", "Dee", "Eli", "Fay", "Gus"]  # who was not in the bracket: as at the cut
    semifinal = rank_by_round_reached(swiss, {"Ana": 6, "Ben": 6, "Cy": 4, "Eli": 4}, 4, ())
    assert tied(semifinal) == ["Ana", "Ben", "Dee", "Fay", "Gus"]
    assert tied(rank_by_round_reached(at_the_cut("Ana 3/0", "Ben 3/0"), {"Ana": 3, "Ben": 3}, 1, ())) == ["Ana", "Ben"]
    shamed = at_the_cut("Ana 30/90", "Ben 30/80", "Cy 30/90 disqualified")
    assert tied(rank_by_round_reached(shamed, {"Ana": 5, "Ben": 5, "Cy": 5}, 5, ())) == []


@pytest.mark.clause("DW-CUT-4", "DW-CUT-5", "DW-AMB-5")
def test_with_a_single_value_that_value_breaks_bracket_ties():
    dust = shipped_swiss("dust-warfare-1.0")
    totals = [rule for rule in dust.standings.criteria if rule.piece == "total" and rule.active]
    one = replace(dust, standings=replace(dust.standings, criteria=totals[:1]))
    value = totals[0].of
    games = [
        Game(1, None, "game", "a", "c", Facts(), Score("win", "loss", {value: 3}, {value: 0})),
        Game(1, None, "game", "b", "d", Facts(), Score("draw", "draw", {value: 1}, {value: 1})),
        Game(2, None, "game", "a", "b", Facts(), Score("draw", "draw", {value: 1}, {value: 1})),
    ]
    assert tie_winner(one, games, 2, ["a", "b"]) == tie_winner(one, games, 2, ["b", "a"]) == "a"
    assert tie_winner(one, games[1:], 2, ["b", "d"]) == "b"
