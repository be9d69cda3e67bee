"""The envelope: an event on the wire with its position in the owner's feed, and inbound messages.

Messages and the lines of `GET /log` have the same form, so a subscriber has one cursor for both. Every message is
signed; of the lines only those whose signatures cover the lines before them. Each inbound message or line becomes one
of:

copied      the copy holds it now, or held it before
waiting     earlier events are missing and the owner does not answer; the cursor stays, and catch-up asks again
held        valid, but it needs newer code or the announcement of its tournament; catch-up asks again
blocked     an earlier event was refused; it cannot be copied until the owner's log is repaired
tampered    it does not verify; quarantined with the reason
poison      not an event, an event that does not belong here, or one without a valid signature
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Any

import msgspec
import orjson

from shared.log.cloudevents import NotAnEvent, from_wire, to_wire
from shared.log.event import LARGEST_COMMAND, LARGEST_EVENT, Recorded, parse_seen
from shared.tracing import REQUEST_ID, TRACEPARENT, Cause, cause_of_message

FEED_CONTENT_TYPE = "application/x-ndjson"
FEED_END = "Muster-Feed-End"
"""Header of a feed page: the last position of the owner's feed."""

LONGEST_NAME = 200
LARGEST_POSITION = 2**31 - 1
LARGEST_FEED = 2**53
"""Upper bound of feed positions; a million events a second would take 285 years to reach it."""

LARGEST_MESSAGE = LARGEST_EVENT + 2 * LARGEST_COMMAND + 32 * 1024
"""Maximum bytes of a message: its data, its command with every quote escaped, and an envelope of six names, an actor, a
position in each log and two hashes. Larger messages are not parsed."""


class _Place(msgspec.Struct, frozen=True, gc=False):
    feedposition: int | None = None
    feedbefore: str = ""
    signature: str = ""
    requestid: Any = None
    traceparent: Any = None


class Line(msgspec.Struct, frozen=True, gc=False):
    """A received event with its signature.

    feed: position in the owner's feed, or None. before: the digest of the previous position (see vouching.py), or
    empty. signature: over the feed if there is a position, else over the log; empty if the signature of a later line
    covers it. cause: the request of the event, as the message claims; not signed.
    """

    event: Recorded
    feed: int | None = None
    before: str = ""
    signature: str = ""
    cause: Cause | None = None


_place = msgspec.json.Decoder(_Place)


def feed_line(feed: int, event: Recorded, before: str = "", signature: str = "", at: str = "") -> bytes:
    """Return the CloudEvent with its feed position and, if given, digest and signature; without a line break.

    at: see `to_wire`.
    """
    place = b'{"feedposition":' + str(feed).encode()
    if before:
        place += b',"feedbefore":"' + before.encode() + b'"'
    return place + _signed(signature) + b"," + to_wire(event, at)[1:]


def log_line(event: Recorded, signature: str = "", at: str = "") -> bytes:
    """Return the CloudEvent with a signature over its log, if given; without a line break. at: see `to_wire`."""
    line = to_wire(event, at)
    return b"{" + _signed(signature)[1:] + b"," + line[1:] if signature else line


def add_cause(message: bytes, cause: Cause | None) -> bytes:
    """Return a message with two more attributes that name the request of its event."""
    if cause is None:
        return message
    headers = cause.headers()
    attributes = {"requestid": headers[REQUEST_ID], "traceparent": headers[TRACEPARENT]}
    return orjson.dumps(attributes)[:-1] + b"," + message[1:]


def _signed(signature: str) -> bytes:
    return b',"signature":"' + signature.encode() + b'"' if signature else b""


def parse_event(body: bytes | str) -> tuple[Recorded, int | None]:
    """Return the event and its feed position (or None). Raises NotAnEvent."""
    line = parse_line(body)
    return line.event, line.feed


def parse_line(body: bytes | str) -> Line:
    """Return the event with its signature, which is not verified here.

    Raises NotAnEvent, and no other exception, for all other bytes.
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
    """Check that every database can store an event, so that no message can make a write fail forever.

    Raises NotAnEvent for texts that are too long, numbers that are too large, NUL characters and an invalid `seen`.
    """
    if not (1 <= event.position <= LARGEST_POSITION and 1 <= event.version <= LARGEST_POSITION):
        raise NotAnEvent(f"position {event.position}, version {event.version}: 1 to 2^31 - 1 expected")
    for name in (event.source, event.tournament, event.id, event.type, event.command_id):
        if not 0 < len(name) <= LONGEST_NAME:
            raise NotAnEvent(f"a name has {len(name)} characters; 1 to {LONGEST_NAME} expected")
    if len(event.time) > 24 or len(event.hash) != 64 or len(event.prev_hash) != 64:
        raise NotAnEvent("time or hashes have another length than those of an event")
    names = (event.source, event.tournament, event.id, event.type, event.command_id, event.actor, event.time)
    contents = (event.seen, event.data, event.command)
    if any("\0" in text for text in (*names, *contents, event.hash, event.prev_hash)):
        raise NotAnEvent("NUL in a text")
    try:
        parse_seen(event.seen)
    except msgspec.MsgspecError as error:
        raise NotAnEvent(f"seen: {error}") from error


class Disposition(StrEnum):
    """The result of processing an inbound message; see the module docstring."""

    COPIED = "copied"
    WAITING = "waiting"
    HELD = "held"
    BLOCKED = "blocked"
    TAMPERED = "tampered"
    POISON = "poison"


class InboundMessage(msgspec.Struct, gc=False):
    """A received message or feed line, and the result of processing it.

    address: routing key; empty for a line of the owner's feed. feed, before, signature, cause: see Line.
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
    """Return messages as runs of consecutive events, each of one log."""
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
    """Return the event of a message that was parsed."""
    assert message.event is not None
    return message.event


def to_printable(text: str, most: int = 200) -> str:
    """Return untrusted text for log lines and headers: shortened, in ASCII, without control characters."""
    plain = text if text.isascii() and text.isprintable() else ascii(text[:most])[1:-1]
    return plain if len(plain) <= most else plain[: most - 3] + "..."
