"""`make quick` chooses tests by the folders that changed."""

from __future__ import annotations

import pytest

from tests.quick import ROOT, TESTS, choose_tests, files_under


def test_every_folder_of_the_table_and_its_tests_exist():
    for folder, places in TESTS.items():
        assert (ROOT / folder).exists()
        assert all(map(files_under, places)), folder


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ("shared/rules/tiebreakers.py", "tests/rules/test_tiebreakers.py"),
        ("shared/coop/events.py", "tests/coop/test_evening.py"),
        ("services/pairing/clocks.py", "tests/services/pairing/test_clocks.py"),
        ("tests/rules/test_packs.py", "tests/rules/test_packs.py"),
        ("tests/rules/story.py", "tests/rules/test_standings.py"),
    ],
)
def test_a_change_runs_the_tests_of_its_folder(changed, expected):
    chosen = choose_tests([changed])
    assert expected in chosen
    assert len({test.rpartition("/")[0] for test in chosen}) <= 2


def test_a_page_of_text_runs_no_tests_of_code():
    assert choose_tests(["CHANGELOG.md"]) == []
