"""Where each clause lives: the lines of the code that name it, and of the pack that holds its value."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

import yaml

from shared.formats.clauses import Clause, named

ROOMS = ("shared", "services", "muster")
"""Folders of code."""

FORMATS = Path("shared/formats")
"""Folder of the formats, each with its packs."""

_PARTING = re.compile(r"[;,\s]+|:(?=\s)")


def places_of(root: Path, rulesets: Mapping[str, Sequence[Clause]]) -> dict[str, list[str]]:
    """Clause id -> `file:line`, one of each file that names it; first what the list of clauses itself points to.

    root: the folder of `shared` and `services`. rulesets: id -> clauses; a pack is looked at for its own clauses alone.
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
    """Id -> the first line that names it, ranges included; behind line `after` where one does."""
    found: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        for id in named(line, known):
            if id not in found or found[id] <= after < number:
                found[id] = number
    return found


def _end_of_docstring(text: str) -> int:
    """The last line of a module's docstring; 0 where it has none. Raises SyntaxError for what is no Python."""
    first = next(iter(ast.parse(text).body), None)
    docstring = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    return (first.end_lineno or 0) if first is not None and docstring else 0


def _parts(node: yaml.Node | None, path: str = "") -> Iterator[tuple[str, int]]:
    """Every part of a pack by its dotted path, and each option by its key, with its line."""
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
