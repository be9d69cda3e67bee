"""Files that only the user who runs Muster may read: logs hold private tournaments and ids of tokens."""

from __future__ import annotations

import os
from pathlib import Path

OTHERS = 0o077
"""What everybody but the owner might do."""
FOLDER, FILE = 0o700, 0o600


def keep_to_oneself() -> None:
    """Have this process, and those that it starts, make files and folders that nobody else can open."""
    os.umask(OTHERS)


def make_folder(folder: Path) -> None:
    """Make a folder for oneself alone; one that is there stays as it is. Raises OSError."""
    folder.mkdir(mode=FOLDER, parents=True, exist_ok=True)


def take_back(file: Path) -> None:
    """Let nobody else open a file of one's own from now on; of somebody else's, or where there is none, do nothing."""
    try:
        known = file.stat()
    except FileNotFoundError:
        return
    if known.st_uid == os.geteuid() and known.st_mode & OTHERS:
        file.chmod(FILE)
