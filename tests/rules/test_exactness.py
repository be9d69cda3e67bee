"""No binary float anywhere: in computed values, in output and records, and in the code."""

from __future__ import annotations

import ast
import json
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from shared.formats.options import apply_options
from shared.formats.packs import shipped_ruleset
from shared.log.event import canonical_json
from shared.rules.model import RoundsNotFixed
from shared.rules.parts import to_json
from shared.swiss.pairing import pair_round
from shared.swiss.ranking import as_draws, as_rows
from shared.swiss.ruleset import Ruleset
from shared.swiss.standings import explain, rank, rows_as_json
from tests.examples import examples
from tests.rules.tournaments import RULESETS, read, text_of, tournaments
from tests.sources import parsed

SHARED = Path(__file__).parents[2] / "shared"
IN_DECIMALS = {SHARED / "season" / f"{name}.py" for name in ("checks", "counting", "ratings")}  # docs/decisions/0034
SOURCES = [
    path
    for folder in ("rules", "events", "tournament", "formats", "swiss", "campaign", "coop", "season")
    for path in sorted((SHARED / folder).rglob("*.py"))
    if path not in IN_DECIMALS
]
INEXACT = {"math", "cmath", "statistics", "random", "numpy", "decimal"}

TOME = apply_options(shipped_ruleset("star-wars-armada-1.1"), {"sos": "tome"})


def exact(value: Any) -> None:
    """Check that a value consists of integers, fractions, words and booleans."""
    if isinstance(value, msgspec.Struct):
        value = {name: getattr(value, name) for name in value.__struct_fields__}
    if isinstance(value, dict):
        exact([*value.keys(), *value.values()])
    elif isinstance(value, list | tuple | set | frozenset):
        for item in value:
            exact(item)
    else:
        assert value is None or type(value) in (int, Fraction, str, bool)


@pytest.mark.parametrize("ruleset", [*RULESETS, TOME], ids=lambda ruleset: f"{ruleset.id} {ruleset.chosen or ''}")
@settings(max_examples=examples(8), deadline=None)
@given(data=some.data())
@pytest.mark.clause("AR-TB-4")
def test_results_standings_explanations_and_pairings_are_exact(ruleset: Ruleset, data: some.DataObject) -> None:
    files = data.draw(tournaments(ruleset, leaving=False))
    entrants, games = read(ruleset, text_of(files.players), text_of(files.results))
    last = max(game.round for game in games)
    standings = rank(ruleset, entrants, games, round=last, seed="s")
    reasons = explain(ruleset, entrants, games, round=last)
    exact([games, standings, rows_as_json(standings), [reasons(row.player) for row in standings.rows]])
    with suppress(RoundsNotFixed):  # a round robin may be over
        exact(pair_round(ruleset, entrants, games, round=last + 1, seed="s"))
    recorded = [msgspec.to_builtins(part) for part in (*as_rows(standings), *as_draws(standings))]
    exact([recorded, json.loads(canonical_json({"recorded": recorded}))])


@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.id)
def test_a_ruleset_is_exact(ruleset: Ruleset) -> None:
    exact([ruleset, to_json(ruleset)])


def test_the_code_contains_no_float() -> None:
    for path in SOURCES:
        check_no_float(path)


def check_no_float(path: Path) -> None:
    """Check that code has no float literal, `float` or float library, and `/` only on a Fraction (or to join paths)."""
    for node in ast.walk(parsed(path)):
        place = f"{path}:{getattr(node, 'lineno', 0)}"
        if isinstance(node, ast.Constant):
            assert not isinstance(node.value, float | complex), place
        elif isinstance(node, ast.Name):
            assert node.id != "float", place
        elif isinstance(node, ast.Import):
            assert not {alias.name for alias in node.names} & INEXACT, place
        elif isinstance(node, ast.ImportFrom):
            assert node.module not in INEXACT, place
        elif isinstance(node, ast.AugAssign):
            assert not isinstance(node.op, ast.Div), place
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
            called = ast.unparse(node.left.func) if isinstance(node.left, ast.Call) else ""
            assert called in ("Fraction", "resources.files"), place
