"""Run programs in tests, each with a time limit. Ruff forbids `subprocess.run` in tests.

A program that reaches the limit is killed together with every process that it has started.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.waiting import PATIENCE

Command = Sequence[str | Path]


def run_program(
    command: Command,
    *,
    timeout: float = PATIENCE,
    check: bool = False,
    capture_output: bool = False,
    input: Any = None,
    **options: Any,
) -> subprocess.CompletedProcess[Any]:
    """Run a program to its end, as `subprocess.run` does.

    Raises subprocess.TimeoutExpired after `timeout` seconds. No process of the program's session is left behind then,
    nor when the test is interrupted.
    """
    if capture_output:
        options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    if input is not None:
        options["stdin"] = subprocess.PIPE
    with subprocess.Popen(command, start_new_session=True, **options) as process:
        try:
            out, err = process.communicate(input, timeout)
        except BaseException:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            raise
    if check and process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command, out, err)
    return subprocess.CompletedProcess(command, process.returncode, out, err)
