"""Processes of a test that begin with everything imported: forked from one that did nothing but that.

A process that is spawned takes three seconds of a processor to import what a test of services needs.
"""

from __future__ import annotations

from multiprocessing import get_context
from multiprocessing.context import BaseContext


def importing(module: str) -> BaseContext:
    """As `multiprocessing` itself. module: what the process has imported that others are forked from."""
    context = get_context("forkserver")
    context.set_forkserver_preload([module])
    return context
