"""JSON for committed files: one line for each entry of a table, for readable diffs."""

from __future__ import annotations

import json

TABLES = 3
"""Levels of a document above its entries: `components`, `schemas`, the name of a schema."""


def laid_out(part: object, levels: int = TABLES) -> str:
    """Return a document as JSON with a newline at the end. levels: number of outer levels with a line per member."""
    return _text(part, levels) + "\n"


def _text(part: object, levels: int) -> str:
    if levels and isinstance(part, dict) and part:
        inner = ",\n".join(f"{json.dumps(name)}:{_text(value, levels - 1)}" for name, value in part.items())
        return f"{{\n{inner}\n}}"
    return json.dumps(part, ensure_ascii=False, separators=(",", ":"))
