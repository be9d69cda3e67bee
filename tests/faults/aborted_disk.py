"""What ext4 itself loses when it is aborted while processes write: neither Muster nor SQLite has a part in it.

    python -m tests.faults.aborted_disk 40

Four processes append eight bytes to a file of their own, fsync, and say so; the disk fails, is checked and read again.
Then as many runs in which the processes are stopped and the disk is written down first, as `test_disk.py` does it.
Needs root.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.faults.disk import Disk

WRITERS = 4
RECORD = 8
APPENDS = f"""
import os, sys
file = os.open(sys.argv[1], os.O_CREAT | os.O_WRONLY | os.O_APPEND)
said = os.open(sys.argv[2], os.O_CREAT | os.O_WRONLY | os.O_APPEND)
while True:
    os.write(file, b"." * {RECORD})
    os.fsync(file)
    os.write(said, b".")
"""


def lost(folder: Path, stopped: bool) -> int:
    """One run in an empty folder: how many of the writers miss a record whose fsync had succeeded."""
    with Disk(folder / "image", folder / "disk", 32) as disk:
        names = [f"writer-{number}" for number in range(WRITERS)]
        writers = [
            subprocess.Popen(
                [sys.executable, "-c", APPENDS, str(disk.folder / name), str(folder / name)], stderr=subprocess.DEVNULL
            )
            for name in names
        ]
        time.sleep(random.uniform(0.3, 1.0))  # noqa: TID251 - the disk fails at some moment
        if stopped:
            for writer in writers:
                writer.send_signal(signal.SIGSTOP)
            disk.sync()
        disk.fail()
        for writer in writers:
            writer.send_signal(signal.SIGCONT)
        for writer in writers:
            writer.wait()  # ends by itself: it cannot write any more
        disk.repair()
        there = {name: os.path.getsize(disk.folder / name) // RECORD for name in names}
        return sum(there[name] < os.path.getsize(folder / name) for name in names)


def main() -> None:
    """Print in how many runs of each kind something was lost."""
    runs = int(sys.argv[1])
    for stopped in (False, True):
        with_loss = 0
        for _ in range(runs):
            with tempfile.TemporaryDirectory() as folder:
                with_loss += lost(Path(folder), stopped) > 0
        print(f"{'stopped and written down' if stopped else 'writing'}: {with_loss} of {runs} runs lost a record")


if __name__ == "__main__":
    main()
