"""What a worker says of itself over HTTP, for health checks and Prometheus: it has no web side of its own.

GET /healthz    200 while every part has given a sign of life lately, else 503; with seconds since, and the lag
GET /metrics    what the worker measures
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Protocol

import msgspec

from shared import metrics


class Beating(Protocol):
    """A part that leaves signs of life. beat: time.monotonic() of the last one."""

    name: str
    beat: float


@contextmanager
def status_served(address: tuple[str, int], parts: Sequence[Beating], hangs_seconds: float) -> Iterator[int]:
    """Serve the status for the block; gives the port. address: host and port, 0 for any free one.

    hangs_seconds: without a sign of life for so long, a part is not healthy. Raises OSError when the port is taken.
    """

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path == "/healthz":
                self._answer(*_health(parts, hangs_seconds), "application/json")
            elif self.path == "/metrics":
                text, content_type = metrics.exposition(self.headers.get("Accept", ""))
                self._answer(200, text, content_type)
            else:
                self._answer(404, b"", "text/plain")

        def _answer(self, status: int, body: bytes, content_type: str) -> None:
            self.send_response(status)
            self.send_header("Content-Type", content_type)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *arguments: object) -> None:
            """Health checks are not worth a line."""

    server = ThreadingHTTPServer(address, Handler)
    threading.Thread(target=server.serve_forever, name="status", daemon=True).start()
    try:
        yield int(server.server_address[1])
    finally:
        server.shutdown()
        server.server_close()


def _health(parts: Sequence[Beating], hangs_seconds: float) -> tuple[int, bytes]:
    now = time.monotonic()
    silent = {part.name: round(now - part.beat, 1) for part in parts}
    ok = all(seconds < hangs_seconds for seconds in silent.values())
    lag = {source: behind for part in parts if hasattr(part, "lag") for source, behind in part.lag().items()}
    body = {"status": "ok" if ok else "failed", "seconds_since_sign_of_life": silent, "lag": lag}
    return 200 if ok else 503, msgspec.json.encode(body)
