"""The README is short, and the tournament with curl of the HTTP guide is played as printed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from deploy.stack import Stack
from tests.guides import refused_codes, run_script

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
HTTP_GUIDE = (ROOT / "docs/reference/http/README.md").read_text("utf-8")
MOST_WORDS = 900


def first_block(page: str, title: str) -> str:
    """Return the first block of shell commands of a section."""
    (section,) = re.findall(rf"^##+ {re.escape(title)}\n(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL)
    return re.findall(r"```sh\n(.*?)```", section, re.DOTALL)[0]


@pytest.mark.engine("curl")
def test_the_tournament_with_curl_is_played_to_its_end_and_verified(shared_stack: Stack, tmp_path: Path) -> None:
    done = run_script(shared_stack, first_block(HTTP_GUIDE, "A tournament with curl"), tmp_path)
    assert done.returncode == 0, done.stderr  # `muster verify` is the last command
    answers = done.stdout.splitlines()
    assert refused_codes(done.stdout) == ["impossible-result"]
    assert max(map(len, answers)) < 6_000
    assert '"winner":' in done.stdout


def test_the_readme_has_two_commands_and_at_most_900_words() -> None:
    """Tests of `make run` and of `make test` itself run these two."""
    assert re.findall(r"^    (make \w+|\.venv\S*|muster \w+)", README, re.MULTILINE) == ["make run", "make test"]
    assert "```sh" not in README
    assert sum(any(map(str.isalpha, word)) for word in README.split()) <= MOST_WORDS
