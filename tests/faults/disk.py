"""A small disk of one's own under a folder: an image of ext4 on a loop device, to be filled and to fail.

    with Disk(tmp_path / "image", tmp_path / "data") as disk:
        disk.fill()            # ENOSPC for everybody
        disk.make_room()
        disk.fail()            # as after an error of the device: read-only, for files that are open, too
        disk.repair()          # everybody who had files open there has to be gone

Mounting needs root.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.programs import run_program
from tests.waiting import until

MEGABYTES = 96


class DiskFailed(Exception):
    """Something of the disk could not be done; the text is what the program said."""


class Disk:
    """Mounted at `folder` on entering, gone on leaving. image: the file that holds it."""

    def __init__(self, image: Path, folder: Path, megabytes: int = MEGABYTES) -> None:
        self.folder = folder
        self._image = image
        self._megabytes = megabytes
        self._filling = folder / "filling"

    def __enter__(self) -> Self:
        with self._image.open("wb") as image:
            image.truncate(self._megabytes << 20)
        _run("mkfs.ext4", "-q", "-F", "-m", "0", str(self._image))
        self.folder.mkdir(parents=True, exist_ok=True)
        self._mount()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._unmount()

    def fill(self) -> None:
        """Leave not one byte free."""
        with self._filling.open("ab") as filling:
            for size in (1 << 20, 4096, 1):
                with contextlib.suppress(OSError):
                    while True:
                        os.write(filling.fileno(), b"\1" * size)
                        os.fsync(filling.fileno())

    def make_room(self) -> None:
        """What `fill` took is free again."""
        self._filling.unlink()

    def sync(self) -> None:
        """Write down what is in memory."""
        _run("sync", "--file-system", str(self.folder))

    def fail(self) -> None:
        """The kernel gives up on the disk: what is written there now fails with EROFS until it is repaired."""
        _run("mount", "-o", "remount,abort", str(self.folder))

    def repair(self) -> None:
        """Take the disk out, check it, and put it back."""
        self._unmount()
        _run("e2fsck", "-p", str(self._image), good=(0, 1))
        self._mount()

    def _mount(self) -> None:
        _run("mount", "-o", "loop", str(self._image), str(self.folder))

    def _unmount(self) -> None:
        def unmounted() -> bool:
            try:
                _run("umount", str(self.folder))
            except DiskFailed:
                return False
            return True

        until(unmounted, f"umount {self.folder}", pause=0.1)  # a process that was killed just now may hold a file


def possible() -> bool:
    """Whether this machine lets us mount such a disk."""
    try:
        with tempfile.TemporaryDirectory() as folder, Disk(Path(folder, "image"), Path(folder, "data"), 2):
            return True
    except (DiskFailed, OSError):
        return False


def _run(*command: str, good: tuple[int, ...] = (0,)) -> None:
    ran = run_program(command, capture_output=True, text=True)
    if ran.returncode not in good:
        raise DiskFailed(f"{' '.join(command)}: {ran.stdout}{ran.stderr}")
