"""Which members of a request are personal: kept beside the log, and part of nothing that is public or lasts.

A field says so itself, with `metadata=PERSONAL`; OpenAPI shows it as `x-personal`.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

from marshmallow import Schema, fields

PERSONAL = MappingProxyType({"x-personal": True})
"""Metadata of a field whose value never enters an event, a command id or a log line."""


def without_personal(schema: Schema | None, said: Any) -> Any:
    """Return what was said through a schema with `true` for every personal value.

    schema: None for what no schema describes, such as a file; it comes back as it is.
    """
    if schema is None:
        return said
    if isinstance(said, list):
        return [without_personal(schema, one) for one in said]
    if not isinstance(said, dict):
        return said
    named = {field.data_key or name: field for name, field in schema.load_fields.items()}
    return {name: _public(named.get(name), value) for name, value in said.items()}


def _public(field: fields.Field[Any] | None, value: Any) -> Any:
    if field is None:
        return value
    if field.metadata.get("x-personal"):
        return True
    inner = field.inner if isinstance(field, fields.List) else field
    if isinstance(inner, fields.Nested):
        return without_personal(inner.schema, value)
    return value
