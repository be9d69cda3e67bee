"""Rows of text as an aligned table, CSV or JSON, to a file or standard output."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from muster.cli.faults import refuse
from shared.csv_cells import defused
from shared.refusals import Fault

TextRow = Mapping[str, object]


def write(text: str, path: str) -> None:
    """Write to a file, or to standard output for `-`; leaves with the exit code for bad input where it cannot."""
    if path == "-":
        sys.stdout.write(text)
        return
    try:
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(text)
    except OSError as error:
        refuse([Fault(path, (error.strerror or "cannot be written").lower(), "a file that can be written")])


def as_json(rows: Sequence[TextRow]) -> str:
    """A JSON array, an object to a line."""
    lines = ",\n".join("  " + json.dumps(row, ensure_ascii=False) for row in rows)
    return f"[\n{lines}\n]\n" if rows else "[]\n"


def in_order(rows: Sequence[dict[str, Any]], *, provisional: object) -> list[dict[str, Any]]:
    """Rows of an order that may still change are marked as such (`provisional`, true), which JSON alone shows."""
    return [row | {"provisional": True} for row in rows] if provisional else list(rows)


def as_csv(columns: Sequence[str], rows: Sequence[TextRow]) -> str:
    """Comma-separated values with a header; what a row lacks is empty. See `shared.csv_cells` on formulas."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([defused(_cell(row.get(column, ""))) for column in columns] for row in rows)
    return text.getvalue()


def as_table(
    columns: Sequence[str], rows: Sequence[TextRow], headings: Mapping[str, str] = MappingProxyType({})
) -> str:
    """Columns aligned with spaces, numbers to the right. headings: of columns that are called something else."""
    cells = [[_cell(row.get(column, "")) for column in columns] for row in rows]
    titles = [headings.get(column, column.replace("_", " ")) for column in columns]
    widths = [max(map(len, column)) for column in zip(titles, *cells, strict=True)]
    right = [all(isinstance(row.get(column, ""), int) for row in rows) and bool(rows) for column in columns]

    def line(values: Sequence[str]) -> str:
        padded = (
            value.rjust(width) if to_right else value.ljust(width)
            for value, width, to_right in zip(values, widths, right, strict=True)
        )
        return "  ".join(padded).rstrip()

    return "".join(line(values) + "\n" for values in [titles, *cells])


def _cell(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value)
