"""Scoring's streams, made up: what a test says happens, and how often they were opened."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from queue import SimpleQueue
from types import SimpleNamespace
from typing import Any

from muster_client import Problem
from muster_client.lines import Event


class Opened:
    """One subscription that the hub holds: the stream of the client, as far as the hub uses it."""

    def __init__(self, token: str, how: dict[str, Any]) -> None:
        self.token, self.how = token, how
        self.closed = threading.Event()
        self._things: SimpleQueue[object] = SimpleQueue()

    def happens(self, type: str, source: str = "scoring", **data: Any) -> None:
        """An event comes by it."""
        event = Event(id="e", source=source, type=type, tournament=self.how["tournament"], position=1, data=data)
        self._things.put(event)

    def stands(self, now: bool) -> None:
        """It breaks, or is there again."""
        self._things.put(now)

    def is_refused(self, status: int) -> None:
        """It ends with a problem."""
        self._things.put(Problem("scoring", status, {"code": "token-expired", "detail": "no"}))

    def close(self) -> None:
        self.closed.set()
        self._things.put(None)

    def __iter__(self) -> Iterator[Event]:
        say: Callable[[bool], None] = self.how["stands"]
        say(True)
        while not self.closed.is_set():
            thing = self._things.get()
            if isinstance(thing, bool):
                say(thing)
            elif isinstance(thing, Exception):
                raise thing
            elif isinstance(thing, Event):
                yield thing


class Upstream:
    """In place of a `Muster`: it can open streams, and say that drafts or calls have changed. revision: of these."""

    revision = 1

    def __init__(self, token: str = "", opened: list[Opened] | None = None) -> None:
        self.token = token
        self.opened: list[Opened] = [] if opened is None else opened
        self.connection = self
        self.pairing = self
        self.seen = self
        self.noted: list[tuple[str, str]] = []

    def acting_as(self, token: str) -> Upstream:
        return Upstream(token, self.opened)

    def stream(self, cursor: str, **how: Any) -> Opened:
        assert cursor == "now"
        self.opened.append(Opened(self.token, how))
        return self.opened[-1]

    def show_unpublished(self, event: str) -> Any:
        return SimpleNamespace(revision=Upstream.revision)

    def note(self, tournament: str, header: str) -> None:
        self.noted.append((tournament, header))
