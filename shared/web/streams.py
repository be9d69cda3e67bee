"""Answers that stay open: what an application gives a server that can hold them, and what it gets for it.

A server that can hold streams says so in the environment of a request (HOLDER). A view then answers with a `Stream` as
the body. When the head has left, the server takes the connection from the thread that answered and opens the stream
with a `Sink`, to which anybody may send from any thread.
"""

from __future__ import annotations

from typing import Protocol

HOLDER = "muster.streams"
"""Where the environment of a request names its `Holder`; nothing stands there where streams cannot be held."""


class Holder(Protocol):
    """A server that holds streams. places: how many at once."""

    @property
    def places(self) -> int: ...


class Sink(Protocol):
    """A client that holds a stream open. Nothing here waits for it.

    held: bytes that were sent and that the client has not taken. leaving: it has said that it sends no more; it may
    still read, and gets what there is. Both may be a moment old.
    """

    @property
    def held(self) -> int: ...
    @property
    def leaving(self) -> bool: ...
    def send(self, piece: bytes) -> None:
        """Send, as far as the client takes it, and keep the rest for it."""

    def end(self) -> None:
        """Close the connection when all that was sent has left."""


class Stream:
    """A body that stays open."""

    def open(self, sink: Sink) -> None:
        """Called once, when the head of the answer has been written."""
        raise NotImplementedError

    def closed(self, *, slow: bool) -> None:
        """Called once, when the connection is no more. slow: the client did not take what was sent to it in time."""
        raise NotImplementedError
