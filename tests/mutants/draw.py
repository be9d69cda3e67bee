"""Which mutants are made: every place where a rule can be broken, and those among them that a seed draws."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from shared.rules.pack import load
from shared.rules.refusals import PackRefused
from tests.mutants.claims import CodeClaims, held_by_file, known
from tests.mutants.code import Code
from tests.mutants.model import Mutant, Place
from tests.mutants.packs import Pack, words_of

RULES = "shared/rules"

Source = Code | Pack


@dataclass(frozen=True)
class Job:
    """A mutant with the tests that are to notice it."""

    mutant: Mutant
    tests: Sequence[str]


def sources(root: Path) -> list[Source]:
    """Every file of rules, code first, then data, each in order of names. root: the repository."""
    ids, held = known(), held_by_file()
    code = []
    for path in sorted((root / RULES).rglob("*.py")):
        file = path.relative_to(root).as_posix()
        code.append(Code(root, file, CodeClaims(path.read_text("utf-8"), ids, held.get(file, ()))))
    packs = {path.relative_to(root).as_posix(): path.read_text("utf-8") for path in (root / RULES / "packs").iterdir()}
    words = words_of(packs)
    return [*code, *(Pack(root, file, ids, words) for file in sorted(packs))]


def drawn(seed: int, claimed: Mapping[str, Sequence[str]], found: Iterable[Source]) -> Iterator[Job]:
    """A mutant of each place whose clauses have tests, in an order and in a way that the seed gives.

    claimed: clause -> its tests. What is no Python, and a pack that is refused, are none: any test at all would notice.
    """
    chance = random.Random(seed)
    places = [(source, place) for source in found for place in source.places() if tests_of(place, claimed)]
    chance.shuffle(places)
    for source, place in places:
        mutant = source.broken(place, chance.randrange(source.ways(place)))
        if _loads(mutant):
            yield Job(mutant, tests_of(place, claimed))


def _loads(mutant: Mutant) -> bool:
    try:
        if mutant.place.file.endswith(".py"):
            compile(mutant.text, mutant.place.file, "exec")
        else:
            load(mutant.text, mutant.place.file)
    except (SyntaxError, PackRefused):
        return False
    return True


def tests_of(place: Place, claimed: Mapping[str, Sequence[str]]) -> list[str]:
    """The tests that claim the clauses of a place: those of rules, which are quick, before those of services."""
    tests = {test for clause in place.clauses for test in claimed.get(clause, ())}
    return sorted(tests, key=lambda test: ("services" in test or "console" in test, test))
