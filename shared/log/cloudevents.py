"""Conversion between recorded events and CloudEvents 1.0 in structured JSON."""

from __future__ import annotations

from typing import Annotated

import msgspec
import orjson

from shared.log.event import LARGEST_NUMBER, Recorded

CONTENT_TYPE = "application/cloudevents+json"


class NotAnEvent(ValueError):
    """Bytes that are not an event of Muster."""


Whole = Annotated[int, msgspec.Meta(ge=-LARGEST_NUMBER, le=LARGEST_NUMBER)]
"""An integer that every JSON reader keeps exactly; the encoder refuses larger ones."""
NO_DATA = msgspec.Raw(b"")


class _Envelope(msgspec.Struct, frozen=True, gc=False):
    """The attributes that are read; further attributes of a CloudEvent are ignored and not part of the chain."""

    specversion: str
    id: str
    source: str
    type: str
    time: str
    tournament: str
    position: Whole
    schemaversion: Whole
    actor: str
    commandid: str
    seen: str
    prevhash: str
    hash: str
    command: str = ""
    data: msgspec.Raw = NO_DATA


_decoder = msgspec.json.Decoder(_Envelope)


def routing_key(event: Recorded) -> str:
    """Return the routing key on the exchange `muster.events`: `<source>.<EventType>.<tournament>`."""
    return f"{event.source}.{event.type}.{event.tournament}"


def dataschema(type: str, version: int, at: str = "") -> str:
    """Return the URI of the JSON Schema of an event's data: a URL below `at`, or a URN if `at` is empty."""
    return f"{at}/schemas/events/{type}/{version}" if at else f"urn:muster:event:{type}:{version}"


def is_own_schema(uri: object, event: Recorded) -> bool:
    """Return True if a `dataschema` is that of the event, as a URN or as a URL of any service."""
    if not isinstance(uri, str):
        return False
    own = dataschema(event.type, event.version, "/").removeprefix("/")
    by_address = uri.startswith(("http://", "https://")) and uri.endswith(own)
    return by_address or uri == dataschema(event.type, event.version)


def to_wire(event: Recorded, at: str = "") -> bytes:
    """Return an event as a CloudEvent. `data` is inserted byte for byte, so that a receiver hashes the same bytes.

    `actor`, `seen` and `command` are strings of canonical JSON, because CloudEvents attributes cannot hold objects.
    at: the address of the service that sends the event, for `dataschema`; empty for events in files.
    """
    attributes = {
        "specversion": "1.0",
        "id": event.id,
        "source": event.source,
        "type": event.type,
        "subject": event.tournament,
        "time": event.time,
        "datacontenttype": "application/json",
        "dataschema": dataschema(event.type, event.version, at),
        "tournament": event.tournament,
        "position": event.position,
        "schemaversion": event.version,
        "actor": event.actor,
        "commandid": event.command_id,
        "seen": event.seen,
        "prevhash": event.prev_hash,
        "hash": event.hash,
    }
    if event.command:
        attributes["command"] = event.command
    return orjson.dumps(attributes)[:-1] + b',"data":' + event.data.encode() + b"}"


def from_wire(body: bytes | str) -> Recorded:
    """Return the event of a CloudEvent without checking its hash (`shared.log.copies` does that).

    Raises NotAnEvent for invalid or too deeply nested JSON, missing attributes, attributes of a wrong type, another
    `specversion`, and events of a version before 0.1.0.
    """
    try:
        envelope = _decoder.decode(body)
        data = bytes(envelope.data).decode()
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise NotAnEvent(str(error)) from error
    if envelope.specversion != "1.0":
        raise NotAnEvent(f"specversion {envelope.specversion!r}, expected '1.0'")
    if not envelope.actor.startswith("{"):
        raise NotAnEvent("`actor` is no object: a version before 0.1.0 wrote this event; read it with that version")
    if not data:
        raise NotAnEvent("`data` is missing")
    return Recorded(
        envelope.source,
        envelope.tournament,
        envelope.position,
        envelope.id,
        envelope.type,
        envelope.schemaversion,
        envelope.time,
        envelope.actor,
        envelope.commandid,
        envelope.seen,
        envelope.prevhash,
        envelope.hash,
        data,
        envelope.command,
    )
