"""Schemas of events: JSON Schema of every version (`dataschema`), and the AsyncAPI document of the broker.

Events may gain members within a version, and readers skip unknown members. So schemas allow additional members, and an
old copy of a schema never refuses a newer event.
"""

from __future__ import annotations

import inspect
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
    """Return the JSON Schema of the data of an event version. `at`: address of the service that serves it.

    Raise UnknownEvent for an unknown type or version.
    """
    known = CATALOGUE.get(type)
    if known is None or not 1 <= version <= known.version:
        raise UnknownEvent(f"{type} version {version}")
    _, parts = msgspec.json.schema_components([known.schema], ref_template="#/$defs/{name}")
    own = parts.pop(known.schema.__name__)
    schema = {"$schema": DIALECT, "$id": dataschema(type, version, at), **own, **({"$defs": parts} if parts else {})}
    for step in reversed(UPCASTS.get(type, ())[version - 1 :]):
        _make_older(schema, step)
    _allow_members(schema)
    return schema


def result_schema(at: str = "") -> Schema:
    """Return the JSON Schema of the `data` of a `GameResult`. `at`: address of the service that serves it."""
    _, parts = msgspec.json.schema_components([GameResult], ref_template="#/$defs/{name}")
    for shape in (GameResult, SideScore):
        for member, hint in get_type_hints(shape, include_extras=True).items():
            notes = [note for note in getattr(hint, "__metadata__", ()) if isinstance(note, str)]
            if notes:
                parts[shape.__name__]["properties"][member]["description"] = notes[0]
    own = parts.pop(GameResult.__name__)
    schema = {"$schema": DIALECT, "$id": result_dataschema(at), **own, "$defs": parts}
    _allow_members(schema)
    return schema


def versions_of(type: str) -> list[int]:
    """Return the versions of an event type; empty for an unknown type."""
    known = CATALOGUE.get(type)
    return list(range(1, known.version + 1)) if known else []


def _make_older(schema: Schema, step: Callable[[Data], Data]) -> None:
    """Remove from a schema what a step to the next version added."""
    if isinstance(step, AddedMembers):
        for member in step.members:
            del schema["properties"][member]
        schema["required"] = [name for name in schema.get("required", ()) if name not in step.members]
    else:
        _OLDER[step](schema)


def _tables_counted(schema: Schema) -> None:
    """Turn the schema of VenueOpened into that of version 1."""
    schema["properties"]["tables"] = {"type": "integer", "default": 0}
    del schema["$defs"]


_OLDER: Mapping[Callable[[Data], Data], Callable[[Schema], None]] = MappingProxyType(
    {venue_tables_by_number: _tables_counted}
)


def _allow_members(part: Any) -> None:
    """Allow additional members in every object of a schema."""
    if isinstance(part, dict):
        if part.get("additionalProperties") is False:
            del part["additionalProperties"]
        for inner in part.values():
            _allow_members(inner)
    elif isinstance(part, list):
        for inner in part:
            _allow_members(inner)


Json = dict[str, Any]

DESCRIPTION = (
    "Every event of the three services, as a CloudEvent 1.0, on one topic exchange. Declare your own queue and bind it "
    "to the routing keys that you need. Messages are hints: if the broker loses one, read the event from the logs over "
    "HTTP. Ignore attributes, members and types that you do not know."
)
SERVER = {
    "host": "{host}",
    "protocol": "amqp",
    "protocolVersion": "0.9.1",
    "description": "The broker of the installation. Ask its operator for the address and a user.",
    "variables": {"host": {"default": "127.0.0.1:5672", "description": "Host and port."}},
}
TOURNAMENT = {"description": "The id of the tournament."}

TEXT: Json = {"type": "string"}
NUMBER: Json = {"type": "integer", "minimum": 1}
ATTRIBUTES: dict[str, Json] = {
    "specversion": {"const": "1.0"},
    "id": {**TEXT, "description": "`<tournament>.<source>.<position>`; never reused."},
    "source": {**TEXT, "description": "The service that owns the event."},
    "type": {**TEXT, "description": "The type of the event."},
    "subject": {**TEXT, "description": "The id of the tournament."},
    "time": {**TEXT, "format": "date-time", "description": "When it was appended, in UTC."},
    "datacontenttype": {"const": "application/json"},
    "dataschema": {**TEXT, "format": "uri", "description": "URI of the JSON Schema of `data`."},
    "tournament": {**TEXT, "description": "The id of the tournament."},
    "position": {**NUMBER, "description": "Position in the log of this source and tournament, without gaps."},
    "schemaversion": {**NUMBER, "description": "The version of the event type that `data` conforms to."},
    "actor": {**TEXT, "description": "The actor and their role, as JSON."},
    "commandid": {**TEXT, "description": "Id of the command that appended the event."},
    "seen": {**TEXT, "description": "The positions up to which the source had read the other logs, as JSON."},
    "prevhash": {**TEXT, "description": "Hash of the previous event in this log."},
    "hash": {**TEXT, "description": "SHA-256 over `prevhash` and the event."},
    "command": {**TEXT, "description": "On the first event of a command: the command, as JSON."},
    "feedposition": {**NUMBER, "description": "Position in the feed of this source, without gaps."},
    "feedbefore": {**TEXT, "description": "Digest of the feed before this event."},
    "signature": {**TEXT, "description": "Signature of the source over the feed up to this event."},
    "requestid": {**TEXT, "description": "Id of the request that caused the event, for log files. Not signed."},
    "traceparent": {**TEXT, "description": "Trace of the request (W3C Trace Context). Not signed."},
    "data": {"type": "object", "description": "What happened."},
}
"""Attributes of a message (docs/reference/messaging.md). All except OPTIONAL are present on every message."""
OPTIONAL = {"command", "requestid", "traceparent"}
RESULT_NAME = f"{RESULT}.{RESULT_VERSION}"
PARTS = {"$defs": "definitions"}
"""AsyncAPI uses the JSON Schema dialect of draft 07."""


def asyncapi(release: str, exchange: str) -> Json:
    """Return the AsyncAPI document for a release of Muster and the exchange of its events."""
    messages = {_name(type, version): _message(type, version) for type in CATALOGUE for version in versions_of(type)}
    channels, operations = {}, {}
    for event in CATALOGUE.values():
        for owner in event.owners:
            key = f"{owner}.{event.name}"
            channels[key] = _channel(owner, event.name, exchange)
            operations[f"publish.{key}"] = {
                "action": "send",
                "channel": {"$ref": f"#/channels/{key}"},
                "summary": f"{owner.title()} publishes the event.",
                "bindings": {"amqp": {"deliveryMode": 2, "bindingVersion": "0.3.0"}},
            }
    channels["results"] = {
        "address": None,
        "summary": "Not on the broker. Delivered by webhooks of form `results`, and at GET /feed?view=results.",
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
    summary, _, description = (inspect.getdoc(CATALOGUE[type].schema) or "").partition("\n\n")
    return {
        "name": type,
        "title": type if newest else f"{type}, version {version}",
        "summary": " ".join(summary.split()) if newest else "As written by older versions of Muster.",
        **({"description": description} if newest and description else {}),
        "contentType": CONTENT_TYPE,
        "payload": {"allOf": [{"$ref": "#/components/schemas/CloudEvent"}, {"properties": of_this}]},
        "bindings": {"amqp": {"contentEncoding": "utf-8", "messageType": type, "bindingVersion": "0.3.0"}},
    }


def _envelope() -> Json:
    required = [name for name in ATTRIBUTES if name not in OPTIONAL]
    return {"type": "object", "properties": ATTRIBUTES, "required": required}


def _result_message() -> Json:
    of_this = {name: ATTRIBUTES[name] for name in ("specversion", "source", "time", "datacontenttype", "dataschema")}
    of_this |= {
        "id": {**TEXT, "description": "`<tournament>.<source>.<position>.<game>`; never reused."},
        "type": {"const": RESULT},
        "subject": {**TEXT, "description": "`<tournament>/<game>`."},
        "data": {"$ref": f"#/components/schemas/{RESULT_NAME}"},
    }
    return {
        "name": RESULT,
        "title": RESULT,
        "summary": "The public record of a game or a bye after an event.",
        "contentType": CONTENT_TYPE,
        "payload": {"type": "object", "properties": of_this, "required": list(of_this)},
    }


def _data_schema(type: str, version: int) -> Json:
    return _part(event_schema(type, version), _name(type, version))


def _part(schema: Json, name: str) -> Json:
    """Return a data schema as a part of this document, with its own definitions below its name."""
    del schema["$schema"], schema["$id"]
    part: Json = _move_references(schema, f"#/components/schemas/{name}/definitions/")
    return part


def _move_references(part: Any, place: str) -> Any:
    """Return a schema whose references to its own definitions point to their place in the document."""
    if isinstance(part, dict):
        return {
            PARTS.get(key, key): place + value.removeprefix("#/$defs/")
            if key == "$ref"
            else _move_references(value, place)
            for key, value in part.items()
        }
    return [_move_references(item, place) for item in part] if isinstance(part, list) else part
