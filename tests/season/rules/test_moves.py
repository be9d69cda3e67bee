"""What moved between two tables, and by what."""

from __future__ import annotations

from shared.season.table import moves, season_table
from tests.season.rules.story import members, placed, rules

RULES = rules(points={"participation": 0})


def between(before, after, names="Ana Ben Cy", names_after=""):
    return moves(season_table(RULES, members(names), before), season_table(RULES, members(names_after or names), after))


def test_a_correction_names_who_changed_and_who_was_passed():
    found = between([placed(1, "Ana Ben Cy")], [placed(1, "Ana Cy Ben")])
    assert [(move.player, move.rank_before, move.rank_after) for move in found] == [("Cy", 3, 2), ("Ben", 2, 3)]
    cy, ben = found
    assert (cy.points_before, cy.points_after, cy.columns) == (3, 5, ("points", "best_result", "latest_result"))
    assert [(one.tournament, one.before.place, one.after.place) for one in cy.results] == [("t1", 3, 2)]
    assert (cy.passed_by, ben.passed_by) == ((), ("Cy",))


def test_who_moved_by_the_result_of_somebody_else_has_no_change_of_their_own():
    before, after = [placed(1, "Ana Ben Cy")], [placed(1, "Ana Ben Cy"), placed(2, "Cy Di Ed")]
    found = {move.player: move for move in between(before, after)}
    assert (found["Ana"].rank_before, found["Ana"].rank_after, found["Ana"].results) == (1, 2, ())
    assert found["Ana"].passed_by == ("Cy",)
    assert [(one.tournament, one.before, one.after.place) for one in found["Cy"].results] == [("t2", None, 1)]


def test_nothing_moves_where_nothing_changed():
    told = [placed(1, "Ana Ben Cy")]
    assert between(told, told) == ()


def test_who_came_and_who_is_gone():
    told = [placed(1, "Ana Ben Cy")]
    found = between(told, told, "Ana Ben", "Ana Cy")
    assert [(move.player, move.rank_before, move.rank_after, move.points_after) for move in found] == [
        ("Cy", None, 2, 3),
        ("Ben", 2, None, 0),
    ]


def test_a_change_of_division_is_a_move():
    league = rules("season-league")
    before = season_table(league, members("Ana", division="Second"), [])
    after = season_table(league, members("Ana", division="First"), [])
    assert [(move.player, move.division, move.rank_after) for move in moves(before, after)] == [("Ana", "First", 1)]


def test_five_are_named_at_most():
    names = "Ana Ben Cy Di Ed Fay Gil"
    before = [placed(1, "Ana"), *(placed(number, name) for number, name in enumerate(names.split()[1:], start=2))]
    later = [placed(9, "x Ben=Cy=Di=Ed=Fay=Gil")]
    ana = next(move for move in between(before, [*before, *later], names) if move.player == "Ana")
    assert len(ana.passed_by) == 5
