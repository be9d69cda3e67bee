"""Clients of streams inside a test's process: what a server and a browser do with the body of an answer."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Mapping
from typing import Any

from shared.web.streams import SOCKET, Stream
from tests.event_streams import EventReader, Message
from tests.waiting import PATIENCE


class StreamClient:
    """A client that holds a stream open: a thread writes the pieces, as gunicorn's does.

    environ: what a request of this client adds to its environment. pieces: taken so far. ended: the stream is over.
    """

    def __init__(self, last_id: str = "") -> None:
        self.reader = EventReader(last_id)
        self.pieces: list[bytes] = []
        self.ended = False
        self.stream: Stream | None = None
        self._here, self._there = socket.socketpair()
        self.environ: Mapping[str, Any] = {SOCKET: self._there}
        self._takes = threading.Event()
        self._takes.set()
        self._changed = threading.Condition()

    def hold(self, stream: Stream) -> None:
        """Begin to read a stream."""
        self.stream = stream
        threading.Thread(target=self._read, daemon=True).start()

    def stop_reading(self) -> None:
        """Take nothing of what is sent from now on."""
        self._takes.clear()

    def read_on(self) -> None:
        """Take everything again."""
        self._takes.set()

    def leave(self) -> None:
        """Close the client's side."""
        self._here.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        """Have the connection end, and wait until the server has noticed."""
        if self.stream is not None:
            self.stream.end()
            self.until(lambda it: it.ended)
        self._here.close()
        self._there.close()

    @property
    def types(self) -> list[str]:
        """The types of the messages so far."""
        return [message.type for message in self.reader.messages]

    def until(self, condition: Callable[[StreamClient], object]) -> list[Message]:
        """Wait until a condition holds. Return all messages so far."""
        with self._changed:
            came = self._changed.wait_for(lambda: condition(self), PATIENCE)
            assert came, self.types
            return list(self.reader.messages)

    def told(self, number: int) -> list[Message]:
        """Wait for so many messages. Return them."""
        return self.until(lambda it: len(it.reader.messages) >= number)

    def hears(self, *types: str) -> dict[str, Any]:
        """Wait for messages of all these types. Return the data of all by type, and forget them."""
        with self._changed:
            messages = self.until(lambda it: set(types) <= set(it.types))
            self.reader.messages.clear()
        return {message.type: json.loads(message.data) for message in messages}

    def _read(self) -> None:
        assert self.stream is not None
        for piece in self.stream:
            self._takes.wait()
            with self._changed:
                self.pieces.append(piece)
                self.reader.feed(piece)
                self._changed.notify_all()
        self.stream.close()
        with self._changed:
            self.ended = True
            self._changed.notify_all()
