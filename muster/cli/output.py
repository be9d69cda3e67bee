"""The output of the command line: tables, CSV and JSON, faults, and progress bars."""

from __future__ import annotations

import json
import re
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from textwrap import wrap
from types import MappingProxyType
from typing import Any, NoReturn, TypeVar

import click

from shared.csv_cells import to_csv
from shared.refusals import Fault, expects

GAP = "  "
NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?")
NOTHING = "nothing to show\n"

Row = Mapping[str, object]


def as_table(
    columns: Sequence[str],
    rows: Sequence[Row],
    headings: Mapping[str, str] = MappingProxyType({}),
    *,
    title: str = "",
    output: str = "-",
) -> str:
    """Return rows as a text table.

    headings: column -> its heading, where that is not the column's name. title: a line above the table.
    output: the file, as for `write`.
    """
    above = f"{printable(title)}\n" if title else ""
    if not rows:
        return above + NOTHING
    titles = [printable(headings.get(column, column.replace("_", " "))) for column in columns]
    cells = [[_cell(row.get(column)) for column in columns] for row in rows]
    return above + wrap_columns(titles, cells, terminal_width(output))


def terminal_width(output: str = "-") -> int | None:
    """Return the width of the terminal in letters; None for a file or a pipe."""
    return shutil.get_terminal_size().columns if output == "-" and sys.stdout.isatty() else None


def wrap_columns(titles: Sequence[str], cells: Sequence[Sequence[str]], width: int | None) -> str:
    """Return titles and cells in columns; a row per block if `width` letters cannot hold the columns."""
    by_column = list(zip(titles, *cells, strict=True))
    widths = [max(map(_text_width, column)) for column in by_column]
    if width is not None:
        least = [max(_text_width(word) for text in column for word in text.split() or [""]) for column in by_column]
        fitted = _fit_widths(widths, least, width)
        if fitted is None:
            return _blocks(titles, cells, width)
        widths = fitted
    right = [any(column[1:]) and all(NUMBER.fullmatch(cell) for cell in column[1:] if cell) for column in by_column]
    return "".join(_line(row, widths, right) for row in [*([titles] if any(map(str.strip, titles)) else []), *cells])


def _fit_widths(widths: Sequence[int], least: Sequence[int], width: int) -> list[int] | None:
    """Return column widths that fit into `width`; None if a word would have to be broken."""
    fitted = list(widths)
    for _ in range(sum(widths) + len(GAP) * (len(widths) - 1) - width):
        wide = [index for index, one in enumerate(fitted) if one > least[index]]
        if not wide:
            return None
        fitted[max(wide, key=fitted.__getitem__)] -= 1
    return fitted


def _line(cells: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> str:
    broken = [_wrap(cell, width) for cell, width in zip(cells, widths, strict=True)]
    lines = []
    for number in range(max(map(len, broken))):
        parts = [cell[number] if number < len(cell) else "" for cell in broken]
        padded = (_pad(part, width, to_right) for part, width, to_right in zip(parts, widths, right, strict=True))
        lines.append(GAP.join(padded).rstrip() + "\n")
    return "".join(lines)


def _blocks(titles: Sequence[str], cells: Sequence[Sequence[str]], width: int) -> str:
    """Return a block for each row, with a line for each cell that is not empty."""
    wide = max(map(_text_width, titles))
    inner = max(width - wide - len(GAP), 1)
    blocks = []
    for row in cells:
        held = [(title, cell) for title, cell in zip(titles, row, strict=True) if cell]
        blocks.append("".join(_line([title, cell], [wide, inner], [False, False]) for title, cell in held))
    return "\n".join(blocks)


def _wrap(text: str, width: int) -> list[str]:
    """Return the text wrapped to `width`; a text that fits stays as it is."""
    if _text_width(text) <= width:
        return [text]
    return wrap(text, width, break_long_words=False, break_on_hyphens=False) or [""]


def _pad(text: str, width: int, to_right: bool) -> str:
    space = " " * (width - _text_width(text))
    return space + text if to_right else text + space


def _text_width(text: str) -> int:
    """Return the columns that a text takes in a terminal: some letters take two, accents none."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def _cell(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else ""
    return "" if value is None else printable(str(value))


def printable(text: str) -> str:
    """Return a text from outside with control characters replaced, so that it cannot move the cursor."""
    return text if text.isprintable() else "".join(letter if letter.isprintable() else "\ufffd" for letter in text)


DONE, NOT_HELD, BAD_INPUT = 0, 1, 2
"""Exit codes: success; the check failed; bad input."""


def print_faults(faults: Iterable[Fault]) -> None:
    """Write a line for each fault to standard error."""
    print_lines(map(as_line, faults))


def print_lines(lines: Iterable[str]) -> None:
    """Write lines to standard error."""
    for line in lines:
        print(line, file=sys.stderr)


def as_line(fault: Fault) -> str:
    """Return the line of a fault, as `line_of` makes it."""
    return line_of(fault.where, fault.said, fault.expected, fault.clause)


def line_of(where: str, found: str, expected: object = "", clause: str = "") -> str:
    """Return `where: found, expected … (clause)` on one line, without control characters."""
    line = f"{where}: {found}" if where else found
    right = str(expected)
    line += f", expected {right}" if right else ""
    line += f" ({clause})" if clause else ""
    return printable(" ".join(line.split()))


def refuse(faults: Iterable[Fault]) -> NoReturn:
    """Print the faults and exit with the code for bad input."""
    print_faults(faults)
    raise SystemExit(BAD_INPUT)


TextRow = Mapping[str, object]


def write(text: str, path: str) -> None:
    """Write to a file, or to standard output for `-`. Exit with the code for bad input if that fails."""
    if path == "-":
        sys.stdout.write(text)
        return
    try:
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(text)
    except OSError as error:
        refuse([unwritable(path, error)])


def unwritable(path: str, error: OSError) -> Fault:
    """Return the fault of a file that cannot be written, with the reason of the operating system."""
    return Fault(path, _reason(error), expects("file-to-write"))


def unreadable(place: str, error: OSError) -> Fault:
    """Return the fault of a file that cannot be read, with the reason of the operating system."""
    return Fault(place, _reason(error), expects("file-to-read"))


def _reason(error: OSError) -> str:
    return (error.strerror or type(error).__name__).lower()


def as_json(rows: Sequence[TextRow]) -> str:
    """Return a JSON array with one object per line."""
    lines = ",\n".join("  " + json.dumps(row, ensure_ascii=False) for row in rows)
    return f"[\n{lines}\n]\n" if rows else "[]\n"


def as_object(value: Mapping[str, object]) -> str:
    """Return one indented JSON object."""
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def faults_as_json(faults: Iterable[Fault]) -> list[dict[str, str]]:
    """Return each fault with all four members, also empty ones."""
    return [{"where": f.where, "said": f.said, "expected": str(f.expected), "clause": f.clause} for f in faults]


def format_rows(form: str, columns: Sequence[str], rows: Sequence[TextRow], output: str = "-") -> str:
    """Return rows as `table`, `csv` or `json`; only JSON has every member of a row. output: as for `write`."""
    if form == "table":
        return as_table(columns, rows, output=output)
    return as_json(rows) if form == "json" else to_csv(columns, rows)


def mark_provisional(rows: Sequence[dict[str, Any]], *, provisional: object) -> list[dict[str, Any]]:
    """Return rows, each marked with `provisional: true` if the order may still change; only JSON shows the mark."""
    return [row | {"provisional": True} for row in rows] if provisional else list(rows)


def show(
    columns: Sequence[str],
    rows: Sequence[Mapping[str, object]],
    form: str,
    title: str = "",
    headings: Mapping[str, str] = MappingProxyType({}),
) -> None:
    """Write rows to standard output as `table`, `csv` or `json`. A table leaves out empty columns.

    headings: as for `as_table`.
    """
    if form != "table":
        write(format_rows(form, columns, rows), "-")
        return
    held = [column for column in columns if any(row.get(column) not in (None, "") for row in rows)]
    write(as_table(held or columns, rows, headings, title=title), "-")


MANY = 2_000
"""Steps below which work is too short for a progress bar."""

EVERY = 500
"""Steps between two updates of a progress bar."""

SOON, RARELY = 2.0, 60.0
"""Seconds between two progress messages: in a terminal, and in a file."""

Item = TypeVar("Item")


def with_progress_bar(items: Sequence[Item], what: str) -> Iterator[Item]:
    """Yield the items and show a progress bar in a terminal."""
    if len(items) < MANY or not sys.stderr.isatty():
        yield from items
        return
    with click.progressbar(items, label=what, file=sys.stderr, show_pos=True, update_min_steps=EVERY) as bar:
        yield from bar


@contextmanager
def progress_bar(what: str, length: int) -> Iterator[Callable[[int], object]]:
    """Show a progress bar in a terminal. Yield a function that takes the steps done since its last call.

    length: the number of all steps.
    """
    if not sys.stderr.isatty():
        yield lambda steps: None
        return
    with click.progressbar(length=length, label=what, file=sys.stderr, show_pos=True, update_min_steps=EVERY) as bar:
        yield bar.update


def print_stage(what: str, size: int) -> None:
    """Print a line when long work begins. size: its steps."""
    if size >= MANY and sys.stderr.isatty():
        click.echo(f"{what} …", err=True)


@contextmanager
def show_waiting(what: str) -> Iterator[None]:
    """Show what is being waited for and for how long: a counting line in a terminal, a line per minute elsewhere."""
    done, began, live = threading.Event(), time.monotonic(), sys.stderr.isatty()

    def print_elapsed() -> None:
        while not done.wait(SOON if live else RARELY):
            line = f"{what} … {time.monotonic() - began:.0f} s"
            click.echo(f"\r{line}" if live else line, err=True, nl=not live)

    printer = threading.Thread(target=print_elapsed, name="progress", daemon=True)
    printer.start()
    try:
        yield
    finally:
        done.set()
        printer.join()
        if live and time.monotonic() - began >= SOON:
            click.echo("\r\x1b[K", err=True, nl=False)
