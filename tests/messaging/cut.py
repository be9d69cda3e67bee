"""A TCP proxy whose connections can be cut."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit


class Wire:
    """Hands on what comes to `port`, in both directions, until it is cut; the next connection goes through again."""

    def __init__(self, host: str, port: int) -> None:
        self._to = (host, port)
        self._open: list[socket.socket] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]

    def serve(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                server = socket.create_connection(self._to)
                self._open += [client, server]
                for one, other in ((client, server), (server, client)):
                    threading.Thread(target=self._hand_on, args=(one, other), daemon=True).start()

    def cut(self) -> int:
        """Cut every connection. Return their number."""
        ended, self._open = self._open, []
        for each in ended:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()
        return len(ended) // 2

    def close(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.cut()

    def _hand_on(self, one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while data := one.recv(65536):
                other.sendall(data)
            other.shutdown(socket.SHUT_WR)


@contextmanager
def wire_to(url: str) -> Iterator[tuple[Wire, str]]:
    """Open a wire to the server of a URL. Yield it and the URL through it."""
    place = urlsplit(url)
    assert place.hostname
    wire = Wire(place.hostname, place.port or 5672)
    threading.Thread(target=wire.serve, daemon=True).start()
    try:
        yield wire, url.replace(f"{place.hostname}:{place.port}", f"127.0.0.1:{wire.port}")
    finally:
        wire.close()
