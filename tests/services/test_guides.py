"""The guides to several venues, co-operative events and campaigns are run as printed."""

from __future__ import annotations

from pathlib import Path

import pytest

from deploy.stack import Stack
from tests.guides import refused_codes, run_script, shell_blocks

CONCLUDED = '"TournamentConcluded"'


@pytest.mark.engine("curl")
@pytest.mark.parametrize(
    ("page", "refused", "last"),
    [
        ("how-to/venues.md", ["invalid-request"], '"table_label":"A1"'),
        ("how-to/coop.md", ["impossible-move", "session-ended"], CONCLUDED),
        ("how-to/campaign.md", ["group-refused", "step-refused"], CONCLUDED),
    ],
)
def test_a_guide_is_followed_to_its_end(
    shared_stack: Stack, tmp_path: Path, page: str, refused: list[str], last: str
) -> None:
    done = run_script(shared_stack, "\n".join(shell_blocks(page)), tmp_path)
    assert done.returncode == 0, done.stderr
    assert refused_codes(done.stdout) == refused
    assert last in done.stdout.splitlines()[-1]
