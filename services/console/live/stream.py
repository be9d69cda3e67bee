"""One open page: what it was not told yet, in server-sent events, and when it is told that the connection stands.

Each message is named by what has changed (the HTML standard, 9.2). Its data says which games or players it is about,
and within how many seconds pages should come for it, so that a thousand of them do not come at once.
"""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from time import monotonic
from typing import Any, Protocol

from services.console.live.kinds import Changes
from services.console.live.watch import Key
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
