"""What Dust Warfare recommends of an event: told, and never refused."""

from __future__ import annotations

from typing import Any

import pytest

from shared.formats.options import apply_options
from shared.formats.pack import shipped_ruleset
from shared.formats.swiss.rules.event_parts import advice_on_event
from shared.formats.swiss.rules.rounds import list_limit

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
def test_what_is_recommended_is_told_where_it_is_otherwise(
    players: int, options: dict[str, Any], clauses: list[str]
) -> None:
    ruleset = apply_options(DUST, options)
    extra = ruleset.clock.extra_minutes
    advice = advice_on_event(ruleset.advice, list_limit=list_limit(ruleset), players=players, extra_minutes=extra)
    assert [fault.clause for fault in advice] == clauses
