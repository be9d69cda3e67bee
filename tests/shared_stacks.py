"""Whole Musters that files of tests share one after another, since starting one costs ten seconds of a processor.

Each test has tournaments of its own there. Whoever ends a process waits until it is back, and whoever changes a table
by hand leaves it right. A stack ends with the last of the files in a row that ask for it: none is idle beside others.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import ExitStack
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from deploy.stack import Stack

NAMES = ("shared_stack", "shared_stack_on_servers")
"""The fixtures that lend them (tests/conftest.py)."""

_running: dict[str, tuple[Stack, ExitStack]] = {}


def lend(name: str, start: Callable[[ExitStack], Stack]) -> Stack:
    """The stack of that name. start: starts it where none runs, and registers what has to end with it."""
    if name not in _running:
        with ExitStack() as ends:
            stack = start(ends)
            _running[name] = stack, ends.pop_all()
    return _running[name][0]


def end(but: Collection[str] = ()) -> None:
    """End the stacks whose names are not among these."""
    for name in _running.keys() - set(but):
        _, ends = _running.pop(name)
        ends.close()
