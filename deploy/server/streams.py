"""Streams: answers that stay open, held by one loop of their own beside the one that reads requests.

A connection comes here with its head written. What is sent to it may come from any thread: it is queued, and the loop
writes it as far as the client takes it. A client that does not take all of it within its seconds is dropped, and so are
those who have waited for longest where too much is held for all of them together.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import socket
import threading
from collections import deque
from collections.abc import Callable
from time import monotonic
from typing import Any

import structlog

from deploy.server.connection import AT_ONCE
from deploy.server.limits import READ_BYTES, Limits
from deploy.server.outgoing import Outgoing, quietly_shut
from shared.web.streams import HOLDER, Stream

READ, WRITE = selectors.EVENT_READ, selectors.EVENT_WRITE
LOOK_SECONDS = 1.0
"""Between two looks at deadlines."""
STREAM_BUFFER_BYTES = 32_768
"""That the system keeps for a stream; there are many, and what they are sent comes in small pieces."""
GONE_SECONDS = 5.0
"""Beyond those for sending, until the system gives up a client that acknowledges nothing."""
STOP_SECONDS = 3.0
"""For what was sent to leave when the process stops."""

_log = structlog.get_logger("muster.http")


class HeldStream:
    """A client with its stream: the `Sink` of shared/web/streams.py. All but `send` and `end` is the loop's."""

    __slots__ = (
        *("_given", "_loop", "ending", "gone", "leaving", "outgoing", "read", "since", "socket", "stream", "taken"),
        "written",
    )

    def __init__(self, loop: StreamLoop, connection: socket.socket, outgoing: Outgoing, stream: Stream) -> None:
        self._loop = loop
        self._given = self.written = outgoing.held  # to the stream, and of that to the connection
        self.taken = 0
        self.socket = connection
        self.outgoing = outgoing
        self.stream = stream
        self.leaving = False
        self.ending = False
        self.gone = False
        self.read = 0
        self.since = 0.0  # when the client began not to take all; 0: it has taken all

    @property
    def held(self) -> int:
        """Bytes sent and not taken."""
        return self._given - self.taken  # one thread writes the one, the loop the other

    def send(self, piece: bytes) -> None:
        """Queue a piece. One thread may send to a stream."""
        self._given += len(piece)
        self._loop.queue(self, piece)

    def end(self) -> None:
        """Close when all has left."""
        self._loop.queue(self, b"")


class StreamLoop:
    """The streams of a process, and the thread that writes to them. It starts with the first one.

    limits: how many at once, how long a client may take for what was sent, how much is held for all of them.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._streams: set[HeldStream] = set()
        self._queue: deque[tuple[HeldStream, bytes | None]] = deque()
        self._poller = selectors.DefaultSelector()
        self._reading, self._writing = os.pipe()
        os.set_blocking(self._reading, False)
        os.set_blocking(self._writing, False)
        self._poller.register(self._reading, READ, None)
        self._rung = False
        self._stopped = False
        self._thread: threading.Thread | None = None

    @property
    def places(self) -> int:
        """How many streams this process may hold."""
        return self._limits.streams

    def hold(self, connection: socket.socket, outgoing: Outgoing, stream: Stream, *, leaving: bool) -> None:
        """Take a connection over from the loop that read its request. leaving: its client has said that it sends no
        more."""
        held = HeldStream(self, connection, outgoing, stream)
        held.leaving = leaving
        if self._stopped:
            self._drop(held)
            return
        with contextlib.suppress(OSError):
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, STREAM_BUFFER_BYTES)
            # Whoever is gone without a word acknowledges nothing, and would be kept for a quarter of an hour.
            if hasattr(socket, "TCP_USER_TIMEOUT") and connection.family != socket.AF_UNIX:
                milliseconds = int((self._limits.send_seconds + GONE_SECONDS) * 1000)
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, milliseconds)
        self.queue(held, None)
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="streams", daemon=True)
            self._thread.start()

    def queue(self, held: HeldStream, piece: bytes | None) -> None:
        """Have the loop do something. piece: what to send; empty: close; None: begin."""
        self._queue.append((held, piece))
        if not self._rung:
            self._rung = True
            with contextlib.suppress(OSError):  # full: it is awake; closed: it has stopped
                os.write(self._writing, b"\0")

    def stop(self) -> None:
        """End every stream, so that clients come back to whoever serves then, and the loop."""
        self._stopped = True
        if self._thread is not None:
            self._rung = False
            with contextlib.suppress(OSError):
                os.write(self._writing, b"\0")
            self._thread.join(STOP_SECONDS + 2 * LOOK_SECONDS)

    def _run(self) -> None:
        looked, until = monotonic(), 0.0
        while not (self._stopped and (not self._streams or monotonic() > until)):
            for key, events in self._poller.select(0.1 if self._stopped else LOOK_SECONDS):
                if key.data is None:
                    with contextlib.suppress(OSError):
                        os.read(self._reading, READ_BYTES)
                else:
                    self._do(self._ready, key.data, events)
            self._rung = False
            while self._queue:
                self._do(self._take, *self._queue.popleft())
            if self._stopped and not until:
                until = monotonic() + STOP_SECONDS
                for held in list(self._streams):
                    self._take(held, b"")
            if monotonic() - looked >= LOOK_SECONDS:
                looked = monotonic()
                self._drop_slow(looked)
        for held in list(self._streams):
            self._drop(held)

    def _do(self, what: Callable[..., None], held: HeldStream, *more: Any) -> None:
        """Do something with one stream; where that fails, it costs nobody else theirs."""
        try:
            what(held, *more)
        except Exception:
            _log.exception("a stream is dropped")
            self._drop(held)

    def _take(self, held: HeldStream, piece: bytes | None) -> None:
        if held.gone:
            return
        if piece is None:
            self._streams.add(held)
            held.stream.open(held)
        elif not piece:
            held.ending = True
        elif not held.ending:
            held.outgoing.sendall(piece)
            held.written += len(piece)
        self._push(held)

    def _ready(self, held: HeldStream, events: int) -> None:
        if events & READ and not held.gone:
            self._read(held)
        if events & WRITE and not held.gone:
            self._push(held)

    def _read(self, held: HeldStream) -> None:
        try:
            data = held.socket.recv(READ_BYTES)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            self._drop(held)
            return
        held.read += len(data)  # nothing that comes behind the request is asked for
        if not data:
            held.leaving = True
            self._watch(held)
        elif held.read > READ_BYTES:
            self._drop(held)

    def _push(self, held: HeldStream) -> None:
        """Send what the client takes now."""
        all_sent = held.outgoing.push()
        held.taken = held.written - held.outgoing.held
        if held.outgoing.broken or (all_sent and held.ending):
            self._drop(held)
            return
        held.since = 0.0 if all_sent else held.since or monotonic()
        self._watch(held)

    def _watch(self, held: HeldStream) -> None:
        wanted = (0 if held.leaving else READ) | (WRITE if held.outgoing.held else 0)
        known = self._poller.get_map().get(held.socket)
        if known is None:
            if wanted:
                self._poller.register(held.socket, wanted, held)
        elif not wanted:
            self._poller.unregister(held.socket)
        elif known.events != wanted:
            self._poller.modify(held.socket, wanted, held)

    def _drop_slow(self, now: float) -> None:
        """Drop who has not taken all in time, and who has waited for longest while too much is held."""
        waiting = sorted((held for held in self._streams if held.since), key=lambda held: held.since)
        most = sum(held.outgoing.held for held in waiting) - self._limits.held_bytes
        for held in waiting:
            if most > 0 or now - held.since > self._limits.send_seconds:
                most -= held.outgoing.held
                self._drop(held, slow=True)

    def _drop(self, held: HeldStream, *, slow: bool = False) -> None:
        held.gone = True
        self._streams.discard(held)
        with contextlib.suppress(KeyError, ValueError):
            self._poller.unregister(held.socket)
        with contextlib.suppress(OSError):
            if held.outgoing.held:
                held.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, AT_ONCE)
            quietly_shut(held.socket)
            held.socket.close()
        held.outgoing.discard()
        held.stream.closed(slow=slow)


def taken_out(application: Any, holder: StreamLoop) -> Any:
    """The application, with streams taken out of what gunicorn writes: it writes their heads alone.

    holder: which the environment then names. The stream is left at the connection's `Outgoing`. Its end is the end of
    the connection, so that it has neither a length nor chunks.
    """

    def answer(environ: dict[str, Any], start_response: Any) -> Any:
        environ[HOLDER] = holder
        body = application(environ, start_response)
        if not isinstance(body, Stream):
            return body
        response = start_response.__self__
        response.chunked = False
        response.force_close()
        environ["gunicorn.socket"].stream = body
        return ()

    return answer
