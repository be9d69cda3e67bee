"""Which clauses a place in the rules is of, as the code and the packs name them themselves."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

from shared.formats.packs import cited_clauses, shipped_clauses


def known() -> frozenset[str]:
    """The ids of every clause that ships."""
    return frozenset(clause.id for clauses in shipped_clauses().values() for clause in clauses)


def held_by_file() -> dict[str, frozenset[str]]:
    """File below the repository -> the clauses whose `where` names it."""
    found: dict[str, set[str]] = {}
    for clauses in shipped_clauses().values():
        for clause in clauses:
            for file in re.findall(r"shared/[\w/]+\.py", clause.where):
                found.setdefault(file, set()).add(clause.id)
    return {file: frozenset(ids) for file, ids in found.items()}


class CodeClaims:
    """The clauses of the lines of one file of Python.

    A line is of the clauses that its innermost function or class names, in words or in data; where none does so, of
    those that the file's own docstring names, and those whose list of clauses names the file. What a function takes
    from another source, and says so, is of no clause.
    """

    def __init__(self, text: str, ids: frozenset[str], of_file: Iterable[str] = ()) -> None:
        self._lines = text.splitlines()
        self._ids = ids
        self._tree = ast.parse(text)
        self._module = frozenset(cited_clauses(ast.get_docstring(self._tree) or "", ids)).union(of_file)

    def at(self, line: int) -> frozenset[str]:
        """The clauses of a line, counted from 1; empty where nobody names one."""
        around = [(text, clauses) for first, last, text, clauses in self._blocks if first <= line <= last]
        return next((clauses for text, clauses in around if clauses or "Source: " in text), self._module)

    def is_rule(self, line: int, column: int) -> bool:
        """Whether what stands there is done when rules are applied: no annotation, no decorator, no text."""
        return not any(first <= (line, column) < last for first, last in self._idle)

    @cached_property
    def _blocks(self) -> list[tuple[int, int, str, frozenset[str]]]:
        """First and last line of every function and class, its text and the clauses in it, the smallest first."""
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
        nodes = [(node.lineno, node.end_lineno or 0) for node in ast.walk(self._tree) if isinstance(node, kinds)]
        texts = [(first, last, "\n".join(self._lines[first - 1 : last])) for first, last in sorted(nodes, key=_length)]
        return [(first, last, text, frozenset(cited_clauses(text, self._ids))) for first, last, text in texts]

    @cached_property
    def _idle(self) -> list[tuple[tuple[int, int], tuple[int, int]]]:
        return [
            ((node.lineno, node.col_offset), (node.end_lineno or 0, node.end_col_offset or 0))
            for node in _idle_nodes(self._tree)
        ]


def _length(lines: tuple[int, int]) -> int:
    return lines[1] - lines[0]


def _idle_nodes(tree: ast.AST) -> Iterator[Any]:
    """Annotations, decorators, what a class is made with, aliases of types, and the words of a refusal."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from node.decorator_list
            yield from filter(None, [node.returns])
        elif isinstance(node, ast.ClassDef):
            yield from node.decorator_list
            yield from (keyword.value for keyword in node.keywords)
        elif isinstance(node, ast.arg | ast.AnnAssign) and node.annotation is not None:
            yield node.annotation
        elif isinstance(node, ast.JoinedStr):
            yield node
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Fault":
            yield from node.args[1:]
    if isinstance(tree, ast.Module):
        yield from (node.value for node in tree.body if isinstance(node, ast.Assign) and _is_type(node.value))


def _is_type(node: ast.AST) -> bool:
    """Whether an assigned value is made of names and `|` alone: an alias of types, which no rule reads."""
    return isinstance(node, ast.BinOp) and all(
        isinstance(part, ast.BinOp | ast.BitOr | ast.Name | ast.Load | ast.Subscript | ast.Constant | ast.Attribute)
        for part in ast.walk(node)
    )
