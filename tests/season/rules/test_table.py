"""The table of a season: points of places, best n results, tiebreakers, and reasons for exclusion."""

from __future__ import annotations

import pytest

from shared.season.table import rows_as_json, season_table
from tests.season.rules.story import members, order, placed, rules


def test_excluded_results_have_a_reason():
    points = rules(counting={"best": 2})
    tournaments = [placed(1, "Ana Ben Cy"), placed(2, "Ben Ana Cy"), placed(3, "Ana Cy Ben")]
    table = season_table(points, members("Ana Ben Cy"), tournaments)
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


@pytest.mark.clause("SEA-RANK", "SEA-ELIG", "SEA-MIN")
def test_rows_as_json():
    gathered = [placed(1, "Ana Ben Cy")]
    cast = [*members("Ana"), *members("Ben", status="withdrawn"), *members("Cy")]
    rows = rows_as_json(season_table(rules(), cast, gathered))
    shown = {row["player"]: row for row in rows}
    assert shown["Ben"]["status"] == "withdrawn"
    assert all("status" not in shown[name] and "division" not in shown[name] for name in ("Ana", "Cy"))
    assert {row["attended"] for row in rows} == {1}
