"""Results drawn by chance: every ruleset takes them, in every form it has, and the better player does better."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import msgspec
import pytest

from muster.simulator import results_by_chance
from muster.simulator.results_by_chance import BEST, SCHEMES, Table, can_concede, is_possible, plausible_result
from shared.formats.options import apply_options
from shared.formats.packs import load, shipped, shipped_ruleset
from shared.rules.model import Facts
from shared.swiss import registries
from shared.swiss.board import FORMULAS, OBJECTIVES
from shared.swiss.roster_parts import Total
from shared.swiss.ruleset import Ruleset
from shared.swiss.scoring import score_game

EXAMPLES = sorted((Path(__file__).parents[2] / "docs/examples").glob("*.yaml"))
RULESETS = [*map(shipped_ruleset, shipped("swiss")), *(load(file.read_text("utf-8"), file.name) for file in EXAMPLES)]
GAMES = range(25)
every_ruleset = pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.id)


def tables(ruleset: Ruleset, seed: int, **more: object) -> list[Table]:
    """A table for each scenario, or the one that there is."""
    written = next((check.written for check in ruleset.roster.checks if isinstance(check, Total)), "")
    total = ruleset.roster.example.get(written) if seed % 2 else None
    names = [scenario.name for scenario in ruleset.scenarios] or [""]
    return [msgspec.structs.replace(Table(scenario=name, lists=(total, total)), **more) for name in names]


@every_ruleset
@pytest.mark.parametrize("conceder", [None, 1, 2])
def test_every_ruleset_takes_what_is_drawn(ruleset: Ruleset, conceder: int | None) -> None:
    assert can_concede(ruleset)
    for seed in GAMES:
        for table in tables(ruleset, seed, conceder=conceder):
            facts = plausible_result(ruleset, table, Random(seed))
            assert is_possible(ruleset, table, facts)
            assert facts.get("conceded_by") == conceder
            assert facts == plausible_result(ruleset, table, Random(seed))


@every_ruleset
def test_the_better_player_mostly_wins(ruleset: Ruleset) -> None:
    outcomes: Counter[str] = Counter()
    for seed in GAMES:
        for table in tables(ruleset, seed, skills=(BEST, 0)):
            facts = {**plausible_result(ruleset, table, Random(seed)), "scenario": table.scenario}
            outcomes[score_game(ruleset, msgspec.convert(facts, Facts)).outcome_1] += 1
    assert outcomes["win"] > 2 * outcomes["loss"]
    assert outcomes["loss"] < outcomes.total()


@pytest.mark.parametrize(
    ("id", "forms"),
    [
        ("star-wars-armada-1.1", {"points_1", "destroyed_1", "end", "second_player"}),
        ("dust-warfare-1.0", {"points_1", "board", "winner"}),
        ("fallout-factions-comp-1.0", {"points_1", "extra"}),
    ],
)
def test_results_come_as_points_and_as_what_they_are_made_of(id: str, forms: set[str]) -> None:
    ruleset = shipped_ruleset(id)
    drawn = [
        plausible_result(ruleset, table, Random(seed)) for seed in GAMES for table in tables(ruleset, seed)
    ]  # fmt: skip
    assert all(any(form in facts for facts in drawn) for form in forms)
    assert any("points_1" not in facts for facts in drawn)


def test_a_conceded_fleet_counts_in_full() -> None:
    armada = shipped_ruleset("star-wars-armada-1.1")
    facts = plausible_result(armada, Table(conceder=2), Random(1))
    assert facts["end"] == "concession"
    assert facts.get("points_1", facts.get("destroyed_1")) >= 300


def test_lists_of_one_point_bound_every_score() -> None:
    dust = apply_options(shipped_ruleset("dust-warfare-1.0"), {"ap_limit": 1})
    for seed in GAMES:
        assert is_possible(dust, Table(lists=(0, 1)), plausible_result(dust, Table(lists=(0, 1)), Random(seed)))


def test_everything_that_makes_points_can_be_drawn() -> None:
    assert SCHEMES.keys() == registries.POINTS_SCHEMES.keys()
    assert results_by_chance.FORMULAS.keys() == FORMULAS.keys()
    assert results_by_chance.OBJECTIVES.keys() == OBJECTIVES.keys()
