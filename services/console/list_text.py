"""The text form of a list, and the files that hold one.

In the text form an entry is a line with its parts after semicolons; what belongs to it is on indented lines below:

    Alpha; 70; class leader
      perks: Action Boy; 5; requisite 5
    Beta; 48; class champion

A part that is only a number is the points; any other part begins with its name. A text file holds a whole list: the
name of a field, a colon, and its value or one entry in this form. A file may also hold the list as JSON.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from services.console.language import _
from shared.csv_cells import NotUtf8, decode_utf8

LONGEST, DEEPEST = 500, 5
"""Lines of one field, and how far in they go."""
LATER = re.compile(r"(?P<list>[A-Za-z_]{1,40}): *(?P<entry>.*)")
PART = re.compile(r"(?P<name>[A-Za-z_]{1,40}) +(?P<value>.+)")
NUMBER = re.compile(r"[0-9]{1,9}")
INDENT = "  "
ENTRIES, WHOLE = "entries", "whole"
"""Kinds of fields of a list, beside text."""


class Unreadable(ValueError):
    """A line is not an entry. line: its number, from 1."""

    def __init__(self, line: int) -> None:
        self.line = line
        super().__init__(f"line {line}")


class _Line(Struct, frozen=True):
    number: int
    depth: int
    text: str


def as_text(entries: Any) -> str:
    """Return entries of a list in their text form."""
    return "\n".join(_lines(entries if isinstance(entries, list) else [], ""))


def entries_of(text: str) -> list[dict[str, Any]]:
    """Return the entries of a text. Raises Unreadable for the first line that is not an entry."""
    lines = [
        _Line(number, len(line) - len(line.lstrip()), line.strip())
        for number, line in enumerate(text.expandtabs(4).splitlines(), 1)
        if line.strip()
    ]
    if len(lines) > LONGEST:
        raise Unreadable(lines[LONGEST].number)
    entries: list[dict[str, Any]] = []
    above: list[tuple[int, dict[str, Any]]] = []
    for line in lines:
        while above and above[-1][0] >= line.depth:
            above.pop()
        later = LATER.fullmatch(line.text) if above else None
        if len(above) > DEEPEST or (above and later is None):
            raise Unreadable(line.number)
        entry = _entry(later["entry"] if later else line.text, line.number)
        inner = above[-1][1].setdefault(later["list"], []) if later else entries
        if not isinstance(inner, list):
            raise Unreadable(line.number)
        inner.append(entry)
        above.append((line.depth, entry))
    return entries


def _entry(text: str, line: int) -> dict[str, Any]:
    name, *parts = (part.strip() for part in text.split(";"))
    if not name:
        raise Unreadable(line)
    entry: dict[str, Any] = {"name": name}
    for part in filter(None, parts):
        if NUMBER.fullmatch(part):
            entry["points"] = int(part)
            continue
        match = PART.fullmatch(part)
        if match is None or match["name"] == "name":
            raise Unreadable(line)
        value = match["value"]
        entry[match["name"]] = int(value) if NUMBER.fullmatch(value) else value
    return entry


def _lines(entries: Sequence[Any], indent: str) -> Iterator[str]:
    for entry in entries:
        if not isinstance(entry, Mapping):
            continue
        parts = [str(entry.get("name", ""))]
        parts += [f"{entry['points']}"] if "points" in entry else []
        plain = {name: value for name, value in entry.items() if name not in ("name", "points")}
        parts += [f"{name} {value}" for name, value in plain.items() if not isinstance(value, list)]
        yield indent + "; ".join(parts)
        for name, inner in plain.items():
            if isinstance(inner, list):
                for line in _lines(inner, ""):
                    own = not line.startswith(INDENT)
                    yield f"{indent}{INDENT}{name}: {line}" if own else f"{indent}{INDENT}{line}"


LARGEST_FILE = 64 * 1024
"""Bytes of a file with a list. Registration accepts 32 KiB of JSON."""
FIELD = re.compile(r"(?P<name>[A-Za-z_]{1,40}) *: *(?P<value>.*)")


class ListFile(Struct, frozen=True):
    """A list from a file. texts: field -> its text in the form. roster: the list itself, if the file is JSON."""

    texts: dict[str, str]
    roster: dict[str, Any] | None = None


class BadFile(ValueError):
    """A file that is no list; its text says what would be right."""


def read_file(data: bytes, fields: Mapping[str, str]) -> ListFile:
    """Return the list in a file: JSON, or text with a field on each line. fields: name -> kind.

    Raises BadFile, in the language of the page.
    """
    if len(data) > LARGEST_FILE:
        raise BadFile(too_large())
    try:
        text = decode_utf8(data)
    except NotUtf8 as error:
        raise BadFile(
            _("Line %(number)s cannot be read as text. Save the file as plain text in UTF-8.", number=error.row)
        ) from error
    if not text.strip():
        raise BadFile(_("The file is empty."))
    if text.lstrip().startswith("{"):
        return _read_json(text, fields)
    return ListFile(_texts_by_field(text, fields))


def too_large() -> str:
    """Return the refusal of a file that is too large."""
    return _("The file is larger than %(size)s KB. A list is much smaller.", size=LARGEST_FILE // 1024)


def as_file(roster: Mapping[str, Any], fields: Mapping[str, str]) -> str:
    """Return a list as the text of a file. fields: name -> kind."""
    lines: list[str] = []
    for name, kind in fields.items():
        value = roster.get(name)
        if kind == ENTRIES:
            below = as_text(value).splitlines()
            lines += [INDENT * 2 + line.strip() if line.startswith(" ") else f"{name}: {line}" for line in below]
        elif value is not None:
            lines.append(f"{name}: {value}")
    return "\n".join(lines)


def _read_json(text: str, fields: Mapping[str, str]) -> ListFile:
    try:
        roster = msgspec.json.decode(text, type=dict[str, Any])
    except (msgspec.MsgspecError, RecursionError) as error:
        raise BadFile(_("The file begins like JSON, but it is not a JSON object.")) from error
    texts = {
        name: as_text(roster.get(name)) if kind == ENTRIES else str(roster.get(name, ""))
        for name, kind in fields.items()
    }
    return ListFile(texts, roster)


def _texts_by_field(text: str, fields: Mapping[str, str]) -> dict[str, str]:
    """Return field -> text, with a blank line for each line of the file that belongs to another field."""
    names = {name.casefold(): name for name in fields}
    lines = text.splitlines()
    found: dict[str, list[str]] = {}
    name = ""
    for number, line in enumerate(lines):
        if not line.strip():
            continue
        if line[0].isspace() and fields.get(name) == ENTRIES:
            found[name][number] = line
            continue
        match = FIELD.fullmatch(line.strip())
        name = names.get(match["name"].casefold(), "") if match else ""
        if match is None or not name or (name in found and fields[name] != ENTRIES):
            known = ", ".join(fields)
            raise BadFile(
                _("Line %(number)s: begin it with one of %(fields)s and a colon.", number=number + 1, fields=known)
            )
        found.setdefault(name, [""] * len(lines))[number] = match["value"]
    return {name: "\n".join(found.get(name, [])) for name in fields}
