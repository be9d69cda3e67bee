"""What the disk does meanwhile: how long an fdatasync takes, for that is what every durable commit waits for."""

from __future__ import annotations

import os
from pathlib import Path
from statistics import median
from time import perf_counter

from msgspec import Struct

from bench.figures import rounded

BLOCK = os.urandom(4096)
BLOCKS = 256
SYNCS = 25
"""fdatasyncs of one look."""

_sync = getattr(os, "fdatasync", os.fsync)  # macOS has no fdatasync


class Disk(Struct, frozen=True):
    """Microseconds of an fdatasync of 4 KB: the median over all looks, and the medians of the quickest and slowest."""

    looks: int
    median: float
    low: float
    high: float


class Probe:
    """Looks at the disk between samples. folder: on the disk that the databases under test are on."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "probe"
        self._file.write_bytes(BLOCK * BLOCKS)
        self._medians: list[float] = []

    def take(self) -> None:
        """One look: a few blocks written and synced, each timed by itself."""
        descriptor = os.open(self._file, os.O_WRONLY)
        try:
            times = []
            for number in range(SYNCS):
                os.pwrite(descriptor, BLOCK, (number % BLOCKS) * len(BLOCK))
                started = perf_counter()
                _sync(descriptor)
                times.append((perf_counter() - started) * 1e6)
        finally:
            os.close(descriptor)
        self._medians.append(median(times))

    def seen(self) -> Disk:
        """What all looks so far have shown."""
        if not self._medians:
            self.take()
        found = self._medians
        return Disk(len(found), rounded(median(found)), rounded(min(found)), rounded(max(found)))
