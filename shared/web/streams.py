"""Streams: answers that stay open, as WSGI iterables that other threads feed; and slots for those that do not.

However many connections have a thread, few requests are answered at once. A connection has a thread of the server for
as long as it sends a request, takes its answer or holds a stream. Only what happens in between needs databases and
other services, and takes one of a few slots. So a client that sends or reads slowly takes a slot from nobody.
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
"""The extension of an application that holds streams: its `stop` ends them."""
SOCKET = "gunicorn.socket"
"""The connection of a request, in its environment; missing in tests without a server."""
BUFFER_BYTES = 32_768
"""Kept by the system for a stream: there are many, and what they are sent comes in small pieces."""
SLOW = (TimeoutError, BlockingIOError)
"""Raised by a write whose client has taken nothing for the seconds that it may (MUSTER_SEND_SECONDS)."""


class Stream:
    """The body of an answer that stays open.

    The thread of the connection iterates over it and writes each piece. One other thread sends; nothing there waits
    for the client.
    """

    def __init__(self, environ: Mapping[str, Any]) -> None:
        """environ: of the request that is answered."""
        self._pieces: SimpleQueue[bytes] = SimpleQueue()  # an empty piece is the end
        self._given = self._taken = self._written = 0
        self._begun = False
        self._socket: socket.socket | None = environ.get(SOCKET)
        self._poll = select.poll()
        if self._socket is not None:
            self._poll.register(self._socket.fileno(), select.POLLIN)

    def opened(self) -> None:
        """Called once, in the thread of the connection, before the first piece is written."""

    def closed(self, *, slow: bool) -> None:
        """Called once, after the last piece. slow: the client did not take what was sent to it in time."""

    @property
    def held(self) -> int:
        """Bytes sent and not yet taken by the client, or by the system for it."""
        return self._given - self._taken

    @property
    def leaving(self) -> bool:
        """Return True if the client has closed its side, or sends more than its request."""
        return bool(self._poll.poll(0))

    def send(self, piece: bytes) -> None:
        """Have a piece written."""
        self._given += len(piece)
        self._pieces.put(piece)

    def end(self) -> None:
        """Close the connection after what was sent."""
        self._pieces.put(b"")

    def __iter__(self) -> Stream:
        return self

    def __next__(self) -> bytes:
        if not self._begun:
            self._begin()
        self._taken = self._written  # the next piece is asked for when the last one was written
        piece = self._pieces.get()
        with contextlib.suppress(Empty):
            while piece:
                more = self._pieces.get_nowait()
                if not more:
                    self.end()
                    break
                piece += more
        if not piece:
            raise StopIteration
        self._written += len(piece)
        return piece

    def close(self) -> None:
        """Called by the server when the connection is no more, also while the error of a write is handled."""
        self.closed(slow=isinstance(sys.exc_info()[1], SLOW))

    def _begin(self) -> None:
        self._begun = True
        if self._socket is not None:
            with contextlib.suppress(OSError):
                self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, BUFFER_BYTES)
        self.opened()


Application = Callable[[dict[str, Any], Any], Iterable[bytes]]


class Slots:
    """WSGI middleware.

    application: what answers. slots: requests that it answers at once. most: bytes of a body that is worth reading; the
    application refuses a larger one.
    """

    def __init__(self, application: Application, slots: int, most: int) -> None:
        self._application = application
        self._slots = threading.BoundedSemaphore(slots)
        self._most = most

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
        """Read the whole body, so that nothing waits for the client later. A body that is cut is shorter."""
        announced = environ.get("CONTENT_LENGTH") or ""
        chunked = not announced and environ.get("wsgi.input_terminated") and "HTTP_TRANSFER_ENCODING" in environ
        size = self._most + 1 if chunked else int(announced) if announced.isdecimal() else 0
        if chunked or 0 < size <= self._most:  # a larger one is refused unread
            environ["wsgi.input"] = BytesIO(environ["wsgi.input"].read(size))

    def _rest(self, body: Iterable[bytes], beginning: list[bytes], pieces: Iterator[bytes]) -> Iterator[bytes]:
        """Yield all pieces. Making one takes a slot, writing it takes none."""
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
