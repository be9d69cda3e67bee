"""How far something long has come, on standard error, where a person looks."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

EVERY = 500
"""Steps between two drawings."""


@contextmanager
def progress(label: str, length: int) -> Iterator[Callable[[int], object]]:
    """What is called with each step that was made; nothing is shown where nobody watches.

    length: of all steps.
    """
    if not sys.stderr.isatty():
        yield lambda steps: None
        return
    with click.progressbar(length=length, label=label, file=sys.stderr, update_min_steps=EVERY) as bar:
        yield bar.update
