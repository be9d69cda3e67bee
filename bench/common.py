"""The common part of all benchmarks: machine, databases and brokers, samples in turns, tables with goals, kept results.

A benchmark is a module with `run(bench: Bench) -> list[Table]`. Row names say what was measured: Muster, a peer, or
`limit:` for an upper bound on the same machine.
"""

# mypy: disable-error-code="no-untyped-call"
from __future__ import annotations

import gc
import math
import os
import platform
import secrets
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, TypeVar

import kombu
import msgspec
import psycopg
from msgspec import Struct
from rich import box
from rich.console import Console
from rich.table import Table as Grid
from sqlalchemy.engine import make_url

from shared.messaging.broker import Topology
from shared.settings import SERVICES

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "bench" / "results"
POSTGRESQL_URL = os.environ.get("TEST_POSTGRESQL_URL") or "postgresql+psycopg://postgres@127.0.0.1:5432/postgres"
BROKER_URL = os.environ.get("TEST_BROKER_URL") or "amqp://guest:guest@127.0.0.1:5672//"
CONNECT_SECONDS = 3
LABELS = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}
EMBEDDED, SERVERS = "SQLite and a folder", "PostgreSQL and RabbitMQ"
LIBRARIES = ("sqlalchemy", "psycopg", "kombu", "msgspec", "orjson", "gunicorn", "flask", "eventsourcing")
UNSAFE = (
    "SELECT name FROM pg_settings WHERE setting = 'off'"
    " AND name IN ('autovacuum', 'fsync', 'full_page_writes', 'synchronous_commit') ORDER BY name"
)
"""Switches of PostgreSQL that make commits cheaper, or statements dearer, where they are off."""
SYNCS, BLOCK = 25, os.urandom(4096)
"""fdatasyncs of one look at the disk, and what each writes."""

Value = TypeVar("Value")
Contender = TypeVar("Contender")
sync = getattr(os, "fdatasync", os.fsync)  # macOS has no fdatasync


class Row(Struct, frozen=True, omit_defaults=True):
    """One measured thing: the number of samples, their median and range, in `unit`.

    p99: only if the tail matters. at_least, at_most: the goal of p99, or of the median without p99. margin: the
    share of the goal by which it was met (positive) or missed (negative).
    """

    name: str
    unit: str
    samples: int
    median: float
    low: float
    high: float
    p99: float | None = None
    at_least: float | None = None
    at_most: float | None = None
    margin: float | None = None


class Table(Struct, frozen=True, omit_defaults=True):
    """Rows that were measured in turns, and the notes that a reader needs."""

    title: str
    rows: list[Row]
    notes: list[str] = []


class Found(Struct, frozen=True):
    """The results of one benchmark.

    date: RFC 3339, UTC. load: average over the minute before. machine: name -> version or size; an engine that is
    missing has an empty version. fdatasync_us: median, lowest and highest time of an fdatasync, in microseconds.
    """

    benchmark: str
    date: str
    seconds: float
    quick: bool
    load: float
    machine: dict[str, str]
    fdatasync_us: tuple[float, float, float]
    tables: list[Table]


class Bench:
    """One run of one benchmark. quick: a short pass. players: the largest tournament that `large` plays.

    Databases, folders and exchanges that it hands out are removed when the `with` block ends.
    """

    def __init__(self, console: Console, machine: dict[str, str], quick: bool = False, players: int = 10_000) -> None:
        self.quick = quick
        self.players = players
        self.folder = Path(tempfile.mkdtemp(prefix="muster-bench-"))
        self.engines = ["sqlite", *(["postgresql"] if machine["PostgreSQL"] else [])]
        self.has_servers = bool(machine["PostgreSQL"] and machine["RabbitMQ"])
        self._console = console
        self._databases: list[str] = []
        self._topologies: list[Topology] = []
        self._looks: list[float] = []

    def __enter__(self) -> Bench:
        return self

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        if self._databases:
            with psycopg.connect(conninfo(POSTGRESQL_URL), autocommit=True) as server:
                for name in self._databases:
                    server.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)'.encode())
        if self._topologies:
            with kombu.Connection(BROKER_URL) as connection, connection.channel() as channel:
                for topology in self._topologies:
                    _delete(channel, topology)

    def size(self, full: Value, quick: Value) -> Value:
        """Return the size of a full or of a quick run."""
        return quick if self.quick else full

    def progress(self, line: str) -> None:
        """Print a line of progress."""
        self._console.print(f"[dim]{line}[/]")

    def turns(self, contenders: Sequence[Contender], full: int, quick: int) -> Iterator[Contender]:
        """Yield every contender once a round, A B C A B C …, so that a slow moment of the machine affects all of them.

        full, quick: rounds. Each round begins with a measurement of the disk.
        """
        for _ in range(self.size(full, quick)):
            self.fdatasync_us()
            for contender in contenders:
                gc.collect()
                yield contender

    def fdatasync_us(self) -> tuple[float, float, float]:
        """Measure an fdatasync of 4 KB. Return the median, lowest and highest time so far, in microseconds."""
        times = []
        with (self.folder / "probe").open("wb", buffering=0) as file:
            for _ in range(SYNCS):
                file.write(BLOCK)
                started = perf_counter()
                sync(file.fileno())
                times.append((perf_counter() - started) * 1e6)
        self._looks.append(median(times))
        return rounded(median(self._looks)), rounded(min(self._looks)), rounded(max(self._looks))

    def database(self, engine: str) -> str:
        """Return the URL of a new, empty database. engine: sqlite or postgresql."""
        name = f"muster_bench_{secrets.token_hex(6)}"
        if engine == "sqlite":
            return f"sqlite:///{self.folder}/{name}.sqlite3"
        with psycopg.connect(conninfo(POSTGRESQL_URL), autocommit=True) as server:
            server.execute(f'CREATE DATABASE "{name}"'.encode())
        self._databases.append(name)
        return make_url(POSTGRESQL_URL).set(database=name).render_as_string(hide_password=False)

    def kinds(self) -> list[tuple[str, str, dict[str, str]]]:
        """Return each pair of engines of a whole Muster: its name, its database, and the settings of a new Muster."""
        shared = {"MUSTER_RATE_LIMIT": "off"}
        kinds = [(EMBEDDED, "sqlite", shared)]
        if self.has_servers:
            self._topologies.append(topology := Topology(f"bench-{secrets.token_hex(6)}.events"))
            databases = {f"{service.upper()}_DATABASE_URL": self.database("postgresql") for service in SERVICES}
            servers = {**databases, "BROKER_URL": BROKER_URL, "MUSTER_EXCHANGE": topology.exchange}
            kinds.append((SERVERS, "postgresql", {**shared, **servers}))
        return kinds

    def empty_folder(self, name: str) -> Path:
        """Return a new folder."""
        folder = self.folder / f"{name}-{secrets.token_hex(4)}"
        folder.mkdir()
        return folder


def row_of(
    name: str,
    unit: str,
    values: Sequence[float],
    *,
    tail: bool = False,
    at_least: float | None = None,
    at_most: float | None = None,
) -> Row:
    """Return the row of these samples. tail: with the 99th percentile. at_least, at_most: the goal, if there is one."""
    low, middle, high = (rounded(value) for value in (min(values), median(values), max(values)))
    p99 = rounded(sorted(values)[math.ceil(0.99 * len(values)) - 1]) if tail else None
    figure, margin = middle if p99 is None else p99, None
    if at_least is not None:
        margin = rounded(figure / at_least - 1)
    elif at_most is not None:
        margin = rounded(1 - figure / at_most)
    return Row(name, unit, len(values), middle, low, high, p99, at_least, at_most, margin)


def ratio_of(name: str, ours: Sequence[float], theirs: Sequence[float], at_least: float) -> Row:
    """Return the row of the ratio ours / theirs of each round, which a slow moment of the machine hardly affects."""
    ratios = [one / other for one, other in zip(ours, theirs, strict=True)]
    return row_of(f"{name}, round by round", "×", ratios, at_least=at_least)


def rounded(value: float) -> float:
    """Return a value with four significant digits; no measurement here is more precise."""
    return float(f"{value:.4g}")


def this_machine() -> dict[str, str]:
    """Return the processor, system and versions of this machine, and of the engines that answer."""
    pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text().splitlines() if cpuinfo.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return {
        "processor": names[0] if names else platform.processor() or platform.machine(),
        "cores": str(os.cpu_count()),
        "memory GB": str(round(pages / 2**30)),
        "system": f"{platform.system()} {platform.release()}",
        "Python": platform.python_version(),
        "SQLite": sqlite3.sqlite_version,
        "PostgreSQL": _postgresql_version(),
        "RabbitMQ": _rabbitmq_version(),
        **{name: version(name) for name in LIBRARIES},
    }


def _postgresql_version() -> str:
    try:
        with psycopg.connect(conninfo(POSTGRESQL_URL), connect_timeout=CONNECT_SECONDS) as connection:
            (number,) = connection.execute("SHOW server_version").fetchone() or ("?",)
            return ", ".join([str(number), *(f"{name} off" for (name,) in connection.execute(UNSAFE).fetchall())])
    except psycopg.Error:
        return ""


def _rabbitmq_version() -> str:
    with kombu.Connection(BROKER_URL, connect_timeout=CONNECT_SECONDS) as connection:
        try:
            connection.connect()
        except (OSError, kombu.exceptions.KombuError, *connection.connection_errors):
            return ""
        return str(connection.connection.server_properties.get("version", "?"))


def conninfo(url: str) -> str:
    """Return a SQLAlchemy URL in the form that psycopg reads."""
    return make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)


def _delete(channel: Any, topology: Topology) -> None:
    for service in SERVICES:
        channel.queue_delete(topology.queue_name(service))
        channel.queue_delete(topology.dead_queue_name(service))
    for exchange in (topology.exchange, topology.dead):
        channel.exchange_delete(exchange)


def print_found(console: Console, found: Found) -> None:
    """Print the tables of one benchmark."""
    console.rule(f"[bold]{found.benchmark}[/]  {found.seconds:.0f} s, load before {found.load:.2f}")
    for table in found.tables:
        grid = Grid(title=table.title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD)
        grid.add_column("", overflow="fold", max_width=60)
        for name in ("median", "min", "max", "p99", "", "samples"):
            grid.add_column(name, justify="left" if not name else "right", no_wrap=True)
        grid.add_column("goal", no_wrap=True)
        for row in table.rows:
            cells = ["" if one is None else _number(one) for one in (row.median, row.low, row.high, row.p99)]
            grid.add_row(row.name, *cells, row.unit, str(row.samples), _goal(row))
        console.print(grid)
        for note in table.notes:
            console.print(f"  {note}", style="dim", markup=False, highlight=False)
    middle, low, high = found.fdatasync_us
    console.print(f"  fdatasync meanwhile: {middle:.0f} µs ({low:.0f} to {high:.0f})", style="dim", highlight=False)


def _goal(row: Row) -> str:
    if row.margin is None:
        return ""
    goal = f"≤ {_number(row.at_most)}" if row.at_most is not None else f"≥ {_number(row.at_least or 0.0)}"
    verdict = "[green]met" if row.margin >= 0 else "[red]missed"
    return f"{goal}, {verdict} by {abs(row.margin):.0%}[/]"


def _number(value: float) -> str:
    digits = 0 if abs(value) >= 1000 else 1 if abs(value) >= 100 else 2 if abs(value) >= 1 else 3
    return f"{value:,.{digits}f}"


def keep(found: Found, folder: Path = RESULTS) -> Path:
    """Write the results of a benchmark: `<name>.json`, or `<name>.quick.json` for a short pass. Return the file."""
    folder.mkdir(exist_ok=True)
    file = folder / f"{found.benchmark}{'.quick' if found.quick else ''}.json"
    draft = file.with_suffix(".tmp")
    draft.write_bytes(msgspec.json.format(msgspec.json.encode(found), indent=2) + b"\n")
    draft.replace(file)
    return file
