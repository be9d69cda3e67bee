"""What the command writes: faults, a line each; rows as a table, CSV or JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NoReturn

from muster.cli.tables import as_table, printable
from shared.csv_cells import as_csv
from shared.refusals import Fault, expects

DONE, NOT_HELD, BAD_INPUT = 0, 1, 2
"""Exit codes: all is well; the check did not hold; bad input."""


def tell(faults: Iterable[Fault]) -> None:
    """Write a line for each fault to standard error."""
    tell_lines(map(as_line, faults))


def tell_lines(lines: Iterable[str]) -> None:
    """Write lines to standard error."""
    for line in lines:
        print(line, file=sys.stderr)


def as_line(fault: Fault) -> str:
    """Return the line of a fault, as `line_of` makes it."""
    return line_of(fault.where, fault.said, fault.expected, fault.clause)


def line_of(where: str, found: str, expected: object = "", clause: str = "") -> str:
    """Return `where: what, expected ... (clause)`, whatever it was made of; nothing in it moves the cursor."""
    line = f"{where}: {found}" if where else found
    right = str(expected)
    line += f", expected {right}" if right else ""
    line += f" ({clause})" if clause else ""
    return printable(" ".join(line.split()))


def refuse(faults: Iterable[Fault]) -> NoReturn:
    """Tell the faults and leave with the exit code for bad input."""
    tell(faults)
    raise SystemExit(BAD_INPUT)


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
        refuse([unwritable(path, error)])


def unwritable(path: str, error: OSError) -> Fault:
    """Return the fault of a file that cannot be written; what was found is what the system says."""
    return Fault(path, _reason(error), expects("file-to-write"))


def unreadable(place: str, error: OSError) -> Fault:
    """Return the fault of a file that cannot be read; what was found is what the system says."""
    return Fault(place, _reason(error), expects("file-to-read"))


def _reason(error: OSError) -> str:
    return (error.strerror or type(error).__name__).lower()


def as_json(rows: Sequence[TextRow]) -> str:
    """A JSON array, an object to a line."""
    lines = ",\n".join("  " + json.dumps(row, ensure_ascii=False) for row in rows)
    return f"[\n{lines}\n]\n" if rows else "[]\n"


def as_object(value: Mapping[str, object]) -> str:
    """One JSON object, for people to read and programs to take."""
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def faults_as_json(faults: Iterable[Fault]) -> list[dict[str, str]]:
    """Each fault with all four members, also where one is empty."""
    return [{"where": f.where, "said": f.said, "expected": str(f.expected), "clause": f.clause} for f in faults]


def in_form(form: str, columns: Sequence[str], rows: Sequence[TextRow], output: str = "-") -> str:
    """Rows as `table`, `csv` or `json`, which shows all that rows have. output: where they go."""
    if form == "table":
        return as_table(columns, rows, output=output)
    return as_json(rows) if form == "json" else as_csv(columns, rows)


def in_order(rows: Sequence[dict[str, Any]], *, provisional: object) -> list[dict[str, Any]]:
    """Rows of an order that may still change are marked as such (`provisional`, true), which JSON alone shows."""
    return [row | {"provisional": True} for row in rows] if provisional else list(rows)


def show(
    columns: Sequence[str],
    rows: Sequence[Mapping[str, object]],
    form: str,
    title: str = "",
    headings: Mapping[str, str] = MappingProxyType({}),
) -> None:
    """Write rows to standard output: `table`, `csv` or `json`. A table leaves out columns that nobody has.

    headings: of a table's columns that are called something else.
    """
    if form != "table":
        write(in_form(form, columns, rows), "-")
        return
    held = [column for column in columns if any(row.get(column) not in (None, "") for row in rows)]
    write(as_table(held or columns, rows, headings, title=title), "-")
