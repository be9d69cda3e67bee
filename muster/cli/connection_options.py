"""The options `--url`, `--token` and `--token-file`, before or after the command; the last one given is used."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import click

from muster.cli.output import refuse, unreadable
from shared.refusals import NOTHING, Fault, expects

GIVEN = "muster.connection"
"""The key of the given values in click's contexts: a mapping that a command shares with its groups."""

Command = TypeVar("Command", bound=Callable[..., Any])


def connection_options(command: Command) -> Command:
    """Return the command or group with the three options, whose values `given` returns."""
    for option in reversed(
        (
            click.option(
                "--url",
                metavar="URL",
                expose_value=False,
                callback=_keep,
                help="Registration's address; also MUSTER_URL.",
            ),
            click.option(
                "--token",
                metavar="TOKEN",
                expose_value=False,
                callback=_keep,
                help="Who you are; also MUSTER_TOKEN. Other users of this machine can see it: --token-file is safer.",
            ),
            click.option(
                "--token-file",
                metavar="FILE",
                expose_value=False,
                callback=_keep,
                help="The file that holds the token (- is standard input); also MUSTER_TOKEN_FILE.",
            ),
        )
    ):
        command = option(command)
    return command


def _keep(context: click.Context, option: click.Parameter, value: str | None) -> None:
    if value is not None:
        context.meta.setdefault(GIVEN, {})[option.name] = value


def given(name: str) -> str:
    """Return the given value of `url`, `token` or `token_file`; empty if there is none."""
    context = click.get_current_context(silent=True)
    return str(context.meta.get(GIVEN, {}).get(name, "")) if context else ""


def token_of(env: Mapping[str, str] = os.environ) -> str:
    """Return the caller's token; empty without one. Exit with the code for bad input if it cannot be read."""
    token, file = given("token"), given("token_file")
    if token and file:
        refuse([Fault("--token-file", file, expects("not-with-option", option="--token"))])
    if token or (not file and env.get("MUSTER_TOKEN")):
        return token or env["MUSTER_TOKEN"].strip()
    name = "--token-file" if file else "MUSTER_TOKEN_FILE"
    file = file or env.get("MUSTER_TOKEN_FILE", "")
    return _read(name, file) if file else ""


def _read(name: str, file: str) -> str:
    place = f"{name} {'standard input' if file == '-' else file}"
    try:
        data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
        lines = data.decode("ascii").split()
    except OSError as error:
        refuse([unreadable(place, error)])
    except UnicodeDecodeError:
        lines = []
    if len(lines) != 1:
        refuse([Fault(place, str(len(lines)) if lines else NOTHING, expects("one-token"))])
    return lines[0]
