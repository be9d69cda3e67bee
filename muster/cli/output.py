"""What the command writes: faults, a line each; rows as a table, CSV or JSON; progress, for people alone.

And who stands where, as scoring shows it: standings, rankings of co-operative events, seasons.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NoReturn, TypeVar

import click

from shared.csv_cells import as_cell, as_csv
from shared.refusals import Fault

DONE, NOT_HELD, BAD_INPUT = 0, 1, 2
"""Exit codes: all is well; the check did not hold; bad input."""


def tell(faults: Iterable[Fault]) -> None:
    """Write a line for each fault to standard error."""
    for fault in faults:
        print(as_line(fault), file=sys.stderr)


def as_line(fault: Fault) -> str:
    """`where: what, expected ... (clause)`, whatever it was made of; nothing in it moves the cursor."""
    said = f"{fault.where}: {fault.said}" if fault.where else fault.said
    said += f", expected {fault.expected}" if fault.expected else ""
    said += f" ({fault.clause})" if fault.clause else ""
    return printable(" ".join(said.split()))


def refuse(faults: Iterable[Fault]) -> NoReturn:
    """Tell the faults and leave with the exit code for bad input."""
    tell(faults)
    raise SystemExit(BAD_INPUT)


TextRow = Mapping[str, object]


def write(text: str, path: str) -> None:
    """Write to a file, or to standard output for `-`; leaves with the exit code for bad input where it cannot."""
    if path == "-":
        sys.stdout.write(text)
        return
    try:
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(text)
    except OSError as error:
        refuse([Fault(path, (error.strerror or "cannot be written").lower(), "a file that can be written")])


def as_json(rows: Sequence[TextRow]) -> str:
    """A JSON array, an object to a line."""
    lines = ",\n".join("  " + json.dumps(row, ensure_ascii=False) for row in rows)
    return f"[\n{lines}\n]\n" if rows else "[]\n"


def in_form(form: str, columns: Sequence[str], rows: Sequence[TextRow]) -> str:
    """Rows as `table`, `csv` or `json`, which shows all that rows have."""
    return as_json(rows) if form == "json" else (as_csv if form == "csv" else as_table)(columns, rows)


def in_order(rows: Sequence[dict[str, Any]], *, provisional: object) -> list[dict[str, Any]]:
    """Rows of an order that may still change are marked as such (`provisional`, true), which JSON alone shows."""
    return [row | {"provisional": True} for row in rows] if provisional else list(rows)


def as_table(
    columns: Sequence[str], rows: Sequence[TextRow], headings: Mapping[str, str] = MappingProxyType({})
) -> str:
    """Columns aligned with spaces, numbers to the right. headings: of columns that are called something else."""
    cells = [[as_cell(row.get(column, "")) for column in columns] for row in rows]
    titles = [headings.get(column, column.replace("_", " ")) for column in columns]
    widths = [max(map(len, column)) for column in zip(titles, *cells, strict=True)]
    right = [all(isinstance(row.get(column, ""), int) for row in rows) and bool(rows) for column in columns]

    def line(values: Sequence[str]) -> str:
        padded = (
            value.rjust(width) if to_right else value.ljust(width)
            for value, width, to_right in zip(values, widths, right, strict=True)
        )
        return "  ".join(padded).rstrip()

    return "".join(line(values) + "\n" for values in [titles, *cells])


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
        write(as_json(rows), "-")
    elif form == "csv":
        write(as_csv(columns, rows), "-")
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
        table.add_row(*(Text(_in_cell(row.get(column))) for column in columns))
    console = Console(highlight=False, width=None if sys.stdout.isatty() else PIPED)
    console.print(table)
    if not rows:
        console.print("nothing to show")


def _in_cell(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else ""
    return "" if value is None else printable(str(value))


MANY = 2_000
"""Work of fewer steps than that is done before anybody has read a line."""

Item = TypeVar("Item")


def shown(items: Sequence[Item], what: str) -> Iterator[Item]:
    """The items, one after another, with a bar that says how many of them are done."""
    if len(items) < MANY or not sys.stderr.isatty():
        yield from items
        return
    with click.progressbar(items, label=what, file=sys.stderr, show_pos=True, update_min_steps=MANY // 4) as bar:
        yield from bar


def say(what: str, size: int) -> None:
    """A line that says what begins now, of work of this size."""
    if size >= MANY and sys.stderr.isatty():
        click.echo(f"{what} …", err=True)


TABLES = ("rank", "session", "outcome", "rounds", "share", "goals", "scenario", "loyal", "survivors", "reason")
SURVIVORS = ("rank", "player", "points", "victories", "rounds", "goals")
WITH_REASON = (*SURVIVORS, "reason")


def show_standings(found: Mapping[str, Any], form: str) -> None:
    """Write standings as scoring shows them to standard output, as a table, CSV or JSON."""
    columns = ["rank", "player", *found["columns"], "tied", "status"]
    told = [_standing(row, found["columns"]) for row in found["items"]]
    rows = in_order(told, provisional=found["provisional"])
    words: Mapping[str, str] = found.get("words", {})
    headings = {name: words[name] for name in found["columns"] if name in words}
    state = "final" if found["final"] else "provisional" if found["provisional"] else "recorded"
    if form == "table":
        rows = [row | {"tied": words.get("tied", "tied") if row["tied"] else ""} for row in rows]
    show(columns, rows, form, f"Standings after round {found['round']} ({state})", headings)


def show_ranking(found: Mapping[str, Any], form: str) -> None:
    """The survivors by all their sessions. As a table with the reason of each place, behind the tables of the round."""
    names = {row["player"]: row["name"] for row in found["survivors"]}
    survivors = [{column: row[column] for column in SURVIVORS} | {"player": row["name"]} for row in found["survivors"]]
    if form != "table":
        show(SURVIVORS, in_order(survivors, provisional=found["provisional"]), form)
        return
    state = "final" if found["final"] else "provisional" if found["provisional"] else "published"
    tables = [
        row
        | {"survivors": ", ".join(names.get(player, player) for player in row["survivors"])}
        | {"reason": _in_words(row["reason"], names)}
        for row in found["tables"]
    ]
    show(TABLES, tables, form, f"Tables of round {found['round']} ({state})")
    reasons = [_in_words(row["reason"], names) for row in found["survivors"]]
    told = [row | {"reason": reason} for row, reason in zip(survivors, reasons, strict=True)]
    show(WITH_REASON, told, form, f"Survivors after round {found['round']} ({state})")


def show_season(found: Mapping[str, Any], form: str) -> None:
    """The table of a season as scoring shows it, division by division, with the ratings where there are any."""
    divided = any(row["division"] for row in found["items"])
    rated = any(row["rating"] for row in found["items"])
    columns = ["rank", *(["division"] if divided else []), "player", *found["columns"], "attended"]
    columns += [*(["rating"] if rated else []), "eligible", "tied", "status"]
    rows = [
        {"rank": row["rank"], "division": row["division"], "player": row["name"]}
        | {column: row["values"][column] for column in found["columns"]}
        | {"attended": row["attended"], "rating": row["rating"]["rating"] if row["rating"] else None}
        | {"eligible": not row["barred"], "tied": row["tied"]}
        | ({} if row["status"] == "active" else {"status": row["status"]})
        for row in found["items"]
    ]
    state = "final" if found["final"] else "provisional" if found["provisional"] else "recorded"
    told = [{name: row[name] for name in columns if name in row} for row in rows]
    show(columns, in_order(told, provisional=found["provisional"]), form, f"Season ({state})")


def _in_words(reason: Mapping[str, str] | None, names: Mapping[str, str]) -> str:
    """What separates a row from the one above it, or the first from the one below, in words."""
    if reason is None:
        return ""
    other = names.get(reason["compared_with"], reason["compared_with"])
    if reason["by"] == "equal":
        return f"equal to {other} ({reason['clause']})"
    return f"{reason['by']}: {reason['own']} against {reason['theirs']} of {other} ({reason['clause']})"


def _standing(row: Mapping[str, Any], columns: Sequence[str]) -> dict[str, Any]:
    values = {column: row["values"][column] for column in columns}
    status = {} if row["status"] == "active" else {"status": row["status"]}
    return {"rank": row["rank"], "player": row["name"], **values, "tied": row["tied"], **status}
