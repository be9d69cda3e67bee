"""What a worker says of itself over HTTP, for health checks and Prometheus: it has no web side of its own.

GET /healthz    200 while every part has given a sign of life lately, else 503; with seconds since, the lag, and the
                parts that died and are tried again (`degraded`)
GET /metrics    what the worker measures

One thread serves all connections, one request each, and whoever is slow is cut off.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from http import HTTPStatus

import msgspec

from shared import metrics
from shared.messaging.log_ration import RationedLogger
from shared.messaging.pulse import Beating, Down

SECONDS = 5.0
"""For a request to arrive, and again for its answer to be taken."""
CONNECTIONS = 64
"""Held at once; with more the oldest is closed."""
HEAD_BYTES = 16_384

_log = RationedLogger("muster.messaging")


@contextmanager
def status_served(
    address: tuple[str, int],
    parts: Sequence[Beating],
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
    def __init__(self, parts: Sequence[Beating], hangs_seconds: float, down: Mapping[str, Down]) -> None:
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
        async with asyncio.timeout(SECONDS):
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        status, body, content_type = self._found(head)
        reason = HTTPStatus(status).phrase
        lines = [f"HTTP/1.1 {status} {reason}", f"Content-Type: {content_type}", f"Content-Length: {len(body)}"]
        writer.write("\r\n".join([*lines, "Connection: close", "", ""]).encode() + body)
        writer.close()
        async with asyncio.timeout(SECONDS):
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


def _health(parts: Sequence[Beating], hangs_seconds: float, down: Mapping[str, Down]) -> tuple[int, bytes]:
    now = time.monotonic()
    silent = {part.name: round(now - part.beat, 1) for part in parts}
    ok = all(seconds < hangs_seconds for seconds in silent.values())
    lag = {source: behind for part in parts if hasattr(part, "lag") for source, behind in part.lag().items()}
    status = "failed" if not ok else "degraded" if down else "ok"
    body = {"status": status, "seconds_since_sign_of_life": silent, "lag": lag, "down": dict(down)}
    return 200 if ok else 503, msgspec.json.encode(body)
