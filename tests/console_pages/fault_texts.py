"""What the sources of the services say that they expect, read from their syntax trees.

A text with places has `{}` for each of them; each way in which an expression can end is a text of its own.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import islice, product
from typing import NamedTuple

from deploy.stack import ROOT
from tests.sources import parsed

FOLDERS = ("shared", "services")
PLACE = "{}"
SAYING: Mapping[str, tuple[int, str]] = {"Fault": (2, "expected"), "TextFault": (0, "expected")}
"""What is called with a text that is expected -> its place among the arguments, and its name."""
READS = "shared/formats/option_values.py"
"""The module whose ValueErrors say what is expected."""
SUFFIXES = {"or_option", "own_scenarios", "_option"}
"""Functions that make nothing, or the option that would allow it."""
OPTION = ", or the option some_option=5, set before round 1"
EXAMPLES = ("7", "1", "word", "2026-12-05", "O", "friday", "up", "draw")
"""What may stand in a place: a row has to fit one of them."""
MOST_WAYS = 1000
Names = Mapping[str, Sequence[ast.expr]]


class Expected(NamedTuple):
    """A text that a module expects, with `{}` for each place."""

    module: str
    form: str


@cache
def expected_texts() -> frozenset[Expected]:
    """Each text that the services, or what they share, may say that they expect."""
    files = (file for folder in FOLDERS for file in (ROOT / folder).rglob("*.py"))
    modules = {file.relative_to(ROOT).as_posix(): parsed(file) for file in files}
    return frozenset(Expected(name, form) for name, tree in modules.items() for form in forms(tree, name == READS))


def filled(form: str, examples: Sequence[str] = EXAMPLES) -> Iterator[str]:
    """A form with examples in its places, in every way."""
    first, *rest = form.split(PLACE)
    for chosen in islice(product(examples, repeat=len(rest)), MOST_WAYS):
        yield first + "".join(one + after for one, after in zip(chosen, rest, strict=True))


def forms(tree: ast.Module, reads: bool = False) -> Iterator[str]:
    """The forms of everything that a module expects. reads: whether its ValueErrors say so, too."""
    of_module = _assigned(tree.body)
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    inside = {id(node) for function in functions for node in ast.walk(function)}
    outside = [node for node in ast.walk(tree) if id(node) not in inside]
    scopes = [(outside, of_module)]
    scopes += [(list(ast.walk(one)), {**of_module, **_assigned(list(ast.walk(one)))}) for one in functions]
    for nodes, names in scopes:
        for node in nodes:
            for said in _said(node, reads):
                yield from _forms(said, names, 0)


def _said(node: ast.AST, reads: bool) -> Iterator[ast.expr]:
    """The expressions of a node that say what is expected."""
    if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        if any(isinstance(target, ast.Attribute) and target.attr == "expected" for target in targets):
            yield node.value
    if not isinstance(node, ast.Call):
        return
    called = getattr(node.func, "id", "")
    place, name = SAYING.get(called, (0, "expected") if reads and called == "ValueError" else (99, ""))
    yield from node.args[place : place + 1]
    yield from (one.value for one in node.keywords if one.arg == name or (called == "for_each" and one.arg == "wanted"))


def _assigned(nodes: Sequence[ast.AST]) -> dict[str, list[ast.expr]]:
    """Name -> every expression that it may stand for; what is added to it later makes one more."""
    found: dict[str, list[ast.expr]] = {}
    for node in nodes:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                several = isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple)
                pairs = zip(target.elts, node.value.elts, strict=True) if several else [(target, node.value)]
                for one, value in pairs:
                    found.setdefault(getattr(one, "id", ""), []).append(value)
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            found.setdefault(getattr(node.target, "id", ""), []).append(node.value)
        elif isinstance(node, ast.AugAssign):
            before = found.setdefault(getattr(node.target, "id", ""), [])
            before += [ast.BinOp(one, ast.Add(), node.value) for one in before]
    return found


def _forms(node: ast.expr, names: Names, depth: int) -> list[str]:
    """The ways in which an expression can end, with `{}` for what is known only when it runs."""

    def below(inner: ast.expr) -> list[str]:
        return _forms(inner, names, depth + 1) if depth < 8 else [PLACE]

    match node:
        case ast.Constant(value=str(text)):
            return [text]
        case ast.FormattedValue(value=value, conversion=conversion):
            return [f"'{one}'" for one in below(value)] if conversion == ord("r") else below(value)
        case ast.JoinedStr(values=parts):
            return ["".join(one) for one in islice(product(*map(below, parts)), MOST_WAYS)]
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return [one + two for one in below(left) for two in below(right)]
        case ast.IfExp(body=one, orelse=other):
            return below(one) + below(other)
        case ast.BoolOp(values=values):
            return [form for value in values for form in below(value)]
        case ast.Name(id=name) if name in names:
            return [form for value in names[name] for form in below(value)]
        case ast.Subscript(value=ast.Name(id=name)) if name in names:
            tables = [table for table in names[name] if isinstance(table, ast.Dict)]
            return [form for table in tables for value in table.values for form in below(value)] or [PLACE]
        case ast.Call(func=ast.Name(id=name)) if name in SUFFIXES:
            return ["", OPTION]
    return [PLACE]
