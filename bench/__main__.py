"""`python -m bench [NAME]... [--quick] [--players N]`: run benchmarks and print their tables.

A full run is kept in bench/results/<name>.json, a quick one in <name>.quick.json, which git ignores.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping
from importlib import import_module

import click
from rich.console import Console

from bench.common import Bench, Found, keep, print_found, this_machine
from shared import logs
from shared.clock import utc_now

MENU: Mapping[str, str] = {
    "append": "events a second into the log",
    "fold": "events a second out of the log: folded, verified, from a snapshot",
    "pairing": "pairing and ranking up to 10,000 players",
    "http": "results posted over HTTP, and standings that show them",
    "streams": "from a result to the stream, with 0, 500 and 2,000 others open",
    "pages": "every page of the console at an event of 2,000 players: processor time and size",
    "phones": "what results cost the console while 1,000 phones and 1,000 readers have live pages",
    "webhooks": "events to 20 receivers of webhooks",
    "replication": "from a result to its copy, and a backlog",
    "restart": "starts, kills, 100,000 events to catch up with, 1,000 tournaments",
    "offline": "standings and pairings of 10,000 players from files",
    "large": "10,000 players over HTTP (only by name)",
}
"""Name of a benchmark, which is also that of its module -> what it measures."""
ONLY_BY_NAME = {"large"}
FEWEST, LARGEST = 40, 10_000
COLUMNS = 120
"""Where the output is no terminal."""
LISTED = "\n\n".join(f"\b\n{name:<12} {measures}" for name, measures in MENU.items())


@click.command(help=f"Run the benchmarks named, or all of them but `large`.\n\n{LISTED}")
@click.argument("names", nargs=-1, type=click.Choice(list(MENU)), metavar="[NAME]...")
@click.option("--quick", is_flag=True, help="A short pass: shows that everything works, and little about speed.")
@click.option("--players", default=LARGEST, type=click.IntRange(FEWEST), help="Of the largest tournament of `large`.")
def main(names: tuple[str, ...], quick: bool, players: int) -> None:
    console, machine = Console(width=None if sys.stdout.isatty() else COLUMNS), this_machine()
    logs.configure("bench", form="console", level="error")
    console.print(", ".join(f"{name} {value or 'missing'}" for name, value in machine.items()), highlight=False)
    for name in names or [name for name in MENU if name not in ONLY_BY_NAME]:
        load, started, date = os.getloadavg()[0], time.monotonic(), utc_now()
        with Bench(console, machine, quick, players) as bench:
            tables = import_module(f"bench.{name}").run(bench)
            syncs = bench.fdatasync_us()
        partial = quick or (name == "large" and players != LARGEST)
        seconds = round(time.monotonic() - started, 1)
        found = Found(name, date, seconds, partial, round(load, 2), machine, syncs, tables)
        print_found(console, found)
        console.print(f"  kept in {keep(found)}", style="dim", highlight=False)


if __name__ == "__main__":
    sys.exit(main())
