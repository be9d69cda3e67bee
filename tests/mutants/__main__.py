"""`make mutants SEED=1 N=300`: break rules in places drawn by a seed; do their tests notice?"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import islice
from pathlib import Path
from queue import SimpleQueue

import click
import yaml

from muster.cli.clauses import proving_tests
from tests.mutants.draw import Job, Judges, drawn
from tests.mutants.judge import KILLED, NO_PROGRAM, SURVIVED, Judge
from tests.mutants.rooms import Rooms
from tests.mutants.sources import sources

ROOT = Path(__file__).parents[2]
KNOWN = Path(__file__).with_name("equivalent.yaml")
EQUIVALENT = "equivalent"
ENOUGH = 0.95


class Court:
    """Judges several mutants at a time, each in a copy of the repository of its own."""

    def __init__(self, folder: Path, workers: int, seed: int) -> None:
        self._judges = [Judge(ROOT, folder / str(index), seed) for index in range(workers)]
        self._free: SimpleQueue[Judge] = SimpleQueue()
        for judge in self._judges:
            self._free.put(judge)
        self._equivalent = {
            (row["file"], row["before"], row["after"]) for row in yaml.safe_load(KNOWN.read_text("utf-8"))
        }

    def judge(self, job: Job) -> str:
        """What became of a mutant."""
        if (job.mutant.place.file, job.mutant.before, job.mutant.after) in self._equivalent:
            return EQUIVALENT
        judge = self._free.get()
        try:
            return judge.verdict(job.mutant, job.tests)
        finally:
            self._free.put(judge)

    def require_passing(self, tests: Iterable[str]) -> None:
        """Exit where tests fail with no rule broken: they would notice everything."""
        workers = ["-n", str(len(self._judges))]
        if self._judges[0].judged([*workers, *sorted(set(tests))], patience=3600) != SURVIVED:
            sys.exit("Tests of these clauses fail as it is; mend them first.")

    def all(self, jobs: Iterable[Job]) -> Iterator[tuple[Job, str]]:
        """Each mutant with what became of it, in order."""
        with ThreadPoolExecutor(len(self._judges)) as pool:
            yield from zip(jobs := list(jobs), pool.map(self.judge, jobs), strict=True)

    def close(self) -> None:
        """End what runs the tests."""
        for judge in self._judges:
            judge.close()


@click.command()
@click.option("--seed", default=1, show_default=True)
@click.option("--number", default=300, show_default=True, help="How many mutants are judged.")
@click.option("--workers", default=2, show_default=True, help="How many at a time.")
def main(seed: int, number: int, workers: int) -> None:
    """Break rules in places drawn by a seed; exit code 1 when fewer than 95 % are noticed."""
    found = sources(ROOT)
    places = [place for source in found for place in source.places()]
    claimed = sum(bool(place.clauses) for place in places)
    print(f"{len(places)} places to break a rule, {claimed} of clauses, the others of rooms; seed {seed}", flush=True)
    counts: Counter[str] = Counter()
    waiting = drawn(seed, Judges(proving_tests(ROOT / "tests"), Rooms(ROOT)), found)
    with (
        tempfile.TemporaryDirectory(prefix="muster-mutants-") as folder,
        closing(Court(Path(folder), workers, seed)) as court,
    ):
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
    return f"{', '.join(sorted(job.mutant.place.clauses)) or 'no clause'}: {', '.join(job.tests[:3])}{more}"


if __name__ == "__main__":
    main()
