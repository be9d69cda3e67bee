"""The table of faults and attacks: a row for each that ran, what was found, and a failure that is seen."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from tests.programs import run_program

ROOT = Path(__file__).parents[2]
CONFTEST = f"""
import sys
sys.path.insert(0, {str(ROOT)!r})
from pathlib import Path
from tests import outcomes

def pytest_configure(config):
    config.addinivalue_line("markers", "attack(name): an attack")
    config.pluginmanager.register(outcomes.Table(Path("table.json")), "muster-outcomes")
"""
TESTS = """
import pytest
from tests import outcomes

@pytest.mark.attack("a slow client")
def test_slow():
    outcomes.current().count(unexpected=2)
    outcomes.current().recovered(0.5, 2.0)
    outcomes.current().recovered(1.5, None)

@pytest.mark.attack("a forged event")
@pytest.mark.parametrize("way", ["message", "feed"])
def test_forged(way):
    outcomes.current().count(lost=1)
    assert way == "message"

@pytest.mark.attack("one that this machine cannot try")
def test_left_out():
    pytest.skip("no engine")

@pytest.mark.attack("one whose surroundings break")
def test_never_begins(nothing_of_this_name):
    pass

def test_something_else():
    outcomes.current().count(lost=5)
"""


@pytest.mark.parametrize("processes", [[], ["-p", "xdist", "-n", "2"]], ids=["one-process", "two-processes"])
def test_every_row_is_there_whichever_process_ran_it(tmp_path: Path, processes: list[str]) -> None:
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "test_some.py").write_text(TESTS)
    command = [sys.executable, "-m", "pytest", "-q", "--rootdir", str(tmp_path), "-p", "no:cacheprovider", *processes]
    env = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}  # those of this project take seconds to load
    ran = run_program(command, cwd=tmp_path, env=env, capture_output=True, text=True)
    assert ran.returncode == pytest.ExitCode.TESTS_FAILED
    rows = {row["name"]: row for row in json.loads((tmp_path / "table.json").read_text())}
    found = {name: (row["lost"], row["unexpected"], row["held"]) for name, row in rows.items()}
    assert found == {
        "a slow client": (0, 2, True),
        "a forged event (message)": (1, 0, True),
        "a forged event (feed)": (1, 0, False),
        "one whose surroundings break": (None, None, False),
    }
    assert (rows["a slow client"]["answers"], rows["a slow client"]["agrees"]) == (1.5, 2.0)
    (total,) = (line for line in ran.stdout.splitlines() if line.startswith("all "))
    assert total.endswith("FAILED")
