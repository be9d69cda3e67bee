"""An incremental parser of server-sent events (HTML standard, 9.2.6)."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Message:
    """One message. id: the last id received; empty before the first. data: empty if only the id changed."""

    type: str
    id: str
    data: str


@dataclass
class Reader:
    """One connection. retry: seconds to wait before reconnecting, as sent by the service; 0 by default."""

    retry: float = 0.0
    _id: str = ""
    _left: str = ""
    _type: str = ""
    _data: list[str] = field(default_factory=list)
    _moved: bool = False
    _text: codecs.IncrementalDecoder = field(default_factory=lambda: codecs.getincrementaldecoder("utf-8")("replace"))

    def take(self, piece: bytes) -> Iterator[Message]:
        """Yield the messages that this chunk completes; keep an incomplete one for the next chunk."""
        text = self._left + self._text.decode(piece)
        held = "\r" if text.endswith("\r") else ""  # it may be half of a line's end
        *lines, self._left = text.removesuffix("\r").replace("\r\n", "\n").replace("\r", "\n").split("\n")
        self._left += held
        for line in lines:
            if message := self._line(line):
                yield message

    def _line(self, line: str) -> Message | None:
        if not line:
            return self._ended()
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            self._data.append(value)
        elif name == "event":
            self._type = value
        elif name == "id" and "\0" not in value:
            self._id, self._moved = value, True
        elif name == "retry" and value.isascii() and value.isdigit():
            self.retry = int(value) / 1000
        return None

    def _ended(self) -> Message | None:
        """Return the message that an empty line completes."""
        found = None
        if self._data or self._moved:
            found = Message(self._type or "message", self._id, "\n".join(self._data))
        self._type, self._data, self._moved = "", [], False
        return found
