"""The commands of the page on seasons, run in order as printed."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest

from deploy.stack import Stack
from tests.programs import run_program

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/how-to/season.md").read_text("utf-8")
PORTS = {"registration": "localhost:8001", "pairing": "localhost:8002", "scoring": "localhost:8003"}
REFUSED = ["tournament-not-for-season", "identity-merged"]
"""What the page says is refused, in its order."""
TAKEN = (
    """until ask "localhost:8003/tournaments/$S/season/standings?number=1" | grep -q '"items"'; do sleep 0.2; done"""
)
"""The season takes results within seconds, which a reader spends on the page."""
END = "ask localhost:8003/tournaments/$S/conclusion -d '{}'"
"""It is refused for as long as the correction just before it has not been taken."""
BY_THE_LINE = {"player-unknown", "tie-undecided", "cut-missing"}
"""And what depends on whether the line to the final runs through a tie, which the pairings decide."""


def as_printed(stack: Stack) -> str:
    """Return every block of commands with the addresses of these services."""
    blocks = re.findall(r"^```sh\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    blocks.insert(3, TAKEN)
    script = "\n".join(blocks).replace(END, f"until {END} | grep -q events; do sleep 0.2; done")
    for service, printed in PORTS.items():
        script = script.replace(printed, stack.urls[service].removeprefix("http://"))
    return script.replace(".venv/bin/", f"{Path(sys.executable).parent}/")


@pytest.mark.engine("curl")
def test_commands_of_the_page_work_and_leave_no_files(shared_stack: Stack, tmp_path: Path) -> None:
    here, temporary = tmp_path / "here", tmp_path / "temporary"
    here.mkdir()
    temporary.mkdir()
    env = {**os.environ, **shared_stack.env, "TMPDIR": str(temporary)}
    command = ["bash", "-euo", "pipefail", "-c", as_printed(shared_stack)]
    done = run_program(command, cwd=here, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    refused = re.findall(r'"type":"/problems/([^"]+)"', done.stdout)
    assert refused[:2] == REFUSED
    assert set(refused[2:]) <= BY_THE_LINE
    assert ": OK, " in done.stdout
    assert list(here.iterdir()) == list(temporary.iterdir()) == []
