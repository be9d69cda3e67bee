"""CSV files as spreadsheets read and write them: a reader for tables, and protection against formulas. Pure.

Cells are protected as OWASP recommends (CSV injection): text that begins with `=`, `+`, `-`, `@`, a tab, a line end, or
the full-width form of one of them gets a single quote in front. So does text that begins with quotes before such a
character: reading removes one quote, and every text comes back exactly. Plain numbers such as -5 stay unchanged.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Protocol

from msgspec import Struct

from shared.refusals import MAX_SHOWN_LENGTH, NOTHING, Expected, Fault, expects

SEPARATORS = ",;\t|"
"""Column separators: German spreadsheets write semicolons, and pasted rows have tabs."""
_SEPARATOR_LINE = re.compile(r'"?sep=([,;\t|])"?[,;\t|]*(?:\r\n|\r|\n|$)', re.IGNORECASE)
"""The first line in which Excel declares the separator."""
_LINE_END = re.compile(r"\r\n|\r|\n")

_RISKY = re.compile(r"'*[=+\-@\t\r\n＝＋－＠]")
_NUMBER = re.compile(r"-?\d+([./]\d+)?", re.ASCII)


def escape_formula(cell: str) -> str:
    """Return a cell that a spreadsheet shows as text instead of evaluating it."""
    return "'" + cell if _RISKY.match(cell) and not _NUMBER.fullmatch(cell) else cell


def unescape_formula(cell: str) -> str:
    """Return a cell without the quote that `escape_formula` added."""
    return cell[1:] if cell.startswith("'") and _RISKY.match(cell) else cell


def to_csv(columns: Sequence[str], rows: Iterable[Mapping[str, object]]) -> str:
    """Return comma-separated values with a header and LF; missing values are empty."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([escape_formula(cell_text(row.get(column, ""))) for column in columns] for row in rows)
    return text.getvalue()


def cell_text(value: object) -> str:
    """Return a value as the text of a cell: `true`, `false`, and empty for None."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value)


class NotUtf8(Exception):
    """A file that is not UTF-8 text. row: line of the first invalid byte (1-based). byte: its value."""

    def __init__(self, row: int, byte: int) -> None:
        super().__init__(f"byte {byte:#04x} in row {row}")
        self.row, self.byte = row, byte


def decode_utf8(data: bytes) -> str:
    """Return the text of a file in UTF-8, without a byte-order mark. Raises NotUtf8."""
    data = data.removeprefix(codecs.BOM_UTF8)
    bad = data.find(0)
    try:
        text = data.decode()
        if bad < 0:
            return text
    except UnicodeDecodeError as error:
        bad = error.start
    raise NotUtf8(len((data[:bad] + b"x").splitlines()), data[bad])


def decode_spreadsheet(data: bytes) -> tuple[str, str]:
    """Return the text of a file that a spreadsheet saved, and its encoding: utf-8, utf-16 or cp1252. Raises NotUtf8."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        try:
            return data.decode("utf-16"), "utf-16"
        except UnicodeDecodeError as error:
            raise NotUtf8(1, data[error.start]) from error
    try:
        return decode_utf8(data), "utf-8"
    except NotUtf8:
        if data.startswith(codecs.BOM_UTF8) or 0 in data:
            raise
        try:
            return data.decode("cp1252"), "cp1252"
        except UnicodeDecodeError:
            pass
        raise


class Place(Protocol):
    """Returns the name of a place in a file. row, column: 1-based; column 0 for a whole row."""

    def __call__(self, row: int, column: int = 0, name: str = "") -> str: ...


def row_place(row: int, column: int = 0, name: str = "") -> str:
    """Return a place as services name it: `row 3, column 2 (venue)`."""
    return f"row {row}" + (f", column {column}" if column else "") + (f" ({name})" if column and name else "")


class TableRow(Struct, frozen=True):
    """A non-empty row. number: its first line (1-based). cells: column -> value without surrounding spaces."""

    number: int
    cells: dict[str, str]


class Table(Struct, frozen=True):
    """The contents of a file. columns: names in order, empty for unnamed columns; no names if the header is invalid."""

    columns: list[str]
    rows: list[TableRow]
    faults: list[Fault]


def read_table(
    data: bytes,
    columns: Sequence[str],
    place: Place,
    *,
    required: Collection[str] = (),
    ignored: Collection[str] = (),
    ignore_option: str = "",
) -> Table:
    """Read a CSV file from any spreadsheet, and collect all faults of its form.

    Columns may come in any order, and their names in any case. The separator (one of SEPARATORS) is detected by the
    header or declared by a line `sep=;`. Empty rows and empty columns without a name are skipped.
    required: columns that must exist. ignored: unknown columns to skip. ignore_option: the command-line option that
    names them.
    """
    faults: list[Fault] = []
    nothing = Table([], [], faults)
    try:
        text = decode_utf8(data)
    except NotUtf8 as error:
        faults.append(Fault(place(error.row), f"0x{error.byte:02X}", expects("utf-8-file")))
        return nothing
    first, separator = 1, ""
    if line := _SEPARATOR_LINE.match(text):
        first, separator, text = 2, line[1], text[line.end() :]
    separator = separator or max(SEPARATORS, key=lambda mark: len(_header_of(text, mark, columns) & set(columns)))
    found: list[tuple[int, list[str]]] = []
    try:
        found += _rows_of(text, separator, first)
    except _Broken as broken:
        faults.append(Fault(place(broken.row), broken.line, broken.expected))
        return nothing
    if not found:
        faults.append(Fault(place(1), NOTHING, expects("header", columns=list(columns))))
        return nothing
    header, *rows = found
    names = _named(header[1], columns)
    faults += _faults_of_header(header[0], names, columns, place, required, ignored, ignore_option)
    if faults:
        return nothing
    return Table(names, list(_cells_of(rows, names, ignored, place, faults)), faults)


class _Broken(Exception):
    """Unbalanced quotes or an oversized cell. row: its first line; line: the text of that line."""

    def __init__(self, row: int, line: str, expected: Expected) -> None:
        super().__init__(str(expected))
        self.row, self.line, self.expected = row, line[:MAX_SHOWN_LENGTH], expected


def _rows_of(text: str, separator: str, first: int) -> Iterator[tuple[int, list[str]]]:
    """Yield the non-empty rows, each with its first line. Raises _Broken."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    line = 0
    try:
        for row in reader:
            if any(cell.strip() for cell in row):
                yield first + line, row
            line = reader.line_num
    except csv.Error as error:
        found, limit = _LINE_END.split(text)[line], csv.field_size_limit()
        right = expects("cells-at-most", most=limit) if len(found) > limit else expects("csv-quotes")
        raise _Broken(first + line, found, right) from error


def _header_of(text: str, separator: str, columns: Sequence[str]) -> set[str]:
    try:
        return set(_named(next(_rows_of(text, separator, 1))[1], columns))
    except (_Broken, StopIteration):
        return set()


def _named(cells: Sequence[str], columns: Collection[str]) -> list[str]:
    """Return the column names of a header (`Player 1` is `player_1`) without unnamed columns at the end."""
    normalized = [cell.strip().casefold().replace(" ", "_") for cell in cells]
    names = [name if name in columns else cell.strip() for name, cell in zip(normalized, cells, strict=True)]
    while names and not names[-1]:
        names.pop()
    return names


def _faults_of_header(
    row: int,
    names: Sequence[str],
    columns: Sequence[str],
    place: Place,
    required: Collection[str],
    ignored: Collection[str],
    ignore_option: str,
) -> Iterator[Fault]:
    unknown = expects("known-column", columns=list(columns))
    if ignore_option:
        unknown = expects("known-column-or-option", columns=list(columns), option=ignore_option)
    if not set(names) & set(columns):
        yield Fault(place(row), _shorten(names), expects("header", columns=list(columns)))
        return
    times: Counter[str] = Counter()
    for number, name in enumerate(names, start=1):
        times[name] += 1
        if not name or name in ignored:
            continue
        if name not in columns:
            yield Fault(place(row, number, name), name, unknown)
        elif times[name] > 1:
            yield Fault(place(row, number, name), name, expects("each-column-once"))
    for name in required:
        if name not in names:
            yield Fault(place(row, 0, name), NOTHING, expects("column", name=name))


def _shorten(cells: Sequence[str]) -> str:
    return ",".join(cells)[:MAX_SHOWN_LENGTH]


def _cells_of(
    rows: Iterable[tuple[int, list[str]]],
    names: Sequence[str],
    ignored: Collection[str],
    place: Place,
    faults: list[Fault],
) -> Iterator[TableRow]:
    known = [(index, name) for index, name in enumerate(names) if name and name not in ignored]
    unnamed = [index for index, name in enumerate(names) if not name]
    for number, cells in rows:
        if len(cells) < len(names) or any(cell.strip() for cell in cells[len(names) :]):
            faults.append(Fault(place(number), str(len(cells)), expects("values-of-columns", count=len(names))))
            continue
        if _named(cells, names) == names:
            faults.append(Fault(place(number), _shorten(cells), expects("header-once")))
            continue
        faults += [
            Fault(place(number, index + 1), cells[index], expects("column-name"))
            for index in unnamed
            if cells[index].strip()
        ]
        yield TableRow(number, {name: unescape_formula(cells[index].strip()).strip() for index, name in known})
