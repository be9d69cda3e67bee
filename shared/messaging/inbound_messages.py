"""Arrivals: what came in, and what becomes of it.

copied      the copy holds it now, or held it before
waiting     something before it misses and its owner does not answer: the cursor stays, catch-up asks again
held        it is true and waits, for newer code or the announcement of its tournament: catch-up asks again
blocked     something before it was refused: it cannot be copied until the owner's log is in order again
tampered    it does not verify: put aside in quarantine, with the reason
poison      it is no event, none that belongs here, or one that nobody vouches for
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

import msgspec

from shared.events.recorded import Recorded
from shared.tracing import Cause


class Disposition(StrEnum):
    """What became of something that arrived; see the head of this file."""

    COPIED = "copied"
    WAITING = "waiting"
    HELD = "held"
    BLOCKED = "blocked"
    TAMPERED = "tampered"
    POISON = "poison"


class InboundMessage(msgspec.Struct, gc=False):
    """Bytes that came, how they were addressed (empty: a line of the owner's feed), and what became of them.

    cause: the request that the message says it comes from; nobody vouches for that.
    """

    body: bytes
    address: str = ""
    disposition: Disposition = Disposition.WAITING
    reason: str = ""
    event: Recorded | None = None
    feed: int | None = None
    before: str = ""
    signature: str = ""
    cause: Cause | None = None


def in_runs(messages: Sequence[InboundMessage]) -> list[list[InboundMessage]]:
    """Arrivals sorted into runs of consecutive events, each of one log."""
    runs: list[list[InboundMessage]] = []
    last: Recorded | None = None
    for message in sorted(messages, key=lambda a: (event_of(a).source, event_of(a).tournament, event_of(a).position)):
        event = event_of(message)
        follows = (
            last is not None
            and (event.source, event.tournament) == (last.source, last.tournament)
            and event.position == last.position + 1
        )
        if follows:
            runs[-1].append(message)
        else:
            runs.append([message])
        last = event
    return runs


def event_of(message: InboundMessage) -> Recorded:
    """The event of an arrival that was read as one."""
    assert message.event is not None
    return message.event


def printable(text: str, most: int = 200) -> str:
    """What a stranger wrote, fit for a line of a log or a header: cut, in ASCII, without control characters."""
    plain = text if text.isascii() and text.isprintable() else ascii(text[:most])[1:-1]
    return plain if len(plain) <= most else plain[: most - 3] + "..."
