"""Which mutants are made: those that a seed draws among all places, each with the tests that are to notice it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from shared.formats.packs import load
from shared.rules.model import PackRefused
from tests.mutants.model import Mutant, Place, Source
from tests.mutants.rooms import Rooms


@dataclass(frozen=True)
class Job:
    """A mutant with the tests that are to notice it."""

    mutant: Mutant
    tests: Sequence[str]


class Judges:
    """Which tests are to notice what becomes of a place. claimed: clause -> its tests; rooms: where that has none."""

    def __init__(self, claimed: Mapping[str, Sequence[str]], rooms: Rooms) -> None:
        self._claimed = claimed
        self._rooms = rooms

    def tests_of(self, place: Place) -> list[str]:
        """The tests that claim the clauses of a place, those of rules, which are quick, before those of services.

        Where there are none, the tests of its room.
        """
        tests = {test for clause in place.clauses for test in self._claimed.get(clause, ())}
        if not tests:
            return self._rooms.tests_of(place.file)
        return sorted(tests, key=lambda test: ("services" in test or "console" in test, test))


def drawn(seed: int, judges: Judges, found: Iterable[Source]) -> Iterator[Job]:
    """A mutant of each place, in an order and in a way that the seed gives.

    Both depend on the seed and the line alone: what changes elsewhere leaves the others as they were drawn. What is no
    Python, and a pack that is refused, are none: any test at all would notice.
    """
    lots = [(random.Random(f"{seed} {name}"), source, place) for source in found for name, place in _named(source)]
    for chance, source, place in sorted(lots, key=lambda lot: lot[0].random()):
        mutant = source.broken(place, chance.randrange(source.ways(place)))
        if _loads(mutant):
            yield Job(mutant, judges.tests_of(place))


def _named(source: Source) -> Iterator[tuple[str, Place]]:
    """Every place by its file, column and line, and how many like it stand above."""
    lines, seen = source.text.splitlines(), Counter[str]()
    for place in source.places():
        name = f"{place.file} {place.column} {lines[place.line - 1]}"
        yield f"{name} {seen[name]}", place
        seen[name] += 1


def _loads(mutant: Mutant) -> bool:
    try:
        if mutant.place.file.endswith(".py"):
            compile(mutant.text, mutant.place.file, "exec")
        else:
            load(mutant.text, mutant.place.file)
    except (SyntaxError, PackRefused):
        return False
    return True
