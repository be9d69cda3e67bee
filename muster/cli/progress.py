"""How far long work is, on standard error: bars for people at a terminal, a line now and then for everybody else."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

import click

MANY = 2_000
"""Work of fewer steps than that is done before anybody has read a line."""

EVERY = 500
"""Steps between two drawings of a bar."""

SOON, RARELY = 2.0, 60.0
"""Seconds between two signs of life: at a terminal, and in a file or a log."""

Item = TypeVar("Item")


def shown(items: Sequence[Item], what: str) -> Iterator[Item]:
    """The items, one after another, with a bar that says how many of them are done."""
    if len(items) < MANY or not sys.stderr.isatty():
        yield from items
        return
    with click.progressbar(items, label=what, file=sys.stderr, show_pos=True, update_min_steps=EVERY) as bar:
        yield from bar


@contextmanager
def counted(what: str, length: int) -> Iterator[Callable[[int], object]]:
    """What is called with the number of steps made since; a bar at a terminal alone. length: of all steps."""
    if not sys.stderr.isatty():
        yield lambda steps: None
        return
    with click.progressbar(length=length, label=what, file=sys.stderr, show_pos=True, update_min_steps=EVERY) as bar:
        yield bar.update


def say(what: str, size: int) -> None:
    """A line that says what begins now, of work of this size."""
    if size >= MANY and sys.stderr.isatty():
        click.echo(f"{what} …", err=True)


@contextmanager
def waiting(what: str) -> Iterator[None]:
    """A sign of life while somebody else works and nothing says how far they are: what is done, and for how long.

    A terminal has one line that counts; elsewhere there is a line a minute.
    """
    done, began, live = threading.Event(), time.monotonic(), sys.stderr.isatty()

    def tell() -> None:
        while not done.wait(SOON if live else RARELY):
            line = f"{what} … {time.monotonic() - began:.0f} s"
            click.echo(f"\r{line}" if live else line, err=True, nl=not live)

    teller = threading.Thread(target=tell, name="progress", daemon=True)
    teller.start()
    try:
        yield
    finally:
        done.set()
        teller.join()
        if live and time.monotonic() - began >= SOON:
            click.echo("\r\x1b[K", err=True, nl=False)
