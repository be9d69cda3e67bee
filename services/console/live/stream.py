"""One open page: what it was not told yet, and when it has to be told that the connection stands."""

from __future__ import annotations

import random
from collections.abc import Callable
from time import monotonic
from typing import Protocol

from services.console.live import text
from services.console.live.kinds import Changes
from services.console.live.watch import Key
from shared.web.streams import Sink, Stream

HEARTBEAT_SECONDS = 15.0
"""Longest silence; proxies mostly give up after a minute."""
RETRY_MS = (2000, 8000)
"""Least and most milliseconds until a page comes back: not all of them in the same moment."""
LIFE_SECONDS = (1200.0, 2400.0)
"""Then the page comes back, and whether it may still listen is asked anew."""


class Listeners(Protocol):
    """Where streams listen: the hub of the process."""

    def join(self, stream: LiveStream) -> None: ...
    def leave(self, stream: LiveStream) -> None: ...


class LiveStream(Stream):
    """A stream that the server holds open. Only the hub's thread tells it something.

    key: what it listens to. token: of whoever listens, empty for a guest. payer: whose places it counts among.
    greeted: whether it was told something before.
    """

    def __init__(
        self, hub: Listeners, key: Key, token: str = "", payer: str = "", clock: Callable[[], float] = monotonic
    ) -> None:
        self.key = key
        self.token = token
        self.payer = payer
        self.greeted = False
        self._hub = hub
        self._clock = clock
        self._sink: Sink | None = None
        self._waiting = Changes()
        self._told_stands = True  # who has heard nothing else takes it for granted
        self._due = self._until = 0.0

    def open(self, sink: Sink) -> None:
        self._sink = sink
        self._until = self._clock() + random.uniform(*LIFE_SECONDS)
        self._say(text.beginning(random.randint(*RETRY_MS)))
        self._hub.join(self)

    def closed(self, *, slow: bool) -> None:
        self._hub.leave(self)

    def tell(self, changes: Changes, stands: bool, within: float) -> None:
        """Say what has changed; what the client is too slow for waits for it, as one thing."""
        self._waiting.merge(changes)
        self.greeted = True
        now = self._clock()
        if self._sink is None or self._sink.held:
            return
        if self._sink.leaving or now > self._until:
            self.end()
            return
        piece = text.changed(self._waiting, within) if self._waiting else b""
        self._waiting = Changes()
        if stands != self._told_stands:
            self._told_stands = stands
            piece += text.state(stands, within)
        if piece or now >= self._due:
            self._say(piece or text.HEARTBEAT)

    def end(self) -> None:
        """Close it; the page comes back by itself where it may."""
        if self._sink is not None:
            self._sink.end()

    def _say(self, piece: bytes) -> None:
        assert self._sink is not None
        self._due = self._clock() + HEARTBEAT_SECONDS
        self._sink.send(piece)
