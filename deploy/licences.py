"""`python -m deploy.licences` (`make docs`): write docs/third-party-licences.md from requirements.lock."""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

ROOT = Path(__file__).parents[1]
DOCUMENT = ROOT / "docs" / "third-party-licences.md"
LOCKED = re.compile(r"^([A-Za-z0-9][A-Za-z0-9._-]*)==([^\s;\\]+)(.*)$", re.MULTILINE)
CLASSIFIER = re.compile(r"^License :: (?:OSI Approved :: )?(.+)$")
HEADING = """# Licences of what Muster runs on

Muster itself is under the Apache License 2.0. The wheel holds none of these packages. They are installed beside it,
each under the licence that its own metadata names. `make docs` writes this page from requirements.lock.

| package | version | licence |
|---|---|---|
"""


def locked() -> list[tuple[str, str]]:
    """Return the name and version of every runtime dependency."""
    return [(name, version) for name, version, _ in LOCKED.findall((ROOT / "requirements.lock").read_text("utf-8"))]


def licence_of(package: str) -> str:
    """Return the licence that a package declares, in a few words."""
    try:
        said = metadata(package).json
    except PackageNotFoundError:
        return "for other systems or versions of Python"
    if expression := said.get("license_expression"):
        return str(expression)
    named = [found[1] for line in said.get("classifier", []) if (found := CLASSIFIER.match(line))]
    first_line = str(said.get("license") or "").strip().partition("\n")[0]
    return ", ".join(named) or first_line or "not said"


def page() -> str:
    """Return the page in Markdown."""
    return HEADING + "".join(f"| {name} | {version} | {licence_of(name)} |\n" for name, version in locked())


if __name__ == "__main__":
    DOCUMENT.write_text(page(), "utf-8")
