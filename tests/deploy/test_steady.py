"""`.ci/steady`: a test that fails once is named; a test that fails again, or failures in many files, fail the run."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.programs import run_program

STEADY = Path(__file__).parents[2] / ".ci/steady"
MAKEFILE = """
test:
\t@{python} -m pytest -q -p no:randomly -p xdist $(or $(ARGS),-n 2) tests
"""
FAILS_ONCE = """
from pathlib import Path
import pytest

@pytest.mark.parametrize("number", range(5))
def test_fails_once(number):
    before = Path(f"{__name__}-{number}")
    seen = before.exists()
    before.touch()
    assert seen
"""
PASSES = """
from pathlib import Path

def test_passes():
    with Path("passed").open("a") as file:
        file.write("x")
"""

pytestmark = pytest.mark.skipif(not shutil.which("make"), reason="no make on this machine")


def steady(folder: Path, *sources: str) -> subprocess.CompletedProcess[str]:
    """Run `.ci/steady make test` in a project with these files of tests, and one that passes."""
    (folder / ".ci").mkdir()
    shutil.copy(STEADY, folder / ".ci")
    (folder / "Makefile").write_text(MAKEFILE.format(python=sys.executable))
    (folder / "tests").mkdir()
    for number, source in enumerate((PASSES, *sources)):
        (folder / f"tests/test_{number}.py").write_text(source)
    (folder / "pytest.ini").write_text("[pytest]\n")
    env = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "PYTEST", "MFLAGS"))}
    env["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # the plugins of this project take seconds to load
    command = [folder / ".ci/steady", "make", "test"]
    return run_program(command, cwd=folder, env=env, capture_output=True, text=True)


def test_tests_that_pass_run_once(tmp_path):
    done = steady(tmp_path)
    assert done.returncode == 0, done.stderr
    assert "UNSTEADY" not in done.stdout
    assert (tmp_path / "passed").read_text() == "x"


def test_failures_in_three_files_run_again_alone_and_are_named_if_they_pass(tmp_path):
    done = steady(tmp_path, *[FAILS_ONCE] * 3)
    assert done.returncode == 0, done.stdout + done.stderr
    named = [line.split()[1] for line in done.stdout.splitlines() if line.startswith("UNSTEADY")]
    assert sorted(named) == [
        f"tests/test_{file}.py::test_fails_once[{number}]" for file in (1, 2, 3) for number in range(5)
    ]
    assert (tmp_path / "passed").read_text() == "x"


@pytest.mark.parametrize(
    "sources",
    [
        pytest.param([FAILS_ONCE] * 4, id="four-files"),
        pytest.param([FAILS_ONCE, "def test_broken():\n    assert False\n"], id="fails-again"),
        pytest.param(["import nothing_of_that_name"], id="cannot-be-imported"),
        pytest.param(["import os; os._exit(3)"], id="run-broke-off"),
    ],
)
def test_every_other_failure_fails_the_run(tmp_path, sources):
    done = steady(tmp_path, *sources)
    assert done.returncode != 0
    assert "UNSTEADY" not in done.stdout
