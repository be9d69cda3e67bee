"""Files that commands are given: text, and CSV as rows that know their place, with every fault of the file itself."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Collection, Sequence
from pathlib import Path

from msgspec import Struct

from shared.csv_cells import as_meant
from shared.refusals import Fault, Refusal


class NotText(Refusal):
    """A file that cannot be read, or is no text."""

    code = "not-text"


def read_text(path: str, wanted: str = "UTF-8 text") -> str:
    """The text of a file, without a byte-order mark. wanted: what is expected of a file that is no text.

    Raises NotText, with the line of the first byte that has no place in UTF-8 text.
    """
    try:
        data = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    except OSError as error:
        fault = Fault(path, (error.strerror or "cannot be read").lower(), "a file that can be read")
        raise NotText(f"{path} cannot be read", [fault]) from error
    bad = data.find(0)
    try:
        text = data.decode("utf-8-sig")
        if bad < 0:
            return text
    except UnicodeDecodeError as error:
        bad = error.start
    line = data[:bad].count(b"\n") + 1
    raise NotText(f"{path} is not text", [Fault(f"{path}:{line}:", f"byte {data[bad]:#04x}", wanted)])


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


class Shape(Struct, frozen=True):
    """What a file may hold. words: columns whose values are words of ours, taken in any case."""

    columns: Sequence[str]
    required: Sequence[str]
    words: Collection[str] = ()


def read_rows(path: str, shape: Shape, faults: list[Fault], ignored: Collection[str] = ()) -> list[Row]:
    """The rows of a CSV file with these columns in any order, the required ones at least.

    path: `-` is standard input. A byte-order mark and CRLF are accepted, blank rows are skipped. ignored: further
    columns that are let through. Faults are added to `faults`; of a file whose header is wrong no rows are given.
    """
    try:
        text = read_text(path, "UTF-8 text: save the file as CSV UTF-8")
    except NotText as refusal:
        faults += refusal.faults
        return []
    lines = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        header, *rest = [(lines.line_num, row) for row in lines if any(map(str.strip, row))] or [(1, [])]
    except csv.Error as error:
        faults.append(Fault(f"{path}:{lines.line_num}:", str(error), "comma-separated values"))
        return []
    names = [name.strip() for name in header[1]]
    wrong = _faults_of_header(path, header[0], names, shape, {name.strip() for name in ignored})
    faults += wrong
    return [] if wrong else _rows(path, names, rest, shape.words, faults)


def whole(row: Row, column: str, least: int, faults: list[Fault]) -> int | None:
    """The whole number in a column, `least` or more; None when it is empty or wrong."""
    text = row[column]
    if not text:
        return None
    if text.isascii() and text.removeprefix("-").isdigit() and len(text) < 10 and int(text) >= least:
        return int(text)
    faults.append(row.fault(column, repr(text), f"a whole number, {least} or more, in digits alone"))
    return None


def _faults_of_header(path: str, line: int, names: list[str], shape: Shape, ignored: Collection[str]) -> list[Fault]:
    columns = shape.columns
    place, whole_header = f"{path}:{line}:", "a header: " + ",".join(columns)
    if not names:
        return [Fault(place, "the file is empty", whole_header)]
    for separator in ";\t|":
        if len(names) == 1 and {_plain(name) for name in names[0].split(separator)[1:]} & set(columns):
            return [Fault(place, f"values separated by {separator!r}", "commas: save the file as CSV with commas")]
    if not {_plain(name) for name in names} & set(columns):
        return [Fault(place, f"{','.join(names)[:60]!r}", f"{whole_header}, and nothing above it")]
    known = [name for name in names if name in columns]
    unnamed = len([name for name in names if not name])
    faults = [Fault(place, f"{unnamed} columns without a name", "no such columns")] if unnamed else []
    for index, name in enumerate(names):
        if not name or name in ignored:
            continue
        if name in names[:index]:
            faults.append(Fault(place + name, f"column {name!r} for the second time", "each column once"))
        elif name not in columns and _plain(name) in columns and _plain(name) not in names:
            known.append(_plain(name))
            faults.append(Fault(place + name, f"unknown column {name!r}", f"it to be written {_plain(name)!r}"))
        elif name not in columns:
            faults.append(
                Fault(place + name, f"unknown column {name!r}", f"one of {', '.join(columns)}, or --ignore-column")
            )
    return faults + [
        Fault(place + name, f"column {name!r} is missing", "at least " + ", ".join(shape.required))
        for name in shape.required
        if name not in known
    ]


def _plain(name: str) -> str:
    """A column name as it is written here: `Player 1` is `player_1`."""
    return name.strip().casefold().replace(" ", "_")


def _rows(
    path: str, names: list[str], rest: list[tuple[int, list[str]]], words: Collection[str], faults: list[Fault]
) -> list[Row]:
    rows = []
    fold = [name in words for name in names]
    for line, cells in rest:
        values = [as_meant(cell.strip()).strip() for cell in cells]
        if values == names:
            faults.append(Fault(f"{path}:{line}:", "the header again", "it once, at the top"))
            continue
        if len(cells) != len(names):
            faults.append(Fault(f"{path}:{line}:", f"{len(cells)} values", f"{len(names)}, one for each column"))
            continue
        folded = [value.casefold() if any_case else value for value, any_case in zip(values, fold, strict=True)]
        rows.append(Row(path, line, dict(zip(names, folded, strict=True))))
    return rows
