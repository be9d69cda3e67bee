"""Ends of a game of Armada from both sides: whole fleets and margins."""

from __future__ import annotations

from typing import Any

import pytest

from shared.formats.packs import shipped_ruleset
from shared.rules.model import Facts, ImpossibleResult
from shared.swiss.scoring import score_game

ARMADA: Any = shipped_ruleset("star-wars-armada-1.1")


@pytest.mark.clause("AR-RES-2", "AR-RES-6")
@pytest.mark.parametrize("gone", [1, 2])
def test_a_fleet_without_ships_counts_as_whole_for_either_side(gone: int) -> None:
    other = 3 - gone
    end = f"defeated_{gone}"
    reported: dict[str, Any] = {f"objective_{other}": 20, f"points_{gone}": 70, "end": end}
    score = score_game(ARMADA, Facts(**reported))
    values = (score.values_1, score.values_2)
    assert values[other - 1] == {"tournament_points": 10, "margin_of_victory": 250}
    assert values[gone - 1] == {"tournament_points": 0, "margin_of_victory": 0}
    with pytest.raises(ImpossibleResult) as refused:
        score_game(ARMADA, Facts(**{f"points_{other}": 299, f"points_{gone}": 0, "end": end}))
    assert [(fault.where, fault.clause) for fault in refused.value.faults] == [(f"/points_{other}", "AR-RES-6")]


@pytest.mark.clause("AR-AMB-8")
@pytest.mark.parametrize("second", [1, 2])
def test_fleets_destroyed_simultaneously_give_no_margin(second: int) -> None:
    reported: dict[str, Any] = {"end": "simultaneous", "second_player": second, f"objective_{second}": 100}
    score = score_game(ARMADA, Facts(**reported, **{f"objective_{3 - second}": 10}))
    values = (score.values_1, score.values_2)
    assert ((score.outcome_1, score.outcome_2) if second == 1 else (score.outcome_2, score.outcome_1)) == (
        "win",
        "loss",
    )
    assert [value["margin_of_victory"] for value in values] == [0, 0]
    assert [value["tournament_points"] for value in values] == [5, 5]
