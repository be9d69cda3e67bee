"""What is on the wire: the CloudEvent of an event, with its place in the owner's feed.

Messages and the lines of `GET /feed` are the same bytes, so a subscriber has one cursor for both.
"""

from __future__ import annotations

import msgspec

from shared.events.cloudevents import CONTENT_TYPE, NotAnEvent, from_wire, to_wire
from shared.events.recorded import Recorded

__all__ = ["CONTENT_TYPE", "FEED_CONTENT_TYPE", "FEED_END", "NotAnEvent", "feed_line", "read_line", "storable"]

FEED_CONTENT_TYPE = "application/x-ndjson"
FEED_END = "Muster-Feed-End"
"""Header of a page of the feed: the last feed position that the owner has given."""

LONGEST_NAME = 200
LARGEST_POSITION = 2**31 - 1


class _Place(msgspec.Struct, frozen=True, gc=False):
    feedposition: int | None = None


_place = msgspec.json.Decoder(_Place)
_seen = msgspec.json.Decoder(dict[str, int])


def feed_line(feed: int, event: Recorded) -> bytes:
    """The CloudEvent with the extension attribute `feedposition`; no line break at the end."""
    return b'{"feedposition":' + str(feed).encode() + b"," + to_wire(event)[1:]


def read_line(body: bytes | str) -> tuple[Recorded, int | None]:
    """The event and its feed position (None when it carries none). Raises NotAnEvent."""
    event = from_wire(body)
    try:
        feed = _place.decode(body).feedposition
    except msgspec.MsgspecError as error:
        raise NotAnEvent(str(error)) from error
    storable(event)
    return event, feed


def storable(event: Recorded) -> None:
    """Check what every database must be able to hold, so that no message can make a write fail for ever.

    Raises NotAnEvent for a name that is too long, a number that is too large, a NUL, or a `seen` of another shape.
    """
    if not (1 <= event.position <= LARGEST_POSITION and 1 <= event.version <= LARGEST_POSITION):
        raise NotAnEvent(f"position {event.position}, version {event.version}: 1 to 2^31 - 1 expected")
    for name in (event.source, event.tournament, event.id, event.type, event.command_id):
        if not 0 < len(name) <= LONGEST_NAME:
            raise NotAnEvent(f"a name has {len(name)} characters; 1 to {LONGEST_NAME} expected")
    if len(event.time) > 24 or len(event.hash) != 64 or len(event.prev_hash) != 64:
        raise NotAnEvent("time or hashes have another length than those of an event")
    texts = (event.source, event.tournament, event.id, event.type, event.command_id, event.actor, event.time)
    if any("\0" in text for text in (*texts, event.hash, event.prev_hash)):
        raise NotAnEvent("NUL in a text")
    try:
        _seen.decode(event.seen)
    except msgspec.MsgspecError as error:
        raise NotAnEvent(f"seen: {error}") from error
