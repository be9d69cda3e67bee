"""docs/security.md and docs/operating.md name tests that are there, and say nothing of any other."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_every_test_that_the_page_names_is_there():
    named = re.findall(r"`(tests/[\w/]+(?:\.py)?)`", (ROOT / "docs/security.md").read_text())
    assert named
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_every_test_that_the_page_on_operating_names_is_there():
    named = re.findall(r"`(tests/[\w/]+\.py)`", (ROOT / "docs/operating.md").read_text())
    assert named
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_every_attack_has_a_test():
    rows = [line for line in (ROOT / "docs/security.md").read_text().splitlines() if line.startswith("| ")]
    attacks = [row for row in rows if row.count("|") == 4 and "tests/" not in row]
    headings = (
        "| who | may |",
        "| attack | what",
        "| anybody",
        "| player,",
        "| referee,",
        "| integration",
        "| service ",
    )
    assert [row for row in attacks if not row.startswith(headings)] == []
