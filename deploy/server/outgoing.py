"""What is answered on a connection: written by a thread, sent as far as the client takes it, kept for the rest."""

from __future__ import annotations

import contextlib
import socket
import ssl

from shared.web.streams import Stream

PIECE = 65_536
"""Bytes that gather before a long answer begins to leave."""


class Outgoing:
    """What gunicorn takes for the socket when it writes an answer; nothing here waits for the client.

    stream: what goes on behind the head that was written, where the answer stays open.
    """

    def __init__(self, connection: socket.socket) -> None:
        """connection: not blocking."""
        self._socket = connection
        self._pieces: list[bytes | memoryview] = []
        self._full = False
        self.held = 0
        self.left = False
        self.broken = False
        self.stream: Stream | None = None

    def sendall(self, data: bytes) -> None:
        """Take what is to be sent."""
        self._pieces.append(data)
        self.held += len(data)
        # Once the client takes no more now, trying again for every piece would copy the whole each time.
        if self.held > PIECE and not self._full:
            self.push()

    send = sendall

    def push(self) -> bool:
        """Send what the client takes now; whether everything has left. A lost connection counts as left."""
        while self._pieces:
            piece = b"".join(self._pieces) if len(self._pieces) > 1 else self._pieces[0]
            try:
                sent = self._socket.send(piece)
            except (BlockingIOError, InterruptedError):
                self._pieces = [piece]
                self._full = True
                self.left = self.left or isinstance(self._socket, ssl.SSLSocket)  # which holds some of it
                return False
            except OSError:
                self.broken = True
                self.discard()
                return True
            self.left = True
            self._pieces = [memoryview(piece)[sent:]] if sent < len(piece) else []
            self.held -= sent
        self._full = False
        return True

    def discard(self) -> None:
        """Forget what has not left."""
        self._pieces = []
        self.held = 0

    def shutdown(self, how: int) -> None:
        """Called by gunicorn when an answer broke off half-way: the client must not take it for whole."""
        self.broken = True
        self.discard()
        raise OSError("the answer broke off")

    def close(self) -> None:
        """Called by gunicorn after `shutdown`; the connection is closed by the worker's loop."""


def quietly_shut(connection: socket.socket) -> None:
    """Say that nothing more will be sent."""
    with contextlib.suppress(OSError):
        connection.shutdown(socket.SHUT_WR)
