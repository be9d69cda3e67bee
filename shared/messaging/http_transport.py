"""HTTP transport with a deadline for a whole exchange (`within_deadline`). Importing this module loads httpx."""

from __future__ import annotations

import ssl
from collections.abc import Iterable
from typing import Any

import httpcore
import httpx

from shared.messaging.errors import DeadlineExceeded, seconds_left


class DeadlineTransport(httpx.HTTPTransport):
    """The transport of httpx with sockets that respect `within_deadline`."""

    def __init__(self, *, tls: bool) -> None:
        """tls: True if any URL is https; otherwise the system's certificates are not loaded, which is slow."""
        context = httpx.create_ssl_context() if tls else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        super().__init__(verify=context)
        self._pool = httpcore.ConnectionPool(ssl_context=context, network_backend=_Backend())


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
    try:
        return seconds_left(timeout)
    except DeadlineExceeded as overdue:
        raise httpcore.ReadTimeout(str(overdue)) from None
