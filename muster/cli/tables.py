"""Rows as text for people: one look everywhere, as wide as the terminal and never cut.

Numbers stand to the right. Where a terminal is too narrow, cells are broken between words; where that is not enough,
each row becomes a block of lines. What goes into a file or a pipe is as wide as it is.
"""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Mapping, Sequence
from textwrap import wrap
from types import MappingProxyType

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
