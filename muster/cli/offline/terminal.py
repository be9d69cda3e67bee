"""What is shown to people: tables by rich, and text that a terminal does not act on."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from muster.cli.offline import tabular

PIPED = 160
"""Columns of a table that goes into a pipe, where nothing says how wide it may be."""


def printable(text: str) -> str:
    """Text from outside; what would move the cursor or change colours is made visible instead."""
    return text if text.isprintable() else "".join(letter if letter.isprintable() else "\ufffd" for letter in text)


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
    if form == "json":
        tabular.write(tabular.as_json(rows), "-")
    elif form == "csv":
        tabular.write(tabular.as_csv(columns, rows), "-")
    else:
        held = [column for column in columns if any(row.get(column) not in (None, "") for row in rows)]
        _table({column: headings.get(column, column.replace("_", " ")) for column in held}, rows, title)


def _table(columns: Mapping[str, str], rows: Sequence[Mapping[str, object]], title: str) -> None:
    """columns: what is shown -> what stands above it."""
    from rich.box import SIMPLE
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(title=Text(printable(title)) if title else None, title_justify="left", box=SIMPLE, pad_edge=False)
    for column, heading in columns.items():
        number = all(isinstance(row.get(column), int) for row in rows)
        table.add_column(printable(heading), justify="right" if number else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(_told(row.get(column))) for column in columns))
    console = Console(highlight=False, width=None if sys.stdout.isatty() else PIPED)
    console.print(table)
    if not rows:
        console.print("nothing to show")


def _told(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else ""
    return "" if value is None else printable(str(value))
