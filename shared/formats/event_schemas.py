"""Schemas of events: JSON Schema of every version (`dataschema`), and the AsyncAPI document of the broker.

An event may gain members within a version, and readers skip members that they do not know. So no schema forbids a
member, and a schema that was kept for years never refuses a newer event.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, get_type_hints

import msgspec

from shared.formats.fold import CATALOGUE, UnknownEvent
from shared.log.cloudevents import CONTENT_TYPE, dataschema
from shared.log.event import UPCASTS, AddedMembers, Data, venue_tables_by_number
from shared.tournament.games import RESULT, RESULT_VERSION, GameResult, SideScore, result_dataschema

Schema = dict[str, Any]

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def event_schema(type: str, version: int, at: str = "") -> Schema:
    """The schema of the data of a version of an event. at: the address of the service that it is asked of.

    Raises UnknownEvent for a type or a version that there is not.
    """
    known = CATALOGUE.get(type)
    if known is None or not 1 <= version <= known.version:
        raise UnknownEvent(f"{type} version {version}")
    _, parts = msgspec.json.schema_components([known.schema], ref_template="#/$defs/{name}")
    own = parts.pop(known.schema.__name__)
    schema = {"$schema": DIALECT, "$id": dataschema(type, version, at), **own, **({"$defs": parts} if parts else {})}
    for step in reversed(UPCASTS.get(type, ())[version - 1 :]):
        _make_older(schema, step)
    _open(schema)
    return schema


def result_schema(at: str = "") -> Schema:
    """Return the JSON Schema of the `data` of a `GameResult`. at: the address of the service that it is asked of."""
    _, parts = msgspec.json.schema_components([GameResult], ref_template="#/$defs/{name}")
    for shape in (GameResult, SideScore):
        for member, hint in get_type_hints(shape, include_extras=True).items():
            said = [note for note in getattr(hint, "__metadata__", ()) if isinstance(note, str)]
            if said:
                parts[shape.__name__]["properties"][member]["description"] = said[0]
    own = parts.pop(GameResult.__name__)
    schema = {"$schema": DIALECT, "$id": result_dataschema(at), **own, "$defs": parts}
    _open(schema)
    return schema


def versions_of(type: str) -> list[int]:
    """The versions of a type of event; none of one that there is not."""
    known = CATALOGUE.get(type)
    return list(range(1, known.version + 1)) if known else []


def _make_older(schema: Schema, step: Callable[[Data], Data]) -> None:
    """Take from a schema what a step of the data to the next version has brought."""
    if isinstance(step, AddedMembers):
        for member in step.members:
            del schema["properties"][member]
        schema["required"] = [name for name in schema.get("required", ()) if name not in step.members]
    else:
        _OLDER[step](schema)


def _tables_counted(schema: Schema) -> None:
    """Of VenueOpened 1."""
    schema["properties"]["tables"] = {"type": "integer", "default": 0}
    del schema["$defs"]


_OLDER: Mapping[Callable[[Data], Data], Callable[[Schema], None]] = MappingProxyType(
    {venue_tables_by_number: _tables_counted}
)


def _open(part: Any) -> None:
    """Let every object in a schema have members that it does not name."""
    if isinstance(part, dict):
        if part.get("additionalProperties") is False:
            del part["additionalProperties"]
        for inner in part.values():
            _open(inner)
    elif isinstance(part, list):
        for inner in part:
            _open(inner)


Json = dict[str, Any]

DESCRIPTION = (
    "Every event of the three services, as a CloudEvent 1.0, on one topic exchange. Declare a queue of your own and "
    "bind it to the routing keys that you want. A message is a hint that there is something to read: what the broker "
    "loses is in the logs, over HTTP. Pass over attributes, members and types that you do not know."
)
SERVER = {
    "host": "{host}",
    "protocol": "amqp",
    "protocolVersion": "0.9.1",
    "description": "The broker of the installation; whoever runs it says where it is, and gives you a user.",
    "variables": {"host": {"default": "127.0.0.1:5672", "description": "Host and port."}},
}
TOURNAMENT = {"description": "The id of the tournament."}

TEXT: Json = {"type": "string"}
NUMBER: Json = {"type": "integer", "minimum": 1}
ATTRIBUTES: dict[str, Json] = {
    "specversion": {"const": "1.0"},
    "id": {**TEXT, "description": "`<tournament>.<source>.<position>`; it is never used again."},
    "source": {**TEXT, "description": "The service that owns the event."},
    "type": {**TEXT, "description": "The type of the event."},
    "subject": {**TEXT, "description": "The id of the tournament."},
    "time": {**TEXT, "format": "date-time", "description": "When it was appended, in UTC."},
    "datacontenttype": {"const": "application/json"},
    "dataschema": {**TEXT, "format": "uri", "description": "Answers with the JSON Schema of `data`."},
    "tournament": {**TEXT, "description": "The id of the tournament."},
    "position": {**NUMBER, "description": "Its place in the log of its source and tournament, without gaps."},
    "schemaversion": {**NUMBER, "description": "The version in which `data` is written."},
    "actor": {**TEXT, "description": "Who acted, in which role: JSON."},
    "commandid": {**TEXT, "description": "The command that it comes from."},
    "seen": {**TEXT, "description": "How far its author had read the other logs: JSON."},
    "prevhash": {**TEXT, "description": "The hash of the event before it in its log."},
    "hash": {**TEXT, "description": "SHA-256 over `prevhash` and the event."},
    "command": {**TEXT, "description": "On the first event of a command, what was asked for: JSON."},
    "feedposition": {**NUMBER, "description": "Its place in the feed of its source, without gaps."},
    "feedbefore": {**TEXT, "description": "The digest of the feed before it."},
    "signature": {**TEXT, "description": "What its source vouches with for the feed up to here."},
    "requestid": {**TEXT, "description": "The request that it comes from, for reading logs. Nobody vouches for it."},
    "traceparent": {**TEXT, "description": "The same for tracing (W3C Trace Context)."},
    "data": {"type": "object", "description": "What happened."},
}
"""What is on the wire (docs/reference/messaging.md). All of them but OPTIONAL stand on every message."""
OPTIONAL = {"command", "requestid", "traceparent"}
RESULT_NAME = f"{RESULT}.{RESULT_VERSION}"
PARTS = {"$defs": "definitions"}
"""AsyncAPI's own dialect of JSON Schema is that of draft 07."""


def asyncapi(release: str, exchange: str) -> Json:
    """The document. release: of Muster; exchange: on which events are published."""
    messages = {_name(type, version): _message(type, version) for type in CATALOGUE for version in versions_of(type)}
    channels, operations = {}, {}
    for event in CATALOGUE.values():
        for owner in event.owners:
            key = f"{owner}.{event.name}"
            channels[key] = _channel(owner, event.name, exchange)
            operations[f"publish.{key}"] = {
                "action": "send",
                "channel": {"$ref": f"#/channels/{key}"},
                "summary": f"{owner.title()} says that it happened.",
                "bindings": {"amqp": {"deliveryMode": 2, "bindingVersion": "0.3.0"}},
            }
    channels["results"] = {
        "address": None,
        "summary": "Not on the broker: by webhooks of the form `results`, and over HTTP at GET /feed?view=results.",
        "messages": {RESULT_NAME: {"$ref": f"#/components/messages/{RESULT_NAME}"}},
    }
    messages[RESULT_NAME] = _result_message()
    schemas = {"CloudEvent": _envelope(), RESULT_NAME: _part(result_schema(), RESULT_NAME)}
    for type in CATALOGUE:
        for version in versions_of(type):
            schemas[_name(type, version)] = _data_schema(type, version)
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Muster",
            "version": release,
            "description": DESCRIPTION,
            "license": {"name": "Apache-2.0", "url": "https://www.apache.org/licenses/LICENSE-2.0"},
        },
        "defaultContentType": CONTENT_TYPE,
        "servers": {"broker": SERVER},
        "channels": channels,
        "operations": operations,
        "components": {"messages": messages, "schemas": schemas},
    }


def _name(type: str, version: int) -> str:
    return f"{type}.{version}"


def _channel(owner: str, type: str, exchange: str) -> Json:
    binding = {
        "is": "routingKey",
        "exchange": {"name": exchange, "type": "topic", "durable": True, "autoDelete": False, "vhost": "/"},
        "bindingVersion": "0.3.0",
    }
    return {
        "address": f"{owner}.{type}.{{tournament}}",
        "summary": f"The routing key of {type} by {owner}.",
        "parameters": {"tournament": TOURNAMENT},
        "messages": {
            _name(type, version): {"$ref": f"#/components/messages/{_name(type, version)}"}
            for version in versions_of(type)
        },
        "bindings": {"amqp": binding},
    }


def _message(type: str, version: int) -> Json:
    of_this = {
        "type": {"const": type},
        "schemaversion": {"const": version},
        "data": {"$ref": f"#/components/schemas/{_name(type, version)}"},
    }
    newest = version == CATALOGUE[type].version
    doc = " ".join((CATALOGUE[type].schema.__doc__ or "").split())
    return {
        "name": type,
        "title": type if newest else f"{type}, version {version}",
        "summary": doc if newest else "As older versions of Muster wrote it.",
        "contentType": CONTENT_TYPE,
        "payload": {"allOf": [{"$ref": "#/components/schemas/CloudEvent"}, {"properties": of_this}]},
        "bindings": {"amqp": {"contentEncoding": "utf-8", "messageType": type, "bindingVersion": "0.3.0"}},
    }


def _envelope() -> Json:
    return {"type": "object", "properties": ATTRIBUTES, "required": [one for one in ATTRIBUTES if one not in OPTIONAL]}


def _result_message() -> Json:
    of_this = {name: ATTRIBUTES[name] for name in ("specversion", "source", "time", "datacontenttype", "dataschema")}
    of_this |= {
        "id": {**TEXT, "description": "`<tournament>.<source>.<position>.<game>`; it is never used again."},
        "type": {"const": RESULT},
        "subject": {**TEXT, "description": "`<tournament>/<game>`."},
        "data": {"$ref": f"#/components/schemas/{RESULT_NAME}"},
    }
    return {
        "name": RESULT,
        "title": RESULT,
        "summary": "A game or a bye as one event left it.",
        "contentType": CONTENT_TYPE,
        "payload": {"type": "object", "properties": of_this, "required": list(of_this)},
    }


def _data_schema(type: str, version: int) -> Json:
    return _part(event_schema(type, version), _name(type, version))


def _part(schema: Json, name: str) -> Json:
    """Return a schema of data as a part of this document: its own parts next to it, under its own name."""
    del schema["$schema"], schema["$id"]
    made: Json = _pointing(schema, f"#/components/schemas/{name}/definitions/")
    return made


def _pointing(part: Any, place: str) -> Any:
    """A schema whose references to parts of its own lead to where they stand in the document."""
    if isinstance(part, dict):
        return {
            PARTS.get(key, key): place + value.removeprefix("#/$defs/") if key == "$ref" else _pointing(value, place)
            for key, value in part.items()
        }
    return [_pointing(one, place) for one in part] if isinstance(part, list) else part
