"""Scripts of others are those that their README names, and no others are there."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = ("services/console/static/vendor", "tests/console_pages/vendor")
ROW = re.compile(r"^\| `([^`]+)` .*`([0-9a-f]{64})` \|$", re.MULTILINE)


@pytest.mark.parametrize("name", FOLDERS)
def test_every_script_is_the_one_that_is_named(name):
    folder = ROOT / name
    named = dict(ROW.findall((folder / "README.md").read_text()))
    there = {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in folder.glob("*.js")}
    assert there
    assert there == named
