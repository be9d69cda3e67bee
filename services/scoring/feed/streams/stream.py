"""One stream of the feed: who follows it, what they asked for, and how far they have been told."""

from __future__ import annotations

import random
from collections.abc import Mapping
from time import monotonic
from typing import Any, Protocol

from msgspec import Struct

from services.scoring.feed.cursors import Read, cursor_of
from services.scoring.feed.filters import Filter
from services.scoring.feed.lines import HEARTBEAT, stream_beginning, stream_place, stream_problem
from services.scoring.feed.visible import Reader
from shared.refusals import Refusal
from shared.web.refusals import Kind, problem_members
from shared.web.streams import Stream
from shared.web.tokens import Caller

HEARTBEAT_SECONDS = 15.0
"""Longest silence on a stream; proxies mostly give up after a minute."""
RETRY_MS = (1000, 3000)
"""Least and most milliseconds that a client waits before it comes back: not all of them at the same moment."""


class Following(Struct, frozen=True):
    """Who follows what. who: None without a token. key: the same for all who are told the same.

    payer: who counts it among their streams. request_id, kinds: for the problem with which it may end.
    """

    reader: Reader
    asked: Filter
    who: Caller | None
    key: str
    payer: str
    request_id: str
    kinds: Mapping[str, Kind]


class Streams(Protocol):
    """What tells streams: the tailer of the process."""

    def add(self, stream: FeedStream) -> None: ...
    def remove(self, stream: FeedStream, why: str) -> None: ...


class FeedStream(Stream):
    """A stream of the feed; the tailer of the process sends what happens.

    environ: of the request. read: how far. served: number of the tailer's turn in which it was told something last.
    """

    def __init__(self, environ: Mapping[str, Any], tailer: Streams, following: Following, read: Read) -> None:
        super().__init__(environ)
        self.following = following
        self.read = read
        self.served = 0
        self._tailer = tailer
        self._told = ""
        self._due = 0.0
        self._refused = False

    def opened(self) -> None:
        self._told = cursor_of(self.read, self.following.reader)
        self._say(stream_beginning(self._told, random.randint(*RETRY_MS)))
        self._tailer.add(self)

    def closed(self, *, slow: bool) -> None:
        self._tailer.remove(self, "slow" if slow else "left")

    def tell(self, piece: bytes, read: Read, cursor: str) -> None:
        """piece: the events up to there; empty where none was for this stream. cursor: of the last of them."""
        self.read = read
        if piece:
            self._told = cursor
            self._say(piece)

    def beat(self, now: float) -> None:
        """End a long silence, and say how far all is read. now: of time.monotonic()."""
        if now < self._due or self.held:
            return
        cursor = cursor_of(self.read, self.following.reader)
        self._say(HEARTBEAT if cursor == self._told else stream_place(cursor))
        self._told = cursor

    def refuse(self, refusal: Refusal) -> None:
        """Say why it cannot go on, once, and close it."""
        if self._refused:
            return
        self._refused = True
        following, code = self.following, refusal.code
        if code not in following.kinds:
            code = "internal-error"
        members = problem_members(code, following.kinds[code], refusal.detail, following.request_id)
        self._say(stream_problem(members))
        self._tailer.remove(self, "refused")
        self.end()

    def _say(self, piece: bytes) -> None:
        self._due = monotonic() + HEARTBEAT_SECONDS
        self.send(piece)
