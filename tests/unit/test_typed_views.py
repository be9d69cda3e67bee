"""Views are built by constructors that mypy checks: a required member that one format leaves out is an error of mypy.

A copy by member names would pass mypy and answer 500 for the tournaments of that format.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.programs import run_program
from tests.sources import parsed

ROOT = Path(__file__).parents[2]
PRODUCT = ("shared", "services", "muster")

ROWS = {
    "swiss": ("RowView", "services/scoring/swiss_views.py"),
    "campaign": ("RowView", "services/scoring/campaign_views.py"),
    "coop, tables": ("TableRankView", "services/scoring/coop_views.py"),
    "coop, survivors": ("SurvivorRankView", "services/scoring/coop_views.py"),
    "season": ("SeasonRowView", "services/scoring/season_views.py"),
}
"""Format -> the view of a row of its standings, and the module that builds it."""
OF_SEVERAL_FORMATS = "services/scoring/views_standings.py"
FOLLOWED = ("shared/shapes.py", OF_SEVERAL_FORMATS, *{file for _, file in ROWS.values()})
"""Modules that mypy reads; it takes everything else as Any, which makes it quick."""
SETTINGS = f"""[mypy]
mypy_path = {ROOT}
explicit_package_bases = True
follow_imports = skip
[mypy-msgspec.*]
follow_imports = normal
"""
ADDED = "added_by_a_test"


def product_modules() -> Iterator[Path]:
    """Every module of the product."""
    for top in PRODUCT:
        yield from (ROOT / top).rglob("*.py")


def classes_of(file: Path) -> dict[str, ast.ClassDef]:
    """Return the classes of a module by name."""
    return {node.name: node for node in parsed(file).body if isinstance(node, ast.ClassDef)}


def with_member(file: Path, names: set[str]) -> str:
    """Return the text of a module in which these classes have one more required member."""
    lines = file.read_text("utf-8").splitlines()
    places = sorted((node.body[0].end_lineno or 0 for name, node in classes_of(file).items() if name in names))
    for place in reversed(places):  # after the docstring, from the end on, so that earlier places stay
        lines.insert(place, f"    {ADDED}: str")
    return "\n".join(lines) + "\n"


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The lines of mypy that name the added member, where the row of each format has one more required member."""
    folder = tmp_path_factory.mktemp("typed-views")
    settings, shadows = folder / "mypy.ini", []
    settings.write_text(SETTINGS)
    views = {name for name, _ in ROWS.values()}
    for number, place in enumerate(FOLLOWED):
        file = ROOT / place
        if views & classes_of(file).keys():
            shadow = folder / f"shadow{number}.py"
            shadow.write_text(with_member(file, views), "utf-8")
            shadows += ["--shadow-file", place, str(shadow)]
    command = [sys.executable, "-m", "mypy", "--config-file", str(settings), "--cache-dir", str(folder / "cache")]
    ran = run_program([*command, *shadows, *FOLLOWED], cwd=ROOT, capture_output=True, text=True)
    assert ran.returncode == 1, ran.stdout + ran.stderr
    return [line for line in ran.stdout.splitlines() if ADDED in line]


@pytest.mark.parametrize("format", ROWS)
def test_mypy_reports_each_row_that_lacks_a_required_member(report: list[str], format: str) -> None:
    view, file = ROWS[format]
    wanted = f'Missing named argument "{ADDED}" for "{view}"'
    assert [line for line in report if line.startswith(f"{file}:") and wanted in line], report


def test_no_view_is_built_from_a_mapping() -> None:
    views = {"View", "Appended"}
    bases = {
        name: set(map(called_name, node.bases)) for file in product_modules() for name, node in classes_of(file).items()
    }
    while derived := {name for name, own in bases.items() if own & views} - views:
        views |= derived
    assert len(views) > 200
    built = [
        f"{file.relative_to(ROOT)}:{node.lineno}"
        for file in product_modules()
        for node in ast.walk(parsed(file))
        if isinstance(node, ast.Call)
        and any(keyword.arg is None for keyword in node.keywords)
        and called_name(node.func) in views
    ]
    assert built == []


def called_name(named: ast.expr) -> str:
    """Return the last part of the name of a class or a function, without its type parameters."""
    plain = named.value if isinstance(named, ast.Subscript) else named
    return plain.attr if isinstance(plain, ast.Attribute) else getattr(plain, "id", "")
