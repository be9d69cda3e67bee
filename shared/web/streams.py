"""Streams: answers that stay open, as WSGI iterables that other threads feed. Slots: a limit for all other requests.

A connection holds a server thread while it sends a request, reads an answer or holds a stream. Only the work in between
needs databases and other services, and takes one of a few slots. So a slow client holds a thread, but no slot.
"""

from __future__ import annotations

import contextlib
import select
import socket
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from io import BytesIO
from itertools import islice
from queue import Empty, SimpleQueue
from typing import Any

STREAMS = "muster.streams"
"""The extension of an application with streams; its `stop` ends them."""
SOCKET = "gunicorn.socket"
"""The WSGI environ key of the connection; absent in tests without a server."""
BUFFER_BYTES = 32_768
"""Send buffer of a stream's socket. It is small, because there are many streams with small messages."""
SLOW = (TimeoutError, BlockingIOError)
"""Raised by a write if the client reads nothing for MUSTER_SEND_SECONDS."""


class Stream:
    """The body of an answer that stays open.

    The connection's thread iterates over it and writes each piece. Another thread sends pieces, and never waits for the
    client.
    """

    def __init__(self, environ: Mapping[str, Any]) -> None:
        """Open the stream of an answer. environ: WSGI environment of the request."""
        self._pieces: SimpleQueue[bytes] = SimpleQueue()  # an empty piece ends the stream
        self._given = self._taken = self._written = 0
        self._begun = False
        self._socket: socket.socket | None = environ.get(SOCKET)
        self._poll = select.poll()
        if self._socket is not None:
            self._poll.register(self._socket.fileno(), select.POLLIN)

    def on_open(self) -> None:
        """Hook, called once in the connection's thread, before the first piece is written."""

    def on_close(self, *, slow: bool) -> None:
        """Hook, called once after the last piece. slow: the client did not read in time."""

    @property
    def pending_bytes(self) -> int:
        """Bytes sent to the stream that have not been written to the socket."""
        return self._given - self._taken

    @property
    def is_leaving(self) -> bool:
        """True if the client has closed its side, or sends more than its request."""
        return bool(self._poll.poll(0))

    def send(self, piece: bytes) -> None:
        """Queue a piece for writing."""
        self._given += len(piece)
        self._pieces.put(piece)

    def end(self) -> None:
        """Close the connection after the queued pieces."""
        self._pieces.put(b"")

    def __iter__(self) -> Stream:
        return self

    def __next__(self) -> bytes:
        if not self._begun:
            self._begin()
        self._taken = self._written  # the server asks for the next piece after it wrote the last one
        piece = self._pieces.get()
        with contextlib.suppress(Empty):
            while piece:
                next_piece = self._pieces.get_nowait()
                if not next_piece:
                    self.end()
                    break
                piece += next_piece
        if not piece:
            raise StopIteration
        self._written += len(piece)
        return piece

    def close(self) -> None:
        """Release the stream. The server calls this when the connection is closed, also after a failed write."""
        self.on_close(slow=isinstance(sys.exc_info()[1], SLOW))

    def _begin(self) -> None:
        self._begun = True
        if self._socket is not None:
            with contextlib.suppress(OSError):
                self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, BUFFER_BYTES)
        self.on_open()


Application = Callable[[dict[str, Any], Any], Iterable[bytes]]


class Slots:
    """WSGI middleware that limits the requests in progress.

    slots: requests that the application answers at once. size_limit: largest body to read; the application refuses
    larger ones.
    """

    def __init__(self, application: Application, slots: int, size_limit: int) -> None:
        self._application = application
        self._slots = threading.BoundedSemaphore(slots)
        self._size_limit = size_limit

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        self._read_body(environ)
        with self._slots:
            body = self._application(environ, start_response)
            if isinstance(body, Stream):
                return body
            pieces = iter(body)
            beginning = list(islice(pieces, 2))
            if len(beginning) < 2:
                _close(body)
                return beginning
        return self._rest(body, beginning, pieces)

    def _read_body(self, environ: dict[str, Any]) -> None:
        """Read the whole body before a slot is taken. A body that was cut off is shorter than announced."""
        announced = environ.get("CONTENT_LENGTH") or ""
        chunked = not announced and environ.get("wsgi.input_terminated") and "HTTP_TRANSFER_ENCODING" in environ
        size = self._size_limit + 1 if chunked else int(announced) if announced.isdecimal() else 0
        if chunked or 0 < size <= self._size_limit:  # a larger body is refused unread
            environ["wsgi.input"] = BytesIO(environ["wsgi.input"].read(size))

    def _rest(self, body: Iterable[bytes], beginning: list[bytes], pieces: Iterator[bytes]) -> Iterator[bytes]:
        """Yield all pieces. Computing a piece takes a slot; writing it does not."""
        try:
            yield from beginning
            while True:
                with self._slots:
                    piece = next(pieces, None)
                if piece is None:
                    return
                yield piece
        finally:
            _close(body)


def _close(body: Any) -> None:
    if hasattr(body, "close"):
        body.close()
