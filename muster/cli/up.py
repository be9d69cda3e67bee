"""`muster up`: run all of Muster on this machine, as `make run` does."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import NoReturn

import click

from muster.cli.command_group import example

RUN = (sys.executable, "-m", "deploy.run")


@click.command("up")
@click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder for databases and keys; also MUSTER_DATA. Default: var, in the current folder.",
)
@click.option(
    "--port-base",
    type=click.IntRange(1024, 65_000),
    help="The services use the three ports after this one; also MUSTER_PORT_BASE. Default: 8000.",
)
@click.option(
    "--demo/--no-demo", default=True, show_default=True, help="Play a small tournament to look at, at the first start."
)
@example("muster up --data ~/league --port-base 9000")
def command(data: Path | None, port_base: int | None, demo: bool) -> NoReturn:
    """Run the whole of Muster on this machine, until Ctrl-C.

    It prints the addresses, and links that sign a browser in once. Several Musters can run side by side, each with its
    own folder and ports.
    """
    if data is not None:
        os.environ["MUSTER_DATA"] = str(data)
    if port_base is not None:
        os.environ["MUSTER_PORT_BASE"] = str(port_base)
    if not demo:
        os.environ["DEMO"] = "0"
    os.execv(RUN[0], RUN)  # this process becomes the supervisor, so that signals reach it
