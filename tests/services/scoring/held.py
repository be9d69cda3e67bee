"""A server that holds streams, for tests: what clients of it got, and how much they take."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from werkzeug.test import EnvironBuilder

from shared.web.streams import HOLDER, Stream
from tests.event_streams import EventReader, Message
from tests.services.story import Answer, Club
from tests.waiting import PATIENCE


class Listener:
    """A client that holds a stream open: the sink of the application, and what a browser makes of it."""

    def __init__(self, stream: Stream, last_id: str) -> None:
        self.stream = stream
        self.reader = EventReader(last_id)
        self.held = 0
        self.leaving = False
        self.ended = False
        self.pieces: list[bytes] = []
        self._changed = threading.Condition()

    def send(self, piece: bytes) -> None:
        with self._changed:
            self.pieces.append(piece)
            self.reader.feed(piece)
            self._changed.notify_all()

    def end(self) -> None:
        with self._changed:
            self.ended = True
            self._changed.notify_all()

    def close(self) -> None:
        """The client goes."""
        self.stream.closed(slow=False)

    def until(self, condition: Callable[[Listener], object]) -> list[Message]:
        """All that it was told by the moment when the condition holds."""
        with self._changed:
            came = self._changed.wait_for(lambda: condition(self), PATIENCE)
            assert came, [message.type for message in self.reader.messages]
            return list(self.reader.messages)

    def told(self, number: int) -> list[Message]:
        """What it was told when that is so much."""
        return self.until(lambda listener: len(listener.reader.messages) >= number)


class StreamServer:
    """Opens streams of a service as a server does that can hold them."""

    def __init__(self, club: Club, places: int = 100) -> None:
        self.places = places
        self.open: list[Listener] = []
        self._club = club

    def ask(self, address: str, token: str = "", last_id: str = "", method: str = "GET") -> Listener | Answer:
        """A listener, or the answer where it is no stream."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        if last_id:
            headers["Last-Event-ID"] = last_id
        environ = EnvironBuilder(address, method=method, headers=headers).get_environ()
        environ[HOLDER] = self
        begun: list[Any] = []
        body = self._club.app(environ, lambda *said: begun.extend(said))
        if isinstance(body, Stream):
            listener = Listener(body, last_id)
            self.open.append(listener)
            body.open(listener)
            return listener
        return Answer(int(begun[0][:3]), dict(begun[1]), b"".join(body))

    def listen(self, address: str = "/feed/stream", token: str = "", last_id: str = "") -> Listener:
        found = self.ask(address, token, last_id)
        assert isinstance(found, Listener), found
        return found

    def refusal(self, address: str = "/feed/stream", token: str = "", last_id: str = "") -> Answer:
        found = self.ask(address, token, last_id)
        assert isinstance(found, Answer), "it is a stream"
        return found

    def end(self) -> None:
        for listener in self.open:
            listener.close()
