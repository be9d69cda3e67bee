"""Every command of the README does what it says, as it is printed there."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from deploy.stack import Stack
from tests.programs import run_program

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
BIN = str(Path(sys.executable).parent)
PORTS = {"registration": "localhost:8001", "pairing": "localhost:8002", "scoring": "localhost:8003"}


def section(title: str) -> str:
    """What stands under a heading."""
    (found,) = re.findall(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", README, re.MULTILINE | re.DOTALL)
    return found


def block(title: str, kind: str) -> str:
    """The one block of commands under a heading."""
    (found,) = re.findall(rf"```{kind}\n(.*?)```", section(title), re.DOTALL)
    return found


@pytest.fixture(scope="module")
def stack(shared_stack: Stack) -> Stack:
    """Muster as `make run` starts it, on ports of its own."""
    return shared_stack


def played(stack: Stack, script: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a block as bash would, in a folder that is left as it was but for what the block writes."""
    for service, printed in PORTS.items():
        script = script.replace(printed, stack.urls[service].removeprefix("http://"))
    script = script.replace(".venv/bin/", f"{BIN}/")
    env = {**os.environ, **stack.env}
    whole = ["bash", "-euo", "pipefail", "-c", script]
    return run_program(whole, cwd=folder, env=env, capture_output=True, text=True)


@pytest.mark.engine("curl")
def test_the_first_tournament_is_played_to_its_end_and_verified(stack: Stack, tmp_path: Path) -> None:
    done = played(stack, block("A first tournament with curl", "sh"), tmp_path)
    assert done.returncode == 0, done.stderr
    answers = done.stdout.splitlines()
    refused = [line for line in answers if '"type":"/problems/' in line]
    assert len(refused) == 1, refused
    assert '"code":"impossible-result"' in refused[0]
    assert max(map(len, answers)) < 6_000
    assert '"winner":' in done.stdout
    assert "everything holds" in answers[-1]


def test_what_needs_no_service_prints_what_is_shown(tmp_path: Path) -> None:
    told = block("Without any service", "console")
    commands = re.split(r"^\$ ", told, flags=re.MULTILINE)[1:]
    assert len(commands) == 2
    for shown in commands:
        command, _, printed = shown.partition("\n")
        whole = command.replace(".venv/bin/", f"{BIN}/")
        done = run_program(["bash", "-c", whole], cwd=ROOT, capture_output=True, text=True)
        assert (done.returncode, done.stdout.strip()) == (0, printed.strip()), done.stderr


def test_a_tournament_by_chance_is_played(stack: Stack, tmp_path: Path) -> None:
    done = played(stack, block("A whole tournament by chance", "sh"), tmp_path)
    assert done.returncode == 0, done.stderr
    assert "rank" in done.stdout


def test_no_command_stands_where_no_test_runs_it() -> None:
    """The two make targets are what this run and `tests/deploy/test_run.py` start."""
    tried = {"A first tournament with curl", "Without any service", "A whole tournament by chance"}
    blocks = re.findall(r"```(?:sh|console)\n.*?```", README, re.DOTALL)
    assert len(blocks) == len(tried)
    assert re.findall(r"^    (make \w+|\.venv\S*|muster \w+)", README, re.MULTILINE) == ["make run", "make test"]
