"""A server for streams with a thread per client. Records what clients received; their reading can be paused."""

from __future__ import annotations

from typing import Any

from werkzeug.test import EnvironBuilder

from shared.web.streams import Stream
from tests.services.story import Answer, Club
from tests.stream_clients import StreamClient


class StreamServer:
    """Opens streams of a service."""

    def __init__(self, club: Club) -> None:
        self.open: list[StreamClient] = []
        self._club = club

    def ask(self, address: str, token: str = "", last_id: str = "", method: str = "GET") -> StreamClient | Answer:
        """Return a listener, or the answer if it is not a stream."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        if last_id:
            headers["Last-Event-ID"] = last_id
        listener = StreamClient(last_id)
        environ = EnvironBuilder(address, method=method, headers=headers, multithread=True).get_environ()
        begun: list[Any] = []
        body = self._club.app({**environ, **listener.environ}, lambda *said: begun.extend(said))
        if isinstance(body, Stream):
            self.open.append(listener)
            listener.hold(body)
            return listener
        return Answer(int(begun[0][:3]), dict(begun[1]), b"".join(body))

    def listen(self, address: str = "/feed/stream", token: str = "", last_id: str = "") -> StreamClient:
        found = self.ask(address, token, last_id)
        assert isinstance(found, StreamClient), found
        found.until(lambda it: it.pieces)
        return found

    def refusal(self, address: str = "/feed/stream", token: str = "", last_id: str = "") -> Answer:
        found = self.ask(address, token, last_id)
        assert isinstance(found, Answer), "it is a stream"
        return found

    def end(self) -> None:
        for listener in self.open:
            listener.close()
