"""A small application behind the server, for what is read and sent with TLS."""

from __future__ import annotations

import threading
from typing import Any

from shared.web.streams import Stream

LARGE = 6_000_000
WHOLE = bytes(range(250)) * (LARGE // 250)
TICKS = 40


class Ticks(Stream):
    """Sends so many pieces, from a thread of its own, and ends."""

    def on_open(self) -> None:
        threading.Thread(target=self._send, daemon=True).start()

    def _send(self) -> None:
        for number in range(TICKS):
            self.send(f"data: {number} {'x' * 3000}\n\n".encode())
        self.end()


def app(environ: dict[str, Any], start_response: Any) -> Any:
    """`/large` answers megabytes, `/stream` stays open for a while, everything else is said back."""
    path = environ["PATH_INFO"]
    if path == "/stream":
        start_response("200 OK", [("Content-Type", "text/event-stream")])
        return Ticks(environ)
    body = environ["wsgi.input"].read()
    whole = WHOLE if path == "/large" else body
    headers = [("Content-Length", str(len(whole))), ("X-Scheme", environ["wsgi.url_scheme"])]
    start_response("200 OK", headers)
    return [whole[place : place + 40_000] for place in range(0, len(whole), 40_000)]
