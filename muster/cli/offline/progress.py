"""Progress of long work on standard error, for people alone: where that is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import TypeVar

import click

MANY = 2_000
"""Work of fewer steps than that is done before anybody has read a line."""

Item = TypeVar("Item")


def shown(items: Sequence[Item], what: str) -> Iterator[Item]:
    """The items, one after another, with a bar that says how many of them are done."""
    if len(items) < MANY or not sys.stderr.isatty():
        yield from items
        return
    with click.progressbar(items, label=what, file=sys.stderr, show_pos=True, update_min_steps=MANY // 4) as bar:
        yield from bar


def say(what: str, size: int) -> None:
    """A line that says what begins now, of work of this size."""
    if size >= MANY and sys.stderr.isatty():
        click.echo(f"{what} …", err=True)
