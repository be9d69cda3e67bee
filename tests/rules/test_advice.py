"""Recommendations of Dust Warfare for an event: reported, never enforced."""

from __future__ import annotations

from typing import Any

import pytest

from shared.formats.options import apply_options
from shared.formats.packs import shipped_ruleset
from shared.swiss.game_parts import Recommendation, advice_on_event
from shared.swiss.rounds import list_limit

DUST = shipped_ruleset("dust-warfare-1.0")


@pytest.mark.clause("DW-SET-2", "DW-SET-3", "DW-SET-4", "DW-AMB-25")
@pytest.mark.parametrize(
    ("players", "options", "clauses"),
    [
        (8, {}, []),
        (0, {}, []),
        (6, {}, ["DW-SET-4"]),
        (7, {}, ["DW-SET-4", "DW-SET-4"]),
        (8, {"ap_limit": 200}, []),
        (8, {"ap_limit": 199}, ["DW-SET-2"]),
        (8, {"ap_limit": 401, "extra_minutes": 15}, ["DW-SET-3"]),
        (8, {"ap_limit": 401, "extra_minutes": 0}, ["DW-SET-3", "DW-AMB-25"]),
    ],
)
def test_advice_reports_numbers_that_differ_from_recommendations(
    players: int, options: dict[str, Any], clauses: list[str]
) -> None:
    ruleset = apply_options(DUST, options)
    extra = ruleset.clock.extra_minutes
    advice = advice_on_event(ruleset.advice, list_limit=list_limit(ruleset), players=players, extra_minutes=extra)
    assert [fault.clause for fault in advice] == clauses


def test_advice_handles_a_power_of_one():
    rule = Recommendation(of="players", says="one", clause="X", power_of=1)
    assert list(advice_on_event([rule], list_limit=0, players=1, extra_minutes=0)) == []
    assert len(list(advice_on_event([rule], list_limit=0, players=8, extra_minutes=0))) == 1
