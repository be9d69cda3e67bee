"""Phones: processor time that the console's live streams take while results come in, by what their pages show.

Results come at a steady rate; the hub of the console tells its audience, and a thread for each connection writes to a
socket, as the server does. Another process reads. Services and pages take no part.
"""

from __future__ import annotations

import os
import selectors
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count

from bench.common import Bench, Row, Table, row_of
from bench.streams import READ_BYTES, allow_files
from services.console.live.hub import Hub, LiveStream
from services.console.live.watch import EVERYTHING, Changes, Concern, Key, Watch, concern_of
from shared.web.streams import SOCKET

PHONES, QUICK_PHONES = 1_000, 100
RESULTS_PER_SECOND, SECONDS, SETTLE_SECONDS = 100, 5.0, 60.0
MOST_SHARE = 5.0
"""Goal: percent of a core."""
EVENT = Key("t-measured")


class Feed(Watch):
    """A subscription that this benchmark feeds."""

    def start(self) -> None:
        self.is_up = True

    def close(self) -> None:
        pass

    def happens(self, game: int) -> None:
        """Report the result of a game, which counts."""
        both = Changes({"games": {f"r4g{game}"}, "standings": {f"r4g{game}"}})
        self._take_in(lambda news: news.merge(both))


class MeasuredHub(Hub):
    """A hub with one subscription, which needs no service."""

    def __init__(self) -> None:
        super().__init__(None)  # type: ignore[arg-type]
        self.feed = Feed(EVENT, None, list, self._wake.set, lambda token: None)  # type: ignore[arg-type]

    def _watch_of(self, key: Key) -> Watch:
        return self.feed


def run(bench: Bench) -> list[Table]:
    """Return one table: the share of a core for phones at their tables, for readers of standings, and for boards."""
    many = bench.size(PHONES, QUICK_PHONES)
    rows: list[Row] = []
    pages: dict[str, Callable[[int], Concern]] = {
        "phones at their tables": lambda place: concern_of("games round players", f"r4g{place // 2} p{place}"),
        "readers of the standings": lambda place: concern_of("standings round event", ""),
        "pages that show everything": lambda place: EVERYTHING,
    }
    for name, concern in pages.items():
        bench.progress(f"phones: {many:,} {name}")
        shares = [_share_of_a_core([concern(place) for place in range(many)]) for _ in range(bench.size(3, 1))]
        rows.append(row_of(f"{many:,} {name}", "% of a core", shares, at_most=MOST_SHARE))
    notes = [f"{RESULTS_PER_SECOND} results a second for {SECONDS:g} s; processor time of the console's process."]
    return [Table("Live pages while results come in", rows, notes)]


def _share_of_a_core(concerns: list[Concern]) -> float:
    """Return the percent of a core that streams with these concerns take while results come in."""
    allow_files(2 * len(concerns))
    with _readers(len(concerns)) as sockets:
        hub = MeasuredHub()
        streams = [_opened(hub, one, concern) for one, concern in zip(sockets, concerns, strict=True)]
        hub.feed.happens(0)
        until = time.monotonic() + SETTLE_SECONDS
        while not all(stream.greeted and not stream.pending_bytes for stream in streams):
            assert time.monotonic() < until, "the streams were not opened"
            time.sleep(0.05)
        before, own, started = time.process_time(), time.thread_time(), time.monotonic()
        for number in count(1):
            hub.feed.happens(number % (len(concerns) // 2))
            time.sleep(max(0.0, started + number / RESULTS_PER_SECOND - time.monotonic()))
            if time.monotonic() - started >= SECONDS:
                break
        spent = time.process_time() - before - (time.thread_time() - own)
        seconds = time.monotonic() - started
        hub.stop()
    return spent / seconds * 100


def _opened(hub: Hub, connection: socket.socket, concern: Concern) -> LiveStream:
    """Return an admitted stream, served by a thread of its own."""
    stream = hub.admit({SOCKET: connection}, EVENT, "", f"phone {connection.fileno()}", 10_000, concern)
    assert stream is not None

    def serve() -> None:
        with suppress(OSError):
            for piece in stream:
                connection.sendall(b"%x\r\n%b\r\n" % (len(piece), piece))
        stream.close()

    threading.Thread(target=serve, daemon=True).start()
    return stream


@contextmanager
def _readers(many: int) -> Iterator[list[socket.socket]]:
    """Yield sockets that another process reads."""
    pairs = [socket.socketpair() for _ in range(many)]
    reader = os.fork()  # before any thread of the streams
    if not reader:
        _read([there for _, there in pairs], [here for here, _ in pairs])
    for _, there in pairs:
        there.close()
    try:
        yield [here for here, _ in pairs]
    finally:
        os.kill(reader, signal.SIGKILL)
        os.waitpid(reader, 0)
        for here, _ in pairs:
            here.close()


def _read(sockets: list[socket.socket], others: list[socket.socket]) -> None:
    """Read all sockets until the process is killed. others: ends that belong to the parent."""
    for one in others:
        one.close()
    poller = selectors.DefaultSelector()
    for one in sockets:
        poller.register(one, selectors.EVENT_READ)
    while True:
        for key, _ in poller.select():
            if not key.fileobj.recv(READ_BYTES):  # type: ignore[union-attr]
                poller.unregister(key.fileobj)
