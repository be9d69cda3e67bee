"""Statements for the drivers themselves, written once: a `:name` in the words of each database."""

from __future__ import annotations

import re
from functools import cache


@cache
def worded(statement: str, dialect: str) -> str:
    """A statement with its `:names` as the driver of a database writes them. dialect: sqlite or postgresql."""
    if dialect == "sqlite":
        return statement
    return re.sub(r"(?<!:):([a-z]\w*)", r"%(\1)s", statement.replace("%", "%%"))
