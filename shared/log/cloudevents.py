"""The wire: a recorded event as a CloudEvent 1.0 in structured JSON, and back."""

from __future__ import annotations

from typing import Annotated

import msgspec
import orjson

from shared.log.event import LARGEST_NUMBER, Recorded

CONTENT_TYPE = "application/cloudevents+json"


class NotAnEvent(ValueError):
    """Bytes that are no event of ours; the text says what is missing or wrong."""


Whole = Annotated[int, msgspec.Meta(ge=-LARGEST_NUMBER, le=LARGEST_NUMBER)]
"""A number that every reader of JSON keeps; our own encoder refuses larger ones."""
NO_DATA = msgspec.Raw(b"")


class _Envelope(msgspec.Struct, frozen=True, gc=False):
    """The attributes that we read; a CloudEvent may carry others, and they do not matter to the chain."""

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
    """`<source>.<EventType>.<tournament>`, on the exchange `muster.events`."""
    return f"{event.source}.{event.type}.{event.tournament}"


def dataschema(type: str, version: int, at: str = "") -> str:
    """The URI of the JSON Schema of an event's data: an address below `at`, or a name where that is empty."""
    return f"{at}/schemas/events/{type}/{version}" if at else f"urn:muster:event:{type}:{version}"


def is_own_schema(uri: object, event: Recorded) -> bool:
    """Whether a `dataschema` is that of the event, by name or by the address of whichever service handed it out."""
    if not isinstance(uri, str):
        return False
    own = dataschema(event.type, event.version, "/").removeprefix("/")
    by_address = uri.startswith(("http://", "https://")) and uri.endswith(own)
    return by_address or uri == dataschema(event.type, event.version)


def to_wire(event: Recorded, at: str = "") -> bytes:
    """One CloudEvent; `data` goes in byte for byte, so that a receiver hashes what was hashed here.

    at: the address of the service that hands it out, for `dataschema`; empty where none does, as in a file.
    `actor`, `seen` and `command` are canonical JSON inside a string, because CloudEvents attributes hold no objects.
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
    """The recorded event inside a CloudEvent; its hash is not checked here (`shared.log.copies` does).

    Raises NotAnEvent when the bytes are not JSON in UTF-8, are nested too deep to be read, an attribute is missing or
    of a wrong type, the specification's version is another, or a version before 0.1.0 wrote the event.
    """
    try:
        said = _decoder.decode(body)
        data = bytes(said.data).decode()
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise NotAnEvent(str(error)) from error
    if said.specversion != "1.0":
        raise NotAnEvent(f"specversion {said.specversion!r}, expected '1.0'")
    if not said.actor.startswith("{"):
        raise NotAnEvent("`actor` is no object: a version before 0.1.0 wrote this event; read it with that version")
    if not data:
        raise NotAnEvent("`data` is missing")
    return Recorded(
        said.source,
        said.tournament,
        said.position,
        said.id,
        said.type,
        said.schemaversion,
        said.time,
        said.actor,
        said.commandid,
        said.seen,
        said.prevhash,
        said.hash,
        data,
        said.command,
    )
