"""The live feed (server-sent events): one connection, which is opened again from its cursor after a disconnect."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from typing import Literal

import httpx
import msgspec

from muster_client.connection import Connection, problem_of
from muster_client.errors import Problem, UnexpectedAnswer, Unreachable
from muster_client.feed import AWAY, LONGEST_PAUSE, PAUSE
from muster_client.lines import Event
from muster_client.server_sent import Message, Reader

SILENCE = 60.0
"""Seconds without a byte after which a connection counts as dead; a comment comes every fifteen."""

_event = msgspec.json.Decoder(Event)


class Stream:
    """The events of all three services, or of one tournament, as they happen.

    Iterating never ends. After a disconnect it reconnects with the last cursor and yields the missed events, once.
    `cursor` is the place after the event that was yielded last; a new stream with this cursor continues there. `breaks`
    counts reconnects. tournament: None for all. stands: called with True when a connection opens, with False when it
    breaks. longest_pause: maximum seconds between two attempts to reconnect.
    Raises Problem if reconnecting would not help: the cursor is unknown, the token has expired.
    """

    def __init__(
        self,
        connection: Connection,
        cursor: str = "",
        *,
        types: str = "",
        tournament: str | None = None,
        venue: str | None = None,
        season: str | None = None,
        view: Literal["events", "results"] = "events",
        stands: Callable[[bool], None] | None = None,
        longest_pause: float = LONGEST_PAUSE,
    ) -> None:
        self.cursor = cursor
        self.breaks = 0
        self._closed = False
        self._stands = stands or (lambda _: None)
        self._longest_pause = longest_pause
        self._services = connection
        self._pause = PAUSE
        given = {"types": types, "tournament": tournament, "venue": venue, "season": season, "view": view}
        self._query = {name: value for name, value in given.items() if value}

    def __iter__(self) -> Iterator[Event]:
        wait = self._pause
        while not self._closed:
            try:
                for message in self._connection():
                    wait = self._pause
                    if message.type == "problem":
                        raise problem_of("scoring", _problem(message))
                    self.cursor = message.id or self.cursor
                    if message.data:
                        yield _decoded(message)
            except (Unreachable, Problem) as error:
                if isinstance(error, Problem) and error.status not in AWAY:
                    raise
            if self._closed:
                return
            self._stands(False)
            self.breaks += 1
            time.sleep(wait)
            wait = min(2 * wait, self._longest_pause)

    def close(self) -> None:
        """End the iteration, from any thread: at the next event, or the next attempt to reconnect."""
        self._closed = True

    def _connection(self) -> Iterator[Message]:
        """Yield the events of one connection until it breaks. Raises Unreachable, or Problem for a refused stream."""
        headers = {"Accept": "text/event-stream"}
        if self.cursor and self.cursor != "now":
            headers["Last-Event-ID"] = self.cursor
        query: Mapping[str, str] = {**self._query, **({"after": "now"} if self.cursor == "now" else {})}
        reader = Reader()
        with self._services.streaming("scoring", "/feed/stream", query, headers, SILENCE) as pieces:
            self._stands(True)
            for piece in pieces:
                if self._closed:
                    return
                yield from reader.take(piece)
                self._pause = reader.retry or self._pause


def _problem(message: Message) -> httpx.Response:
    """Return the problem with which a stream ends."""
    body = msgspec.json.decode(message.data)
    status = body.get("status") if isinstance(body, dict) else None
    return httpx.Response(status if isinstance(status, int) else 400, content=message.data.encode())


def _decoded(message: Message) -> Event:
    try:
        return _event.decode(message.data)
    except msgspec.MsgspecError as error:
        raise UnexpectedAnswer("scoring", 200, str(error)) from error
