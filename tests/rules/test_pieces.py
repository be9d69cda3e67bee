"""Pieces are independent: they take plain arguments, and only their callers know the registries."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from shared.rules import tiebreakers
from shared.rules.model import Outcome
from shared.rules.tiebreakers import Criterion, Played, criterion_values, head_to_head, tied_groups, wins
from shared.swiss import registries

FOLDERS = (Path(registries.__file__).parent, Path(tiebreakers.__file__).parent)
PIECES = [
    "rules.matching",
    "rules.model",
    "rules.pairing",
    "rules.tiebreakers",
    "swiss.margins",
    "swiss.outcomes",
    "swiss.roster_checks",
]
ABOVE = {
    *(
        f"shared.swiss.{name}"
        for name in ("registries", "ruleset", "checks", "scoring", "standings", "pairing", "roster")
    ),
    *("shared.formats.options", "shared.formats.packs", "shared.rules.checks"),
}


def imported(module: str) -> set[str]:
    """Return the modules that a module imports, and the imported names."""
    file = FOLDERS[0].parent / (module.replace(".", "/") + ".py")
    found = [node for node in ast.walk(ast.parse(file.read_text("utf-8"))) if isinstance(node, ast.ImportFrom)]
    return {f"{node.module}.{alias.name}" for node in found for alias in node.names} | {
        node.module or "" for node in found
    }


@pytest.mark.parametrize("piece", PIECES)
def test_a_piece_imports_no_registry_and_no_ruleset(piece: str) -> None:
    assert not imported(piece) & ABOVE


def test_the_rules_use_no_clock_and_no_randomness() -> None:
    for path in (path for folder in FOLDERS for path in folder.glob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        modules = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
        taken = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
        days = [
            node
            for node in taken
            if node.module == "datetime" and {a.name for a in node.names} <= {"date", "timedelta"}
        ]
        modules |= {node.module or "" for node in taken if node not in days}
        assert not modules & {"random", "time", "datetime", "secrets", "uuid", "os"}, path.name
        asked = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        assert not asked & {"today", "now", "utcnow"}, path.name
        constants = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
        assert not any(isinstance(value, float) for value in constants), path.name


def test_head_to_head_counts_games_between_tied_players() -> None:
    def round(number: int, opponent: str | None, outcome: Outcome) -> Played:
        return Played(number, opponent, outcome, {}, opponent is None)

    records = {
        "a": [round(1, "b", "win"), round(2, "c", "loss"), round(3, None, "win")],
        "b": [round(1, "a", "loss"), round(2, None, "win"), round(3, "c", "draw")],
    }
    rule = Criterion(column="", piece="", clause="")
    assert [wins(records, ["a", "b"], rule)(player) for player in "ab"] == [[1, 0, 1], [0, 1, 0]]
    assert [head_to_head(records, ["a", "b"], rule)(player) for player in "ab"] == [[1, 0, 0], [0, 0, 0]]


@pytest.mark.clause("AR-TB-1", "AR-TB-4")
def test_head_to_head_ignores_other_games() -> None:
    """a and b are level. a beat c, who is not; b beat a."""
    records = {
        "a": [Played(1, "c", "win", {}, False), Played(2, "b", "loss", {}, False), Played(3, "d", "win", {}, False)],
        "b": [Played(1, "d", "win", {}, False), Played(2, "a", "win", {}, False), Played(3, "c", "loss", {}, False)],
        "c": [Played(1, "a", "loss", {}, False), Played(2, "d", "loss", {}, False), Played(3, "b", "win", {}, False)],
        "d": [Played(1, "b", "loss", {}, False), Played(2, "c", "win", {}, False), Played(3, "a", "loss", {}, False)],
    }
    order = [Criterion(column=piece, piece=piece, clause="") for piece in ("wins", "head_to_head")]
    values = {rule.column: criterion_values(records, records, rule) for rule in order}
    assert tied_groups(list("abcd"), order, values, records)[:2] == [["b"], ["a"]]
