"""Each test is in one suite, and the table names folders, files and functions that exist."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace

from tests.suites import (
    CHECK,
    CHECK_ALL,
    FAULTS_ON_SQLITE,
    PLACES,
    TEST,
    is_second_run,
    is_skipped_whole,
    suite_of_place,
)

ROOT = Path(__file__).parents[2]


def test_every_place_of_the_table_exists_and_is_in_one_suite():
    assert len(PLACES) == len(TEST) + len(CHECK) + len(CHECK_ALL)
    for place in PLACES:
        file, _, case = place.partition("::")
        function = case.partition("[")[0]
        assert (ROOT / file).exists(), place
        assert not function or re.search(rf"^ *def {function}\(", (ROOT / file).read_text(), re.M), place


def test_the_most_specific_place_counts(monkeypatch):
    table = {"tests/a/": "check", "tests/a/b.py": "check-all", "tests/a/b.py::test_small": "test"}
    monkeypatch.setattr("tests.suites.PLACES", table)
    assert suite_of_place("tests/a/other.py", "test_any") == "check"
    assert suite_of_place("tests/a/b.py", "test_any") == "check-all"
    assert suite_of_place("tests/a/b.py", "test_small") == "test"
    assert suite_of_place("tests/c.py", "test_any") is None
    for file, suites in (("a/other.py", {"check"}), ("a/b.py", {"check-all", "test"}), ("c.py", {"test", "check"})):
        for suite in ("test", "check"):
            assert is_skipped_whole(ROOT / "tests" / file, ROOT, suite) == (suite not in suites)
        assert not is_skipped_whole(ROOT / "tests" / file, ROOT, "check-all")
        assert not is_skipped_whole(ROOT / "tests" / file, ROOT, None)


def test_a_fault_written_for_both_pairs_of_engines_runs_on_one_in_make_check():
    on_servers, on_sqlite = "tests/faults/test_processes.py", FAULTS_ON_SQLITE[0]
    both = [
        f"{file}::test_any[{pair}]"
        for file in (on_servers, on_sqlite)
        for pair in ("sqlite-folder", "postgresql-rabbitmq")
    ]
    alone = f"{on_servers}::test_alone[sqlite-folder]"
    left_out = [name for name in (*both, alone) if is_second_run(SimpleNamespace(nodeid=name), {*both, alone})]
    assert left_out == [f"{on_servers}::test_any[sqlite-folder]", f"{on_sqlite}::test_any[postgresql-rabbitmq]"]
    assert all((ROOT / file).exists() for file in FAULTS_ON_SQLITE)
