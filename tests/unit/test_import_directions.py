"""The arrows of docs/architecture.md, held by reading every import statement; nothing is imported to find out.

refusals <- rules <- events <- state <- domain <- handlers, reactions <- api, worker <- wiring
log <- messaging <- handling;   services -> shared, never back, never from one into another
"""

from __future__ import annotations

import ast
import graphlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOPS = ("shared", "services", "deploy")
SMALL = {"refusals", "clock", "metrics", "logs", "settings"}

# room of shared/: the other rooms of shared/ that it may import
ALLOWED: dict[str, set[str]] = {
    "refusals": set(),
    "names": set(),
    "csv_cells": set(),
    "clock": set(),
    "metrics": set(),
    "logs": set(),
    "environment": {"refusals"},
    "private_files": set(),
    "signing_keys": set(),
    "secret_keys": {"environment", "private_files", "signing_keys"},
    "settings": {"environment", "refusals", "secret_keys", "signing_keys"},
    "events": {"refusals", "rules"},
    "event_page": {"events"},
    "rules": {"refusals"},
    "state": {"events", "refusals", "rules"},
    "log": {"events", *SMALL},
    "messaging": {"events", "log", "signing_keys", *SMALL},
    "http": {"names", "secret_keys", "signing_keys", *SMALL},
    "handling": {"events", "http", "log", "messaging", "private_files", "rules", "secret_keys", "state", *SMALL},
}

# What a pure core never reaches, directly or through what it imports: frameworks, and whatever answers
# differently on another machine or on another day.
IMPURE = {
    *("alembic", "flask", "flask_limiter", "flask_smorest", "gunicorn", "httpx", "kombu", "marshmallow", "psycopg"),
    *("prometheus_client", "requests", "sqlalchemy", "structlog", "webargs", "werkzeug"),
    *("asyncio", "logging", "os", "random", "secrets", "socket", "subprocess", "tempfile", "threading", "time"),
    *("urllib.request", "uuid"),
}
IMPURE_CALLS = {"now", "utcnow", "today", "open", "input", "print"}
PURE = ("shared.events", "shared.csv_cells", "shared.names", "shared.rules", "shared.state")


@cache
def modules() -> dict[str, ast.Module]:
    """Every module of the product by its dotted name."""
    found = {}
    for top in TOPS:
        for file in sorted((ROOT / top).rglob("*.py")):
            if "migrations" in file.parts or not file.stem.isidentifier():
                continue
            parts = file.relative_to(ROOT).with_suffix("").parts
            name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            found[name] = ast.parse(file.read_text(encoding="utf-8"), str(file))
    return found


@cache
def imports(module: str) -> frozenset[str]:
    """What a module imports, wherever in it the statement stands: modules of ours, and names of others."""
    found = set()
    for node in ast.walk(modules()[module]):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}: imports are absolute here"
            assert node.module is not None
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                ours = node.module.split(".")[0] in TOPS
                found.add(inner if not ours or inner in modules() else node.module)
    return frozenset(found)


def ours(module: str) -> set[str]:
    return {name for name in imports(module) if name.split(".")[0] in TOPS}


def room(module: str) -> str:
    """`shared.log.append` is in `shared.log`."""
    return ".".join(module.split(".")[:2])


def reach(module: str) -> Iterator[str]:
    """The module and all of ours that comes with it, packages on the way included."""
    seen: set[str] = set()
    waiting = [module]
    while waiting:
        name = waiting.pop()
        parts = name.split(".")
        for part in (".".join(parts[:length]) for length in range(1, len(parts) + 1)):
            if part in modules() and part not in seen:
                seen.add(part)
                yield part
                waiting += ours(part)


def inside(*rooms: str) -> list[str]:
    return [name for name in modules() if any(name == room or name.startswith(room + ".") for room in rooms)]


SHARED = sorted({room(name) for name in modules() if name.startswith("shared.")})
SERVICES = sorted({room(name) for name in modules() if name.startswith("services.")})
DOMAINS = [name for name in modules() if name.startswith("services.") and ".domain" in name]


@pytest.mark.parametrize("name", SHARED)
def test_a_room_of_shared_imports_only_what_lies_below_it(name):
    allowed = {f"shared.{other}" for other in ALLOWED[name.removeprefix("shared.")]} | {name, "shared"}
    wrong = {
        f"{module} imports {target}"
        for module in inside(name)
        for target in ours(module)
        if room(target) not in allowed
    }
    assert not wrong


@pytest.mark.parametrize("name", SERVICES)
def test_a_service_imports_itself_and_shared_and_never_another_service(name):
    wrong = {
        f"{module} imports {target}"
        for module in inside(name)
        for target in ours(module)
        if room(target) != name and not target.startswith("shared")
    }
    assert not wrong


@pytest.mark.parametrize("module", [*inside(*PURE), *DOMAINS])
def test_the_core_reaches_no_framework_no_clock_and_no_chance(module):
    wrong = {
        f"{reached} imports {target}"
        for reached in reach(module)
        for target in imports(reached)
        if {target, target.split(".")[0], ".".join(target.split(".")[:2])} & IMPURE
    }
    assert not wrong


@pytest.mark.parametrize("module", [*inside(*PURE), *DOMAINS])
def test_the_core_asks_neither_the_clock_nor_a_file(module):
    called = {
        node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        for node in ast.walk(modules()[module])
        if isinstance(node, ast.Call)
    }
    assert not called & IMPURE_CALLS


def test_nothing_imports_in_a_circle():
    graph = {name: ours(name) - {name} for name in modules()}
    try:
        graphlib.TopologicalSorter(graph).prepare()
    except graphlib.CycleError as circle:
        pytest.fail(" <- ".join(circle.args[1]), pytrace=False)


def test_the_table_names_every_room_of_shared():
    assert {f"shared.{name}" for name in ALLOWED} >= set(SHARED)
