"""What processes of this machine have taken: processor time and memory, as the kernel counts them."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from pathlib import Path


def children_of(pid: int) -> list[str]:
    """The processes that a process has started, as gunicorn's master its workers."""
    return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()


def processor_ms(pids: Iterable[str]) -> float:
    """Milliseconds of processor time that these have taken so far, in threads that have ended, too."""
    return sum(time.clock_gettime(_clock_of(int(pid))) for pid in pids) * 1000


def resident_mb(pids: Iterable[str]) -> float:
    """Megabytes that these have in memory, what they share counted for each."""
    pages = [int(Path(f"/proc/{pid}/statm").read_text().split()[1]) for pid in pids]
    return sum(pages) * os.sysconf("SC_PAGE_SIZE") / 1e6


def memory_mb(pid: int | str, line: str) -> float:
    """Megabytes of a process as a line of its status says them: VmRSS now, VmHWM the most so far."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(one.split()[1]) / 1000 for one in lines if one.startswith(line))


def _clock_of(pid: int) -> int:
    """The clock of a process, as the kernel numbers it: clock_getcpuclockid(3), which Python does not have."""
    return (~pid << 3) | 2
