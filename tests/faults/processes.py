"""Harm to processes beyond what `Stack.kill` does."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from deploy.stack import Stack
from tests.faults.load import Load


def children(pid: int) -> list[int]:
    """The processes that a process has started."""
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def kill(load: Load, name: str, number: int = signal.SIGKILL) -> None:
    """End one process of the load's stack, which is a fault that is over at once, and wait for the next one."""
    stack = load.stack
    before = stack.pids()[name]
    stack.kill(name, number, wait=False)
    load.over()
    stack.wait_for_restart(name, before)


def command_of(pid: int) -> str:
    """The command line of a process."""
    return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")


@contextmanager
def without(stack: Stack, name: str) -> Iterator[None]:
    """A process of the stack is dead for as long as the block lasts: the supervisor sleeps, and starts it afterwards.

    Keep the block short: what the others print waits in pipes that the supervisor does not read meanwhile.
    """
    pids = stack.pids()
    os.kill(pids["supervisor"], signal.SIGSTOP)
    try:
        os.killpg(pids[name], signal.SIGKILL)
        yield
    finally:
        os.kill(pids["supervisor"], signal.SIGCONT)
    stack.wait_for_restart(name, pids[name])
