"""Runs the tests of a mutant's clauses on a copy of the repository in which the rule is broken."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.mutants.model import Mutant

SECONDS = 300
"""For the tests of one mutant; a rule that goes on for ever was noticed."""
KILLED, SURVIVED, NO_PROGRAM = "killed", "survived", "no program"
PASSED, FAILED = 0, 1
NOT_LOADED = ("ERROR collecting ", "while loading conftest")
"""What pytest says of a test file that cannot even be imported."""


class NoVerdict(Exception):
    """The tests could not be run; the text is what pytest said."""


def copy(root: Path, into: Path) -> Path:
    """Copy what git knows of the repository, and what lies beside it unignored. Returns the copy."""
    listed = subprocess.run(
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


def verdict(copied: Path, mutant: Mutant, tests: Sequence[str], seed: int) -> str:
    """`killed`, `survived`, or `no program`: what is broken cannot even be loaded.

    copied: a copy of the repository that nobody else uses meanwhile. Raises NoVerdict where pytest itself fails.
    """
    with broken(copied, mutant):
        return judged(copied, tests, seed)


def judged(copied: Path, tests: Sequence[str], seed: int, patience: float = SECONDS) -> str:
    """What the tests say of a copy as it stands; in the words of `verdict`. patience: in seconds."""
    command = [sys.executable, "-m", "pytest", "-x", "-p", "no:cacheprovider", f"--hypothesis-seed={seed}"]
    env = {**os.environ, "PYTHONPATH": str(copied), "PYTHONHASHSEED": str(seed)}
    try:
        run = subprocess.run([*command, *tests], cwd=copied, env=env, capture_output=True, text=True, timeout=patience)
    except subprocess.TimeoutExpired:
        return KILLED
    if run.returncode == PASSED:
        return SURVIVED
    if run.returncode == FAILED:
        return KILLED
    if any(words in run.stdout + run.stderr for words in NOT_LOADED):
        return NO_PROGRAM
    raise NoVerdict(run.stdout[-2000:] + run.stderr[-2000:])


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
