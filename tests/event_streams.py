"""Server-sent events as a browser reads them: by the algorithm of the HTML standard (9.2.6), byte by byte."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Message:
    """What a page is told. id: the last id that came so far."""

    id: str
    type: str
    data: str

    @property
    def event(self) -> Any:
        """The CloudEvent, or the problem."""
        return json.loads(self.data)


class EventReader:
    """What one connection has brought. last_id: what a browser would send when it comes back; retry: milliseconds."""

    def __init__(self, last_id: str = "") -> None:
        self.messages: list[Message] = []
        self.comments = 0
        self.last_id = last_id
        self.retry = 0
        self._id = last_id
        self._left = b""
        self._type = ""
        self._data: list[str] = []

    def feed(self, piece: bytes) -> None:
        """Take what has arrived; what is no whole line waits."""
        *lines, self._left = (self._left + piece).split(b"\n")
        for line in lines:
            self._line(line.decode())

    def _line(self, line: str) -> None:
        if not line:
            self.last_id = self._id
            if self._data:
                self.messages.append(Message(self.last_id, self._type or "message", "\n".join(self._data)))
            self._data, self._type = [], ""
            return
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if not name:
            self.comments += 1
        elif name == "id":
            self._id = value
        elif name == "event":
            self._type = value
        elif name == "data":
            self._data.append(value)
        elif name == "retry" and value.isdigit():
            self.retry = int(value)
