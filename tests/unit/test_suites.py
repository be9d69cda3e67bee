"""Each test is in one suite, and the table names folders, files and functions that exist."""

from __future__ import annotations

import re
from pathlib import Path

from tests.suites import CHECK, CHECK_ALL, PLACES, TEST, is_skipped_whole, suite_of_place

ROOT = Path(__file__).parents[2]


def test_every_place_of_the_table_exists_and_is_in_one_suite():
    assert len(PLACES) == len(TEST) + len(CHECK) + len(CHECK_ALL)
    for place in PLACES:
        file, _, function = place.partition("::")
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
