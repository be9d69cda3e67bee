"""An HTTP transport on which a whole exchange has a deadline, not only each of its reads.

A peer that sends a byte every few seconds satisfies a timeout for reads for as long as it likes, in its headers too.
"""

from __future__ import annotations

import ssl
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from threading import local
from typing import Any

import httpcore
import httpx

_this_thread = local()


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """What this thread reads and writes on a HurriedTransport in the block ends after so many seconds: ReadTimeout.

    A block inside of another one ends with it at the latest.
    """
    outer: float | None = getattr(_this_thread, "until", None)
    until = time.monotonic() + seconds
    _this_thread.until = until if outer is None else min(outer, until)
    try:
        yield
    finally:
        _this_thread.until = outer


class HurriedTransport(httpx.HTTPTransport):
    """httpx's own transport, whose sockets know of `within`."""

    def __init__(self) -> None:
        super().__init__()
        self._pool = httpcore.ConnectionPool(ssl_context=httpx.create_ssl_context(), network_backend=_Backend())


class _Stream(httpcore.NetworkStream):
    def __init__(self, stream: httpcore.NetworkStream) -> None:
        self._stream = stream

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, _left(timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, _left(timeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        return _Stream(self._stream.start_tls(ssl_context, server_hostname, _left(timeout)))

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


class _Backend(httpcore.SyncBackend):
    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        return _Stream(super().connect_tcp(host, port, _left(timeout), local_address, socket_options))


def _left(timeout: float | None) -> float | None:
    until: float | None = getattr(_this_thread, "until", None)
    if until is None:
        return timeout
    left = until - time.monotonic()
    if left <= 0:
        raise httpcore.ReadTimeout("the exchange took too long")
    return left if timeout is None else min(timeout, left)
