"""A connection with TLS that never waits: what OpenSSL would wait for is told in the way in which a socket tells it.

Python's class takes care of the records; a first `recv` does the handshake. The loop reads while a thread writes, which
one connection of OpenSSL does not bear, so that each takes its turn.
"""

from __future__ import annotations

import contextlib
import socket
import ssl
from threading import Lock
from typing import Any

from gunicorn.sock import ssl_context  # type: ignore[import-untyped]

RECORD = 16_384
"""Bytes that one record holds: sent at once, so that a client that takes no more has never half of it in OpenSSL."""
WANTED = (ssl.SSLWantReadError, ssl.SSLWantWriteError)
SPOKE_PLAIN = "HTTP_REQUEST"
"""What OpenSSL calls it when a client speaks HTTP without TLS."""


class TlsSocket(ssl.SSLSocket):
    """What `wrapped` makes. moved: what a client is answered that speaks without TLS; empty: nothing."""

    turn: Lock
    moved: bytes = b""

    def recv(self, buflen: int = 1024, flags: int = 0) -> bytes:
        """As of a socket. Raises BlockingIOError where nothing is there yet, OSError where nothing ever comes."""
        try:
            with self.turn:
                return super().recv(buflen, flags)
        except WANTED as error:
            raise BlockingIOError from error
        except ssl.SSLError as error:
            if error.reason == SPOKE_PLAIN and self.moved:
                with contextlib.suppress(OSError):
                    socket.socket.recv(self, buflen)  # what is not read would make the system take the answer back
                    socket.socket.send(self, self.moved)
            raise

    def send(self, data: Any, flags: int = 0) -> int:
        """As of a socket, one record at most. Raises BlockingIOError where the client takes no more now."""
        try:
            with self.turn:
                return super().send(memoryview(data)[:RECORD], flags)
        except WANTED as error:
            raise BlockingIOError from error

    def shutdown(self, how: int) -> None:
        """Say that this is the end, as TLS wants it said, and then as the system does."""
        with self.turn:
            with contextlib.suppress(OSError, ValueError):
                self.unwrap()
            super().shutdown(how)


def context_of(cfg: Any) -> ssl.SSLContext | None:
    """What gunicorn's settings say of TLS; None: nothing."""
    if not cfg.is_ssl:
        return None
    context: ssl.SSLContext = ssl_context(cfg)
    context.sslsocket_class = TlsSocket
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.options |= ssl.OP_NO_RENEGOTIATION
    context.set_alpn_protocols(["http/1.1"])
    return context


def wrapped(connection: socket.socket, context: ssl.SSLContext, moved: bytes) -> TlsSocket:
    """A connection that was accepted, with TLS; the handshake comes with what is first read. Raises OSError."""
    connection.setblocking(False)
    with_tls = context.wrap_socket(connection, server_side=True, do_handshake_on_connect=False)
    assert isinstance(with_tls, TlsSocket)
    with_tls.turn = Lock()
    with_tls.moved = moved
    return with_tls


def moved_to(address: str) -> bytes:
    """A whole answer that leads to an address with TLS; for browsers into which somebody typed one without."""
    head = f"HTTP/1.1 307 Temporary Redirect\r\nLocation: {address}/\r\nConnection: close\r\n"
    return f"{head}Cache-Control: no-store\r\nContent-Length: 0\r\n\r\n".encode()
