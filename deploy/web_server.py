"""The common part of both gunicorn configurations: connection limits, TLS, the log, and ending streams.

gunicorn's `gthread` assigns a thread to a connection from its first byte until the client has read the answer. The
number of requests that are processed at once is limited separately: see shared/web/streams.py.
Why: docs/decisions/0085.
"""

from __future__ import annotations

import contextlib
import resource
import socket
import ssl
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

from gunicorn import glogging  # type: ignore[import-untyped]
from gunicorn.workers.gthread import ThreadWorker  # type: ignore[import-untyped]

SPARE_FILES = 256
"""File descriptors that a process needs besides its connections: databases, brokers, logs."""
SEND_BUFFER_BYTES = 262_144
"""Kept by the system of an answer for each connection; by default it takes megabytes from a slow reader."""
GONE_SECONDS = 5
"""Beyond those for sending, until the system gives up a client that acknowledges nothing."""
LINGER_SECONDS, LINGER_BYTES = 2.0, 65_536
"""For a client to read the end of an answer; and bytes that are read at once meanwhile."""
LOOK_SECONDS = 0.2
"""Seconds between two checks whether the process has to stop."""


def allow_files(threads: int, idle: int, more: int = 0) -> None:
    """Raise the limit of open files to the number that connections need. Exit if the system does not allow it.

    threads: connections with a thread; each needs a second descriptor until its first byte arrives. idle: kept
    connections without a thread. more: files that the application opens.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 2 * threads + idle + more + SPARE_FILES
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return
    if hard != resource.RLIM_INFINITY and hard < wanted:
        sys.exit(
            f"MUSTER_CONNECTIONS, MUSTER_STREAMS: need {wanted} open files, and the system allows {hard}; "
            "expected smaller numbers, or a higher limit (ulimit -n)"
        )
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def limit_waiting(listener: socket.socket, receive_seconds: float, send_seconds: float) -> None:
    """Set how long a thread waits for a client that neither sends nor reads. Connections inherit the limit."""
    options = socket.SOL_SOCKET
    listener.setsockopt(options, socket.SO_RCVTIMEO, _timeval(receive_seconds))
    listener.setsockopt(options, socket.SO_SNDTIMEO, _timeval(send_seconds))
    listener.setsockopt(options, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        milliseconds = int((send_seconds + GONE_SECONDS) * 1000)
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, milliseconds)


def _timeval(seconds: float) -> bytes:
    whole = int(seconds)
    return whole.to_bytes(8, sys.byteorder) + int((seconds - whole) * 1e6).to_bytes(8, sys.byteorder)


def tls_context(seconds: float) -> Callable[[Any, Callable[[], ssl.SSLContext]], ssl.SSLContext]:
    """Return gunicorn's hook `ssl_context`. seconds: how long a thread waits for a client.

    OpenSSL ignores the limits of `limit_waiting`, so TLS sockets get a separate one.
    """

    class TlsSocket(ssl.SSLSocket):
        def settimeout(self, value: float | None) -> None:
            super().settimeout(seconds if value is None else value)

    made: list[ssl.SSLContext] = []  # one for the process: gunicorn asks for each connection

    def context(config: Any, default: Callable[[], ssl.SSLContext]) -> ssl.SSLContext:
        if not made:
            made.append(default())
            made[0].options |= ssl.OP_NO_RENEGOTIATION
            made[0].sslsocket_class = TlsSocket
        return made[0]

    return context


def when_stopped(worker: Any, *stops: Callable[[], None]) -> None:
    """Call these functions as soon as a process has to stop, because gunicorn waits until connections end."""

    def look() -> None:
        while worker.alive:
            time.sleep(LOOK_SECONDS)
        for stop in stops:
            stop()

    threading.Thread(target=look, name="stopping", daemon=True).start()


class Worker(ThreadWorker):  # type: ignore[misc]
    """gunicorn's `gthread`, but a thread waits until the client has read the end of the last answer.

    gunicorn itself waits in the loop that accepts connections: up to two seconds for each one that it closes.
    """

    def handle(self, conn: Any) -> Any:
        kept = super().handle(conn)
        if kept is False:
            _linger(conn.sock)
        return kept


def _linger(connection: socket.socket) -> None:
    """Shut down sending and discard further input, so that the system does not reset the connection."""
    until = time.monotonic() + LINGER_SECONDS
    with contextlib.suppress(OSError, ValueError):
        connection.shutdown(socket.SHUT_WR)
        while (left := until - time.monotonic()) > 0:
            connection.settimeout(left)
            if not connection.recv(LINGER_BYTES):
                break
    with contextlib.suppress(OSError):
        connection.shutdown(socket.SHUT_RD)  # so that gunicorn, which closes it, waits for nothing


class Logger(glogging.Logger):  # type: ignore[misc]
    """gunicorn's log without messages about slow clients, which are not errors."""

    def exception(self, msg: str, *args: Any, **kwargs: Any) -> None:
        slow = isinstance(sys.exc_info()[1], (TimeoutError, BlockingIOError))
        (self.debug if slow else super().exception)(msg, *args, **kwargs)
