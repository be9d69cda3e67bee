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

from shared.csv_cells import as_csv
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
    """The rows below their headings.

    headings: of columns that are called something else. title: stands above. output: where it goes, as `write` has it.
    """
    above = f"{printable(title)}\n" if title else ""
    if not rows:
        return above + NOTHING
    titles = [printable(headings.get(column, column.replace("_", " "))) for column in columns]
    cells = [[_cell(row.get(column)) for column in columns] for row in rows]
    return above + laid_out(titles, cells, room(output))


def room(output: str = "-") -> int | None:
    """How many letters fit on a line of a terminal; None for a file or a pipe, where any number does."""
    return shutil.get_terminal_size().columns if output == "-" and sys.stdout.isatty() else None


def laid_out(titles: Sequence[str], cells: Sequence[Sequence[str]], width: int | None) -> str:
    """Titles and cells in columns, in lines of `width` letters where that can be done without breaking a word."""
    by_column = list(zip(titles, *cells, strict=True))
    widths = [max(map(_width, column)) for column in by_column]
    if width is not None:
        least = [max(_width(word) for text in column for word in text.split() or [""]) for column in by_column]
        fitted = _fitted(widths, least, width)
        if fitted is None:
            return _blocks(titles, cells, width)
        widths = fitted
    right = [any(column[1:]) and all(NUMBER.fullmatch(cell) for cell in column[1:] if cell) for column in by_column]
    return "".join(_line(row, widths, right) for row in [*([titles] if any(map(str.strip, titles)) else []), *cells])


def _fitted(widths: Sequence[int], least: Sequence[int], width: int) -> list[int] | None:
    """The widths of columns so that a line has room; None where words would have to be broken."""
    fitted = list(widths)
    for _ in range(sum(widths) + len(GAP) * (len(widths) - 1) - width):
        wide = [index for index, one in enumerate(fitted) if one > least[index]]
        if not wide:
            return None
        fitted[max(wide, key=fitted.__getitem__)] -= 1
    return fitted


def _line(cells: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> str:
    broken = [_broken(cell, width) for cell, width in zip(cells, widths, strict=True)]
    lines = []
    for number in range(max(map(len, broken))):
        parts = [cell[number] if number < len(cell) else "" for cell in broken]
        padded = (_padded(part, width, to_right) for part, width, to_right in zip(parts, widths, right, strict=True))
        lines.append(GAP.join(padded).rstrip() + "\n")
    return "".join(lines)


def _blocks(titles: Sequence[str], cells: Sequence[Sequence[str]], width: int) -> str:
    """A block for each row, a line for each cell that holds something."""
    wide = max(map(_width, titles))
    inner = max(width - wide - len(GAP), 1)
    blocks = []
    for row in cells:
        held = [(title, cell) for title, cell in zip(titles, row, strict=True) if cell]
        blocks.append("".join(_line([title, cell], [wide, inner], [False, False]) for title, cell in held))
    return "\n".join(blocks)


def _broken(text: str, width: int) -> list[str]:
    """The text in lines; spaces of a text that fits stay as they are."""
    if _width(text) <= width:
        return [text]
    return wrap(text, width, break_long_words=False, break_on_hyphens=False) or [""]


def _padded(text: str, width: int, to_right: bool) -> str:
    space = " " * (width - _width(text))
    return space + text if to_right else text + space


def _width(text: str) -> int:
    """Columns of a terminal; a letter of some scripts takes two, an accent none."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def _cell(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else ""
    return "" if value is None else printable(str(value))


def printable(text: str) -> str:
    """Text from outside; what would move the cursor or change colours is made visible instead."""
    return text if text.isprintable() else "".join(letter if letter.isprintable() else "\ufffd" for letter in text)


DONE, NOT_HELD, BAD_INPUT = 0, 1, 2
"""Exit codes: all is well; the check did not hold; bad input."""


def tell(faults: Iterable[Fault]) -> None:
    """Write a line for each fault to standard error."""
    tell_lines(map(as_line, faults))


def tell_lines(lines: Iterable[str]) -> None:
    """Write lines to standard error."""
    for line in lines:
        print(line, file=sys.stderr)


def as_line(fault: Fault) -> str:
    """Return the line of a fault, as `line_of` makes it."""
    return line_of(fault.where, fault.said, fault.expected, fault.clause)


def line_of(where: str, found: str, expected: object = "", clause: str = "") -> str:
    """Return `where: what, expected ... (clause)`, whatever it was made of; nothing in it moves the cursor."""
    line = f"{where}: {found}" if where else found
    right = str(expected)
    line += f", expected {right}" if right else ""
    line += f" ({clause})" if clause else ""
    return printable(" ".join(line.split()))


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
        refuse([unwritable(path, error)])


def unwritable(path: str, error: OSError) -> Fault:
    """Return the fault of a file that cannot be written; what was found is what the system says."""
    return Fault(path, _reason(error), expects("file-to-write"))


def unreadable(place: str, error: OSError) -> Fault:
    """Return the fault of a file that cannot be read; what was found is what the system says."""
    return Fault(place, _reason(error), expects("file-to-read"))


def _reason(error: OSError) -> str:
    return (error.strerror or type(error).__name__).lower()


def as_json(rows: Sequence[TextRow]) -> str:
    """A JSON array, an object to a line."""
    lines = ",\n".join("  " + json.dumps(row, ensure_ascii=False) for row in rows)
    return f"[\n{lines}\n]\n" if rows else "[]\n"


def as_object(value: Mapping[str, object]) -> str:
    """One JSON object, for people to read and programs to take."""
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def faults_as_json(faults: Iterable[Fault]) -> list[dict[str, str]]:
    """Each fault with all four members, also where one is empty."""
    return [{"where": f.where, "said": f.said, "expected": str(f.expected), "clause": f.clause} for f in faults]


def in_form(form: str, columns: Sequence[str], rows: Sequence[TextRow], output: str = "-") -> str:
    """Rows as `table`, `csv` or `json`, which shows all that rows have. output: where they go."""
    if form == "table":
        return as_table(columns, rows, output=output)
    return as_json(rows) if form == "json" else as_csv(columns, rows)


def in_order(rows: Sequence[dict[str, Any]], *, provisional: object) -> list[dict[str, Any]]:
    """Rows of an order that may still change are marked as such (`provisional`, true), which JSON alone shows."""
    return [row | {"provisional": True} for row in rows] if provisional else list(rows)


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
    if form != "table":
        write(in_form(form, columns, rows), "-")
        return
    held = [column for column in columns if any(row.get(column) not in (None, "") for row in rows)]
    write(as_table(held or columns, rows, headings, title=title), "-")


MANY = 2_000
"""Work of fewer steps than that is done before anybody has read a line."""

EVERY = 500
"""Steps between two drawings of a bar."""

SOON, RARELY = 2.0, 60.0
"""Seconds between two signs of life: at a terminal, and in a file or a log."""

Item = TypeVar("Item")


def shown(items: Sequence[Item], what: str) -> Iterator[Item]:
    """The items, one after another, with a bar that says how many of them are done."""
    if len(items) < MANY or not sys.stderr.isatty():
        yield from items
        return
    with click.progressbar(items, label=what, file=sys.stderr, show_pos=True, update_min_steps=EVERY) as bar:
        yield from bar


@contextmanager
def counted(what: str, length: int) -> Iterator[Callable[[int], object]]:
    """What is called with the number of steps made since; a bar at a terminal alone. length: of all steps."""
    if not sys.stderr.isatty():
        yield lambda steps: None
        return
    with click.progressbar(length=length, label=what, file=sys.stderr, show_pos=True, update_min_steps=EVERY) as bar:
        yield bar.update


def say(what: str, size: int) -> None:
    """A line that says what begins now, of work of this size."""
    if size >= MANY and sys.stderr.isatty():
        click.echo(f"{what} …", err=True)


@contextmanager
def waiting(what: str) -> Iterator[None]:
    """A sign of life while somebody else works and nothing says how far they are: what is done, and for how long.

    A terminal has one line that counts; elsewhere there is a line a minute.
    """
    done, began, live = threading.Event(), time.monotonic(), sys.stderr.isatty()

    def tell() -> None:
        while not done.wait(SOON if live else RARELY):
            line = f"{what} … {time.monotonic() - began:.0f} s"
            click.echo(f"\r{line}" if live else line, err=True, nl=not live)

    teller = threading.Thread(target=tell, name="progress", daemon=True)
    teller.start()
    try:
        yield
    finally:
        done.set()
        teller.join()
        if live and time.monotonic() - began >= SOON:
            click.echo("\r\x1b[K", err=True, nl=False)
