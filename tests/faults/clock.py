"""The wall clock of a running stack, set at will: libfaketime in every process, reading one file.

A clock that somebody sets changes what time it is, and not how long a second lasts: monotonic clocks and the times of
files stay as they are. PostgreSQL and RabbitMQ keep the true time.
"""

from __future__ import annotations

import datetime
import sys
from pathlib import Path

from tests.programs import run_program

# libfaketime 0.9.10 refuses the way in which time.sleep of Python 3.11 and later asks the system to wait.
SLEEP = """import select, time
time.sleep = lambda seconds: (select.select([], [], [], seconds), None)[1]
"""
LIBRARIES = ("/usr/lib/*/faketime/libfaketimeMT.so.1", "/usr/lib*/faketime/libfaketimeMT.so.1")


def library() -> Path | None:
    """libfaketime for programs with threads."""
    return next((found for pattern in LIBRARIES for found in Path("/").glob(pattern.removeprefix("/"))), None)


def possible() -> bool:
    """Whether the clock of a process of ours can be set."""
    if library() is None:
        return False
    ran = run_program(
        [sys.executable, "-c", "import time; print(time.time())"],
        env={"LD_PRELOAD": str(library()), "FAKETIME": "+10d"},
        capture_output=True,
        text=True,
        check=False,
    )
    return ran.returncode == 0 and float(ran.stdout) > datetime.datetime.now().timestamp() + 86_400


class Clock:
    """A clock that `env` lets programs read. folder: an empty one."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "ahead"
        (folder / "sitecustomize.py").write_text(SLEEP)
        self.set(datetime.timedelta())
        self.env = {
            "LD_PRELOAD": str(library()),
            "PYTHONPATH": str(folder),
            "FAKETIME_TIMESTAMP_FILE": str(self._file),
            "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "NO_FAKE_STAT": "1",
        }

    def set(self, ahead: datetime.timedelta) -> None:
        """From now on the clock is so far ahead of the true time, or behind it."""
        new = self._file.with_name(self._file.name + ".new")
        new.write_text(f"{ahead.total_seconds():+.0f}\n")
        new.replace(self._file)
