"""Tests that documents name exist, and every attack of docs/security.md names its test."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("page", ["docs/security.md", "docs/how-to/upgrade.md"])
def test_every_test_that_a_page_names_exists(page):
    named = re.findall(r"`(tests/[\w/]+(?:\.py)?)`", (ROOT / page).read_text())
    assert named
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_every_attack_has_a_test():
    rows = [line for line in (ROOT / "docs/security.md").read_text().splitlines() if line.startswith("| ")]
    attacks = [row for row in rows if row.count("|") == 4 and "tests/" not in row]
    headings = (
        "| who | may |",
        "| attack | what",
        "| anyone",
        "| player,",
        "| referee,",
        "| integration",
        "| service ",
    )
    assert [row for row in attacks if not row.startswith(headings)] == []
