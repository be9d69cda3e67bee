"""A crowd of clients that hold streams open and take whatever comes, in one process of its own."""

from __future__ import annotations

import resource
import selectors
import socket
import threading
from collections.abc import Callable

SPARE_FILES = 64
READ_BYTES = 262_144
REQUEST = b"GET /feed/stream?after=now HTTP/1.1\r\nHost: x\r\n\r\n"
HEAD_SECONDS = 60.0


def crowd(port: int) -> Callable[[int], int]:
    """Streams of a server of this machine: the work is to have so many open, and answers how many bytes came so far.

    Raises RuntimeError where one is not opened.
    """
    poller = selectors.DefaultSelector()
    held: list[socket.socket] = []
    came = [0]
    threading.Thread(target=_take, args=(poller, came), daemon=True).start()

    def hold(many: int) -> int:
        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(many + SPARE_FILES, hard), hard))
        while len(held) > many:
            gone = held.pop()
            poller.unregister(gone)
            gone.close()
        while len(held) < many:
            held.append(opened(port))
            held[-1].setblocking(False)
            poller.register(held[-1], selectors.EVENT_READ)
        return came[0]

    return hold


def opened(port: int) -> socket.socket:
    """A stream whose head has been read. Raises RuntimeError for another answer."""
    connection = socket.create_connection(("127.0.0.1", port), timeout=HEAD_SECONDS)
    connection.sendall(REQUEST)
    answer = connection.recv(4096)
    if not answer.startswith(b"HTTP/1.1 200 "):
        raise RuntimeError(answer.decode())
    return connection


def _take(poller: selectors.BaseSelector, came: list[int]) -> None:
    while True:
        for key, _ in poller.select(0.1):
            try:
                came[0] += len(key.fileobj.recv(READ_BYTES))  # type: ignore[union-attr]
            except OSError:
                continue
