"""Only engines and migrations use SQLAlchemy, and nothing else asks which engine is at work."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.sources import parsed

ROOT = Path(__file__).parents[2]
ENGINES = ROOT / "shared/eventlog/engines"
ERRORS = "sqlalchemy.exc"
"""What a database's failures are called, whoever meets them."""


@cache
def modules() -> list[tuple[Path, ast.Module]]:
    paths = [path for top in ("shared", "services", "muster") for path in sorted((ROOT / top).rglob("*.py"))]
    return [(path, parsed(path)) for path in paths]


def imported(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


def test_sql_is_written_for_engines_and_migrations_alone():
    found = {
        str(path.relative_to(ROOT))
        for path, tree in modules()
        if ENGINES not in path.parents
        and "migrations" not in path.parts
        and any(name.partition(".")[0] == "sqlalchemy" and name != ERRORS for name in imported(tree))
    }
    assert found == set()


def test_nothing_else_asks_for_the_dialect():
    found = {
        str(path.relative_to(ROOT))
        for path, tree in modules()
        if ENGINES not in path.parents
        and "migrations" not in path.parts
        and any(isinstance(node, ast.Attribute) and node.attr == "dialect" for node in ast.walk(tree))
    }
    assert found == set()
