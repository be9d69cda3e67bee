"""The commands of the page on seasons, as printed, one after another; they leave no file behind."""

from __future__ import annotations

from pathlib import Path

import pytest

from deploy.stack import Stack
from tests.guides import refused_codes, run_script, shell_blocks

REFUSED = ["tournament-not-for-season", "identity-merged"]
"""The refusals that the page announces, in order."""
RESULTS_TAKEN = (
    """until ask "localhost:8003/tournaments/$S/season/standings?number=1" | grep -q '"items"'; do sleep 0.2; done"""
)
"""The season takes results within seconds, which a reader spends on the page."""
CONCLUSION = "ask localhost:8003/tournaments/$S/conclusion -d '{}'"
"""It is refused until the correction just before it has been taken."""
POSSIBLE = {"player-unknown", "tie-undecided", "cut-missing"}
"""Refusals that depend on whether the line to the final runs through a tie, which the pairings decide."""


def season_script() -> str:
    blocks = shell_blocks("how-to/season.md")
    blocks.insert(3, RESULTS_TAKEN)
    return "\n".join(blocks).replace(CONCLUSION, f"until {CONCLUSION} | grep -q events; do sleep 0.2; done")


@pytest.mark.engine("curl")
def test_the_page_is_followed_to_its_end_and_leaves_nothing_behind(shared_stack: Stack, tmp_path: Path) -> None:
    here, temporary = tmp_path / "here", tmp_path / "temporary"
    here.mkdir()
    temporary.mkdir()
    done = run_script(shared_stack, season_script(), here, TMPDIR=str(temporary))
    assert done.returncode == 0, done.stderr
    assert ": OK, " in done.stdout
    refused = refused_codes(done.stdout)
    assert refused[:2] == REFUSED
    assert set(refused[2:]) <= POSSIBLE
    assert list(here.iterdir()) == list(temporary.iterdir()) == []
