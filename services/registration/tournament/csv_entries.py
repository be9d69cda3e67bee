"""Players from a CSV file, with every fault at its row and column, and to one."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from services.registration.tournament.commands import Entry
from shared.csv_cells import defused, read_table
from shared.names import plain, repeated
from shared.refusals import Fault, Refusal, expects
from shared.tournament.people import Player
from shared.web.body import load
from shared.web.refusals import InvalidRequest
from shared.web.schema import deferred

COLUMNS = ("player", "name", "faction", "venue", "club")
"""As in `players.csv` of the offline tools. player: who it is elsewhere; without `name` they are called that too."""

PLAYERS_FILE = (*COLUMNS, "status", "dropped_after")
"""players.csv of the offline tools, whole; there `player` is the id by which results name them."""

LONGEST_FILE = 10_000
"""Players of one file, who all enter or none; a list in JSON is sent in parts."""

ENTERED = ("active", "dropped", "disqualified")
"""Statuses of which that file can speak."""

_player = deferred(Entry)


class CsvRefused(Refusal):
    """The file cannot be taken; faults name row and column (both from 1), and nobody was entered."""

    code = "csv-refused"


class Entries(Struct, frozen=True):
    """What a file says. rows: the row of each player, from 1."""

    players: list[Entry]
    rows: list[int]
    columns: list[str]

    def place(self, where: str) -> str:
        """Row and column of `/players/<index>/<member>`."""
        _, _, index, member = where.split("/")
        return _cell(self.rows[int(index)], self.columns, member)


def read_entries(data: bytes) -> Entries:
    """Return the players of a CSV file. Raises CsvRefused with every fault."""
    table = read_table(data, COLUMNS, _place)
    columns, faults = table.columns, list(table.faults)
    if columns and not {"player", "name"} & set(columns):
        faults.append(Fault("row 1", ",".join(columns), expects("name-column")))
        columns = []
    if not columns:
        raise _refused(faults)
    entries = Entries([], [], columns)
    names: list[tuple[int, str, str]] = []
    for row in table.rows:
        cells = {column: cell for column, cell in row.cells.items() if cell}
        names += [(row.number, column, cells[column]) for column in ("player", "name") if column in cells]
        nameless = "name" not in cells
        if "player" in cells or nameless:
            cells["name" if nameless else "external_id"] = cells.pop("player", "")
        try:
            entry: Entry = load(_player.schema, cells)
            entries.players.append(replace(entry, external_id=entry.name) if nameless else entry)
            entries.rows.append(row.number)
        except InvalidRequest as refused:
            for fault in refused.faults:
                where = _cell(row.number, columns, fault.where.removeprefix("/"))
                faults.append(Fault(where, fault.said, fault.expected))
    faults += _twice(names, columns)
    if len(entries.players) > LONGEST_FILE:
        faults.append(Fault("", f"{len(entries.players)}", expects("players-of-file", most=LONGEST_FILE)))
    if not faults and not entries.players:
        faults.append(Fault("row 2", "nothing", expects("line-for-each-player")))
    if faults:
        raise _refused(faults)
    return entries


def players_row(player: Player) -> dict[str, object]:
    """The row of players.csv that the offline commands take for a player."""
    row: dict[str, object] = {"player": player.id, **{name: getattr(player, name) for name in COLUMNS[1:]}}
    row |= {} if player.status == "active" else {"status": player.status}
    return row | ({"dropped_after": player.after_round} if player.status == "dropped" else {})


def write_entries(players: Iterable[Player]) -> str:
    """Players as a file that `read_entries` reads; a cell that could be a formula gets a quote before it."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    for player in players:
        row = (player.external_id, player.name, player.faction, player.venue, player.club)
        writer.writerow(map(defused, row))
    return text.getvalue()


def _twice(cells: list[tuple[int, str, str]], columns: list[str]) -> list[Fault]:
    """Players who stand in the file more than once, by the name or by what stands under `player`."""
    faults = []
    ids = Counter(plain(said) for _, column, said in cells if column == "player")
    for wanted in ("player", "name"):
        found = [(number, said) for number, column, said in cells if column == wanted]
        for (number, said), twice in zip(found, repeated([said for _, said in found]), strict=True):
            if ids[plain(said)] > 1 if wanted == "player" else twice:
                faults.append(Fault(_cell(number, columns, wanted), said, expects("each-player-once")))
    return faults


def _cell(row: int, columns: list[str], column: str) -> str:
    if column not in columns:
        column = "player"  # a player without a name of their own is called what stands there
    return _place(row, columns.index(column) + 1, column)


def _place(row: int, column: int = 0, name: str = "") -> str:
    return f"row {row}" + (f", column {column}" if column else "") + (f" ({name})" if column and name else "")


def _refused(faults: list[Fault]) -> CsvRefused:
    return CsvRefused(f"The file has {len(faults)} fault{'s' if len(faults) > 1 else ''}; nobody was entered.", faults)
