"""Who stands where in a season: points of places, the best n of them, tiebreakers, and why a result does not count."""

from __future__ import annotations

from shared.formats.season.rules.table import rows_as_json, season_table
from tests.season.rules.story import members, order, placed, rules


def test_the_best_results_count_and_the_others_say_why_not():
    points = rules(counting={"best": 2})
    told = [placed(1, "Ana Ben Cy"), placed(2, "Ben Ana Cy"), placed(3, "Ana Cy Ben")]
    table = season_table(points, members("Ana Ben Cy"), told)
    assert order(table) == [(1, "Ana"), (2, "Ben"), (3, "Cy")]
    assert [(one.tournament, one.points, one.reason) for one in table.row("Ben").results] == [
        ("t1", 6, ""),
        ("t2", 9, ""),
        ("t3", 4, "not_best"),
    ]
    assert rows_as_json(table)[0] == {
        "rank": 1,
        "player": "Ana",
        "points": 18,
        "first_places": 2,
        "best_result": 9,
        "attended": 3,
        "eligible": True,
        "tied": False,
    }
