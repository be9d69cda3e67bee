"""Live pages of this process: one subscription for each event, and the pages that an event concerns."""

from __future__ import annotations

import json
import random
import threading
import time
from collections import Counter
from collections.abc import Mapping
from time import monotonic
from typing import Any, Protocol

import structlog
from flask import Flask
from msgspec import Struct, field

from muster_client import Muster
from services.console.live.watch import Changes, Key, Watch
from services.console.settings import MOST_WATCHES
from shared.web.streams import Stream

MEDIA_TYPE = "text/event-stream"
HEARTBEAT = b":\n\n"
"""A comment: the connection stands."""
AWAY, BACK = "away", "back"
"""Types of messages beside the kinds of changes: nobody hears of changes now, and they are heard of again."""


def beginning(retry: int) -> bytes:
    """How a stream begins. retry: milliseconds until a page comes back that has lost it."""
    return f"retry: {retry}\n:\n\n".encode()


def changed(changes: Changes, within: float) -> bytes:
    """A message for each kind. within: seconds over which those who hear it should spread."""
    return b"".join(_message(kind, within, ids) for kind, ids in changes.of.items())


def state(stands: bool, within: float) -> bytes:
    """Whether changes are heard of."""
    return _message(BACK if stands else AWAY, within, None)


def _message(type: str, within: float, ids: set[str] | None) -> bytes:
    data = {"within": round(within, 1)} | ({"ids": sorted(ids)} if ids is not None else {})
    return f"event: {type}\ndata: {json.dumps(data)}\n\n".encode()


HEARTBEAT_SECONDS = 15.0
"""Longest silence; proxies mostly give up after a minute."""
RETRY_MS = (2000, 8000)
"""Least and most milliseconds until a page comes back: not all of them in the same moment."""
LIFE_SECONDS = (1200.0, 2400.0)
"""Then the page comes back, and whether it may still listen is asked anew."""
OPENING_SECONDS = 30.0
"""Time for the server to open an admitted stream; then its place is free again."""


class Listeners(Protocol):
    """Where streams listen: the hub of the process."""

    def leave(self, stream: LiveStream) -> None: ...


class LiveStream(Stream):
    """A stream of an event's page. Only the hub's thread tells it something, also before it is open.

    environ: of the request. key: what it listens to. token: of the listener, empty for a guest. payer: whose places it
    counts among. greeted: whether it was told something before.
    """

    def __init__(self, environ: Mapping[str, Any], hub: Listeners, key: Key, token: str, payer: str) -> None:
        super().__init__(environ)
        self.key = key
        self.token = token
        self.payer = payer
        self.greeted = False
        self._hub = hub
        self._open = False
        self._waiting = Changes()
        self._told_stands = True  # who has heard nothing else takes it for granted
        self._due = 0.0
        self._until = monotonic() + OPENING_SECONDS

    def opened(self) -> None:
        self.send(beginning(random.randint(*RETRY_MS)))
        self._until = monotonic() + random.uniform(*LIFE_SECONDS)
        self._open = True  # from here on the hub's thread sends

    def closed(self, *, slow: bool) -> None:
        self._hub.leave(self)

    def tell(self, changes: Changes, stands: bool, within: float) -> None:
        """Say what has changed; what the client is too slow for waits for it, as one thing."""
        self._waiting.merge(changes)
        self.greeted = True
        now = monotonic()
        if not self._open:
            if now > self._until:
                self._hub.leave(self)
                self.end()
            return
        if self.held:
            return
        if self.leaving or now > self._until:
            self.end()
            return
        piece = changed(self._waiting, within) if self._waiting else b""
        self._waiting = Changes()
        if stands != self._told_stands:
            self._told_stands = stands
            piece += state(stands, within)
        if piece or now >= self._due:
            self._say(piece or HEARTBEAT)

    def _say(self, piece: bytes) -> None:
        self._due = monotonic() + HEARTBEAT_SECONDS
        self.send(piece)


MOST_BEGUN = 128
"""Subscriptions at a time that one address has begun. Everyone may join those that exist."""
MOST_OF_ONE = 1500
"""Streams of one address in this process: all phones of a hall may come from one."""
LINGER_SECONDS = 20.0
"""For which one is kept that nobody listens to: pages are left and opened again."""
LOOK_SECONDS = 1.0
"""Between two looks at who has to hear something, unless something happens."""
REST = 0.3
"""Seconds between two tellings at least: what happens meanwhile is told together."""
PER_SECOND = 50
"""Pages that this process makes in a second without anybody waiting for long; listeners are spread accordingly."""
LEAST_SPREAD, MOST_SPREAD = 0.5, 30.0
"""Seconds."""

_log = structlog.get_logger("muster.console")


class Audience(Struct):
    """Those who listen to one thing. begun_by: the address of the first one. empty_since: when the last one left, of
    time.monotonic()."""

    watch: Watch
    begun_by: str
    streams: dict[LiveStream, None] = field(default_factory=dict)
    empty_since: float = 0.0

    def tokens(self) -> list[str]:
        """Of those who listen now."""
        return [stream.token for stream in list(self.streams)]


class Hub:
    """muster: the services, as the console reaches them."""

    def __init__(self, muster: Muster) -> None:
        self._muster = muster
        self._audiences: dict[Key, Audience] = {}
        self._payers: Counter[str] = Counter()
        self._lock = threading.Lock()
        self._wake = threading.Event()
        self._running = self._stopped = False

    @property
    def open(self) -> int:
        """How many listen."""
        return sum(len(audience.streams) for audience in list(self._audiences.values()))

    @property
    def watches(self) -> int:
        """How many subscriptions there are."""
        return len(self._audiences)

    def of(self, payer: str) -> int:
        """How many of the streams are somebody's."""
        return self._payers[payer]

    def begun_by(self, payer: str) -> int:
        """Return how many of the subscriptions an address has begun."""
        return sum(audience.begun_by == payer for audience in list(self._audiences.values()))

    def hears(self, key: Key) -> bool:
        """Whether there is a subscription of this that stands."""
        audience = self._audiences.get(key)
        return audience is not None and bool(audience.watch.stands)

    def deaf_for(self, event: str) -> float | None:
        """Seconds for which nobody hears what happens in an event; None where somebody does, or nobody listens."""
        watches = [one.watch for key, one in list(self._audiences.items()) if key.event == event]
        seconds = [watch.deaf_for for watch in watches]
        return max((one for one in seconds if one is not None), default=None) if None not in seconds else None

    def admit(self, environ: Mapping[str, Any], key: Key, token: str, payer: str, places: int) -> LiveStream | None:
        """Return a stream, which takes its place at once; None if there is no place for it.

        environ: of the request. payer: the address whose places it takes. places: streams that this process may hold.
        """
        with self._lock:
            if self._stopped or self.open >= places or self.of(payer) >= MOST_OF_ONE:
                return None
            audience = self._audiences.get(key)
            begins = audience is None
            if audience is None:
                if len(self._audiences) >= MOST_WATCHES or self.begun_by(payer) >= MOST_BEGUN:
                    return None
                audience = self._audiences[key] = Audience(self._watch_of(key), payer)
            stream = LiveStream(environ, self, key, token, payer)
            audience.streams[stream] = None
            self._payers[payer] += 1
            if begins:
                audience.watch.start()  # it reads with the token of the stream
            if not self._running:
                self._running = True
                threading.Thread(target=self._run, name="live", daemon=True).start()
        self._wake.set()
        return stream

    def leave(self, stream: LiveStream) -> None:
        """Tell it no more; nothing where that is so already."""
        with self._lock:
            audience = self._audiences.get(stream.key)
            if audience is None or stream not in audience.streams:
                return
            del audience.streams[stream]
            audience.empty_since = monotonic()
            self._payers[stream.payer] -= 1
            if not self._payers[stream.payer]:
                del self._payers[stream.payer]

    def stop(self) -> None:
        """End every subscription and every stream."""
        with self._lock:
            self._stopped = True
            audiences = list(self._audiences.values())
            self._audiences.clear()
        for audience in audiences:
            audience.watch.close()
            for stream in list(audience.streams):
                stream.end()
        self._wake.set()

    def _watch_of(self, key: Key) -> Watch:
        def tokens() -> list[str]:
            audience = self._audiences.get(key)
            return audience.tokens() if audience is not None else []

        def refuse(token: str) -> None:
            audience = self._audiences.get(key)
            for stream in list(audience.streams) if audience is not None else ():
                if stream.token == token:
                    self.leave(stream)
                    stream.end()

        return Watch(key, self._muster, tokens, self._wake.set, refuse)

    def _run(self) -> None:
        while True:
            self._wake.wait(LOOK_SECONDS)
            self._wake.clear()
            with self._lock:
                self._end_empty()
                if not self._audiences:
                    self._running = False
                    return
                audiences = list(self._audiences.values())
            for audience in audiences:
                try:
                    _tell(audience)
                except Exception:  # whatever it is, the others are told
                    _log.exception("live pages are not told what is new")
            time.sleep(REST)

    def _end_empty(self) -> None:
        now = monotonic()
        for key, audience in list(self._audiences.items()):
            if not audience.streams and now - audience.empty_since > LINGER_SECONDS:
                audience.watch.close()
                del self._audiences[key]


def _tell(audience: Audience) -> None:
    changes, stands = audience.watch.take(), audience.watch.deaf_for is None
    within, recent = spread(len(audience.streams)), audience.watch.recent()
    for stream in list(audience.streams):
        stream.tell(changes if stream.greeted else recent, stands, within)


def spread(listeners: int) -> float:
    """Seconds over which so many should come for what has changed."""
    return min(MOST_SPREAD, max(LEAST_SPREAD, listeners / PER_SECOND))


_HUB = "muster-live"


def connect(app: Flask, services: Muster) -> None:
    """Give an application its hub."""
    app.extensions[_HUB] = Hub(services)


def hub_of(app: Flask) -> Hub:
    """What tells the live pages of an application."""
    hub: Hub = app.extensions[_HUB]
    return hub
