"""Streams: from a result's answer to the event on a stream, with 0, 500 and 2,000 other streams open.

The limit is one loop that sends the same bytes to the same number of open sockets.

    python -m bench.streams PORT NUMBER PATH    opens NUMBER streams, prints a line, and reads them until it is stopped
"""

from __future__ import annotations

import json
import resource
import selectors
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection
from io import BufferedReader
from time import monotonic, perf_counter, sleep

from bench.clients import TIMEOUT, memory_mb, open_event, processor_ms, send_once, web_processes
from bench.common import ROOT, Bench, Row, Table, row_of
from deploy.stack import Stack, operator

PLAYERS = 240
OPEN, QUICK_OPEN = (0, 500, 2_000), (0, 200)
SPARE_FILES, READ_BYTES, MESSAGE_BYTES = 64, 262_144, 700
PAUSE_SECONDS, IDLE_SECONDS, COMES_SECONDS = 0.05, 10.0, 30.0
ENV = {"MUSTER_STREAMS": "2500", "MUSTER_STREAMS_PER_CALLER": "2500"}
PATH = "/feed/stream?after=now"


def run(bench: Bench) -> list[Table]:
    """Return one table for each pair of engines."""
    tables = []
    notes = [f"One result at a time, {PAUSE_SECONDS:g} s after the answer to the last; every stream gets each."]
    for name, _, env in bench.kinds():
        rows: list[Row] = []
        with Stack(bench.empty_folder("streams"), env={**env, **ENV}) as stack:
            for many in bench.turns(bench.size(OPEN, QUICK_OPEN), 1, 1):
                bench.progress(f"streams: {name}, {many:,} open")
                with listeners(stack.settings("scoring").port, many):
                    rows += _measured(bench, stack, many)
        tables.append(Table(f"{name}: from a result to the stream", rows, notes))
    return tables


def _measured(bench: Bench, stack: Stack, many: int) -> list[Row]:
    event = open_event(operator(stack.urls, stack.issuer), bench.size(PLAYERS, 40))
    pids, port = web_processes(stack, "scoring"), stack.settings("scoring").port
    posted, streamed, seconds = [], [], bench.size(IDLE_SECONDS, 1.0)
    connection = HTTPConnection("127.0.0.1", port, timeout=TIMEOUT)
    with open_stream(port) as stream, stream.makefile("rb") as lines:
        sleep(1.0)
        before = processor_ms(pids)
        sleep(seconds)
        idle = (processor_ms(pids) - before) / seconds / 10
        before = processor_ms(pids)
        for report in event.reports():
            started = monotonic()
            _, answer = send_once(connection, report)
            answered = monotonic()
            _read_until(lines, json.loads(answer)["events"][0]["id"])
            posted.append((answered - started) * 1000)
            streamed.append((monotonic() - answered) * 1000)
            sleep(PAUSE_SECONDS)
        spent = (processor_ms(pids) - before) / len(event.games)
    connection.close()
    return [
        row_of(f"{many:,} others: from the answer to the stream", "ms", streamed, tail=True),
        row_of(f"{many:,} others: POST to answer", "ms", posted, tail=True),
        row_of(f"{many:,} others: processor time of a result, scoring's", "ms", [spent]),
        row_of(f"{many:,} others: of a core while nothing happens", "%", [idle]),
        row_of(f"{many:,} others: memory of scoring", "MB", [memory_mb(pids)]),
        row_of(f"limit: {many + 1:,} sends", "ms", [_bare_sends(many + 1) for _ in range(5)]),
    ]


def _read_until(lines: BufferedReader, event: str) -> None:
    for line in lines:
        if line.startswith(b"data: ") and json.loads(line[6:])["id"] == event:
            return
    raise RuntimeError(f"the stream ended before {event}")


@contextmanager
def listeners(port: int, many: int, path: str = PATH) -> Iterator[None]:
    """Hold streams open in a separate process, so that reading them takes no time from this one."""
    command = (sys.executable, "-m", "bench.streams", str(port), str(many), path)
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            if not process.stdout.readline():
                raise RuntimeError(f"{many} streams were not opened")
            yield
        finally:
            process.kill()


def listen(port: int, many: int, path: str) -> None:
    """Open streams, print a line, and read them forever."""
    allow_files(many)
    poller = selectors.DefaultSelector()
    for _ in range(many):
        poller.register(open_stream(port, path), selectors.EVENT_READ)
    print("open", flush=True)
    while True:
        for key, _ in poller.select():
            key.fileobj.recv(READ_BYTES)  # type: ignore[union-attr]


def open_stream(port: int, path: str = PATH) -> socket.socket:
    """Return a stream whose head has been read. Raises RuntimeError for an answer other than 200."""
    connection = socket.create_connection(("127.0.0.1", port), timeout=COMES_SECONDS)
    connection.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
    answer = connection.recv(4096)
    if not answer.startswith(b"HTTP/1.1 200 "):
        raise RuntimeError(answer.decode())
    return connection


def _bare_sends(many: int) -> float:
    """Return the milliseconds that one loop takes to send a message to a number of sockets."""
    allow_files(2 * many)
    with ExitStack() as opened:
        pairs = [[opened.enter_context(end) for end in socket.socketpair()] for _ in range(many)]
        started = perf_counter()
        for here, _ in pairs:
            here.send(bytes(MESSAGE_BYTES))
        return (perf_counter() - started) * 1000


def allow_files(many: int) -> None:
    """Raise this process's limit of open files, as far as the system allows."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(many + SPARE_FILES, hard)), hard))


if __name__ == "__main__":
    listen(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
