"""The arrows of docs/architecture.md, held by reading every import statement; nothing is imported to find out.

rules <- tournament <- each format <- formats <- service <- services, messaging below; muster and deploy on top
"""

from __future__ import annotations

import ast
import graphlib
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.sources import parsed

ROOT = Path(__file__).parents[2]
TOPS = ("shared", "services", "muster", "deploy", "muster_client")
FOLDERS = {"muster_client": ROOT / "clients/python"}
"""Where a top package lies, if not in the root."""
SMALL = {
    "shared.refusals",
    "shared.shapes",
    "shared.roles",
    "shared.clock",
    "shared.metrics",
    "shared.logs",
    "shared.tracing",
    "shared.settings",
}
NAMES = sorted(folder.parent.name for folder in (ROOT / "shared").glob("*/packs"))
FORMATS = {f"shared.{name}" for name in NAMES}
EVENTS = {"shared.log.event", "shared.log.command_record", "shared.log.cloudevents"}
"""What of `shared.log` the core knows: the form of an event. Each is a room of its own."""
CORE = {"shared.refusals", "shared.roles", "shared.shapes", *EVENTS, "shared.rules", "shared.tournament"}
KEYS = {"shared.keys"}

# room: the other rooms that it may import
ALLOWED: dict[str, set[str]] = {
    "shared.fault_texts": set(),
    "shared.refusals": {"shared.fault_texts"},
    "shared.roles": set(),
    "shared.shapes": {"shared.refusals"},
    "shared.names": {"shared.refusals"},
    "shared.time_zones": {"shared.refusals"},
    "shared.csv_cells": {"shared.refusals"},
    "shared.clock": set(),
    "shared.version": set(),
    "shared.metrics": {"shared.version"},
    "shared.logs": set(),
    "shared.tracing": {"shared.logs"},
    "shared.environment": {"shared.refusals"},
    "shared.keys": {"shared.environment", "shared.refusals"},
    "shared.settings": {"shared.environment", "shared.refusals", *KEYS},
    **{name: {"shared.refusals", "shared.roles", "shared.shapes", *EVENTS} for name in EVENTS},
    "shared.rules": {"shared.refusals"},
    "shared.tournament": {"shared.refusals", "shared.roles", "shared.shapes", *EVENTS, "shared.rules"},
    **dict.fromkeys(FORMATS, CORE),
    "shared.formats": {*CORE, *FORMATS},
    "shared.log": {*EVENTS, *SMALL},
    "shared.messaging": {*EVENTS, "shared.log", *KEYS, *SMALL},
    "shared.web": {"shared.environment", "shared.csv_cells", "shared.names", "shared.version", *KEYS, *SMALL},
    "shared.service": {
        *CORE,
        *FORMATS,
        "shared.formats",
        "shared.log",
        "shared.messaging",
        "shared.web",
        "shared.environment",
        "shared.keys",
        "shared.version",
        *SMALL,
    },
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
PURE = (
    "shared.shapes",
    *sorted(EVENTS),
    "shared.log.log",
    "shared.csv_cells",
    "shared.names",
    "shared.rules",
    "shared.tournament",
    "shared.formats",
    *sorted(FORMATS),
)
SERVICES = ("registration", "pairing", "scoring")
SHELL = {
    *("app", "previews", "problems", "routes", "views", "worker", "wsgi"),
    *("directory", "history", "index", "personal", "rulesets", "sealed", "tokens"),
    *("feed", "deliverer", "deliveries", "management", "resolving", "sending", "subscriptions"),
}
"""Words in the name of a service's module, or of its folder, that say that it is not part of the pure core."""


@cache
def modules() -> dict[str, Path]:
    """Every module of the product by its dotted name: its file, which nobody reads before a test asks for its tree."""
    found = {}
    for top in TOPS:
        folder = FOLDERS.get(top, ROOT)
        for file in sorted((folder / top).rglob("*.py")):
            if "migrations" in file.parts or not file.stem.isidentifier():
                continue
            parts = file.relative_to(folder).with_suffix("").parts
            name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            found[name] = file
    return found


@cache
def tree(module: str) -> ast.Module:
    return parsed(modules()[module])


@cache
def imports(module: str) -> frozenset[str]:
    """What a module imports, wherever in it the statement stands: modules of ours, and names of others."""
    found = set()
    for node in ast.walk(tree(module)):
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
    """`shared.log.reading` is in `shared.log`, `services.scoring.coop_moves` in `services.scoring.coop`."""
    if module in ALLOWED:
        return module
    top, name, *inner = module.split(".")
    if format := format_of(module):
        return f"{top}.{name}.{format}" if top == "services" else f"{top}.{name}"
    return ".".join([top, name, *(inner[:1] if top == "services" else ())])


def format_of(module: str) -> str:
    """Return the format that a module is about, empty for none: files of a service begin with its name."""
    parts = module.split(".")
    place = {"shared": 1, "services": 2}.get(parts[0], 0)
    first = parts[place].partition("_")[0] if 0 < place < len(parts) else ""
    return first if first in NAMES else ""


def reach(*of: str) -> Iterator[str]:
    """Yield these modules and all of ours that they import, packages on the way included."""
    seen: set[str] = set()
    waiting = list(of)
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


def is_core(module: str) -> bool:
    """Whether a module of a service decides, or says what is asked and refused, and does nothing else."""
    words = [word for part in module.split(".")[2:] for word in part.split("_")]
    decides = module.startswith(tuple(f"services.{service}." for service in SERVICES))
    return decides and not SHELL.intersection(words)


TABLES = ("app", "handlers", "format_views", "previews", "feed", "webhooks")
"""Modules and folders of a service that know its formats, one entry each; all others know one format or none."""


def deciding() -> list[str]:
    """Return the modules of the services that decide."""
    return [name for name in modules() if is_core(name)]


def reaching(module: str) -> set[tuple[str, str]]:
    """What a module of `shared` imports from rooms that it may not reach into."""
    own = room(module)
    return {(module, target) for target in ours(module) if room(target) not in {own, "shared", *ALLOWED[own]}}


def test_a_room_of_shared_imports_only_what_lies_below_it():
    found = set().union(*(reaching(module) for module in inside("shared") if module != "shared"))
    assert not found


@pytest.mark.parametrize("service", SERVICES)
def test_a_service_imports_itself_and_shared_and_never_another_service(service):
    wrong = {
        f"{module} imports {target}"
        for module in inside(f"services.{service}")
        for target in ours(module)
        if not target.startswith((f"services.{service}", "shared"))
    }
    assert not wrong


def without_tables(service: str) -> list[str]:
    """Return the modules of a service that are no tables of formats."""
    return [name for name in inside(f"services.{service}") if not {*name.split(".")[2:3]}.intersection(TABLES)]


@pytest.mark.parametrize("service", SERVICES)
def test_a_file_of_a_service_knows_one_format_or_none(service):
    found = {
        (module, target)
        for module in without_tables(service)
        for target in ours(module)
        if format_of(target) and format_of(target) != format_of(module)
    }
    assert not found
    assert {"swiss", "campaign", "coop"} <= {format_of(module) for module in without_tables(service)}


@pytest.mark.parametrize("service", SERVICES)
def test_a_file_that_is_of_no_format_names_none(service):
    for module in without_tables(service):
        if not format_of(module):
            words = {node.value for node in ast.walk(tree(module)) if isinstance(node, ast.Constant)}
            assert not words.intersection(NAMES), module


def test_nothing_but_deploy_imports_the_application_package():
    for module in modules():
        if module.partition(".")[0] not in ("muster", "deploy"):
            assert not {target for target in ours(module) if target.partition(".")[0] in ("muster", "deploy")}, module


def test_the_console_is_a_client_and_knows_no_rule():
    may = {"muster_client", "services.console"}
    may |= {f"shared.{name}" for name in ("csv_cells", "environment", "settings")}
    may.add("shared.names")  # the order of names, which is the same in every list
    may |= {"shared.fault_texts", "shared.refusals"}  # faults of its settings, and the sentences of codes
    # Answers that stay open, and how many requests are answered at once.
    may.add("shared.web.streams")
    # Whether a key was signed by this installation, so that a made-up one asks no service.
    may |= {"shared.keys", "shared.web.tokens", "shared.web.refusals"}
    for module in inside("services.console"):
        assert {t for t in ours(module) if not any(t == one or t.startswith(f"{one}.") for one in may)} == set(), module
    others = [name for name in modules() if not name.startswith(("services.console", "deploy"))]
    assert not {name for name in others if any(t.startswith("services.console") for t in ours(name))}


def test_the_client_needs_two_libraries_and_nothing_of_the_services():
    foreign = {name.split(".")[0] for module in inside("muster_client") for name in imports(module)}
    assert foreign - sys.stdlib_module_names == {"muster_client", "httpx", "msgspec"}


def test_the_core_reaches_no_framework_no_clock_and_no_chance():
    wrong = {
        f"{reached} imports {target}"
        for reached in reach(*inside(*PURE), *deciding())
        for target in imports(reached)
        if {target, target.split(".")[0], ".".join(target.split(".")[:2])} & IMPURE
    }
    assert not wrong


def test_the_core_asks_neither_the_clock_nor_a_file():
    wrong = {
        f"{module} calls {name}"
        for module in {*inside(*PURE), *deciding()}
        for name in calls(module)
        if name in IMPURE_CALLS
    }
    assert not wrong


def calls(module: str) -> Iterator[str]:
    """The names of the functions and methods that a module calls."""
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.Call):
            yield node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def test_nothing_imports_in_a_circle():
    graph = {name: ours(name) - {name} for name in modules()}
    try:
        graphlib.TopologicalSorter(graph).prepare()
    except graphlib.CycleError as circle:
        pytest.fail(" <- ".join(circle.args[1]), pytrace=False)


def test_the_table_names_every_room_of_shared():
    assert set(ALLOWED) == {room(name) for name in modules() if name.startswith("shared.")}
