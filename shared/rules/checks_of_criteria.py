"""Do the steps of a ranking make sense? Bounds of their settings, settings that a piece uses, columns of their own."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction

from shared.refusals import Fault
from shared.rules.checks_of_parts import unused
from shared.rules.tiebreakers import FRACTIONS, OWN_SETTINGS, TIEBREAKERS, Criterion, Tiebreaker, total

_OTHER = Tiebreaker(total)


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
                yield Fault(f"{where}/{field}", f"{value}", f"a whole number, {bound} or more")
        wrong = list(_unused(criterion, where)) if criterion.piece in pieces else []
        yield from wrong
        for field in sorted(FRACTIONS):
            said = getattr(criterion, field)
            if f"{where}/{field}" in (fault.where for fault in wrong):
                continue
            if not re.fullmatch(r"[0-9]{1,9}(/[1-9][0-9]{0,8})?", said) or Fraction(said) > 1:
                yield Fault(f"{where}/{field}", f"{said!r}", "a fraction from 0 to 1, such as '1/3'")
    columns = [criterion.column for criterion in criteria if criterion.active]
    for column in sorted({column for column in columns if columns.count(column) > 1}):
        yield Fault(place, f"the column {column!r} stands there twice", "a name of its own for each")
    if not columns:
        yield Fault(place, "nothing is ranked by", "one criterion or more")


def _unused(criterion: Criterion, where: str) -> Iterator[Fault]:
    """Settings that the piece does not look at: whoever wrote them expects something of them."""
    for field, unset in OWN_SETTINGS.items():
        if getattr(criterion, field) == unset or field in _row(criterion).settings:
            continue
        users = sorted(piece for piece, row in TIEBREAKERS.items() if field in row.settings)
        yield unused(f"{where}/{field}", criterion.piece, users)
    if criterion.of and _row(criterion).of_nothing:
        yield Fault(f"{where}/of", f"{criterion.piece} does not use it", "nothing here: it is made of outcomes")


def _row(criterion: Criterion) -> Tiebreaker:
    """The tiebreaker of a criterion; one without settings where it is none that every format knows."""
    return TIEBREAKERS.get(criterion.piece, _OTHER)
