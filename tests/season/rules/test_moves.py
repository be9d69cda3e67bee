"""Moves between two tables, and their causes."""

from __future__ import annotations

from shared.season.table import moves, season_table
from tests.season.rules.story import members, placed, rules

RULES = rules(points={"participation": 0})


def between(before, after, names="Ana Ben Cy", names_after=""):
    return moves(season_table(RULES, members(names), before), season_table(RULES, members(names_after or names), after))


def test_move_names_changed_and_passing_members():
    found = between([placed(1, "Ana Ben Cy")], [placed(1, "Ana Cy Ben")])
    assert [(move.player, move.rank_before, move.rank_after) for move in found] == [("Cy", 3, 2), ("Ben", 2, 3)]
    cy, ben = found
    assert (cy.points_before, cy.points_after, cy.columns) == (3, 5, ("points", "best_result", "latest_result"))
    assert [(one.tournament, one.before.place, one.after.place) for one in cy.results] == [("t1", 3, 2)]
    assert (cy.passed_by, ben.passed_by) == ((), ("Cy",))


def test_move_by_another_members_result_has_no_own_changes():
    before, after = [placed(1, "Ana Ben Cy")], [placed(1, "Ana Ben Cy"), placed(2, "Cy Di Ed")]
    found = {move.player: move for move in between(before, after)}
    assert (found["Ana"].rank_before, found["Ana"].rank_after, found["Ana"].results) == (1, 2, ())
    assert found["Ana"].passed_by == ("Cy",)
    assert [(one.tournament, one.before, one.after.place) for one in found["Cy"].results] == [("t2", None, 1)]


def test_no_moves_without_changes():
    tournaments = [placed(1, "Ana Ben Cy")]
    assert between(tournaments, tournaments) == ()


def test_moves_of_new_and_removed_members():
    tournaments = [placed(1, "Ana Ben Cy")]
    found = between(tournaments, tournaments, "Ana Ben", "Ana Cy")
    assert [(move.player, move.rank_before, move.rank_after, move.points_after) for move in found] == [
        ("Cy", None, 2, 3),
        ("Ben", 2, None, 0),
    ]


def test_a_change_of_division_is_a_move():
    league = rules("season-league")
    before = season_table(league, members("Ana", division="Second"), [])
    after = season_table(league, members("Ana", division="First"), [])
    assert [(move.player, move.division, move.rank_after) for move in moves(before, after)] == [("Ana", "First", 1)]


def test_at_most_five_passing_members_are_named():
    names = "Ana Ben Cy Di Ed Fay Gil"
    before = [placed(1, "Ana"), *(placed(number, name) for number, name in enumerate(names.split()[1:], start=2))]
    later = [placed(9, "x Ben=Cy=Di=Ed=Fay=Gil")]
    ana = next(move for move in between(before, [*before, *later], names) if move.player == "Ana")
    assert len(ana.passed_by) == 5
