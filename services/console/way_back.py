"""Where a form leads back to: a page of this console, and never anywhere else."""

from __future__ import annotations


def inside(path: str) -> str:
    """A path of this console as a page wrote it into its form; empty for anything else."""
    own = path.startswith("/") and not path.startswith("//") and path.isprintable() and "\\" not in path
    return path if own else ""
