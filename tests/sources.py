"""Syntax trees of our own modules, each parsed once in a process."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path


@cache
def parsed(path: Path) -> ast.Module:
    """Return the syntax tree of a file. It is shared: do not change it."""
    return ast.parse(path.read_text("utf-8"), str(path))
