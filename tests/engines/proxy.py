"""A TCP proxy that can be cut and frozen: a network that fails between us and a broker that is well."""

from __future__ import annotations

import selectors
import socket
import threading


class Proxy:
    """Forwards to (host, port). `freeze` holds everything back while connections stay open; `cut` closes them."""

    def __init__(self, host: str, port: int) -> None:
        self._target = (host, port)
        self._frozen = threading.Event()
        self._pairs: list[tuple[socket.socket, socket.socket]] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._closed = False
        threading.Thread(target=self._accept, daemon=True).start()

    def freeze(self) -> None:
        self._frozen.set()

    def thaw(self) -> None:
        self._frozen.clear()

    def cut(self) -> None:
        for pair in self._pairs:
            for end in pair:
                end.close()
        self._pairs.clear()

    def close(self) -> None:
        self._closed = True
        self._listener.close()
        self.cut()

    def _accept(self) -> None:
        while not self._closed:
            try:
                near, _ = self._listener.accept()
                far = socket.create_connection(self._target)
            except OSError:
                return
            self._pairs.append((near, far))
            threading.Thread(target=self._forward, args=(near, far), daemon=True).start()

    def _forward(self, near: socket.socket, far: socket.socket) -> None:
        with selectors.DefaultSelector() as selector:
            try:
                selector.register(near, selectors.EVENT_READ, far)
                selector.register(far, selectors.EVENT_READ, near)
                while True:
                    for key, _ in selector.select(0.05):
                        if self._frozen.is_set():
                            continue
                        data = key.fileobj.recv(65536)  # type: ignore[union-attr]
                        if not data:
                            return
                        key.data.sendall(data)
            except (OSError, ValueError):
                return
            finally:
                near.close()
                far.close()
