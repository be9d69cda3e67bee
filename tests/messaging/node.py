"""Node.js, for programs of docs/examples that are written in JavaScript."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.programs import run_program

OLDEST = 18
"""The version that Debian 12 has."""


def present() -> bool:
    """Return True if npm and a recent Node.js are installed."""
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        return False
    said = run_program([node, "--version"], capture_output=True, text=True).stdout
    return said.startswith("v") and int(said[1:].partition(".")[0]) >= OLDEST


def install(folder: Path) -> None:
    """Install what the lock in a folder names: from npm's cache, and from its registry what is not there."""
    command = ["npm", "ci", "--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund"]
    done = run_program(command, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        raise AssertionError(f"npm installs nothing; it needs its cache or {registry()}\n{done.stderr[-2000:]}")


def registry() -> str:
    """Return the registry of npm."""
    return run_program(["npm", "config", "get", "registry"], capture_output=True, text=True).stdout.strip()
