"""Classes that the modules of a service define."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROGRAMS = ("worker", "wsgi")


def defined(service: str, base: type) -> set[type]:
    """Return the subclasses of a class that the modules of a service define, migrations and programs apart."""
    found = set()
    for file in sorted((ROOT / "services" / service).rglob("*.py")):
        if "migrations" in file.parts or file.stem in PROGRAMS:
            continue
        name = ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        kinds = (kind for kind in vars(import_module(name)).values() if isinstance(kind, type))
        found |= {kind for kind in kinds if issubclass(kind, base) and kind.__module__ == name}
    return found
