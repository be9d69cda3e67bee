"""Guides of docs/how-to are run as printed, against a whole Muster."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from deploy.stack import ROOT, Stack
from tests.programs import run_program

PORTS = {"registration": "localhost:8001", "pairing": "localhost:8002", "scoring": "localhost:8003"}


def shell_blocks(page: str) -> list[str]:
    """Return the shell blocks of a page. page: its path below docs/."""
    return re.findall(r"^```sh\n(.*?)^```$", (ROOT / "docs" / page).read_text("utf-8"), re.MULTILINE | re.DOTALL)


def run_script(stack: Stack, script: str, folder: Path, **env: str) -> subprocess.CompletedProcess[str]:
    """Run a script in bash, with the addresses of this Muster instead of the printed ones. It stops at a failure."""
    script = script.replace(".venv/bin/", f"{Path(sys.executable).parent}/")
    for service, printed in PORTS.items():
        script = script.replace(printed, stack.urls[service].removeprefix("http://"))
    command = ["bash", "-euo", "pipefail", "-c", script]
    return run_program(command, cwd=folder, env={**os.environ, **stack.env, **env}, capture_output=True, text=True)


def refused_codes(output: str) -> list[str]:
    """Return the codes of the problems among the answers, in order."""
    return re.findall(r'"type":"/problems/([^"]+)"', output)
