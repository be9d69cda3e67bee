"""Free ports for a Muster of one's own, reserved so that two that start at the same moment never choose the same."""

from __future__ import annotations

import contextlib
import fcntl
import os
import random
import socket
import tempfile
from functools import cache
from pathlib import Path

from shared.settings import PORT_OFFSETS

PORTS = range(61_000, 65_000, 10)
"""Bases to choose from: above the ports that Linux gives to outgoing connections, where hardly any program listens;
below the highest MUSTER_PORT_BASE."""
TRIES = 500

_reserved: dict[int, int] = {}
"""Base -> number of ports that this process has reserved; record locks keep only other processes out."""


class NoFreePorts(Exception):
    """Every port that was tried is taken."""


def free_ports(count: int = len(PORT_OFFSETS)) -> int:
    """Return the first of `count` free ports in a row. They stay reserved until `give_back` or the end of the process.

    A reservation is a lock on the bytes of one file with the same numbers as the ports.
    """
    for _ in range(TRIES):
        base = random.choice(PORTS)
        if base + count > PORTS.stop or any(base < b + n and b < base + count for b, n in _reserved.items()):
            continue
        try:
            fcntl.lockf(_lock_file(), fcntl.LOCK_EX | fcntl.LOCK_NB, count, base)
        except OSError:
            continue
        if _are_free(base, count):
            _reserved[base] = count
            return base
        fcntl.lockf(_lock_file(), fcntl.LOCK_UN, count, base)
    raise NoFreePorts(f"no {count} free ports in a row found between {PORTS.start} and {PORTS.stop}")


def give_back(base: int) -> None:
    """End the reservation of the ports from this base on; do nothing where there is none."""
    if count := _reserved.pop(base, 0):
        fcntl.lockf(_lock_file(), fcntl.LOCK_UN, count, base)


@cache
def _lock_file() -> int:
    """Return the descriptor of the lock file. It stays open: closing it would end every reservation."""
    path = Path(tempfile.gettempdir(), f"muster-ports-{os.getuid()}")
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)


def _are_free(base: int, count: int) -> bool:
    with contextlib.ExitStack() as held:
        for port in range(base, base + count):
            try:
                held.enter_context(socket.socket()).bind(("127.0.0.1", port))
            except OSError:
                return False
    return True
