"""Do parts of a ruleset make sense, whatever they are for? Tables without gaps, clauses, pieces that exist."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

import msgspec

from shared.refusals import Fault
from shared.rules.parts import Part


class Row(Protocol):
    """A row of a table by whole numbers: inclusive bounds, open above where there is no `most`."""

    @property
    def least(self) -> int: ...
    @property
    def most(self) -> int | None: ...


def faults_of_bands(where: str, bands: Sequence[Row], *, first: int, stops: bool = False) -> Iterator[Fault]:
    """Gaps, overlaps, empty rows and a missing or superfluous end in a table of inclusive bounds.

    first: what the first row must begin with. stops: the table may end; otherwise its last row is open.
    """
    if not bands:
        yield Fault(where, "the table is empty", f"rows from {first} on")
    expected: int | None = first
    for index, band in enumerate(bands):
        place = f"{where}/{index}"
        if expected is None:
            yield Fault(place, "a row after the open one", "the open row last")
            return
        if band.least != expected:
            what = "gap" if band.least > expected else "overlap"
            yield Fault(f"{place}/least", f"{what}: the row begins with {band.least}", f"least: {expected}")
        if band.most is not None and band.most < band.least:
            yield Fault(f"{place}/most", f"{band.most}, below the row's least", f"at least {band.least}")
        expected = None if band.most is None else band.most + 1
    if bands and expected is not None and not stops:
        yield Fault(f"{where}/{len(bands) - 1}/most", f"the table stops at {expected - 1}", "a last row without most")


def faults_of_clauses(part: object, where: str) -> Iterator[Fault]:
    """Clauses given to fields that do not exist, and parts with an empty clause."""
    if isinstance(part, list):
        for index, item in enumerate(part):
            yield from faults_of_clauses(item, f"{where}/{index}")
    elif isinstance(part, msgspec.Struct):
        if isinstance(part, Part):
            if not part.clause:
                yield Fault(f"{where}/clause", "no clause", "the id of the clause that the part comes from")
            for name in part.clauses:
                if name not in part.citable():
                    yield Fault(f"{where}/clauses/{name}", f"unknown key {name!r}", "a field of this part")
        for name in part.__struct_fields__:
            yield from faults_of_clauses(getattr(part, name), f"{where}/{name}")


def faults_of_piece(where: str, name: str, registry: Mapping[str, object]) -> Iterator[Fault]:
    """A piece that a registry does not have."""
    if name not in registry:
        yield Fault(where, f"unknown piece {name!r}", "one of " + ", ".join(sorted(registry)))


def unused(where: str, piece: str, users: Sequence[str]) -> Fault:
    """A setting that a piece does not use. users: the pieces that do."""
    return Fault(where, f"{piece} does not use it", f"nothing here; it is for {', '.join(users)}")
