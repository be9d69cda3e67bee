"""Players from a CSV file: every fault with its row and column, or all of them."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from marshmallow import ValidationError
from msgspec import Struct

from services.registration.schemas_players import LONGEST_LIST, Player
from shared.http.faults import faults_of
from shared.refusals import Fault, Refusal

COLUMNS = ("player", "name", "faction", "venue", "club")
"""As in `players.csv` of the offline tools; without `name` a player is called what stands under `player`."""

_player = Player()


class CsvRefused(Refusal):
    """The file cannot be taken; faults name row and column (both from 1), and nobody was entered."""

    code = "csv-refused"


class Entries(Struct, frozen=True):
    """What a file says. players: as the shape `Player` loads them; rows: the row of each, from 1."""

    players: list[dict[str, Any]]
    rows: list[int]
    columns: list[str]

    def place(self, where: str) -> str:
        """Row and column of `/players/<index>/<member>`."""
        _, _, index, member = where.split("/")
        return _cell(self.rows[int(index)], self.columns, member)


def read_entries(data: bytes) -> Entries:
    """The players of a CSV file in UTF-8 (with or without byte-order mark).

    Raises CsvRefused with every fault.
    """
    rows = list(_rows(data))
    if not rows:
        raise _refused([Fault("row 1", "the file is empty", f"a line of columns: {','.join(COLUMNS)}")])
    columns = [column.strip() for column in rows[0][1]]
    _refuse_columns(columns)
    faults: list[Fault] = []
    entries = Entries([], [], columns)
    names: list[tuple[int, str, str]] = []
    for number, row in rows[1:]:
        if len(row) != len(columns):
            faults.append(Fault(f"row {number}", f"{len(row)} columns", f"{len(columns)} columns"))
            continue
        cells = {column: cell.strip() for column, cell in zip(columns, row, strict=True) if cell.strip()}
        names += [(number, column, cells[column]) for column in ("player", "name") if column in cells]
        cells.setdefault("name", cells.get("player", ""))
        cells.pop("player", None)
        try:
            entries.players.append(_player.load(cells))
            entries.rows.append(number)
        except ValidationError as error:
            for fault in faults_of(error.messages, cells, _player):
                where = _cell(number, columns, fault.where.removeprefix("/"))
                faults.append(Fault(where, fault.said, fault.expected))
    faults += _twice(names, columns)
    if len(entries.players) > LONGEST_LIST:
        faults.append(Fault("", f"{len(entries.players)} players", f"at most {LONGEST_LIST} in one file"))
    if not faults and not entries.players:
        faults.append(Fault("row 2", "no player", "a line for each player"))
    if faults:
        raise _refused(faults)
    return entries


def _rows(data: bytes) -> Iterator[tuple[int, list[str]]]:
    """Rows in which something stands, each with the number of its line."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _refused([Fault(f"byte {error.start + 1}", "not UTF-8", "a file in UTF-8")]) from error
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    line = 1
    try:
        for row in reader:
            if any(cell.strip() for cell in row):
                yield line, row
            line = reader.line_num + 1
    except csv.Error as error:
        raise _refused([Fault(f"row {line}", str(error), "CSV: columns with commas, quotes in pairs")]) from error


def _refuse_columns(columns: list[str]) -> None:
    faults = [
        Fault(f"row 1, column {number}", column, "one of " + ", ".join(COLUMNS) + _separator(column))
        for number, column in enumerate(columns, start=1)
        if column not in COLUMNS
    ]
    faults += [Fault("row 1", f"{column} twice", "each column once") for column, n in Counter(columns).items() if n > 1]
    if not {"player", "name"} & set(columns):
        faults.append(Fault("row 1", ",".join(columns), "a column `name` or `player`"))
    if faults:
        raise _refused(faults)


def _separator(column: str) -> str:
    return ", with commas between them" if ";" in column or "\t" in column else ""


def _twice(cells: list[tuple[int, str, str]], columns: list[str]) -> list[Fault]:
    """Players who stand in the file more than once, by the name or by what stands under `player`."""
    count: Mapping[tuple[str, str], int] = Counter((column, said.casefold()) for _, column, said in cells)
    return [
        Fault(_cell(number, columns, column), f"{said} stands here {times} times", "each player once")
        for number, column, said in cells
        if (times := count[column, said.casefold()]) > 1
    ]


def _cell(row: int, columns: list[str], column: str) -> str:
    if column not in columns:
        column = "player"  # a player without a name of their own is called what stands there
    return f"row {row}, column {columns.index(column) + 1} ({column})"


def _refused(faults: list[Fault]) -> CsvRefused:
    return CsvRefused(f"The file has {len(faults)} fault{'s' if len(faults) > 1 else ''}; nobody was entered.", faults)
