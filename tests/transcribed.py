"""A loaded ruleset beside what somebody copied from its document by hand: every value with its place and its clause.

The copies are tables under `tests/*/data`, typed from the documents. Nothing here writes them.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import NODEFAULT, UNSET, Struct, structs

from shared.formats.packs import shipped_ruleset
from shared.rules.parts import Part

NOTHING = "(nothing)"
"""How a table writes an empty list."""

Transcribed = dict[str, tuple[str, str]]
"""Place -> clause and value, as text."""


def table(path: Path) -> list[dict[str, str]]:
    """The rows of a CSV file; lines that begin with # are headings of the document, for people."""
    lines = [line for line in path.read_text("utf-8").splitlines() if line and not line.startswith("#")]
    rows = list(csv.DictReader(lines))
    assert all(None not in row and None not in row.values() for row in rows), f"{path.name}: a row of another width"
    return rows


def singles(path: Path) -> Transcribed:
    """A table of single values: clause, where, says. No place twice."""
    rows = table(path)
    said = {row["where"]: (row["clause"], row["says"]) for row in rows}
    assert len(said) == len(rows), f"{path.name}: a place is written twice"
    return said


def of_pack(id: str, *, without: tuple[str, ...] = ()) -> Transcribed:
    """Everything that a shipped ruleset says beyond the defaults. without: places that other tables hold."""
    ruleset: Any = shipped_ruleset(id)
    return {
        place: value
        for place, value in values(ruleset).items()
        if not any(place == left or place.startswith(f"{left}.") for left in without)
    }


def values(thing: Struct) -> Transcribed:
    """Every value in a part of a ruleset that is not the default there, with its clause."""
    return {place: (clause, text) for place, clause, text in _lines(thing, "", None, ())}


def _lines(thing: Any, place: str, part: Part | None, names: tuple[str, ...]) -> Iterator[tuple[str, str, str]]:
    """Place, clause and text of each value below. names: the fields since the last part that names clauses."""
    if isinstance(thing, Part):
        part, names = thing, ()
    inner = list(_inner(thing))
    if not inner and not isinstance(thing, Struct):
        yield place, _clause(part, names), _text(thing)
    elif isinstance(thing, list | tuple) and inner[0][0] != "1":
        yield place, _clause(part, names), "; ".join(name for name, _ in inner)  # their order counts
    for name, value in inner:
        yield from _lines(value, f"{place}.{name}" if place else name, part, (*names, name))


def _inner(thing: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(thing, Struct):
        tag = thing.__struct_config__
        if tag.tag_field:
            yield tag.tag_field, tag.tag
        for field in structs.fields(type(thing)):
            value = getattr(thing, field.name)
            if not (isinstance(thing, Part) and field.name in ("clause", "clauses")) and not _is_default(field, value):
                yield field.encode_name, value
    elif isinstance(thing, Mapping):
        yield from ((str(key), thing[key]) for key in thing)
    elif isinstance(thing, list | tuple) and any(isinstance(item, Struct | Mapping) for item in thing):
        yield from ((_label(item, number), item) for number, item in enumerate(thing, 1))


def _is_default(field: structs.FieldInfo, value: Any) -> bool:
    if field.default is not NODEFAULT and field.default is not UNSET:
        return bool(type(value) is type(field.default) and value == field.default)
    return field.default_factory is not NODEFAULT and bool(value == field.default_factory())


def _label(item: Any, number: int) -> str:
    """How an entry of a list is found: by what it checks or is called, else by its number."""
    fields = item.__struct_fields__ if isinstance(item, Struct) else ()
    if "of" in fields and item.__struct_config__.tag_field:
        return f"{item.__struct_config__.tag} of {_text(item.of)}"
    return str(next((getattr(item, name) for name in ("key", "name", "id", "column", "end") if name in fields), number))


def _clause(part: Part | None, names: tuple[str, ...]) -> str:
    """What the part cites for its own field, or for one of the rows in it that is called like none of its own."""
    if part is None:
        return ""
    told = [name for number, name in enumerate(names) if number == 0 or name not in part.__struct_fields__]
    return next((part.clauses[name] for name in told if name in part.clauses), part.clause)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple | Mapping):
        return "; ".join(map(_text, value)) or NOTHING
    return str(value)
