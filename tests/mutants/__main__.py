"""`make mutants SEED=1 N=300`: break rules in places drawn by a seed; do the tests of their clauses notice?"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from queue import SimpleQueue

import click
import yaml

from services.console.clause_tests import proving_tests
from tests.mutants.draw import Job, drawn, sources, tests_of
from tests.mutants.judge import KILLED, NO_PROGRAM, SURVIVED, copy, judged, verdict

ROOT = Path(__file__).parents[2]
KNOWN = Path(__file__).with_name("equivalent.yaml")
EQUIVALENT = "equivalent"
ENOUGH = 0.95


class Court:
    """Judges several mutants at a time, each in a copy of the repository of its own."""

    def __init__(self, folder: Path, workers: int, seed: int) -> None:
        self._copies: SimpleQueue[Path] = SimpleQueue()
        for index in range(workers):
            self._copies.put(copy(ROOT, folder / str(index)))
        self._seed = seed
        self._workers = workers
        self._equivalent = {
            (row["file"], row["before"], row["after"]) for row in yaml.safe_load(KNOWN.read_text("utf-8"))
        }

    def judge(self, job: Job) -> str:
        """What became of a mutant."""
        if (job.mutant.place.file, job.mutant.before, job.mutant.after) in self._equivalent:
            return EQUIVALENT
        copied = self._copies.get()
        try:
            return verdict(copied, job.mutant, job.tests, self._seed)
        finally:
            self._copies.put(copied)

    def require_passing(self, tests: Iterable[str]) -> None:
        """Exit where tests fail with no rule broken: they would notice everything."""
        copied = self._copies.get()
        if judged(copied, ["-n", str(self._workers), *sorted(set(tests))], self._seed, patience=3600) != SURVIVED:
            sys.exit("Tests of these clauses fail as it is; mend them first.")
        self._copies.put(copied)

    def all(self, jobs: Iterable[Job]) -> Iterator[tuple[Job, str]]:
        """Each mutant with what became of it, in order."""
        with ThreadPoolExecutor(self._workers) as pool:
            yield from zip(jobs := list(jobs), pool.map(self.judge, jobs), strict=True)


@click.command()
@click.option("--seed", default=1, show_default=True)
@click.option("--number", default=300, show_default=True, help="How many mutants are judged.")
@click.option("--workers", default=2, show_default=True, help="How many at a time.")
def main(seed: int, number: int, workers: int) -> None:
    """Break rules in places drawn by a seed; exit code 1 when fewer than 95 % are noticed."""
    claimed = proving_tests(ROOT / "tests")
    found = sources(ROOT)
    everywhere = [tests_of(place, claimed) for source in found for place in source.places()]
    print(f"{len(everywhere)} places to break a rule, {sum(map(bool, everywhere))} of clauses with tests; seed {seed}")
    counts: Counter[str] = Counter()
    waiting = drawn(seed, claimed, found)
    with tempfile.TemporaryDirectory(prefix="muster-mutants-") as folder:
        court = Court(Path(folder), workers, seed)
        while (missing := number - counts.total()) > 0 and (jobs := list(islice(waiting, missing))):
            court.require_passing(test for job in jobs for test in job.tests)
            for job, became in court.all(jobs):
                if became == NO_PROGRAM:  # another is drawn for what cannot even be loaded
                    continue
                counts[became] += 1
                if became == SURVIVED:
                    print(f"{SURVIVED}: {job.mutant}\n    {told(job)}", flush=True)
    judged_ones = counts[KILLED] + counts[SURVIVED]
    share = counts[KILLED] / judged_ones if judged_ones else 0.0
    print(f"{counts[KILLED]} of {judged_ones} killed ({share:.1%}); {counts[EQUIVALENT]} more are known as equivalent")
    sys.exit(share < ENOUGH)


def told(job: Job) -> str:
    """The clauses of a mutant and the first of the tests that did not notice it."""
    more = f" and {len(job.tests) - 3} more" if len(job.tests) > 3 else ""
    return f"{', '.join(sorted(job.mutant.place.clauses))}: {', '.join(job.tests[:3])}{more}"


if __name__ == "__main__":
    main()
