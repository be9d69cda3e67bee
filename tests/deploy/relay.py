"""A port that leads to another one, and can be closed: to a proxy, the process behind it is away."""

from __future__ import annotations

import socket
import socketserver
import threading
from contextlib import suppress
from typing import Self

from deploy.stack import free_ports

REFUSAL = b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


class _Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True


class Relay:
    """For a `with` block, open at first. to: the port on this machine that it leads to."""

    def __init__(self, to: int) -> None:
        self.port = free_ports(1)
        self._to = to
        self._open: set[socket.socket] = set()
        self._server: _Server | None = None

    def __enter__(self) -> Self:
        self.open()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def open(self, *, refusing: bool = False) -> None:
        """Take connections. refusing: answer each with 503, as a proxy does whose upstream is away."""
        relay = self

        class Handler(socketserver.BaseRequestHandler):
            def handle(self) -> None:
                if refusing:
                    self.request.recv(65_536)
                    self.request.sendall(REFUSAL)
                    return
                with socket.create_connection(("127.0.0.1", relay._to)) as upstream:
                    relay._open |= {self.request, upstream}
                    back = threading.Thread(target=_pump, args=(upstream, self.request), daemon=True)
                    back.start()
                    _pump(self.request, upstream)
                    back.join()
                    relay._open -= {self.request, upstream}

        self._server = _Server(("127.0.0.1", self.port), Handler)
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def close(self) -> None:
        """Take no connections, and end those that there are."""
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._server = None
        for one in list(self._open):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)


def _pump(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while piece := source.recv(65_536):
            target.sendall(piece)
    with suppress(OSError):
        target.shutdown(socket.SHUT_WR)
