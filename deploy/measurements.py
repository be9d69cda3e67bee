"""Where the processes of a service share their measurements: a folder in memory, behind a link in the data folder.

The files there are mapped into memory, and who touches a mapped page that a full disk has no room for is killed by the
system (SIGBUS). Nobody needs them after the run, so they need no disk.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

MEASURED_IN = "PROMETHEUS_MULTIPROC_DIR"
"""The variable by which prometheus_client is told of the folder; it looks when it is imported."""
MEMORY = Path("/dev/shm")
PREFIX = "muster-"


def make(link: Path) -> Path:
    """Make an empty folder that is reached by `link`, in memory where there is such a place; returns `link`.

    What an earlier run left behind it is removed. Raises OSError.
    """
    remove(link)
    link.parent.mkdir(parents=True, exist_ok=True)
    if place := memory():
        link.symlink_to(tempfile.mkdtemp(prefix=PREFIX, dir=place))
    else:
        link.mkdir()
    return link


def memory() -> Path | None:
    """Where files lie in memory, on a system that has such a place."""
    return MEMORY if os.access(MEMORY, os.W_OK) else None


def of(name: str, shared: Path) -> Path:
    """The folder of those who measure together, in the one that `make` made. Raises OSError."""
    folder = shared / name
    folder.mkdir(exist_ok=True)
    return folder


def remove(link: Path) -> None:
    """Remove what `make` made; nothing where there is nothing."""
    if link.is_symlink():
        folder = link.readlink()
        if folder.parent == MEMORY and folder.name.startswith(PREFIX):
            shutil.rmtree(folder, ignore_errors=True)
        link.unlink()
    elif link.is_dir():
        shutil.rmtree(link)
