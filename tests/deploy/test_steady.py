"""What CI makes of a test that fails once: named, not hidden; and of one that fails again, or of many: a failure."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

STEADY = Path(__file__).parents[2] / ".ci/steady"
MAKEFILE = """
test:
\t@{python} -m pytest -q -p no:randomly -p xdist $(or $(ARGS),-n 2) tests
"""
ONCE = """
from pathlib import Path
import pytest

@pytest.mark.parametrize("number", range({failing}))
def test_fails_once(number):
    before = Path(f"seen-{{number}}")
    seen = before.exists()
    before.touch()
    assert seen

def test_holds():
    with Path("held").open("a") as file:
        file.write("x")
"""

pytestmark = pytest.mark.skipif(not shutil.which("make"), reason="no make on this machine")


def steady(folder: Path, source: str) -> subprocess.CompletedProcess[str]:
    """Run `.ci/steady` for `make test` in a project of one file of tests."""
    (folder / ".ci").mkdir()
    shutil.copy(STEADY, folder / ".ci")
    (folder / "Makefile").write_text(MAKEFILE.format(python=sys.executable))
    (folder / "tests").mkdir()
    (folder / "tests/test_it.py").write_text(source)
    (folder / "pytest.ini").write_text("[pytest]\nmarkers =\n  attack: none here\n")
    env = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "PYTEST", "MFLAGS"))}
    env["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # the plugins of this project take seconds to load, and are not asked
    command = [folder / ".ci/steady", "not attack", "make", "test"]
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)


def test_what_holds_runs_once_and_nothing_is_named(tmp_path):
    done = steady(tmp_path, ONCE.format(failing=0))
    assert done.returncode == 0, done.stderr
    assert "UNSTEADY" not in done.stdout
    assert (tmp_path / "held").read_text() == "x"


def test_three_that_fail_once_are_named_and_run_again_by_themselves(tmp_path):
    done = steady(tmp_path, ONCE.format(failing=3))
    assert done.returncode == 0, done.stdout + done.stderr
    named = [line.split()[1] for line in done.stdout.splitlines() if line.startswith("UNSTEADY")]
    assert sorted(named) == [f"tests/test_it.py::test_fails_once[{number}]" for number in range(3)]
    assert (tmp_path / "held").read_text() == "x"


def test_more_than_three_are_a_failure(tmp_path):
    done = steady(tmp_path, ONCE.format(failing=4))
    assert done.returncode == 1
    assert "4 failed" in done.stdout
    assert "UNSTEADY" not in done.stdout


def test_what_fails_again_is_a_failure(tmp_path):
    done = steady(tmp_path, ONCE.format(failing=2) + "\ndef test_broken():\n    assert False\n")
    assert done.returncode != 0
    assert "1 failed, 2 passed" in done.stdout
    assert "UNSTEADY" not in done.stdout


@pytest.mark.parametrize("broken", ["import nothing_of_that_name", "import os; os._exit(3)"])
def test_a_run_that_does_not_come_to_its_end_is_a_failure(tmp_path, broken):
    done = steady(tmp_path, broken)
    assert done.returncode != 0
    assert "UNSTEADY" not in done.stdout
