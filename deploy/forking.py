"""Programs of Python, forked from a process that has imported once what all of them need.

A process that is executed spends most of its start on importing; one that is forked begins where that ends, shares the
memory, and comes back at once after it died. Why this is safe: docs/decisions/0078-programs-are-forked.md.
"""

from __future__ import annotations

import gc
import os
import runpy
import signal
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path

from setproctitle import setproctitle

from deploy import measurements
from deploy.measurements import MEASURED_IN

FORK = get_context("fork")
OPEN = Path("/dev/fd")
AVAILABLE = sys.platform == "linux"  # frameworks of macOS end a process that was forked without executing anything


_imported: set[int] = set()
"""Descriptors that modules opened when they were imported, which a fork may use."""


def preload(modules: Iterable[str]) -> None:
    """Import what programs will need, before anything here has threads or sockets. Raises ImportError.

    What measures opens its files when it is imported. Here they lie in a folder that is gone by the time this returns:
    a fork goes on with a file of its own, in the folder that its environment names.
    """
    before, folder = _open(), os.environ.get(MEASURED_IN)
    with tempfile.TemporaryDirectory(dir=measurements.memory()) as own:
        os.environ[MEASURED_IN] = own
        for module in modules:
            import_module(module)
    os.environ.pop(MEASURED_IN)
    if folder is not None:
        os.environ[MEASURED_IN] = folder
    _imported.update(_open() - before)
    # Never looked through again, in no process: its memory stays shared.
    gc.collect()
    gc.freeze()


class Forked:
    """A process that was forked; what `subprocess.Popen` has, as far as it is needed here."""

    def __init__(self, words: Sequence[str], env: Mapping[str, str], gate: int | None = None, output: int = 1) -> None:
        """Start `python -m` of these words, with this environment.

        gate: a descriptor from which it reads before it becomes the program; if that ends, so does it. With a gate
        it has a session of its own, and no input. output: where it writes. Raises OSError.
        """
        self._process = FORK.Process(target=_become, args=(words, env, gate, output))
        for stream in (sys.stdout, sys.stderr):
            stream.flush()  # else both would write what waits there
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        try:
            self._process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        self.pid = self._process.pid or 0

    def poll(self) -> int | None:
        """Its exit code, the number of a signal below zero, or None while it runs."""
        return self._process.exitcode

    def wait(self) -> int:
        """Wait until it has ended; returns its exit code."""
        self._process.join()
        return self._process.exitcode or 0

    def terminate(self) -> None:
        """Ask it to end, if it runs."""
        self._process.terminate()


def _become(words: Sequence[str], env: Mapping[str, str], gate: int | None, output: int) -> None:
    gc.freeze()  # what the supervisor holds is never collected here: its descriptors are closed below, and used anew
    if gate is not None:
        os.setsid()
    signal.set_wakeup_fd(-1)
    for number in (signal.SIGCHLD, signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    if output != 1:
        os.dup2(output, 1)
        os.dup2(output, 2)
    for descriptor in _open() - _imported - {0, 1, 2, gate}:
        os.close(descriptor)  # locks and pipes of whoever forked this
    if gate is not None:
        if not os.read(gate, 1):
            sys.exit(1)
        os.close(gate)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(line_buffering=True, write_through=True)  # type: ignore[union-attr]
    os.environ.clear()
    os.environ.update(env)
    setproctitle(" ".join((sys.executable, "-m", *words)))
    sys.argv = list(words)
    runpy.run_module(words[0], run_name="__main__", alter_sys=True)


def _open() -> set[int]:
    """The open descriptors of this process, but the one that reads the list."""
    found = {int(name) for name in os.listdir(OPEN)}
    return {descriptor for descriptor in found if _is_open(descriptor)}


def _is_open(descriptor: int) -> bool:
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True
