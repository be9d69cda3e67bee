"""CSV files, as spreadsheets write and read them: the one reader of tables, and cells that are no formulas. Pure.

The rule for cells, as OWASP has it (CSV injection): text that begins with `=`, `+`, `-`, `@`, a tab, a line end, or the
full-width form of one of them, gets a single quote before it; and so does text that begins with quotes before such a
character, so that reading takes one quote off and every text comes back exactly. Plain numbers such as -5 stay as
they are.
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
"""What may stand between columns: German spreadsheets write semicolons, and pasted rows have tabs."""
_SEPARATOR_LINE = re.compile(r'"?sep=([,;\t|])"?[,;\t|]*(?:\r\n|\r|\n|$)', re.IGNORECASE)
"""The first line by which Excel says what separates columns."""
_LINE_END = re.compile(r"\r\n|\r|\n")

_RISKY = re.compile(r"'*[=+\-@\t\r\n＝＋－＠]")
_NUMBER = re.compile(r"-?\d+([./]\d+)?", re.ASCII)


def escape_formula(cell: str) -> str:
    """A cell as it is written, so that a spreadsheet shows it and computes nothing."""
    return "'" + cell if _RISKY.match(cell) and not _NUMBER.fullmatch(cell) else cell


def unescape_formula(cell: str) -> str:
    """A cell that was read, without the quote that `defused` wrote."""
    return cell[1:] if cell.startswith("'") and _RISKY.match(cell) else cell


def to_csv(columns: Sequence[str], rows: Iterable[Mapping[str, object]]) -> str:
    """Comma-separated values with a header and LF; what a row lacks is empty."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([escape_formula(cell_text(row.get(column, ""))) for column in columns] for row in rows)
    return text.getvalue()


def cell_text(value: object) -> str:
    """A value as the text of a cell: `true` and `false`, and nothing for None."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value)


class NotUtf8(Exception):
    """The file is no text in UTF-8. row: the line of the first wrong byte, from 1; byte: its value."""

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


class Place(Protocol):
    """How a fault names its place. row: line of the file. column: its number, 0 for a whole row. Both from 1."""

    def __call__(self, row: int, column: int = 0, name: str = "") -> str: ...


class TableRow(Struct, frozen=True):
    """A row that is not empty. number: the line on which it begins, from 1. cells: by column, without outer spaces."""

    number: int
    cells: dict[str, str]


class Table(Struct, frozen=True):
    """What a file holds. columns: names in order, empty where the header is wrong; a column without a name is empty."""

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
    """Read a CSV file as any spreadsheet writes it, with all faults of its form.

    Columns stand in any order, and their names in any case. Separators are those of SEPARATORS, found by the header or
    said by a line `sep=;`. Empty rows, and columns with neither a name nor a value, are passed over.
    required: columns that have to be there. ignored: further columns that are passed over. ignore_option: the option
    of a command that names them.
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
    separator = separator or max(SEPARATORS, key=lambda one: len(_header_of(text, one, columns) & set(columns)))
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
    """Quotes that do not fit, or a cell without end. row: on which it begins; line: what is there."""

    def __init__(self, row: int, line: str, expected: Expected) -> None:
        super().__init__(str(expected))
        self.row, self.line, self.expected = row, line[:MAX_SHOWN_LENGTH], expected


def _rows_of(text: str, separator: str, first: int) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows that are not empty, each with the line on which it begins. Raises _Broken."""
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
    """Return the names of a header: `Player 1` is the column `player_1`. Columns at the end without a name are none."""
    plain = [cell.strip().casefold().replace(" ", "_") for cell in cells]
    names = [one if one in columns else cell.strip() for one, cell in zip(plain, cells, strict=True)]
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
        yield Fault(place(row), _as_said(names), expects("header", columns=list(columns)))
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


def _as_said(cells: Sequence[str]) -> str:
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
            faults.append(Fault(place(number), _as_said(cells), expects("header-once")))
            continue
        faults += [
            Fault(place(number, index + 1), cells[index], expects("column-name"))
            for index in unnamed
            if cells[index].strip()
        ]
        yield TableRow(number, {name: unescape_formula(cells[index].strip()).strip() for index, name in known})
