"""Somebody who follows a stream, breaks it off again and again in the middle of whatever comes, and goes on."""

from __future__ import annotations

import json
import socket
import threading
import time
from random import Random
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

import httpx

from tests import http
from tests.event_streams import EventReader, Message
from tests.waiting import PATIENCE

PAUSE = 0.05
"""Seconds before a stream that could not be opened is asked for again."""
LASTS = (0.02, 0.4)
"""Least and most seconds that one connection lasts."""


class StreamReader:
    """Follows from the first event on until it is told to end; `messages` is what it was told, in order.

    broken: how often it broke off; interrupted: how often somebody else did. problems: codes of what it was refused.
    Told that its place is no more, it begins anew; `given_up` is what it had been told until then, each time.
    """

    def __init__(self, url: str, seed: int, path: str = "/feed/stream") -> None:
        self.messages: list[Message] = []
        self.broken = self.interrupted = 0
        self.problems: list[str] = []
        self.given_up: list[list[Message]] = []
        self.last_id = ""
        self._url = url
        self._path = path
        self._random = Random(seed)
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._follow, name=f"stream-{seed}")

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._over.set()
        self._thread.join()

    @property
    def ids(self) -> list[str]:
        """Of the events, in the order in which they came."""
        return [message.event["id"] for message in self.messages]

    def to_the_end(self) -> None:
        """Read what is left: who says that they send no more gets what there is, and the stream ends."""
        address = urlsplit(self._url)
        said = f"GET {self._path} HTTP/1.1\r\nHost: x\r\nLast-Event-ID: {self.last_id}\r\n\r\n"
        with socket.create_connection((address.hostname, address.port), timeout=PATIENCE) as connection:
            connection.sendall(said.encode())
            connection.shutdown(socket.SHUT_WR)
            answer = b"".join(iter(lambda: connection.recv(65_536), b""))
        head, _, body = answer.partition(b"\r\n\r\n")
        assert b" 200 " in head.partition(b"\r\n")[0], answer
        self._keep(EventReader(self.last_id), [body])

    def _follow(self) -> None:
        with http.Client(base_url=self._url) as client:
            while not self._over.is_set():
                try:
                    self._connection(client)
                except httpx.ReadTimeout:
                    self.broken += 1
                except httpx.HTTPError:
                    self.interrupted += 1
                    self._over.wait(PAUSE)

    def _connection(self, client: http.Client) -> None:
        """One connection: until it has lasted for its time, or somebody ends it."""
        lasts = self._random.uniform(*LASTS)
        until = time.monotonic() + lasts
        reader = EventReader(self.last_id)
        headers = {"Last-Event-ID": self.last_id} if self.last_id else {}
        timeout = httpx.Timeout(30, read=max(lasts, 5.0) if not self.last_id else lasts)
        try:
            with client.stream("GET", self._path, headers=headers, timeout=timeout) as answer:
                if answer.status_code != 200:
                    self._refused(json.loads(answer.read())["code"], reader)
                    return
                for piece in answer.iter_raw():
                    if time.monotonic() > until:
                        reader.feed(piece[: self._random.randrange(len(piece) + 1)])
                        self.broken += 1
                        return
                    reader.feed(piece)
            self.interrupted += 1
        finally:
            self._keep(reader, [])

    def _refused(self, code: str, reader: EventReader) -> None:
        self.problems.append(code)
        if code == "feed-cursor-unknown":
            self.given_up.append(self.messages)
            self.messages, reader.last_id = [], ""
        self._over.wait(PAUSE)

    def _keep(self, reader: EventReader, pieces: list[bytes]) -> None:
        for piece in pieces:
            reader.feed(piece)
        self.messages += reader.messages
        self.last_id = reader.last_id
