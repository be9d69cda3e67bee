"""Only the database and migrations use SQLAlchemy and depend on the engine."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.sources import parsed

ROOT = Path(__file__).parents[2]
DATABASE = tuple(f"shared/log/{name}.py" for name in ("database", "grants", "postgresql", "schema", "sqlite"))
ERRORS = "sqlalchemy.exc"
"""What a database's failures are called, whoever meets them."""


@cache
def other_modules() -> list[tuple[str, ast.Module]]:
    """Return the modules of the product without the database and migrations."""
    paths = [path for top in ("shared", "services", "muster") for path in sorted((ROOT / top).rglob("*.py"))]
    names = {path: path.relative_to(ROOT).as_posix() for path in paths if "migrations" not in path.parts}
    return [(name, parsed(path)) for path, name in names.items() if not name.startswith(DATABASE)]


def imported(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


def test_only_the_database_and_migrations_use_sqlalchemy():
    found = {
        name
        for name, tree in other_modules()
        if any(target.partition(".")[0] == "sqlalchemy" and target != ERRORS for target in imported(tree))
    }
    assert found == set()


def test_only_the_engines_depend_on_the_dialect():
    found = {
        name
        for name, tree in other_modules()
        if any(isinstance(node, ast.Attribute) and node.attr == "dialect" for node in ast.walk(tree))
    }
    assert found == set()
