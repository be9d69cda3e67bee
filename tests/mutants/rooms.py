"""Whose tests judge a place that no clause claims: those of the room that it lies in."""

from __future__ import annotations

import ast
from pathlib import Path

ROOMS = {
    "shared/campaign/": "tests/campaign",
    "shared/coop/": "tests/coop",
    "shared/season/": "tests/season/rules",
    "shared/swiss/": "tests/rules",
    "shared/rules/": "tests/rules",
}
"""Folder of rules -> folder of the tests of these rules; the first that holds a file counts."""


class Rooms:
    """The test files of each room. root: the repository."""

    def __init__(self, root: Path) -> None:
        self._imported = {
            path.relative_to(root).as_posix(): imported(path.read_text("utf-8"))
            for folder in ROOMS.values()
            for path in sorted((root / folder).glob("test_*.py"))
        }

    def tests_of(self, file: str) -> list[str]:
        """Every test file of the room that holds a file, and those of other rooms that import it.

        Files that import it come first, since they are the likeliest to notice soon.
        """
        module = file.removesuffix(".py").replace("/", ".")
        room = next(tests for rules, tests in ROOMS.items() if file.startswith(rules))
        importing = [test for test, modules in self._imported.items() if module in modules]
        inside = (test for test in self._imported if test.rpartition("/")[0] == room)
        return list(dict.fromkeys([*importing, *inside]))


def imported(text: str) -> set[str]:
    """The modules, and what else by its dotted name, that a file imports."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.update((node.module, *(f"{node.module}.{alias.name}" for alias in node.names)))
    return found
