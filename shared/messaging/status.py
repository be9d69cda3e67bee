"""The states of peers and of worker parts: stored in the service's database and served over HTTP.

While a peer holds events that the own log lacks, nothing may be appended, because it would take positions that the
peers know with other events. The row of the service itself means that a recovery is under way, or was interrupted.

Each part of a worker has a row with its last sign of life and the reason why it is down. The web process reads the rows
for /readyz, wherever the worker runs. A worker in a separate process also answers health checks and Prometheus:

GET /healthz    200 while every part has given a recent sign of life, else 503; with the seconds since, the lag, and the
                dead parts that will be restarted (`degraded`)
GET /metrics    the metrics of the worker

One thread serves all connections with one request each. Slow clients are disconnected.
"""

from __future__ import annotations

import asyncio
import os
import socket
import threading
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from http import HTTPStatus
from typing import Protocol
from uuid import uuid4

import msgspec
from sqlalchemy.exc import SQLAlchemyError

from shared import metrics
from shared.log.database import Connection, Database
from shared.logs import RateLimitedLogger, report_suppressed


class PeerStatus(msgspec.Struct, frozen=True):
    """The last answer of one peer about its copies.

    checked: time of the answer (Unix ms). trouble: what the peer holds and this database lacks; empty if nothing.
    """

    peer: str
    checked: int
    trouble: str


def record_peer_status(connection: Connection, peer: str, trouble: str) -> None:
    """Store the current answer of a peer."""
    connection.run(
        """INSERT INTO own_copies (peer, checked, trouble) VALUES (:peer, :checked, :trouble)
            ON CONFLICT (peer) DO UPDATE SET checked = excluded.checked, trouble = excluded.trouble""",
        peer=peer,
        checked=int(time.time() * 1000),
        trouble=trouble,
    )


def remove_peer_status(connection: Connection, peer: str) -> None:
    """Delete the answer of a peer."""
    connection.run("DELETE FROM own_copies WHERE peer = :peer", peer=peer)


def peer_statuses(connection: Connection) -> list[PeerStatus]:
    """Return the last answers of all peers, ordered by name."""
    sql = "SELECT peer, checked, trouble FROM own_copies ORDER BY peer"
    return [PeerStatus(*row) for row in connection.rows(sql)]


FORGET_AFTER_MS = 10 * 60 * 1000
"""Time without a sign of life after which a worker counts as removed."""


class PartStatus(msgspec.Struct, frozen=True):
    """The state of one part of one worker.

    holder: id of the worker. beat: last sign of life (Unix ms). deaths: number of deaths since it last ran well.
    due: time of the next start (Unix ms); 0 if it runs. trouble: why it does not work; empty if it works.
    """

    name: str
    holder: str
    beat: int
    deaths: int = 0
    due: int = 0
    trouble: str = ""


def record_parts(connection: Connection, statuses: Sequence[PartStatus]) -> None:
    """Store the states of parts, and delete those of removed workers."""
    connection.run_many(
        """INSERT INTO parts (name, holder, beat, deaths, due, trouble)
            VALUES (:name, :holder, :beat, :deaths, :due, :trouble)
            ON CONFLICT (name, holder) DO UPDATE SET
                beat = excluded.beat, deaths = excluded.deaths, due = excluded.due, trouble = excluded.trouble""",
        [msgspec.structs.asdict(status) for status in statuses],
    )
    if statuses:
        last = max(status.beat for status in statuses)
        connection.run("DELETE FROM parts WHERE beat < :forgotten", forgotten=last - FORGET_AFTER_MS)


def remove_parts(connection: Connection, holder: str) -> None:
    """Delete the states of a worker that stops."""
    connection.run("DELETE FROM parts WHERE holder = :holder", holder=holder)


def part_statuses(connection: Connection) -> list[PartStatus]:
    """Return the states of all parts, ordered by name, the most recent sign of life first."""
    rows = connection.rows("SELECT name, holder, beat, deaths, due, trouble FROM parts ORDER BY name, beat DESC")
    return [PartStatus(*row) for row in rows]


PULSE_SECONDS = 10.0
"""Interval of storing the states; long, so that an idle laptop's disk may sleep."""
GOODBYE_SECONDS = 2.0

_log = RateLimitedLogger("muster.messaging")
REQUEST_SECONDS = 5.0
"""Time limit for receiving a request, and for sending its answer."""
CONNECTIONS = 64
"""Maximum number of open connections; with more, the oldest is closed."""
HEAD_BYTES = 16_384


class Down(msgspec.Struct, frozen=True):
    """A part that died and has not run well since. due: time of the last or next start, seconds since the epoch."""

    deaths: int
    due: float
    why: str


class MonitoredPart(Protocol):
    """A part that gives signs of life. beat: time.monotonic() of the last one."""

    name: str
    beat: float


@contextmanager
def report_parts(
    database: Database, parts: Sequence[MonitoredPart], down: Mapping[str, Down], changed: threading.Event
) -> Iterator[None]:
    """Store the states of the parts during the block: every few seconds, and at once when `changed` is set."""
    holder = f"{socket.gethostname()}:{os.getpid()}:{uuid4().hex[:8]}"[:200]
    ended = threading.Event()

    def beat() -> None:
        while not ended.is_set():
            changed.clear()
            try:
                with database.writing() as connection:
                    record_parts(connection, [_status_of(part, holder, down.get(part.name)) for part in parts])
            except SQLAlchemyError as error:  # the database is unavailable or not migrated yet
                _log.warning("cannot write down how the parts are", error=str(error))
            except Exception:
                _log.exception("cannot write down how the parts are")
            report_suppressed()
            changed.wait(PULSE_SECONDS)

    thread = threading.Thread(target=beat, name="pulse", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        changed.set()
        thread.join(GOODBYE_SECONDS)
        if not thread.is_alive():
            _forget_worker(database, holder)


def _status_of(part: MonitoredPart, holder: str, down: Down | None) -> PartStatus:
    now = time.time()
    trouble = str(getattr(part, "trouble", ""))
    if down is None:
        return PartStatus(part.name, holder, int((now - (time.monotonic() - part.beat)) * 1000), trouble=trouble)
    due = int(down.due * 1000) if down.due > now else 0
    return PartStatus(part.name, holder, int(now * 1000), down.deaths, due, down.why)


def _forget_worker(database: Database, holder: str) -> None:
    try:
        with database.writing() as connection:
            remove_parts(connection, holder)
    except SQLAlchemyError as error:  # the database is unavailable or not migrated yet
        _log.warning("cannot write down that the worker stops", error=str(error))


@contextmanager
def serve_status(
    address: tuple[str, int],
    parts: Sequence[MonitoredPart],
    hangs_seconds: float,
    down: Mapping[str, Down] | None = None,
) -> Iterator[int]:
    """Serve /healthz and /metrics during the block. Yield the port.

    address: host and port; port 0 for any free one. hangs_seconds: time without a sign of life after which a part is
    unhealthy. down: name -> state of dead parts. Raises OSError if the port is in use.
    """
    status = _Status(parts, hangs_seconds, {} if down is None else down)
    loop = asyncio.new_event_loop()
    try:
        server = loop.run_until_complete(asyncio.start_server(status.serve, *address, limit=HEAD_BYTES))
    except OSError:
        loop.close()
        raise
    thread = threading.Thread(target=loop.run_forever, name="status", daemon=True)
    thread.start()
    try:
        yield int(server.sockets[0].getsockname()[1])
    finally:
        loop.call_soon_threadsafe(server.close)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.run_until_complete(_end(asyncio.all_tasks(loop)))
        loop.close()


async def _end(tasks: Collection[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


class _Status:
    def __init__(self, parts: Sequence[MonitoredPart], hangs_seconds: float, down: Mapping[str, Down]) -> None:
        self._parts = parts
        self._hangs_seconds = hangs_seconds
        self._down = down
        self._open: dict[asyncio.StreamWriter, None] = {}  # in order of arrival

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one request and close the connection."""
        while len(self._open) >= CONNECTIONS:
            oldest = next(iter(self._open))
            del self._open[oldest]
            oldest.transport.abort()
        self._open[writer] = None
        try:
            await self._answer(reader, writer)
        except (TimeoutError, OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass  # too slow, disconnected, or not HTTP
        except Exception:
            _log.exception("cannot serve the status")
        finally:
            self._open.pop(writer, None)
            writer.transport.abort()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async with asyncio.timeout(REQUEST_SECONDS):
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        status, body, content_type = self._found(head)
        reason = HTTPStatus(status).phrase
        lines = [f"HTTP/1.1 {status} {reason}", f"Content-Type: {content_type}", f"Content-Length: {len(body)}"]
        writer.write("\r\n".join([*lines, "Connection: close", "", ""]).encode() + body)
        writer.close()
        async with asyncio.timeout(REQUEST_SECONDS):
            await writer.wait_closed()

    def _found(self, head: str) -> tuple[int, bytes, str]:
        request_line, *lines = head.split("\r\n")
        method, path, *_ = [*request_line.split(" "), "", ""]
        if method != "GET":
            return 405, b"", "text/plain"
        if path == "/healthz":
            return *_health(self._parts, self._hangs_seconds, self._down), "application/json"
        if path == "/metrics":
            accept = [line.partition(":")[2] for line in lines if line.lower().startswith("accept:")]
            text, content_type = metrics.exposition(", ".join(accept).strip())
            return 200, text, content_type
        return 404, b"", "text/plain"


def _health(parts: Sequence[MonitoredPart], hangs_seconds: float, down: Mapping[str, Down]) -> tuple[int, bytes]:
    now = time.monotonic()
    silent = {part.name: round(now - part.beat, 1) for part in parts}
    ok = all(seconds < hangs_seconds for seconds in silent.values())
    lag = {source: behind for part in parts if hasattr(part, "lag") for source, behind in part.lag().items()}
    status = "failed" if not ok else "degraded" if down else "ok"
    body = {"status": status, "seconds_since_sign_of_life": silent, "lag": lag, "down": dict(down)}
    return 200 if ok else 503, msgspec.json.encode(body)
