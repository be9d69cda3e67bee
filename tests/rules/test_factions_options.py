"""Every value of every option of Fallout: Factions, played at the command line and checked independently."""

from __future__ import annotations

from pathlib import Path

import pytest

from shared.rules.parts import Option
from tests.rules.factions import FACTIONS
from tests.rules.independent.test_fallout_factions_independently import held

NAMED = {
    "avoid_repeat_byes", "dq_opponent_results", "search_token_tiebreak", "legality_delay_days", "scenario_max",
    "bye_may_move", "spare_mode", "dropped_in_standings", "concession", "interrupted_round", "escalation_zero_draw",
    "legend_outside_budget", "reuse_draws",
}  # fmt: skip
"""The keys that the document's own list of decisions gives."""


def values(option: Option) -> list[str]:
    """Return every choice, both booleans, the bounds of a number, and all and some of a list of words."""
    if option.kind == "flag":
        return ["true", "false"]
    if option.kind == "choice":
        return list(option.choices)
    if option.kind == "words":
        return [",".join(option.choices), ",".join([*option.choices][1:3])]
    ends = {option.least, option.least + 40 if option.most is None else option.most}
    return [str(number) for number in sorted(ends)]


EVERY = [(option.key, value) for option in FACTIONS.options for value in values(option)]


def test_every_decision_with_a_key_is_an_option() -> None:
    assert {option.key for option in FACTIONS.options} >= NAMED


@pytest.mark.parametrize(("key", "value"), EVERY, ids=[f"{key}={value}" for key, value in EVERY])
def test_a_tournament_is_played_under_each_value(key: str, value: str, tmp_path: Path) -> None:
    held(5, tmp_path, {key: value})
