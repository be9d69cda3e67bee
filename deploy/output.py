"""The output of many programs as one: each line with its time and the name of the program, in its colour."""

from __future__ import annotations

import datetime
import errno
import sys
from collections.abc import Sequence
from typing import TextIO

from honcho.colour import get_colours
from honcho.printer import Message, Printer

OWN_NAME = "muster"
PASSING = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EROFS})
LONGEST_LINE = 64 * 1024  # bytes kept while waiting for the end of a line


class Output:
    """Cuts what programs write into lines and prints them. `broken` once nobody reads them any more."""

    def __init__(self, names: Sequence[str], stream: TextIO | None = None, plain: Sequence[str] = ()) -> None:
        """names: of all programs. plain: those whose lines are for the reader and get no prefix."""
        self._stream = stream or sys.stdout
        self._printer = Printer(self._stream, width=max(len(name) for name in [OWN_NAME, *names]))
        colours = get_colours()
        self._colours = {name: next(colours) for name in names}
        self._plain = frozenset(plain)
        self._rest: dict[int, bytes] = {}
        self.broken = False

    def feed(self, name: str, descriptor: int, data: bytes) -> None:
        """Take what a program wrote; print the lines that are complete."""
        data = self._rest.pop(descriptor, b"") + data
        lines, end, rest = data.rpartition(b"\n")
        if not end and len(rest) > LONGEST_LINE:
            lines, rest = rest, b""
        if rest:
            self._rest[descriptor] = rest
        self._print(name, lines + end)

    def flush(self, name: str, descriptor: int) -> None:
        """Print the last line of a program that ended without ending it."""
        self._print(name, self._rest.pop(descriptor, b""))

    def say(self, text: str) -> None:
        """A line of the supervisor's own."""
        self._print(OWN_NAME, text.encode())

    def _print(self, name: str, data: bytes) -> None:
        if not data or self.broken:
            return
        try:
            if name in self._plain:
                self._stream.write(data.decode("utf-8", "replace"))
                self._stream.flush()
            else:
                now = datetime.datetime.now()
                self._printer.write(Message("line", data, now, name, self._colours.get(name)))
        except OSError as error:
            # A disk may have room again; a terminal or a pipe that is gone never comes back.
            self.broken = error.errno not in PASSING
