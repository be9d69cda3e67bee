"""A process that has loaded what tests need from outside, and runs pytest in forks of itself: starting costs most.

Started in a copy of the repository, of whose rules it loads nothing. Each line that comes in is a JSON object:
`arguments` of pytest, `seconds` it may take, `said`, the file for what it prints. Each line that goes out is its exit
code, or `null` where it took longer and was killed.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
import time
from importlib import import_module
from pathlib import Path

OUTSIDE = ("pytest", "schemathesis", "flask_smorest", "sqlalchemy", "psycopg", "kombu", "httpx", "rich", "yaml")
LOOK_AGAIN = 0.02
"""Seconds between two looks at whether the tests are over."""


def main() -> None:
    """Answer each line until there are no more."""
    for module in OUTSIDE:
        import_module(module)
    for line in sys.stdin:
        asked = json.loads(line)
        print(json.dumps(_run(asked["arguments"], asked["seconds"], Path(asked["said"]))), flush=True)


def _run(arguments: list[str], seconds: float, said: Path) -> int | None:
    child = os.fork()
    if not child:
        _be_pytest(arguments, said)
    over = time.monotonic() + seconds
    while time.monotonic() < over:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        time.sleep(LOOK_AGAIN)  # noqa: TID251 - its limit is a setting
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)  # with what the tests have started
    os.waitpid(child, 0)
    return None


def _be_pytest(arguments: list[str], said: Path) -> None:
    os.setsid()
    with said.open("wb") as file:
        for stream in (1, 2):
            os.dup2(file.fileno(), stream)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        code = int(sys.modules["pytest"].main(arguments))
        sys.stdout.flush()
        os._exit(code)


if __name__ == "__main__":
    main()
