"""Cells of CSV files that spreadsheets must not take for formulas, and how they are read back. Pure.

The rule, as OWASP has it (CSV injection): text that begins with `=`, `+`, `-`, `@`, a tab, a line end, or the
full-width form of one of them, gets a single quote before it; and so does text that begins with quotes before such a
character, so that reading takes one quote off and every text comes back exactly. Plain numbers such as -5 stay as
they are.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence

_RISKY = re.compile(r"'*[=+\-@\t\r\n＝＋－＠]")
_NUMBER = re.compile(r"-?\d+([./]\d+)?", re.ASCII)


def defused(cell: str) -> str:
    """A cell as it is written, so that a spreadsheet shows it and computes nothing."""
    return "'" + cell if _RISKY.match(cell) and not _NUMBER.fullmatch(cell) else cell


def as_meant(cell: str) -> str:
    """A cell that was read, without the quote that `defused` wrote."""
    return cell[1:] if cell.startswith("'") and _RISKY.match(cell) else cell


def as_csv(columns: Sequence[str], rows: Iterable[Mapping[str, object]]) -> str:
    """Comma-separated values with a header and LF; what a row lacks is empty."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([defused(as_cell(row.get(column, ""))) for column in columns] for row in rows)
    return text.getvalue()


def as_cell(value: object) -> str:
    """A value as the text of a cell: `true` and `false`, and nothing for None."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value)
