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
from services.console.live.watch import EVERYTHING, Changes, Concern, Key, Watch
from services.console.settings import MOST_WATCHES
from shared.web.streams import Stream

MEDIA_TYPE = "text/event-stream"
HEARTBEAT = b":\n\n"
"""A comment that keeps the connection open."""
AWAY, BACK = "away", "back"
"""Message types in addition to the kinds of changes: the subscription is down, and it is up again."""


def stream_start(retry: int) -> bytes:
    """Return the start of a stream. retry: milliseconds until a page that lost the stream reconnects."""
    return f"retry: {retry}\n:\n\n".encode()


MOST_SENT = 50
"""Ids of games or players in one message; beyond that the message covers all."""


def changed(changes: Changes, within: float) -> bytes:
    """Return one message per kind of change. within: seconds over which listeners spread their requests."""
    return b"".join(_message(kind, within, ids) for kind, ids in changes.of.items())


class Round:
    """What an audience hears at one time, written once for each concern.

    within: seconds over which listeners spread their requests.
    """

    def __init__(self, changes: Changes, is_up: bool, within: float) -> None:
        self.is_up = is_up
        self.within = within
        self._changes = changes
        self._pieces: dict[Concern, tuple[Changes, bytes]] = {}

    def of(self, concern: Concern) -> tuple[Changes, bytes]:
        """Return the changes that concern a page, and their messages."""
        found = self._pieces.get(concern)
        if found is None:
            changes = self._changes.concerning(concern)
            found = self._pieces[concern] = changes, changed(changes, self.within)
        return found


def state(is_up: bool, within: float) -> bytes:
    """Return the message that the subscription is up or down."""
    return _message(BACK if is_up else AWAY, within, None)


def _message(type: str, within: float, ids: set[str] | None) -> bytes:
    named = ids is not None and len(ids) <= MOST_SENT
    data = {"within": round(within, 1)} | ({"ids": sorted(ids or ())} if named else {})
    return f"event: {type}\ndata: {json.dumps(data)}\n\n".encode()


HEARTBEAT_SECONDS = 15.0
"""Longest silence; most proxies give up after a minute."""
RETRY_MS = (2000, 8000)
"""Least and most milliseconds until a page reconnects, so that pages do not all reconnect at once."""
LIFE_SECONDS = (1200.0, 2400.0)
"""Lifetime of a stream. Then the page reconnects, and its access is checked again."""
OPENING_SECONDS = 30.0
"""Time for the server to open an admitted stream; after that its place is free again."""


class Listeners(Protocol):
    """The part of the hub that a stream uses."""

    def leave(self, stream: LiveStream) -> None: ...


class LiveStream(Stream):
    """A stream of changes to a page. Only the hub's thread calls `send_changes()`, also before the stream is open.

    environ: WSGI environment of the request. key: the subscription. token: the listener's token, empty for a guest.
    payer: the client address that the stream is counted for. concern: what the page shows. greeted: True once it has
    received anything.
    """

    def __init__(
        self,
        environ: Mapping[str, Any],
        hub: Listeners,
        key: Key,
        token: str,
        payer: str,
        concern: Concern = EVERYTHING,
    ) -> None:
        super().__init__(environ)
        self.key = key
        self.token = token
        self.payer = payer
        self.concern = concern
        self.greeted = False
        self._hub = hub
        self._open = False
        self._waiting = Changes()
        self._reported_up = True  # the default for a new listener
        self._due = 0.0
        self._until = monotonic() + OPENING_SECONDS

    def on_open(self) -> None:
        self.send(stream_start(random.randint(*RETRY_MS)))
        self._until = monotonic() + random.uniform(*LIFE_SECONDS)
        self._open = True  # from here on the hub's thread sends

    def on_close(self, *, slow: bool) -> None:
        self._hub.leave(self)

    def send_changes(self, round: Round) -> bool:
        """Send the changes that concern the page. Changes that the client is too slow for are merged and sent later.

        Return True if something was sent.
        """
        changes, piece = round.of(self.concern)
        self.greeted = True
        now = monotonic()
        if not self._open:
            if now > self._until:
                self._hub.leave(self)
                self.end()
            self._waiting.merge(changes)
            return False
        if self.pending_bytes:
            self._waiting.merge(changes)
            return False
        if self.is_leaving or now > self._until:
            self.end()
            return False
        if self._waiting:
            self._waiting.merge(changes)
            piece, self._waiting = changed(self._waiting, round.within), Changes()
        if round.is_up != self._reported_up:
            self._reported_up = round.is_up
            piece += state(round.is_up, round.within)
        if not piece and now < self._due:
            return False
        self._say(piece or HEARTBEAT)
        return True

    def _say(self, piece: bytes) -> None:
        self._due = monotonic() + HEARTBEAT_SECONDS
        self.send(piece)


MOST_BEGUN = 128
"""Subscriptions that one address may have started at a time. Anyone may join existing ones."""
MOST_OF_ONE = 1500
"""Streams of one address in this process: all phones in a venue may share one address."""
LINGER_SECONDS = 20.0
"""Seconds that a subscription without listeners stays open: pages are left and opened again."""
LONGEST_INTERVAL = 1.0
"""Longest time between two rounds over the audiences."""
SHORTEST_INTERVAL = 0.3
"""Minimum seconds between two rounds over the audiences; changes in between are sent together."""
SENT_PER_SECOND = 500
"""Pieces that this process sends per second under load: each wakes the thread of a connection (0.06 ms)."""
PER_SECOND = 50
"""Pages that this process renders per second without long waits; listeners are spread accordingly."""
LEAST_SPREAD, MOST_SPREAD = 0.5, 30.0
"""Seconds."""

_log = structlog.get_logger("muster.console")


class Audience(Struct):
    """The listeners of one subscription. begun_by: address of the first one. empty_since: when the last one left, in
    time.monotonic().
    """

    watch: Watch
    begun_by: str
    streams: dict[LiveStream, None] = field(default_factory=dict)
    empty_since: float = 0.0

    def tokens(self) -> list[str]:
        """Return the tokens of the current listeners."""
        return [stream.token for stream in list(self.streams)]


class Hub:
    """The subscriptions of this process and their listeners. muster: the services."""

    def __init__(self, muster: Muster) -> None:
        self._muster = muster
        self._audiences: dict[Key, Audience] = {}
        self._payers: Counter[str] = Counter()
        self._lock = threading.Lock()
        self._wake = threading.Event()
        self._running = self._stopped = False

    @property
    def open(self) -> int:
        """The number of open streams."""
        return sum(len(audience.streams) for audience in list(self._audiences.values()))

    @property
    def watches(self) -> int:
        """The number of subscriptions."""
        return len(self._audiences)

    def of(self, payer: str) -> int:
        """Return the number of streams of an address."""
        return self._payers[payer]

    def begun_by(self, payer: str) -> int:
        """Return the number of subscriptions that an address has started."""
        return sum(audience.begun_by == payer for audience in list(self._audiences.values()))

    def is_up(self, key: Key) -> bool:
        """Return True if a subscription exists and is up."""
        audience = self._audiences.get(key)
        return audience is not None and bool(audience.watch.is_up)

    def seconds_down(self, event: str) -> float | None:
        """Return the seconds since an event's subscription went down; None if it is up, or if no one listens."""
        watches = [one.watch for key, one in list(self._audiences.items()) if key.event == event]
        seconds = [watch.seconds_down for watch in watches]
        return max((one for one in seconds if one is not None), default=None) if None not in seconds else None

    def admit(
        self,
        environ: Mapping[str, Any],
        key: Key,
        token: str,
        payer: str,
        places: int,
        concern: Concern = EVERYTHING,
    ) -> LiveStream | None:
        """Return a new stream, already counted; None if the limit is reached.

        environ: WSGI environment of the request. payer: the client address that the stream is counted for.
        places: maximum number of streams of this process. concern: what the page shows.
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
            stream = LiveStream(environ, self, key, token, payer, concern)
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
        """Remove a stream from its audience; do nothing if it has left already."""
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
            self._wake.wait(LONGEST_INTERVAL)
            self._wake.clear()
            with self._lock:
                self._end_empty()
                if not self._audiences:
                    self._running = False
                    return
                audiences = list(self._audiences.values())
            sent = 0
            for audience in audiences:
                try:
                    sent += _send_changes(audience)
                except Exception:  # one failure must not stop the other audiences
                    _log.exception("live pages got no changes")
            time.sleep(max(SHORTEST_INTERVAL, sent / SENT_PER_SECOND))

    def _end_empty(self) -> None:
        now = monotonic()
        for key, audience in list(self._audiences.items()):
            if not audience.streams and now - audience.empty_since > LINGER_SECONDS:
                audience.watch.close()
                del self._audiences[key]


def _send_changes(audience: Audience) -> int:
    """Send a round to an audience. Return the number of streams that got something."""
    changes, is_up = audience.watch.take(), audience.watch.seconds_down is None
    within = spread_seconds(len(audience.streams))
    news, recent = Round(changes, is_up, within), Round(audience.watch.recent(), is_up, within)
    return sum(stream.send_changes(news if stream.greeted else recent) for stream in list(audience.streams))


def spread_seconds(listeners: int) -> float:
    """Return the seconds over which this many listeners should spread their requests."""
    return min(MOST_SPREAD, max(LEAST_SPREAD, listeners / PER_SECOND))


_HUB = "muster-live"


def connect(app: Flask, services: Muster) -> None:
    """Give an application its hub."""
    app.extensions[_HUB] = Hub(services)


def hub_of(app: Flask) -> Hub:
    """Return the hub of an application."""
    hub: Hub = app.extensions[_HUB]
    return hub
