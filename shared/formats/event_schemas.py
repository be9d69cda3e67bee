"""The JSON Schema of the data of each version of each event: what `dataschema` of a CloudEvent answers with.

An event may gain members within a version, and whoever reads it passes over what they do not know; so no schema
forbids a member, and one that was kept for ever never refuses a newer event.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, get_type_hints

import msgspec

from shared.formats.fold import CATALOGUE, UnknownEvent
from shared.log.cloudevents import dataschema
from shared.log.event import UPCASTS, Data, Gained, venue_tables_by_number
from shared.tournament.game_result import GameResult, SideScore, result_dataschema

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
    if isinstance(step, Gained):
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
