"""One connection of a client, and how long it may be as it is."""

from __future__ import annotations

import contextlib
import enum
import socket
import struct
import threading
from time import monotonic
from typing import Any

from deploy.server.incoming import Incoming
from deploy.server.limits import Limits
from deploy.server.outgoing import Outgoing

AT_ONCE = struct.pack("ii", 1, 0)


class State(enum.Enum):
    """What a connection is about. ANSWERED: a thread has its request; no deadline of the server runs then."""

    IDLE = enum.auto()
    HEAD = enum.auto()
    BODY = enum.auto()
    ANSWERED = enum.auto()
    SENDING = enum.auto()
    LINGERING = enum.auto()


class Connection:
    """Socket, what has arrived, what is to be sent. The loop owns it, except that a thread answers its request.

    sock, client, server: as gunicorn's `handle_request` wants them. since, deadline: of the present state, in
    `time.monotonic()`. lock: over `state` and `incoming` while a thread answers. ended: the client sends no more.
    """

    __slots__ = (
        *("client", "deadline", "ended", "incoming", "keep", "lock", "request", "server", "since", "sock"),
        *("socket", "state", "watched"),
    )

    def __init__(self, cfg: Any, connection: socket.socket, client: Any, server: Any, limits: Limits) -> None:
        connection.setblocking(False)
        self.socket = connection
        self.sock = Outgoing(connection)
        self.client = client
        self.server = server
        self.incoming = Incoming(cfg, client, limits)
        self.request: Any = None
        self.lock = threading.Lock()
        self.ended = False
        self.keep = False
        self.watched = 0
        self.state = State.HEAD
        self.since = monotonic()
        self.deadline = self.since + limits.head_seconds

    def become(self, state: State, seconds: float) -> None:
        """Enter a state that may last for so many seconds."""
        now = monotonic()
        # The deadline first: the loop looks at it without the lock.
        self.deadline = now + seconds
        self.since = now
        self.state = state

    @property
    def held(self) -> int:
        """Bytes that the process keeps for this connection."""
        return self.incoming.held + self.sock.held

    def close(self) -> None:
        """Close the socket; what a client has not taken is not kept for it either."""
        with contextlib.suppress(OSError):
            if self.state is State.SENDING:
                self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, AT_ONCE)
            self.socket.close()
