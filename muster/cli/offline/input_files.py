"""Files that commands are given: text, and CSV as rows that know their place, with every fault of the file itself."""

from __future__ import annotations

import sys
from collections.abc import Collection, Sequence
from pathlib import Path

from msgspec import Struct

from muster.cli.output import unreadable
from shared.csv_cells import NotUtf8, read_table, text_of
from shared.refusals import Expected, Fault, Refusal, expects


class NotText(Refusal):
    """A file that cannot be read, or is no text."""

    code = "not-text"


def read_bytes(path: str) -> bytes:
    """Return what a file holds; `-` is standard input. Raises NotText if it cannot be read."""
    try:
        return sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    except OSError as error:
        raise NotText(f"{path} cannot be read", [unreadable(path, error)]) from error


def read_text(path: str) -> str:
    """Return the text of a file in UTF-8, without a byte-order mark. Raises NotText, with the line of the fault."""
    try:
        return text_of(read_bytes(path))
    except NotUtf8 as error:
        fault = Fault(f"{path}:{error.row}:", f"0x{error.byte:02X}", expects("utf-8-text"))
        raise NotText(f"{path} is not text", [fault]) from error


class Row(Struct, frozen=True):
    """One row. line: its number in the file, from 1 for the header; values: by column, without outer spaces."""

    file: str
    line: int
    values: dict[str, str]

    def __getitem__(self, column: str) -> str:
        return self.values.get(column, "")

    def fault(self, column: str, said: str, expected: Expected | str, clause: str = "") -> Fault:
        """A fault at a column of this row."""
        return Fault(f"{self.file}:{self.line}:{column}", said, expected, clause)


class Shape(Struct, frozen=True):
    """What a file may hold. words: columns whose values are words of ours, taken in any case."""

    columns: Sequence[str]
    required: Sequence[str]
    words: Collection[str] = ()


def read_rows(path: str, shape: Shape, faults: list[Fault], ignored: Collection[str] = ()) -> list[Row]:
    """Return the rows of a CSV file, which has the required columns at least.

    path: `-` is standard input. ignored: further columns that are let through. Faults are added to `faults`; of a file
    whose header is wrong no rows are given.
    """
    try:
        data = read_bytes(path)
    except NotText as refusal:
        faults += refusal.faults
        return []

    def place(row: int, column: int = 0, name: str = "") -> str:
        return f"{path}:{row}:{name or column or ''}"

    ignored = {name.strip() for name in ignored}
    table = read_table(
        data, shape.columns, place, required=shape.required, ignored=ignored, ignore_option="--ignore-column"
    )
    faults += table.faults
    return [
        Row(
            path,
            row.number,
            {name: cell.casefold() if name in shape.words else cell for name, cell in row.cells.items()},
        )
        for row in table.rows
    ]


def whole(row: Row, column: str, least: int, faults: list[Fault]) -> int | None:
    """The whole number in a column, `least` or more; None when it is empty or wrong."""
    text = row[column]
    if not text:
        return None
    if text.isascii() and text.removeprefix("-").isdigit() and len(text) < 10 and int(text) >= least:
        return int(text)
    faults.append(row.fault(column, repr(text), expects("digits-from", least=least)))
    return None
