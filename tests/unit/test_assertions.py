"""No assertion of a test is true whatever happens."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
SUSPECT = re.compile(r"^ +(assert *[\[{(]|[\w.]+\(.*\), *[^()\n]+$)")
"""The first line of a statement to look at: parsing every file takes seconds."""
MOST_LINES = 40


def vacuous(text: str, name: str) -> Iterator[str]:
    """Yield the place of each assertion of a container, and of each statement that is a tuple of more than calls."""
    lines = text.splitlines()
    for number, line in enumerate(lines):
        inside = lines[number - 1].endswith(("(", "[", "{", ","))  # a line of a longer statement
        if not inside and SUSPECT.match(line) and (node := statement(lines[number : number + MOST_LINES])):
            asserted = isinstance(node, ast.Assert) and is_always_true(node.test)
            if asserted or (isinstance(node, ast.Expr) and is_tuple_with_words(node.value)):
                yield f"{name}:{number + 1}"


def statement(lines: Sequence[str]) -> ast.stmt | None:
    """Return the statement that begins in the first line; None where no number of these lines is one."""
    text = lines[0].strip()
    for line in (*lines[1:], ""):
        with suppress(SyntaxError):
            return ast.parse(text).body[0]
        text += f"\n{line}"
    return None


def is_always_true(node: ast.expr) -> bool:
    """Return True for a generator, and for a container with elements or one for each element of another."""
    if isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp):
        return not any(one.ifs for one in node.generators)
    return isinstance(node, ast.List | ast.Tuple | ast.Dict | ast.Set | ast.GeneratorExp)


def is_tuple_with_words(node: ast.expr) -> bool:
    return isinstance(node, ast.Tuple) and not all(isinstance(one, ast.Call) for one in node.elts)


@pytest.mark.parametrize(
    "line",
    ["assert [x > 1 for x in y]", "assert {x: 1 for x in y}", "assert (x > 1 for x in y)", "check(x), 'why'"],
)
def test_an_assertion_that_cannot_fail_is_found(line):
    assert list(vacuous(f"def test_it(x, y):\n    {line}\n", "a")) == ["a:2"]


@pytest.mark.parametrize(
    "line", ["assert [x for x in y if x] == []", "assert (x > 1)", "x = f(y), 1", "check(x, 'why')"]
)
def test_one_that_can_fail_is_not(line):
    assert list(vacuous(f"def test_it(x, y):\n    {line}\n", "a")) == []


def test_no_test_asserts_what_is_always_true():
    files = sorted(TESTS.rglob("*.py"))
    assert len(files) > 500
    assert [place for file in files for place in vacuous(file.read_text("utf-8"), file.name)] == []
