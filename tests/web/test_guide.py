"""The guide for clients matches the code."""

from __future__ import annotations

import re
from pathlib import Path

from shared.roles import ROLES
from shared.web.refusals import EDGE

PAGES = Path(__file__).parents[2] / "docs/reference/http"
PROBLEMS, ACCESS = ((PAGES / name).read_text() for name in ("problems.md", "access.md"))


def test_every_kind_of_problem_is_in_the_guide():
    rows = re.findall(r"^\| `([a-z-]+)` \| (\d{3}) \| (.+) \|$", PROBLEMS, re.MULTILINE)
    assert {code: (int(status), title) for code, status, title in rows} == {
        code: entry[:2] for code, entry in EDGE.items()
    }


def test_every_role_is_in_the_guide():
    (table,) = re.findall(r"^\| role \| \|\n\|---\|---\|\n((?:\|.*\n)+)", ACCESS, re.MULTILINE)
    rows = re.findall(r"^\| `([a-z_]+)` \| (.+) \|$", table, re.MULTILINE)
    assert dict(rows) == dict(ROLES)
