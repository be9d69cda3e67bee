"""The base of all commands: examples in their help, and a clean exit when standard output is closed or full."""

from __future__ import annotations

import errno
import inspect
import os
import signal
import sys
from collections.abc import Callable
from typing import Any

import click

from muster.cli.output import refuse
from shared.refusals import Fault, expects

NOBODY_READS = 128 + signal.SIGPIPE
"""The exit code after the reader of a pipe went away, the same as the shell shows for other programs."""

FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})


def example(*lines: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return a decorator that adds example command lines to the help of a command. Put it below the options."""

    def with_example(function: Callable[..., Any]) -> Callable[..., Any]:
        shown = "\n".join(f"  {line}" for line in lines)
        function.__doc__ = f"{inspect.cleandoc(function.__doc__ or '')}\n\n\b\n{EXAMPLE[len(lines) > 1]}:\n{shown}"
        return function

    return with_example


EXAMPLE = ("Example", "Examples")


class Program(click.Group):
    """The outermost group: it writes in any locale, and exits silently if the reader of its output went away."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.NoSuchCommand as error:
            known = self.list_commands(ctx)  # click knows commands that are loaded already
            raise click.NoSuchCommand(error.command_name, possibilities=known, ctx=ctx) from error

    def main(self, *args: Any, **kwargs: Any) -> Any:
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure") and stream.encoding.lower().replace("-", "") != "utf8":
                stream.reconfigure(errors="backslashreplace")  # a terminal that knows ASCII alone
        return super().main(*args, **kwargs)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            try:
                return super().invoke(ctx)
            finally:
                sys.stdout.flush()
        except BrokenPipeError as error:
            _write_nowhere()
            raise SystemExit(NOBODY_READS) from error
        except OSError as error:
            if error.errno not in FULL:
                raise
            _write_nowhere()
            refuse(
                [Fault(error.filename or "standard output", (error.strerror or "").lower(), expects("room-to-write"))]
            )


def _write_nowhere() -> None:
    """Redirect standard output, so that flushing its buffer at exit does not fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
