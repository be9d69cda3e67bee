"""The edge imports nothing about tournaments, and pure modules are pure."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

from tests.programs import run_program
from tests.sources import parsed

ROOT = Path(__file__).parents[2]
FILES = [*sorted((ROOT / "shared/web").glob("*.py")), ROOT / "shared/logs.py", ROOT / "shared/metrics.py"]
MAY_IMPORT = (
    "shared.csv_cells",
    "shared.environment",
    "shared.keys",
    "shared.logs",
    "shared.metrics",
    "shared.names",
    "shared.refusals",
    "shared.roles",
    "shared.settings",
    "shared.shapes",
    "shared.tracing",
    "shared.version",
    "shared.web",
)
PURE = ("refusals", "schema", "tokens", "versions")


def imported(path):
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_edge_imports_only_foundations(path):
    for name in imported(path):
        if name.startswith(("shared", "services")):
            assert name.startswith(MAY_IMPORT), name


@pytest.mark.parametrize(
    "name", [*(f"shared.web.{name}" for name in PURE), "shared.logs", "shared.metrics", "shared.tracing"]
)
def test_pure_modules_do_not_import_flask(name):
    look = f"import sys, {name}; sys.exit('flask' in sys.modules)"
    assert run_program([sys.executable, "-c", look], cwd=ROOT).returncode == 0
