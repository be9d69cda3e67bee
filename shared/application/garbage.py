"""When not to look for garbage: while a state is made, all that is new stays, and a search would find nothing."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

_lock = Lock()
_building = 0
_on = False


@contextmanager
def no_search() -> Iterator[None]:
    """No thread of this process looks for garbage inside the block, nor in one that is open beside it.

    What has piled up meanwhile is looked through with the first object that is made afterwards.
    """
    global _building, _on
    with _lock:
        if not _building:
            _on = gc.isenabled()
            gc.disable()
        _building += 1
    try:
        yield
    finally:
        with _lock:
            _building -= 1
            if not _building and _on:
                gc.enable()
