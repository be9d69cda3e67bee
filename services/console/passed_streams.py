"""Streams of a service that are passed on: one thread hands each piece to its reader, however many there are.

Nothing gathers here. Who reads slowly is read slowly from, so that the service sees it and drops whom it would drop.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import socket
import threading
from collections import deque
from time import monotonic

from shared.web.streams import Sink, Stream

PIECE = 65_536
"""Bytes read from a service at once."""
HELD = 65_536
"""Bytes that a reader has not taken, from which on no more is read for it."""
LOOK_SECONDS = 0.1
"""Between two looks at who has left, and at who has caught up."""


class PassedStream(Stream):
    """A stream of a service with its reader. begun: what had arrived with the head."""

    def __init__(self, relay: Relay, upstream: socket.socket, begun: bytes) -> None:
        self._relay = relay
        self._begun = begun
        self.upstream = upstream
        self.sink: Sink | None = None
        self.told = False
        self.over = False

    def open(self, sink: Sink) -> None:
        """Called by the server: the reader is there."""
        self.sink = sink
        if self._begun:
            sink.send(self._begun)
        self._relay.changed(self)

    def closed(self, *, slow: bool) -> None:
        """Called by the server: the reader is gone."""
        self.over = True
        self._relay.changed(self)


class Relay:
    """The streams that are passed on by this process, and the thread that does it. It starts with the first one."""

    def __init__(self) -> None:
        self._streams: set[PassedStream] = set()
        self._changed: deque[PassedStream] = deque()
        self._poller = selectors.DefaultSelector()
        self._reading, self._writing = os.pipe()
        os.set_blocking(self._reading, False)
        os.set_blocking(self._writing, False)
        self._poller.register(self._reading, selectors.EVENT_READ, None)
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self.count = 0

    def take(self, upstream: socket.socket, begun: bytes) -> PassedStream:
        """A stream for the server to open. upstream: the connection to the service, from now on the relay's."""
        with self._lock:
            self.count += 1
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="passed streams", daemon=True)
                self._thread.start()
        return PassedStream(self, upstream, begun)

    def changed(self, stream: PassedStream) -> None:
        """Have the thread look at a stream that was opened or closed."""
        self._changed.append(stream)
        with contextlib.suppress(BlockingIOError):  # full: it is awake
            os.write(self._writing, b"\0")

    def _run(self) -> None:
        looked = monotonic()
        while True:
            for key, _ in self._poller.select(LOOK_SECONDS if self._streams else None):
                if key.data is None:
                    with contextlib.suppress(BlockingIOError):
                        os.read(self._reading, PIECE)
                else:
                    self._pass(key.data)
            while self._changed:
                self._begin_or_end(self._changed.popleft())
            if monotonic() - looked >= LOOK_SECONDS:
                for stream in self._streams:
                    self._look_at(stream)
                looked = monotonic()

    def _begin_or_end(self, stream: PassedStream) -> None:
        if not stream.over:
            self._streams.add(stream)
            self._look_at(stream)
            return
        self._watch(stream, False)
        self._streams.discard(stream)
        if stream.upstream.fileno() >= 0:
            stream.upstream.close()
            with self._lock:
                self.count -= 1

    def _look_at(self, stream: PassedStream) -> None:
        sink = stream.sink
        if sink is None or stream.over:
            return  # it is ended in a moment
        if sink.leaving and not stream.told:
            stream.told = True  # its service sends what there is, and ends
            with contextlib.suppress(OSError):
                stream.upstream.shutdown(socket.SHUT_WR)
        self._watch(stream, sink.held < HELD)

    def _pass(self, stream: PassedStream) -> None:
        try:
            piece = stream.upstream.recv(PIECE)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            piece = b""
        assert stream.sink is not None
        if piece:
            stream.sink.send(piece)
            self._watch(stream, stream.sink.held < HELD)
        else:
            self._watch(stream, False)
            self._streams.discard(stream)
            stream.sink.end()

    def _watch(self, stream: PassedStream, reads: bool) -> None:
        known = stream.upstream.fileno() >= 0 and stream.upstream in self._poller.get_map()
        if reads and not known:
            self._poller.register(stream.upstream, selectors.EVENT_READ, stream)
        elif known and not reads:
            self._poller.unregister(stream.upstream)
