"""`muster clauses`: every clause of the rules documents, where it lives, and the tests that prove it."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

import click
import yaml

from muster.cli.command_group import example
from muster.cli.offline_input import format_option
from muster.cli.output import NOT_HELD, format_rows, print_faults, refuse, write
from shared.formats.packs import Clause, cited_clauses, shipped_clauses, unproved_clauses
from shared.refusals import NOTHING, Fault, expects, one_of


def proving_tests(folder: Path) -> dict[str, list[str]]:
    """Return the tests that prove each clause: clause id -> `tests/rules/test_draw.py::test_the_order`, in file order.

    folder: every `test_*.py` below it is read. A marker on a class or module counts for all its tests. Raises
    SyntaxError for a file that is not Python.
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
    """Yield every test below a node with each clause id of its markers."""
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
    """Return the clause ids of `pytest.mark.clause(...)`; none for other nodes."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return
    owner = node.func.value
    if node.func.attr != "clause" or not isinstance(owner, ast.Attribute) or owner.attr != "mark":
        return
    for argument in node.args:
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
            yield argument.value


ROOMS = ("shared", "services", "muster")
"""Folders of code."""

FORMATS = Path("shared")
"""The folder of the formats, each with its packs."""

_PARTING = re.compile(r"[;,\s]+|:(?=\s)")


def places_of(root: Path, rulesets: Mapping[str, Sequence[Clause]]) -> dict[str, list[str]]:
    """Return where each clause is implemented: clause id -> `file:line`, one for each file, the pack first.

    root: the folder of `shared` and `services`. rulesets: id -> clauses; a pack is searched for its own clauses only.
    """
    known = {clause.id for clauses in rulesets.values() for clause in clauses}
    code = [path.relative_to(root) for room in ROOMS for path in sorted((root / room).rglob("*.py"))]
    naming: dict[str, dict[Path, int]] = {}
    for file in code:
        text = (root / file).read_text("utf-8")
        for id, line in _lines(text, known, _end_of_docstring(text)).items():
            naming.setdefault(id, {})[file] = line
    places: dict[str, list[str]] = {}
    for ruleset, clauses in rulesets.items():
        pack = next((file.relative_to(root) for file in (root / FORMATS).glob(f"*/packs/{ruleset}.yaml")), Path())
        text = (root / pack).read_text("utf-8") if (root / pack).is_file() else ""
        there, parts = _lines(text, known), dict(_parts(yaml.compose(text))) if text else {}
        for clause in clauses:
            found = dict(naming.get(clause.id, {}))
            first: dict[Path, int] = {}
            for part in filter(None, _PARTING.split(clause.where)):
                if part.endswith(".py") and (root / part).is_file():
                    first[Path(part)] = found.get(Path(part), 1)
                elif part in parts:
                    first.setdefault(pack, parts[part])
            if clause.id in there:
                found[pack] = there[clause.id]
            places[clause.id] = [f"{file.as_posix()}:{line}" for file, line in {**first, **found, **first}.items()]
    return places


def _lines(text: str, known: Collection[str], after: int = 0) -> dict[str, int]:
    """Return the first line that names each id, also in a range; the first one after line `after` if there is one."""
    found: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        for id in cited_clauses(line, known):
            if id not in found or found[id] <= after < number:
                found[id] = number
    return found


def _end_of_docstring(text: str) -> int:
    """Return the last line of a module's docstring; 0 if it has none. Raises SyntaxError if it is not Python."""
    first = next(iter(ast.parse(text).body), None)
    docstring = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    return (first.end_lineno or 0) if first is not None and docstring else 0


def _parts(node: yaml.Node | None, path: str = "") -> Iterator[tuple[str, int]]:
    """Yield the dotted path of every part of a pack, and the key of every option, with its line."""
    if isinstance(node, yaml.SequenceNode):
        for child in node.value:
            keys = [value.value for key, value in _pairs(child) if key.value == "key"]
            yield from ((f"{path}.{key}", child.start_mark.line + 1) for key in keys)
    for key, value in _pairs(node):
        part = f"{path}.{key.value}" if path else str(key.value)
        yield part, key.start_mark.line + 1
        yield from _parts(value, part)


def _pairs(node: yaml.Node | None) -> list[tuple[yaml.Node, yaml.Node]]:
    return list(node.value) if isinstance(node, yaml.MappingNode) else []


COLUMNS = ("ruleset", "clause", "level", "says", "lives_in", "proved_by")

SHOWN = 2
"""Places of a clause that a table or CSV shows; JSON has all."""


ROOT = Path(__file__).resolve().parents[2]
"""The folder of the running code."""


@click.command("clauses")
@click.option("--ruleset", "ruleset_id", default="", metavar="ID", help="Show the clauses of this ruleset alone.")
@click.option("--tests", default="tests", metavar="FOLDER", show_default=True, help="Where the tests are.")
@format_option
@example("muster clauses --ruleset dust-warfare-1.0")
def command(ruleset_id: str, tests: str, form: str) -> None:
    """List every clause of the rules, with the lines of code that implement it and the tests that prove it.

    The exit code is 1 when a binding clause has neither a test nor a reason for having none.
    """
    shipped = shipped_clauses()
    folder = Path(tests)
    faults = []
    ruleset_id = ruleset_id.casefold()
    if ruleset_id and ruleset_id not in shipped:
        faults.append(Fault("--ruleset", ruleset_id, one_of(list(shipped))))
    if not folder.is_dir():
        faults.append(Fault("--tests", f"{tests!r}", expects("folder-of-tests")))
    if faults:
        refuse(faults)
    proved = proving_tests(folder.resolve())
    places = places_of(ROOT, shipped)
    rows: list[dict[str, object]] = []
    open_ones: list[Fault] = []
    for id, clauses in shipped.items():
        if ruleset_id and id != ruleset_id:
            continue
        lacking = unproved_clauses(clauses, proved)
        open_ones += [Fault(clause.id, NOTHING, expects("test-or-reason")) for clause in lacking]
        for clause in clauses:
            found = proved.get(clause.id, [])
            row: dict[str, object] = {"ruleset": id, "clause": clause.id, "level": clause.level, "says": clause.says}
            if form == "json":
                more = {"where": clause.where, "not_enforceable": clause.not_enforceable}
                rows.append(row | more | {"lives_in": places[clause.id], "proved_by": found})
            else:
                reason = f"not enforceable: {clause.not_enforceable}" if clause.not_enforceable else ""
                lives = "; ".join(places[clause.id][:SHOWN]) or "-"
                rows.append(row | {"lives_in": lives, "proved_by": "; ".join(filter(None, [*found, reason])) or "-"})
    write(format_rows(form, COLUMNS, rows), "-")
    if open_ones:
        print_faults(open_ones)
        raise SystemExit(NOT_HELD)
