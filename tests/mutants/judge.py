"""Runs the tests of a mutant's clauses on a copy of the repository in which the rule is broken."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.mutants.model import Mutant
from tests.programs import run_program

SECONDS = 900
"""For the tests of one mutant; a rule that goes on for ever was noticed."""
SECONDS_OF_A_TEST = 150
"""The slowest test takes half a minute on a quiet machine."""
KILLED, SURVIVED, NO_PROGRAM = "killed", "survived", "no program"
PASSED, FAILED = 0, 1
NOT_LOADED = ("ERROR collecting ", "while loading conftest")
"""What pytest says of a test file that cannot even be imported."""


class NoVerdict(Exception):
    """The tests could not be run; the text is what pytest said."""


def copy(root: Path, into: Path) -> Path:
    """Copy what git knows of the repository, and what lies beside it unignored. Returns the copy."""
    listed = run_program(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=root,
        check=True,
        capture_output=True,
    )
    for file in filter(None, listed.stdout.decode().split("\0")):
        if (root / file).is_file():
            (into / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / file, into / file)
    return into


class Judge:
    """Judges mutants in a copy of the repository that nobody else uses meanwhile. seed: of what tests draw."""

    def __init__(self, root: Path, into: Path, seed: int) -> None:
        self._copied = copy(root, into)
        self._said = into.with_name(f"{into.name}.said")
        self._options = ["-x", "-p", "no:cacheprovider", f"--hypothesis-seed={seed}"]
        # By a thread, which ends the process: what a signal raises is one more failure for Hypothesis to look into.
        self._options += ["--timeout", str(SECONDS_OF_A_TEST), "--timeout-method", "thread"]
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.mutants.warm"],
            cwd=into,
            env={**os.environ, "PYTHONPATH": str(into), "PYTHONHASHSEED": str(seed)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def verdict(self, mutant: Mutant, tests: Sequence[str]) -> str:
        """`killed`, `survived`, or `no program`: what is broken cannot even be loaded.

        Raises NoVerdict where pytest itself fails.
        """
        with broken(self._copied, mutant):
            return self.judged(tests)

    def judged(self, tests: Sequence[str], patience: float = SECONDS) -> str:
        """What the tests say of the copy as it stands; in the words of `verdict`. patience: in seconds."""
        asked = {"arguments": [*self._options, *tests], "seconds": patience, "said": str(self._said)}
        assert self._process.stdin
        assert self._process.stdout
        print(json.dumps(asked), file=self._process.stdin, flush=True)
        code = json.loads(self._process.stdout.readline())
        if code == PASSED:
            return SURVIVED
        if code is None or code == FAILED:
            return KILLED
        said = self._said.read_text("utf-8", "replace")
        if any(words in said for words in NOT_LOADED):
            return NO_PROGRAM
        raise NoVerdict(said[-4000:])

    def close(self) -> None:
        """End the process."""
        self._process.terminate()
        self._process.wait()


@contextmanager
def broken(copied: Path, mutant: Mutant) -> Iterator[None]:
    """The copy with the mutant in it, and without it afterwards."""
    path = copied / mutant.place.file
    whole = path.read_text("utf-8")
    _write(path, mutant.text)
    try:
        yield
    finally:
        _write(path, whole)


def _write(path: Path, text: str) -> None:
    path.write_text(text, "utf-8")
    # What was compiled from another text of the same second and length would be taken for this one.
    for compiled in path.parent.glob(f"__pycache__/{path.stem}.*.pyc"):
        compiled.unlink()
