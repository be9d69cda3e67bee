"""Reading CSV files into rows that know their place, with every fault of the file itself."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Sequence

from msgspec import Struct

from shared.refusals import Fault


class Row(Struct, frozen=True):
    """One row. line: its number in the file, from 1 for the header; values: by column, without outer spaces."""

    file: str
    line: int
    values: dict[str, str]

    def __getitem__(self, column: str) -> str:
        return self.values.get(column, "")

    def fault(self, column: str, said: str, expected: str, clause: str = "") -> Fault:
        """A fault at a column of this row."""
        return Fault(f"{self.file}:{self.line}:{column}", said, expected, clause)


def read_rows(path: str, columns: Sequence[str], required: Sequence[str], faults: list[Fault]) -> list[Row]:
    """The rows of a CSV file whose header holds `columns` in any order, the `required` ones at least.

    path: `-` is standard input. A byte-order mark and CRLF are accepted, blank lines are skipped. Faults are added
    to `faults`; of a file whose header is wrong no rows are given.
    """
    try:
        data = sys.stdin.buffer.read() if path == "-" else _read(path)
        text = data.decode("utf-8-sig")
        lines = csv.reader(io.StringIO(text, newline=""), strict=True)
        header, *rest = [(lines.line_num, row) for row in lines if row] or [(1, [])]
    except OSError as error:
        faults.append(Fault(path, (error.strerror or "cannot be read").lower(), "a file that can be read"))
        return []
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        faults.append(Fault(f"{path}:{line}:", f"byte {data[error.start]:#04x}", "UTF-8"))
        return []
    except csv.Error as error:
        faults.append(Fault(f"{path}:{lines.line_num}:", str(error), "comma-separated values"))
        return []
    names = [name.strip() for name in header[1]]
    wrong = _faults_of_header(path, header[0], names, columns, required)
    faults += wrong
    return [] if wrong else _rows(path, names, rest, faults)


def whole(row: Row, column: str, least: int, faults: list[Fault]) -> int | None:
    """The whole number in a column, `least` or more; None when it is empty or wrong."""
    text = row[column]
    if not text:
        return None
    if text.isascii() and text.removeprefix("-").isdigit() and len(text) < 10 and int(text) >= least:
        return int(text)
    faults.append(row.fault(column, repr(text), f"a whole number, {least} or more"))
    return None


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _faults_of_header(
    path: str, line: int, names: list[str], columns: Sequence[str], required: Sequence[str]
) -> list[Fault]:
    if not names:
        return [Fault(f"{path}:1:", "the file is empty", "a header: " + ",".join(columns))]
    place = f"{path}:{line}:"
    unknown = [
        Fault(place + name, f"unknown column {name!r}", "one of " + ", ".join(columns))
        for name in names
        if name not in columns
    ]
    twice = [
        Fault(place + name, f"column {name!r} for the second time", "each column once")
        for index, name in enumerate(names)
        if name in names[:index]
    ]
    missing = [
        Fault(place + name, f"column {name!r} is missing", "at least " + ", ".join(required))
        for name in required
        if name not in names
    ]
    return unknown + twice + missing


def _rows(path: str, names: list[str], rest: list[tuple[int, list[str]]], faults: list[Fault]) -> list[Row]:
    rows = []
    for line, cells in rest:
        if len(cells) != len(names):
            faults.append(Fault(f"{path}:{line}:", f"{len(cells)} values", f"{len(names)}, one for each column"))
            continue
        rows.append(Row(path, line, {name: cell.strip() for name, cell in zip(names, cells, strict=True)}))
    return rows
