"""Do parts of a ruleset make sense, whatever they are for? Tables without gaps, clauses, pieces that exist; and the
steps of a ranking: bounds of their settings, settings that a piece uses, columns of their own.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Protocol

import msgspec

from shared.refusals import NOTHING, Expected, Fault, as_said, expects, one_of
from shared.rules.parts import Part
from shared.rules.tiebreakers import FRACTIONS, OWN_SETTINGS, TIEBREAKERS, Criterion, Tiebreaker, total

_OTHER = Tiebreaker(total)


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
        yield Fault(where, NOTHING, expects("rows-from", first=first))
    expected: int | None = first
    for index, band in enumerate(bands):
        place = f"{where}/{index}"
        if expected is None:
            yield Fault(place, as_said(msgspec.to_builtins(band)), expects("nothing-after-open-row"))
            return
        if band.least != expected:
            gap = band.least > expected
            right = (
                expects("row-without-gap", least=expected) if gap else expects("row-without-overlap", least=expected)
            )
            yield Fault(f"{place}/least", f"{band.least}", right)
        if band.most is not None and band.most < band.least:
            yield Fault(f"{place}/most", f"{band.most}", expects("row-end-from", least=band.least))
        expected = None if band.most is None else band.most + 1
    if bands and expected is not None and not stops:
        yield Fault(f"{where}/{len(bands) - 1}/most", f"{expected - 1}", expects("last-row-open"))


def faults_of_clauses(part: object, where: str) -> Iterator[Fault]:
    """Clauses given to fields that do not exist, and parts with an empty clause."""
    if isinstance(part, list):
        for index, item in enumerate(part):
            yield from faults_of_clauses(item, f"{where}/{index}")
    elif isinstance(part, msgspec.Struct):
        if isinstance(part, Part):
            if not part.clause:
                yield Fault(f"{where}/clause", NOTHING, expects("clause-of-part"))
            for name in part.clauses:
                if name not in part.citable():
                    expected = expects("field-of-part", field=name)
                    yield Fault(f"{where}/clauses/{name}", as_said(part.clauses[name]), expected)
        for name in part.__struct_fields__:
            yield from faults_of_clauses(getattr(part, name), f"{where}/{name}")


def faults_of_piece(where: str, name: str, registry: Mapping[str, object]) -> Iterator[Fault]:
    """A piece that a registry does not have."""
    if name not in registry:
        yield Fault(where, as_said(name), one_of(sorted(registry)))


def unused(where: str, value: object, piece: str, users: Sequence[str]) -> Fault:
    """A setting that a piece does not use. users: the pieces that do."""
    return Fault(where, as_said(value), unused_by(piece, users))


def unused_by(piece: str, users: Sequence[str]) -> Expected:
    """Return the expectation of nothing where a piece does not use a setting. users: the pieces that do."""
    return expects("unused-by-piece", piece=piece, users=list(users))


def faults_of_criteria(criteria: Sequence[Criterion], place: str, pieces: Collection[str]) -> Iterator[Fault]:
    """Settings of the steps of a ranking that cannot be, columns that stand there twice, and no step at all.

    pieces: those that there are; what an unknown one uses nobody knows.
    """
    for index, criterion in enumerate(criteria):
        where = f"{place}/{index}"
        counts = {name: 0 for name, unset in OWN_SETTINGS.items() if type(unset) is int}
        least = {"divisor": 1, **counts, "full": int(_row(criterion).of_possible)}
        for field, bound in least.items():
            if (value := getattr(criterion, field)) < bound:
                yield Fault(f"{where}/{field}", f"{value}", expects("whole-number-from", least=bound))
        wrong = list(_unused(criterion, where)) if criterion.piece in pieces else []
        yield from wrong
        for field in sorted(FRACTIONS):
            said = getattr(criterion, field)
            if f"{where}/{field}" in (fault.where for fault in wrong):
                continue
            if not re.fullmatch(r"[0-9]{1,9}(/[1-9][0-9]{0,8})?", said) or Fraction(said) > 1:
                yield Fault(f"{where}/{field}", as_said(said), expects("fraction"))
    columns = [criterion.column for criterion in criteria if criterion.active]
    for column in sorted({column for column in columns if columns.count(column) > 1}):
        yield Fault(place, as_said(column), expects("each-column-once"))
    if not columns:
        yield Fault(place, NOTHING, expects("some-criterion"))


def _unused(criterion: Criterion, where: str) -> Iterator[Fault]:
    """Settings that the piece does not look at: whoever wrote them expects something of them."""
    for field, unset in OWN_SETTINGS.items():
        if getattr(criterion, field) == unset or field in _row(criterion).settings:
            continue
        users = sorted(piece for piece, row in TIEBREAKERS.items() if field in row.settings)
        yield unused(f"{where}/{field}", getattr(criterion, field), criterion.piece, users)
    if criterion.of and _row(criterion).of_nothing:
        yield Fault(f"{where}/of", as_said(criterion.of), expects("made-of-outcomes", piece=criterion.piece))


def _row(criterion: Criterion) -> Tiebreaker:
    """The tiebreaker of a criterion; one without settings where it is none that every format knows."""
    return TIEBREAKERS.get(criterion.piece, _OTHER)
