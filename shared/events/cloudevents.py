"""The wire: a recorded event as a CloudEvent 1.0 in structured JSON, and back."""

from __future__ import annotations

import msgspec
import orjson

from shared.events.recorded import Recorded

CONTENT_TYPE = "application/cloudevents+json"


class NotAnEvent(ValueError):
    """Bytes that are no event of ours; the text says what is missing or wrong."""


class _Envelope(msgspec.Struct, frozen=True, gc=False):
    """The attributes that we read; a CloudEvent may carry others, and they do not matter to the chain."""

    specversion: str
    id: str
    source: str
    type: str
    time: str
    tournament: str
    position: int
    schemaversion: int
    actor: str
    commandid: str
    seen: str
    prevhash: str
    hash: str
    data: msgspec.Raw


_decoder = msgspec.json.Decoder(_Envelope)


def routing_key(event: Recorded) -> str:
    """`<source>.<EventType>.<tournament>`, on the exchange `muster.events`."""
    return f"{event.source}.{event.type}.{event.tournament}"


def to_wire(event: Recorded) -> bytes:
    """One CloudEvent; `data` goes in byte for byte, so that a receiver hashes what was hashed here.

    `seen` is canonical JSON inside a string, because CloudEvents attributes hold no objects.
    """
    attributes = {
        "specversion": "1.0",
        "id": event.id,
        "source": event.source,
        "type": event.type,
        "subject": event.tournament,
        "time": event.time,
        "datacontenttype": "application/json",
        "dataschema": f"urn:muster:event:{event.type}:{event.version}",
        "tournament": event.tournament,
        "position": event.position,
        "schemaversion": event.version,
        "actor": event.actor,
        "commandid": event.command_id,
        "seen": event.seen,
        "prevhash": event.prev_hash,
        "hash": event.hash,
    }
    return orjson.dumps(attributes)[:-1] + b',"data":' + event.data.encode() + b"}"


def from_wire(body: bytes | str) -> Recorded:
    """The recorded event inside a CloudEvent; its hash is not checked here (`shared.eventlog.replicate` does).

    Raises NotAnEvent when the bytes are not JSON in UTF-8, are nested too deep to be read, an attribute is missing or
    of a wrong type, or the specification's version is another.
    """
    try:
        envelope = _decoder.decode(body)
        data = bytes(envelope.data).decode()
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise NotAnEvent(str(error)) from error
    if envelope.specversion != "1.0":
        raise NotAnEvent(f"specversion {envelope.specversion!r}, expected '1.0'")
    return Recorded(
        source=envelope.source,
        tournament=envelope.tournament,
        position=envelope.position,
        id=envelope.id,
        type=envelope.type,
        version=envelope.schemaversion,
        time=envelope.time,
        actor=envelope.actor,
        command_id=envelope.commandid,
        seen=envelope.seen,
        data=data,
        prev_hash=envelope.prevhash,
        hash=envelope.hash,
    )
