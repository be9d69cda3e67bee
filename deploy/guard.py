"""The guard: a tiny process that ends what a supervisor started, should the supervisor be killed outright.

A supervisor that gets SIGKILL can tidy up nothing, so somebody else has to. The guard is told at its start which
process groups there are, and reads on its standard input which ones come (`+4711`) and go (`-4711`). Only the
supervisor holds the other end of that pipe: when it closes, for whatever reason, every group still known gets
SIGTERM, then SIGKILL.
It works wherever there are pipes and process groups, and it reaches grandchildren, which Linux's
PR_SET_PDEATHSIG does not.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable

POLL_SECONDS = 0.05


class Guard:
    """The supervisor's side: a guard process that always knows which groups there are."""

    def __init__(self, grace_seconds: float) -> None:
        self._grace = grace_seconds
        self._groups: set[int] = set()
        self._process: subprocess.Popen[bytes] | None = None

    def watch(self, group: int) -> None:
        self._groups.add(group)
        self._tell(f"+{group}\n")

    def forget(self, group: int) -> None:
        self._groups.discard(group)
        self._tell(f"-{group}\n")

    def keep(self) -> None:
        """Replace a guard that was killed."""
        if self._groups and (self._process is None or self._process.poll() is not None):
            self._start()

    def _tell(self, line: str) -> None:
        if self._process is None:
            self._start()
            return
        try:
            assert self._process.stdin is not None
            self._process.stdin.write(line.encode())
        except BrokenPipeError:
            self._start()

    def _start(self) -> None:
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()
            self._process.wait()
        # Isolated (-I), for as a script it would have this folder first on its path. In a session of its own,
        # so that a Ctrl-C in the terminal does not reach it.
        self._process = subprocess.Popen(
            [sys.executable, "-I", __file__, str(self._grace), *map(str, sorted(self._groups))],
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )


def follow(lines: Iterable[str], known: Iterable[int]) -> set[int]:
    """Follow the supervisor until its pipe closes. known: groups at the start. Returns the groups it left behind."""
    groups = set(known)
    for line in lines:
        group = int(line[1:])
        if line[0] == "+":
            groups.add(group)
        else:
            groups.discard(group)
    return groups


def end(groups: set[int], grace_seconds: float) -> None:
    """SIGTERM to every group, SIGKILL to those still there after the grace."""
    deadline = time.monotonic() + grace_seconds
    alive = {group for group in groups if send(group, signal.SIGTERM)}
    while alive and time.monotonic() < deadline:
        time.sleep(POLL_SECONDS)
        alive = {group for group in alive if send(group, 0)}
    for group in alive:
        send(group, signal.SIGKILL)


def send(group: int, number: int) -> bool:
    """Signal a process group (0 only asks). False where there is none any more."""
    try:
        os.killpg(group, number)
    except (ProcessLookupError, PermissionError):  # macOS answers a group of zombies with PermissionError
        return False
    return True


def main() -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # it ends when its supervisor does, never before
    _, grace, *known = sys.argv
    end(follow(sys.stdin, map(int, known)), grace_seconds=float(grace))


if __name__ == "__main__":
    main()
