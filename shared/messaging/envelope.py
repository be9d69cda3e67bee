"""The envelope: an event on the wire with its place in the owner's feed, and what becomes of one that came in.

Messages and the lines of `GET /log` are the same bytes, except that of the lines only those are signed that vouch
for the ones before them; so a subscriber has one cursor for both. Of what came in, each is one of:

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
from typing import Any

import msgspec
import orjson

from shared.log.cloudevents import CONTENT_TYPE, NotAnEvent, from_wire, to_wire
from shared.log.event import LARGEST_COMMAND, LARGEST_EVENT, Recorded, parse_seen
from shared.tracing import REQUEST_ID, TRACEPARENT, Cause, cause_of_message

__all__ = [
    "CONTENT_TYPE",
    "FEED_CONTENT_TYPE",
    "FEED_END",
    "LARGEST_FEED",
    "LARGEST_MESSAGE",
    "Disposition",
    "InboundMessage",
    "Line",
    "NotAnEvent",
    "add_cause",
    "event_of",
    "feed_line",
    "group_runs",
    "log_line",
    "parse_event",
    "parse_line",
    "require_storable",
    "to_printable",
]

FEED_CONTENT_TYPE = "application/x-ndjson"
FEED_END = "Muster-Feed-End"
"""Header of a page of the feed: the last feed position that the owner has given."""

LONGEST_NAME = 200
LARGEST_POSITION = 2**31 - 1
LARGEST_FEED = 2**53
"""Feed positions beyond it are nobody's: at a million events a second it would take 285 years."""

LARGEST_MESSAGE = LARGEST_EVENT + 2 * LARGEST_COMMAND + 32 * 1024
"""Bytes of the largest message that can be an event: its data, its command with each quote escaped, and an envelope of
six names, an actor, a place in each log and two hashes. What is larger is not even parsed."""


class _Place(msgspec.Struct, frozen=True, gc=False):
    feedposition: int | None = None
    feedbefore: str = ""
    signature: str = ""
    requestid: Any = None
    traceparent: Any = None


class Line(msgspec.Struct, frozen=True, gc=False):
    """An event as it came, and what vouches for it.

    feed, before: its place in the owner's feed and the digest there (see vouching.py); None and empty where it carries
    none. signature: over the feed where it has a place in it, else over the log; empty where a later line's stands for
    it. cause: the request that it says it comes from, for which nothing vouches.
    """

    event: Recorded
    feed: int | None = None
    before: str = ""
    signature: str = ""
    cause: Cause | None = None


_place = msgspec.json.Decoder(_Place)


def feed_line(feed: int, event: Recorded, before: str = "", signature: str = "", at: str = "") -> bytes:
    """The CloudEvent with its place in the feed and, where given, what vouches for it; no line break at the end.

    at: as for `to_wire`.
    """
    place = b'{"feedposition":' + str(feed).encode()
    if before:
        place += b',"feedbefore":"' + before.encode() + b'"'
    return place + _signed(signature) + b"," + to_wire(event, at)[1:]


def log_line(event: Recorded, signature: str = "", at: str = "") -> bytes:
    """The CloudEvent with the signature over its log where one is given; no line break at the end. at: as there."""
    line = to_wire(event, at)
    return b"{" + _signed(signature)[1:] + b"," + line[1:] if signature else line


def add_cause(message: bytes, cause: Cause | None) -> bytes:
    """A message that also names the request that its event comes from, in two attributes more."""
    if cause is None:
        return message
    headers = cause.headers()
    attributes = {"requestid": headers[REQUEST_ID], "traceparent": headers[TRACEPARENT]}
    return orjson.dumps(attributes)[:-1] + b"," + message[1:]


def _signed(signature: str) -> bytes:
    return b',"signature":"' + signature.encode() + b'"' if signature else b""


def parse_event(body: bytes | str) -> tuple[Recorded, int | None]:
    """The event and its feed position (None when it carries none). Raises as `read_vouched` does."""
    line = parse_line(body)
    return line.event, line.feed


def parse_line(body: bytes | str) -> Line:
    """The event with what should vouch for it; nothing of that is checked here.

    Raises NotAnEvent for everything else, and nothing but that: whatever reading the bytes of a stranger may raise.
    """
    if len(body) > LARGEST_MESSAGE:
        raise NotAnEvent(f"more than the {LARGEST_MESSAGE} bytes that an event can have")
    try:
        event = from_wire(body)
        place = _place.decode(body)
        require_storable(event)
    except NotAnEvent:
        raise
    except Exception as error:
        raise NotAnEvent(f"{type(error).__name__}: {error}") from error
    if place.feedposition is not None and not 1 <= place.feedposition <= LARGEST_FEED:
        raise NotAnEvent("a feed position is at least 1 and at most 2^53")
    cause = cause_of_message({REQUEST_ID: place.requestid, TRACEPARENT: place.traceparent})
    return Line(event, place.feedposition, place.feedbefore, place.signature, cause)


def require_storable(event: Recorded) -> None:
    """Check what every database must be able to hold, so that no message can make a write fail for ever.

    Raises NotAnEvent for a text that is too long, a number that is too large, a NUL, or a `seen` of another shape.
    """
    if not (1 <= event.position <= LARGEST_POSITION and 1 <= event.version <= LARGEST_POSITION):
        raise NotAnEvent(f"position {event.position}, version {event.version}: 1 to 2^31 - 1 expected")
    for name in (event.source, event.tournament, event.id, event.type, event.command_id):
        if not 0 < len(name) <= LONGEST_NAME:
            raise NotAnEvent(f"a name has {len(name)} characters; 1 to {LONGEST_NAME} expected")
    if len(event.time) > 24 or len(event.hash) != 64 or len(event.prev_hash) != 64:
        raise NotAnEvent("time or hashes have another length than those of an event")
    texts = (event.source, event.tournament, event.id, event.type, event.command_id, event.actor, event.time)
    held = (event.seen, event.data, event.command)
    if any("\0" in text for text in (*texts, *held, event.hash, event.prev_hash)):
        raise NotAnEvent("NUL in a text")
    try:
        parse_seen(event.seen)
    except msgspec.MsgspecError as error:
        raise NotAnEvent(f"seen: {error}") from error


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


def group_runs(messages: Sequence[InboundMessage]) -> list[list[InboundMessage]]:
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


def to_printable(text: str, most: int = 200) -> str:
    """What a stranger wrote, fit for a line of a log or a header: cut, in ASCII, without control characters."""
    plain = text if text.isascii() and text.isprintable() else ascii(text[:most])[1:-1]
    return plain if len(plain) <= most else plain[: most - 3] + "..."
