"""Logs and feeds: one CloudEvent per line."""

from __future__ import annotations

from typing import Any

import msgspec

from muster_client.answer import Meta
from muster_client.errors import UnexpectedAnswer


class Event(msgspec.Struct, kw_only=True, omit_defaults=True):
    """An event as a CloudEvent 1.0; unknown attributes are ignored.

    source: the service that appended it. tournament, position: its place in that service's log. feedcursor: only in
    scoring's feed. feedposition: only in a service's log. actor, seen, command: JSON.
    """

    id: str
    source: str
    type: str
    tournament: str = ""
    position: int = 0
    time: str = ""
    subject: str = ""
    schemaversion: int = 1
    dataschema: str = ""
    actor: str = ""
    commandid: str = ""
    seen: str = ""
    command: str = ""
    prevhash: str = ""
    hash: str = ""
    signature: str = ""
    feedposition: int = 0
    feedbefore: str = ""
    feedcursor: str = ""
    because: str = ""
    data: dict[str, Any] | None = None


_decoder = msgspec.json.Decoder(Event)


class Lines(list[bytes]):
    """The lines of one answer, byte for byte.

    cursor: position to resume a feed from, also after an empty answer. next: start of the next page; None at the end.
    pause: seconds to wait before the next request.
    """

    meta: Meta
    cursor: str = ""
    next: str | None = None
    pause: float = 0.0

    def events(self) -> list[Event]:
        """Return the events of these lines. Raises UnexpectedAnswer if a line is not an event."""
        try:
            return [_decoder.decode(line) for line in self]
        except msgspec.MsgspecError as error:
            raise UnexpectedAnswer(self.meta.service, self.meta.status, str(error)) from error
