"""`python -m bench [NAME]... [--quick] [--players N]`: run benchmarks, print their tables, keep them.

Each run is kept in bench/results/.
"""

from __future__ import annotations

import os
import sys
import time
from importlib import import_module

import click
from rich.console import Console

from bench import store
from bench.catalogue import BENCHMARKS
from bench.engines import BROKER_URL, POSTGRESQL_URL, Places, postgresql_version, rabbitmq_version, without_password
from bench.findings import Found
from bench.machine import this_machine
from bench.plan import Plan
from bench.tables import header, show
from shared import logs
from shared.clock import utc_now

WIDE = 120
"""Columns where the output is no terminal."""
FEWEST, LARGEST = 40, 10_000
LISTED = "\n\n".join(f"\b\n{name:<12} {what.says}" for name, what in BENCHMARKS.items())


@click.command(help=f"Run the benchmarks named, or all of them but `large`.\n\n{LISTED}")
@click.argument("names", nargs=-1, type=click.Choice(list(BENCHMARKS)), metavar="[NAME]...")
@click.option("--quick", is_flag=True, help="A short pass: shows that all works, and says little about speed.")
@click.option("--players", default=LARGEST, type=click.IntRange(FEWEST), help="Of the largest tournament of `large`.")
def main(names: tuple[str, ...], quick: bool, players: int) -> None:
    console = Console(width=None if sys.stdout.isatty() else WIDE)
    machine = this_machine(postgresql_version(), rabbitmq_version())
    logs.configure("bench", form="console", level="error")
    for line in header(machine):
        console.print(line, highlight=False)
    if not machine.postgresql:
        console.print(f"PostgreSQL left out: none at {without_password(POSTGRESQL_URL)} (TEST_POSTGRESQL_URL)")
    if not machine.rabbitmq:
        console.print(f"RabbitMQ left out: none at {without_password(BROKER_URL)} (TEST_BROKER_URL)")
    partial = quick or ("large" in names and players != LARGEST)  # not kept as the newest figures
    all_found = []
    for name in names or [name for name, what in BENCHMARKS.items() if not what.only_by_name]:
        with Places() as places:
            load, started = os.getloadavg()[0], time.monotonic()
            date = utc_now()
            tables = import_module(BENCHMARKS[name].module).run(Plan(quick, machine, places, console, players))
            found = Found(name, date, round(time.monotonic() - started, 1), partial, round(load, 2), machine, tables)
        show(console, found)
        all_found.append(found)
        kept = store.keep(all_found)
    console.print(f"\nKept in {kept}", highlight=False)


if __name__ == "__main__":
    sys.exit(main())
