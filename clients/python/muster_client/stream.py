"""The feed as it happens (server-sent events): one connection, opened again from its place after any break."""

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
    """What happens in all three services, or in one tournament, event by event as it happens.

    Iterating over it never ends by itself: it comes back with the last cursor after a break, and gets what it missed,
    once. `cursor` is the place behind the event that was given last; a stream that is made anew with it goes on there.
    tournament: of which the stream is, None for all. `breaks` counts how often the connection had to be opened again.
    stands: told each time a connection stands (True) or broke (False). longest_pause: seconds between two tries at
    most, while scoring is away.
    Raises Problem where coming back would not help: the cursor is unknown, the token has ended.
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
        """Have the iteration end, from any thread: with the next thing that comes, or the next try to open it again."""
        self._closed = True

    def _connection(self) -> Iterator[Message]:
        """What one connection brings until it breaks. Raises Unreachable, or Problem where the stream is refused."""
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
    """The problem with which a stream ends, as the answer that the next request would get."""
    body = msgspec.json.decode(message.data)
    status = body.get("status") if isinstance(body, dict) else None
    return httpx.Response(status if isinstance(status, int) else 400, content=message.data.encode())


def _decoded(message: Message) -> Event:
    try:
        return _event.decode(message.data)
    except msgspec.MsgspecError as error:
        raise UnexpectedAnswer("scoring", 200, str(error)) from error
