"""Worker classes of gunicorn under a whole Muster: gthread, gevent, and a server of another source tree.

    python -m bench.worker_classes [--before FOLDER] [--gevent FOLDER] [--players N] [--streams N]

--before: the root of a checkout, measured with the server that it has. --gevent: a folder in which gevent is installed
(`pip install --target FOLDER gevent`). A round measures every class once, on SQLite and then on PostgreSQL. Results:
docs/decisions/0085.
"""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from time import monotonic

import click
from msgspec import Struct
from rich.console import Console

import deploy.stack
from bench.clients import TIMEOUT, Event, memory_mb, open_event, send_all, send_once, web_processes
from bench.common import Bench, Found, Row, Table, keep, print_found, row_of, this_machine
from bench.streams import allow_files, listeners
from deploy.stack import Stack, operator
from shared import logs
from shared.clock import utc_now

HALF = b"POST /tournaments HTTP/1.1\r\nHost: x\r\nX-a: "
CUT = b"POST /tournaments HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{"
SLOW, HEALTH = 200, 20
"""Half-open connections, and half bodies; looks at /healthz meanwhile."""
ENV = {"MUSTER_STREAMS_PER_CALLER": "60000", "MUSTER_RATE_LIMIT": "off"}
CLIENTS, POSTS, PAIRS, OTHERS = 4, 480, 3, 8
"""Of posts a second: clients, players whose games are reported, times. Players of each other tournament."""


class Contender(Struct, frozen=True):
    """A worker class to measure. name: its name. root: the source tree. env: variables added to the settings."""

    name: str
    root: Path
    env: dict[str, str]


class Sizes(Struct, frozen=True):
    players: int
    streams: int
    rounds: int


@click.command()
@click.option("--before", type=click.Path(path_type=Path, exists=True))
@click.option("--gevent", type=click.Path(path_type=Path, exists=True))
@click.option("--players", default=1_000, help="Of the round that closes.")
@click.option("--streams", default=2_000)
@click.option("--rounds", default=1)
def main(before: Path | None, gevent: Path | None, players: int, streams: int, rounds: int) -> None:
    here = deploy.stack.ROOT
    contenders = [Contender("gthread", here, {})]
    if gevent is not None:
        arguments = f"--worker-class=gevent --worker-connections={2 * streams + 2_000}"
        contenders.append(Contender("gevent", here, {"GUNICORN_CMD_ARGS": arguments, "PYTHONPATH": str(gevent)}))
    if before is not None:
        contenders.append(Contender("before", before, {"MUSTER_STREAMS": str(streams + 100)}))
    console, machine = Console(width=120), this_machine()
    logs.configure("bench", form="console", level="error")
    load, started, date = os.getloadavg()[0], monotonic(), utc_now()
    allow_files(2 * streams + 1_000)
    with Bench(console, machine) as bench:
        tables = [_engine(bench, engine, contenders, Sizes(players, streams, rounds)) for engine in bench.engines]
        syncs = bench.fdatasync_us()
    found = Found(
        "worker_classes", date, round(monotonic() - started, 1), False, round(load, 2), machine, syncs, tables
    )
    print_found(console, found)
    console.print(f"  load at the end {os.getloadavg()[0]:.2f}; kept in {keep(found)}", style="dim", highlight=False)


def _engine(bench: Bench, engine: str, contenders: list[Contender], sizes: Sizes) -> Table:
    samples: dict[str, dict[str, list[float]]] = {}
    for number in range(sizes.rounds):
        for contender in contenders:
            bench.progress(f"{engine}, round {number + 1}: {contender.name}")
            try:
                with _stack(bench, engine, contender) as stack:
                    for what, values in _measured(stack, sizes):
                        samples.setdefault(what, {}).setdefault(contender.name, []).extend(values)
            except Exception as error:  # a class that fails is a result, too
                bench.progress(f"{contender.name} failed: {error!s:.1500}")
                samples.setdefault("runs that failed", {}).setdefault(contender.name, []).append(1.0)
    rows: list[Row] = []
    for what, of in samples.items():
        name, _, unit = what.partition("|")
        rows += [row_of(f"{name}: {who}", unit, values, tail=len(values) >= HEALTH) for who, values in of.items()]
    return Table(engine, rows, [f"{sizes.rounds} rounds in turns; all programs of Muster run on the same cores."])


@contextmanager
def _stack(bench: Bench, engine: str, contender: Contender) -> Iterator[Stack]:
    """Run a whole Muster with a worker class, from its source tree."""
    databases = {}
    if engine == "postgresql":
        databases = {f"{name}_DATABASE_URL": bench.database(engine) for name in ("REGISTRATION", "PAIRING", "SCORING")}
    root, deploy.stack.ROOT = deploy.stack.ROOT, contender.root
    try:
        with Stack(bench.empty_folder(contender.name), env={**ENV, **databases, **contender.env}) as stack:
            yield stack
    finally:
        deploy.stack.ROOT = root


def _measured(stack: Stack, sizes: Sizes) -> Iterator[tuple[str, list[float]]]:
    port = stack.settings("scoring").port
    yield "memory of scoring|MB", [memory_mb(web_processes(stack, "scoring"))]
    for _ in range(PAIRS):
        rate, ms = _posts(stack)
        yield "posts a second|/s", [rate]
        yield "POST to answer|ms", ms
    with _connections(port, HALF, SLOW):
        yield f"{SLOW} half-open connections: /healthz|ms", _health(port)
        yield f"{SLOW} half-open connections: memory|MB", [memory_mb(web_processes(stack, "scoring"))]
    with _connections(port, CUT, SLOW):
        yield f"{SLOW} half bodies: /healthz|ms", _health(port)
    yield from _beside_streams(stack, sizes)
    event = _large(stack, sizes.players)
    yield "other tournaments while a round closes: POST|ms", _while_closing(stack, event)


def _posts(stack: Stack) -> tuple[float, list[float]]:
    event = open_event(operator(stack.urls, stack.issuer), POSTS)
    return send_all(stack.settings("scoring").port, event.reports(), CLIENTS)


@contextmanager
def _connections(port: int, sent: bytes, many: int) -> Iterator[None]:
    with ExitStack() as opened:
        for _ in range(many):
            connection = opened.enter_context(socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT))
            connection.sendall(sent)
        time.sleep(0.5)
        yield


def _health(port: int) -> list[float]:
    found = []
    for _ in range(HEALTH):
        started = monotonic()
        connection = HTTPConnection("127.0.0.1", port, timeout=TIMEOUT)
        try:
            connection.request("GET", "/healthz")
            connection.getresponse().read()
        except OSError:
            pass  # its time is the result
        connection.close()
        found.append((monotonic() - started) * 1000)
        if found[-1] > 1_000 * TIMEOUT / 2:
            break
    return found


def _beside_streams(stack: Stack, sizes: Sizes) -> Iterator[tuple[str, list[float]]]:
    """Measure posted results without and with idle streams of another tournament, in pairs."""
    idle = Event(operator(stack.urls, stack.issuer), 4)
    port, pids = stack.settings("scoring").port, web_processes(stack, "scoring")
    path, memory, ratios = f"/tournaments/{idle.director.id}/stream?after=now", [], []
    for _ in range(PAIRS):
        alone, _ = _posts(stack)
        with listeners(port, sizes.streams, path):
            memory.append(memory_mb(pids))
            beside, _ = _posts(stack)
        ratios.append(beside / alone)
        time.sleep(2.0)  # the streams end
    yield f"{sizes.streams:,} idle streams: memory of scoring|MB", memory
    yield f"{sizes.streams:,} idle streams: rate of posts over that without|×", ratios


def _large(stack: Stack, players: int) -> Event:
    """Return a tournament whose round is reported and confirmed, but not closed."""
    event = Event(operator(stack.urls, stack.issuer), players, max(1, players // 500), 5, ["rounds"])
    event.enter()
    event.director.pair(round=1)
    event.director.do("pairing", "/rounds/1/publication", {})
    event.start_round()
    port = stack.settings("scoring").port
    send_all(port, event.reports(), 16)
    send_all(port, event.confirmations(), 16)
    return event


def _while_closing(stack: Stack, event: Event) -> list[float]:
    """Return the response times in ms of sequential posts to other tournaments while the large round closes."""
    others = [open_event(operator(stack.urls, stack.issuer), OTHERS) for _ in range(20)]
    requests = [request for other in others for request in (*other.reports(), *other.confirmations())]
    closed, found = threading.Event(), []

    def close() -> None:
        try:
            event.director.close(1)
        finally:
            closed.set()

    thread = threading.Thread(target=close)
    connection = HTTPConnection("127.0.0.1", stack.settings("scoring").port, timeout=TIMEOUT)
    thread.start()
    for request in requests:
        if closed.is_set():
            break
        started = monotonic()
        send_once(connection, request)
        found.append((monotonic() - started) * 1000)
    thread.join()
    connection.close()
    return found


if __name__ == "__main__":
    main()
