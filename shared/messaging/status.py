"""How peers and the parts of workers are: written into the service's database, and said over HTTP.

While a peer holds what the own log does not, nothing may be appended: it would take positions that the peers hold
otherwise. The row of the service itself stands for a recovery under way, which may have been cut off.

In containers nothing else of a worker is seen from outside: a row tells when a part last lived, and why it is down. The
web side reads it in the database for /readyz, wherever the worker runs. Over HTTP it is for health checks and
Prometheus, for a worker that is a program of its own has no web side:

GET /healthz    200 while every part has given a sign of life lately, else 503; with seconds since, the lag, and the
                parts that died and are tried again (`degraded`)
GET /metrics    what the worker measures

One thread serves all connections, one request each, and whoever is slow is cut off.
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
    """What one peer said last. checked: when (Unix ms). trouble: what it holds that is not here; empty: nothing."""

    peer: str
    checked: int
    trouble: str


def record_peer_status(connection: Connection, peer: str, trouble: str) -> None:
    """Write down what a peer said just now."""
    connection.run(
        """INSERT INTO own_copies (peer, checked, trouble) VALUES (:peer, :checked, :trouble)
            ON CONFLICT (peer) DO UPDATE SET checked = excluded.checked, trouble = excluded.trouble""",
        peer=peer,
        checked=int(time.time() * 1000),
        trouble=trouble,
    )


def remove_peer_status(connection: Connection, peer: str) -> None:
    """Nothing is to be said of a peer any more."""
    connection.run("DELETE FROM own_copies WHERE peer = :peer", peer=peer)


def peer_statuses(connection: Connection) -> list[PeerStatus]:
    """What every peer said last, by name."""
    sql = "SELECT peer, checked, trouble FROM own_copies ORDER BY peer"
    return [PeerStatus(*row) for row in connection.rows(sql)]


FORGET_AFTER_MS = 10 * 60 * 1000
"""A worker that was silent for so long was taken away, and is missed by nobody."""


class PartStatus(msgspec.Struct, frozen=True):
    """One part of one worker. holder: which worker. beat: its last sign of life, Unix ms. deaths: since it last ran
    well. due: when it is started again, Unix ms; 0 where it runs. trouble: why it does not do its work; empty: it does.
    """

    name: str
    holder: str
    beat: int
    deaths: int = 0
    due: int = 0
    trouble: str = ""


def record_parts(connection: Connection, said: Sequence[PartStatus]) -> None:
    """Write down how parts are, and forget those of workers that are gone."""
    connection.run_many(
        """INSERT INTO parts (name, holder, beat, deaths, due, trouble)
            VALUES (:name, :holder, :beat, :deaths, :due, :trouble)
            ON CONFLICT (name, holder) DO UPDATE SET
                beat = excluded.beat, deaths = excluded.deaths, due = excluded.due, trouble = excluded.trouble""",
        [msgspec.structs.asdict(part) for part in said],
    )
    if said:
        last = max(part.beat for part in said)
        connection.run("DELETE FROM parts WHERE beat < :forgotten", forgotten=last - FORGET_AFTER_MS)


def remove_parts(connection: Connection, holder: str) -> None:
    """A worker was told to stop: nobody waits for its parts."""
    connection.run("DELETE FROM parts WHERE holder = :holder", holder=holder)


def part_statuses(connection: Connection) -> list[PartStatus]:
    """What every part said last, by name, the liveliest first."""
    rows = connection.rows("SELECT name, holder, beat, deaths, due, trouble FROM parts ORDER BY name, beat DESC")
    return [PartStatus(*row) for row in rows]


PULSE_SECONDS = 10.0
"""So seldom that an idle laptop's disk may sleep in between."""
GOODBYE_SECONDS = 2.0

_log = RateLimitedLogger("muster.messaging")
REQUEST_SECONDS = 5.0
"""For a request to arrive, and again for its answer to be taken."""
CONNECTIONS = 64
"""Held at once; with more the oldest is closed."""
HEAD_BYTES = 16_384


class Down(msgspec.Struct, frozen=True):
    """A part that died and has not settled since. due: when it is or was started again, seconds since the epoch."""

    deaths: int
    due: float
    why: str


class MonitoredPart(Protocol):
    """A part that leaves signs of life. beat: time.monotonic() of the last one."""

    name: str
    beat: float


@contextmanager
def report_parts(
    database: Database, parts: Sequence[MonitoredPart], down: Mapping[str, Down], changed: threading.Event
) -> Iterator[None]:
    """Write down how the parts are for the block: every few seconds, and at once when `changed` is set."""
    holder = f"{socket.gethostname()}:{os.getpid()}:{uuid4().hex[:8]}"[:200]
    ended = threading.Event()

    def beat() -> None:
        while not ended.is_set():
            changed.clear()
            try:
                with database.writing() as connection:
                    record_parts(connection, [_said(part, holder, down.get(part.name)) for part in parts])
            except SQLAlchemyError as error:  # it is away, or has no such table yet
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
            _say_goodbye(database, holder)


def _said(part: MonitoredPart, holder: str, down: Down | None) -> PartStatus:
    now = time.time()
    trouble = str(getattr(part, "trouble", ""))
    if down is None:
        return PartStatus(part.name, holder, int((now - (time.monotonic() - part.beat)) * 1000), trouble=trouble)
    due = int(down.due * 1000) if down.due > now else 0
    return PartStatus(part.name, holder, int(now * 1000), down.deaths, due, down.why)


def _say_goodbye(database: Database, holder: str) -> None:
    try:
        with database.writing() as connection:
            remove_parts(connection, holder)
    except SQLAlchemyError as error:  # it is away, or has no such table yet
        _log.warning("cannot write down that the worker stops", error=str(error))


@contextmanager
def serve_status(
    address: tuple[str, int],
    parts: Sequence[MonitoredPart],
    hangs_seconds: float,
    down: Mapping[str, Down] | None = None,
) -> Iterator[int]:
    """Serve the status for the block; gives the port. address: host and port, 0 for any free one.

    hangs_seconds: without a sign of life for so long, a part is not healthy. down: parts that died, by name.
    Raises OSError when the port is taken.
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
        self._open: dict[asyncio.StreamWriter, None] = {}  # in the order in which they came

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one connection, and close it."""
        while len(self._open) >= CONNECTIONS:
            oldest = next(iter(self._open))
            del self._open[oldest]
            oldest.transport.abort()
        self._open[writer] = None
        try:
            await self._answer(reader, writer)
        except (TimeoutError, OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass  # too slow, gone, or not HTTP: nobody is there to be told
        except Exception:
            _log.exception("status not told")
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
