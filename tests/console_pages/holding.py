"""A server of tests that holds streams: a thread of its own for each, which is enough for a few browsers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from queue import Empty, SimpleQueue
from typing import Any

from shared.web.streams import HOLDER, Stream

PLACES = 200
LOOK_SECONDS = 1.0
"""Between two pieces at most: a client that is gone is noticed when something is sent to it."""


class Held:
    """The sink of one stream, and the body of its answer."""

    held = 0
    leaving = False

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self._pieces: SimpleQueue[bytes | None] = SimpleQueue()

    def send(self, piece: bytes) -> None:
        self._pieces.put(piece)

    def end(self) -> None:
        self._pieces.put(None)

    def __iter__(self) -> Iterator[bytes]:
        self._stream.open(self)
        while True:
            try:
                piece = self._pieces.get(timeout=LOOK_SECONDS)
            except Empty:
                piece = b":\n\n"
            if piece is None:
                return
            yield piece

    def close(self) -> None:
        """Called by the server when the connection is no more."""
        self._stream.closed(slow=False)


class Holding:
    """An application whose streams are held; it is the holder that they are told of."""

    places = PLACES

    def __init__(self, application: Callable[..., Any]) -> None:
        self._application = application

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Any:
        environ[HOLDER] = self
        body = self._application(environ, start_response)
        return Held(body) if isinstance(body, Stream) else body
