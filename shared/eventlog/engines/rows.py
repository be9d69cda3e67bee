"""Rows in dictionaries: found by a condition, and put back as they were where a transaction fails."""

from __future__ import annotations

import operator
import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from shared.eventlog.database import Row, Table
from shared.eventlog.engines.statements import OCTETS

Values = tuple[Any, ...]
Part = dict[Values, Values]

_CUTS = (("source", "tournament"), ("tournament",))
"""What rows are mostly asked for together: those of a log, or of a tournament."""


def _like(found: str, pattern: str) -> bool:
    return re.fullmatch(".*".join(map(re.escape, pattern.split("%"))), found, re.DOTALL) is not None


_COMPARED: Mapping[str, Callable[[Any, Any], bool]] = {
    "": operator.eq,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "<>": operator.ne,
    "is": operator.eq,
    "in": lambda found, wanted: found in wanted,
    "like": _like,
    "< now +": lambda found, later: found < now() + later,
    "> now +": lambda found, later: found > now() + later,
}


class Rows:
    """The tables of one database in memory."""

    def __init__(self) -> None:
        self._tables: dict[Table, dict[Values, Part]] = {}
        self._numbers: dict[Table, int] = {}
        self._undo: list[tuple[Part, Values, Values | None]] = []

    def matching(self, table: Table, where: Row) -> list[Values]:
        """The rows that fulfil a condition."""
        near, met = self._near(table, where)
        rows = list(near)
        for name, value in where.items():
            if name in met:
                continue
            column, _, how = name.partition(" ")
            index, test = table.columns.index(column), _COMPARED[how]
            rows = [row for row in rows if test(row[index], value)]
        return rows

    def part(self, table: Table, *cut: Any) -> Part:
        """The rows of one log or tournament, by key."""
        return self._tables.setdefault(table, {}).setdefault(cut, {})

    def set(self, table: Table, row: Values) -> None:
        """Write a row, in place of one with the same key."""
        part, key = self._place(table, row)
        self._undo.append((part, key, part.get(key)))
        part[key] = row

    def unset(self, table: Table, row: Values) -> None:
        """Take a row away."""
        part, key = self._place(table, row)
        self._undo.append((part, key, part.pop(key)))

    def has(self, table: Table, row: Values) -> bool:
        """Whether there is a row with this key."""
        part, key = self._place(table, row)
        return key in part

    def number(self, table: Table) -> int:
        """The number of a new row."""
        self._numbers[table] = self._numbers.get(table, 0) + 1
        return self._numbers[table]

    def begin(self) -> None:
        """From here on `undo` goes back."""
        self._undo.clear()

    def undo(self) -> None:
        """Put everything back as it was."""
        for part, key, before in reversed(self._undo):
            if before is None:
                del part[key]
            else:
                part[key] = before

    def _near(self, table: Table, where: Row) -> tuple[Iterable[Values], tuple[str, ...]]:
        """The rows among which those that fulfil a condition are, and the parts of it that all of them fulfil."""
        names = _cut(table)
        cut = tuple([where.get(name) for name in names])
        if None in cut:
            return [row for part in self._tables.get(table, {}).values() for row in part.values()], ()
        part = self.part(table, *cut)
        if all(name in where for name in table.key):
            row = part.get(tuple([where[name] for name in table.key]))
            return [] if row is None else [row], names
        return part.values(), names

    def _place(self, table: Table, row: Values) -> tuple[Part, Values]:
        key = tuple([row[table.columns.index(name)] for name in table.key])
        return self.part(table, *[row[table.columns.index(name)] for name in _cut(table)]), key


def picked(table: Table, row: Values, columns: Sequence[str]) -> Values:
    """The columns of a row that are wanted, or all of it."""
    if not columns:
        return row
    return tuple([read(row) for read in _readers(table, tuple(columns))])


def in_order(table: Table, rows: list[Values], order: Sequence[str]) -> list[Values]:
    """Rows sorted by columns, backwards where a `-` says so."""
    for name in reversed(order):
        index = table.columns.index(name.removeprefix("-"))
        rows.sort(key=operator.itemgetter(index), reverse=name.startswith("-"))
    return rows


def changed(table: Table, row: Values, to: Row) -> Values:
    """A row with other values, or with so much more."""
    values = list(row)
    for name, value in to.items():
        column, _, how = name.partition(" ")
        index = table.columns.index(column)
        values[index] = value if not how else value + (row[index] if how == "+" else now())
    return tuple(values)


def now() -> int:
    """The time of this engine, Unix ms."""
    return int(time.time() * 1000)


@cache
def _readers(table: Table, columns: tuple[str, ...]) -> list[Callable[[Values], Any]]:
    """What reads each of these columns, or the octets of one, from a row."""
    return [_reader(table, name) for name in columns]


def _reader(table: Table, name: str) -> Callable[[Values], Any]:
    octets = OCTETS.fullmatch(name)
    read = operator.itemgetter(table.columns.index(octets[1] if octets else name))
    return (lambda row: len(read(row).encode())) if octets else read


@cache
def _cut(table: Table) -> tuple[str, ...]:
    return next((cut for cut in _CUTS if set(cut) <= set(table.columns)), ())
