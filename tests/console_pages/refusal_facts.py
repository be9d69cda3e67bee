"""Which facts the refusals of the services have, and which of them the console can meet: read from the code itself."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Mapping
from functools import cache

from deploy.stack import ROOT
from tests.sources import parsed

CONSOLE = ROOT / "services" / "console"
OPENAPI = ROOT / "clients" / "openapi.json"


@cache
def facts() -> Mapping[str, set[str]]:
    """Code of a problem -> the facts that any place hands to it when it refuses."""
    calls = [call for tree in _trees() for call in _calls(tree)]
    classes = [one for tree in _trees() for one in ast.walk(tree) if isinstance(one, ast.ClassDef)]
    codes = {one.name: code for one in classes if (code := _code(one))}
    inner = [(codes[one.name], call) for one in classes if one.name in codes for call in _calls(one)]
    made = [(codes[name], call) for call in calls if (name := _called(call)) in codes]
    found: dict[str, set[str]] = {}
    for code, call in made + [(code, call) for code, call in inner if _called(call) in ("cls", "__init__")]:
        found.setdefault(code, set()).update(keyword.arg for keyword in call.keywords if keyword.arg)
    return found


@cache
def met() -> Mapping[str, set[str]]:
    """Code of a problem -> the operations of the services that can answer so, of those that the console asks for."""
    named = set(re.findall(r"\.(\w+)\b", "\n".join(file.read_text() for file in CONSOLE.rglob("*.py"))))
    found: dict[str, set[str]] = {}
    for operations in json.loads(OPENAPI.read_text())["paths"].values():
        for verb, operation in operations.items():
            if verb != "parameters" and operation["operationId"] in named:
                for answer in operation["responses"].values():
                    for code in answer.get("x-problem-codes", ()):
                        found.setdefault(code, set()).add(operation["operationId"])
    return found


@cache
def _trees() -> list[ast.Module]:
    files = (file for room in ("shared", "services") for file in (ROOT / room).rglob("*.py"))
    return [parsed(file) for file in files if CONSOLE not in file.parents]


def _calls(tree: ast.AST) -> Iterator[ast.Call]:
    return (one for one in ast.walk(tree) if isinstance(one, ast.Call))


def _called(call: ast.Call) -> str:
    """The name of what is called; of `Name.of(…)` the name of the class."""
    name = call.func
    if isinstance(name, ast.Attribute) and name.attr == "of":
        name = name.value
    return name.attr if isinstance(name, ast.Attribute) else getattr(name, "id", "")


def _code(one: ast.ClassDef) -> str:
    """The code of a class of refusals; empty for any other."""
    for line in one.body:
        if isinstance(line, ast.Assign) and getattr(line.targets[0], "id", "") == "code":
            return str(line.value.value) if isinstance(line.value, ast.Constant) else ""
    return ""
