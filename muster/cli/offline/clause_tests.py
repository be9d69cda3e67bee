"""Which tests prove which clause: read from the `clause` markers in the test files, without running them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path


def proving_tests(folder: Path) -> dict[str, list[str]]:
    """Clause id -> the tests that name it, as `tests/rules/test_draw.py::test_the_order`, in order of files.

    folder: where tests are looked for, in every `test_*.py` below. A marker on a class or a module stands for all in
    it. Raises SyntaxError for a file that is not Python.
    """
    found: dict[str, list[str]] = {}
    for path in sorted(folder.rglob("test_*.py")):
        text, name = path.read_text("utf-8"), path.relative_to(folder.parent).as_posix()
        for test, clause in _marked(ast.parse(text, str(path)), name) if "mark.clause" in text else ():
            tests = found.setdefault(clause, [])
            if test not in tests:
                tests.append(test)
    return found


def _marked(node: ast.AST, name: str) -> Iterator[tuple[str, str]]:
    """Every test below a node with each clause id that a marker on it gives."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ClassDef):
            yield from _marked(child, f"{name}::{child.name}")
            continue
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            decorators = ast.Expr(ast.Tuple(child.decorator_list, ast.Load()))  # what it does marks nothing
            yield from _marked(decorators, f"{name}::{child.name}")
            continue
        for id in _ids(child):
            yield name, id
        yield from _marked(child, name)


def _ids(node: ast.AST) -> Iterator[str]:
    """The clause ids of `pytest.mark.clause(...)`; none of any other node."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return
    owner = node.func.value
    if node.func.attr != "clause" or not isinstance(owner, ast.Attribute) or owner.attr != "mark":
        return
    for argument in node.args:
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
            yield argument.value
