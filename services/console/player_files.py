"""A file of players: its text, its faults by row, and a preview of the rows that can be added."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from hashlib import sha256

from markupsafe import Markup
from msgspec import Struct

from muster_client import Fault, Problem, answers
from services.console.language import _
from services.console.problem_words import expected_text, value_text
from services.console.signed_in import muster
from shared.csv_cells import TableRow, read_table, row_place, to_csv
from shared.names import normalize_name

COLUMNS = ("player", "name", "faction", "venue", "club")
ROW = re.compile(r"row (\d+)(?:, column (\d+)(?: \((\w+)\))?)?")
NAME_TWICE = "each-player-once"
LONGEST_VALUE = 60
"""Characters of a wrong value that are shown."""


class FileFault(Struct, frozen=True):
    """A fault of a file. row, column: from 1; empty for the whole file."""

    row: str
    column: str
    value: str
    expected: str | Markup


class CheckedFile(Struct, frozen=True):
    """A file as the service would take it. content: the good rows, as CSV. preview: None without a good row."""

    content: str
    faults: list[FileFault]
    preview: answers.RegistrationPreview | None

    @property
    def digest(self) -> str:
        """Identifies the good rows, so that only rows that were previewed are added."""
        return sha256(self.content.encode()).hexdigest()

    @property
    def bad_rows(self) -> int:
        """The number of rows with a fault."""
        return len({fault.row for fault in self.faults})

    @property
    def joining(self) -> list[answers.EventForeseen]:
        """The entries that the preview foresees."""
        events = self.preview.events if self.preview else []
        return [one for one in events if one.type in ("PlayerJoined", "PlayerWaitlisted")]

    @property
    def unchanged(self) -> int:
        """The number of rows of players who are already entered."""
        return (self.preview.moves.unchanged or 0) if self.preview else 0


def check_file(event: answers.TournamentView, text: str) -> CheckedFile:
    """Collect all faults of a file, and preview its good rows. Raises Problem for a refusal that names no row."""
    table = read_table(text.encode(), COLUMNS, row_place)
    columns = [name for name in table.columns if name]
    rows, wrong_venues = _with_venue_ids(table.rows, event)
    found = [
        _of_row(Fault(one.where, one.said, str(one.expected), code=one.code, data=one.data)) for one in table.faults
    ] + wrong_venues
    bad = {fault.row for fault in wrong_venues}
    while columns and (rows or not found):
        content, lines = _write(columns, rows)
        try:
            preview = muster().registration.join_players_csv(event.id, content, preview=True)
            if not bad:
                return CheckedFile(content, _sorted(found), preview)
        except Problem as problem:
            if not problem.faults:
                raise
            faults = [_of_row(fault, lines) for fault in problem.faults]
            found += _with_other_row(faults, problem.faults)
            bad |= {fault.row for fault in faults}
        good = [row for row in rows if str(row.number) not in bad]
        if len(good) == len(rows):
            break
        rows, bad = good, set()
    return CheckedFile("", _sorted(found), None)


def venue_ids(venues: Iterable[answers.VenueView]) -> dict[str, str]:
    """Return the ids of the open venues, by name and by id in lower case."""
    found = [venue for venue in venues if venue.open]
    return {venue.name.casefold(): venue.id for venue in found} | {venue.id.casefold(): venue.id for venue in found}


def _with_venue_ids(rows: Iterable[TableRow], event: answers.TournamentView) -> tuple[list[TableRow], list[FileFault]]:
    """Return rows with the ids of the venues that they name, and a fault for each unknown venue."""
    venues = [venue for venue in event.venues if venue.open]
    ids = venue_ids(venues)
    names = ", ".join((venue.name or venue.id) for venue in venues)
    replaced, faults = [], []
    for row in rows:
        named = row.cells.get("venue", "")
        known = ids.get(named.casefold(), "")
        if named and not known:
            expected = _("one of the open venues: %(names)s", names=names)
            faults.append(FileFault(str(row.number), "venue", _shown(named), expected))
        replaced.append(TableRow(row.number, row.cells | ({"venue": known} if named else {})))
    return replaced, faults


def _write(columns: Sequence[str], rows: Sequence[TableRow]) -> tuple[str, dict[str, str]]:
    """Return rows as CSV, and for each line of it the row of the file."""
    lines, line = {"1": "1"}, 2
    for row in rows:
        lines[str(line)] = str(row.number)
        line += 1 + sum(cell.count("\n") for cell in row.cells.values())
    return to_csv(columns, [row.cells for row in rows]), lines


def _of_row(fault: Fault, lines: dict[str, str] | None = None) -> FileFault:
    """Return a fault with its row in the file. lines: line that was sent -> row."""
    place = ROW.match(fault.where)
    row, column = (place[1], place[3] or place[2] or "") if place else ("", "")
    row = lines.get(row, row) if lines else row
    return FileFault(row, column, _shown(fault.said), expected_text(fault))


def _with_other_row(found: Sequence[FileFault], faults: Sequence[Fault]) -> list[FileFault]:
    """Return faults that name, for a name that occurs twice, the other row."""
    same: dict[str, list[str]] = {}
    for one, fault in zip(found, faults, strict=True):
        if fault.code == NAME_TWICE:
            same.setdefault(normalize_name(fault.said), []).append(one.row)
    named = []
    for one, fault in zip(found, faults, strict=True):
        rows = same.get(normalize_name(fault.said), ()) if fault.code == NAME_TWICE else ()
        other = next((row for row in rows if row != one.row), "")
        expected = _("same name as in row %(row)s", row=other) if other else one.expected
        named.append(FileFault(one.row, one.column, one.value, expected))
    return named


def _shown(said: str) -> str:
    """Return a wrong value, cut, without the quotes that services put around texts."""
    value = said.strip('"')
    if not value:
        return _("nothing")
    return value_text(value if len(value) <= LONGEST_VALUE else value[: LONGEST_VALUE - 1] + "…")


def _sorted(faults: Iterable[FileFault]) -> list[FileFault]:
    return sorted(faults, key=lambda one: int(one.row or 0))
