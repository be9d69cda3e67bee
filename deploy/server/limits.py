"""What a connection may take of a process, in seconds, bytes and numbers."""

from __future__ import annotations

import resource
from dataclasses import dataclass, replace

READ_BYTES = 65_536
"""Asked of a socket at once; also how much of the next requests is read while one is answered."""

HEAD_BYTES = 65_536
"""Of a request line with all its headers."""

LINGER_SECONDS = 2.0
"""For a client to read a refusal before its connection is closed under what it still sends."""

SEND_BUFFER_BYTES = 262_144
"""That the system keeps of an answer for each connection; by itself it would take megabytes from a slow reader."""

SPARE_FILES = 256
"""File descriptors that a process needs besides its connections: databases, brokers, logs, metrics."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What `deploy/gunicorn.conf.py` takes from the settings.

    connections: held by a process at once, and streams beside them. body_bytes: of one request. held_bytes: of requests
    that are not whole and answers that are not sent, in a process; and again of streams. The seconds are totals: a byte
    now and then does not prolong them. idle_seconds: between an answer and the next request of a connection.
    application_files: file descriptors that the application uses at most, beyond SPARE_FILES.
    """

    connections: int = 1000
    streams: int = 2500
    body_bytes: int = 1_048_576
    held_bytes: int = 67_108_864
    head_seconds: float = 10.0
    body_seconds: float = 30.0
    send_seconds: float = 60.0
    idle_seconds: float = 5.0
    application_files: int = 0


def within_open_files(limits: Limits) -> Limits:
    """Have the process open as many files as its connections need; fewer where it must not, and of streams first."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return limits
    wanted = limits.connections + limits.streams + limits.application_files + SPARE_FILES
    if soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    connections = max(16, min(limits.connections, soft - SPARE_FILES))
    return replace(
        limits, connections=connections, streams=max(0, min(limits.streams, soft - SPARE_FILES - connections))
    )
