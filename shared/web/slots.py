"""Slots: how many requests of a process are answered at once, however many connections have a thread.

A connection has a thread of the server for as long as it sends a request, takes its answer or holds a stream. Only what
happens in between needs databases and other services, and takes one of a few slots. So a client that sends or reads
slowly takes a slot from nobody.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from io import BytesIO
from itertools import islice
from typing import Any

from shared.web.streams import Stream

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
