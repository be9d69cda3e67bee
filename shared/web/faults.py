"""From what marshmallow says about a request to faults: where (a JSON pointer), what was said, what is expected."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from marshmallow import Schema as MarshmallowSchema
from marshmallow import fields, validate
from marshmallow.exceptions import SCHEMA

from shared.refusals import NOTHING, Expected, Fault, as_said, expects, one_of, shown
from shared.web.schemas import NumberOrList, Tagged

TYPES: tuple[tuple[type[fields.Field[Any]], Expected], ...] = (
    (fields.Boolean, expects("true-or-false")),
    (fields.Integer, expects("whole-number")),
    (fields.Number, expects("number")),
    (fields.UUID, expects("uuid")),
    (fields.Email, expects("email-address")),
    (fields.Url, expects("web-address")),
    (fields.Date, expects("day")),
    (fields.DateTime, expects("moment")),
    (fields.String, expects("text")),
    (fields.Mapping, expects("object")),
)
"""What is expected of marshmallow's own fields; the first that fits."""

Messages = Mapping[Any, Any]


def faults_of(messages: Any, said: object, schema: MarshmallowSchema) -> list[Fault]:
    """List every fault. messages: as in `ValidationError.messages`; said: the request's JSON, as it came."""
    tree = messages if isinstance(messages, Mapping) else {SCHEMA: messages}
    return list(_schema_faults(tree, said, schema, ""))


def expected_of(field: fields.Field[Any]) -> Expected:
    """Return what a field takes, with the limits of its validators."""
    own: Expected | None = getattr(field, "expected", None)
    if own is None:
        if isinstance(field, fields.Nested):
            own = expected_object(field.schema)
            own = expects("list-of", each=own) if field.many else own
        elif isinstance(field, fields.List):
            own = expects("list-of", each=expected_of(field.inner))
        else:
            own = next((words for kind, words in TYPES if isinstance(field, kind)), expects("any-value"))
    limits = [limit for validator in field.validators if (limit := _limit(validator))]
    if limits:
        own = expects("within-limits", value=own, limits=limits)
    return expects("value-or-null", value=own) if field.allow_none else own


def expected_object(schema: MarshmallowSchema) -> Expected:
    """Return which members an object takes."""
    members = [
        name if field.required else expects("optional-member", name=name)
        for name, field in ((_key(name, field), field) for name, field in schema.load_fields.items())
    ]
    return expects("object-with", members=members) if members else expects("empty-object")


def as_written(fault: Fault, body: object) -> Fault:
    """Give a fault that says what the request wrote at its place: a name, where a decision knows it by a key.

    Of a list or an object a fault may say what it is about, such as how many there are.
    """
    if not fault.where.startswith("/"):
        return fault
    found = body
    for part in fault.where.split("/")[1:]:
        name = part.replace("~1", "/").replace("~0", "~")
        found = _member(found, int(name) if isinstance(found, list) and name.isdecimal() else name)
    known = found is _ABSENT or isinstance(found, dict | list) or fault.said in (shown(found), as_said(found))
    return fault if known else msgspec.structs.replace(fault, said=as_said(found))


def pointer(base: str, part: object) -> str:
    """Go one step down in a JSON pointer (RFC 6901)."""
    return f"{base}/{str(part).replace('~', '~0').replace('/', '~1')}"


def _schema_faults(tree: Messages, said: object, schema: MarshmallowSchema, where: str) -> Iterator[Fault]:
    by_key = {_key(name, field): field for name, field in schema.load_fields.items()}
    for key, below in tree.items():
        if key == SCHEMA:
            yield from _leaf(below, said, where, expected_object(schema))
        elif key in by_key:
            yield from _field_faults(below, _member(said, key), by_key[key], pointer(where, key))
        elif isinstance(key, int) and isinstance(said, list):
            yield from _schema_faults(_tree(below), _member(said, key), schema, pointer(where, key))
        else:
            known = expects("known-member", members=list(by_key)) if by_key else expects("no-members")
            yield from _leaf(below, _member(said, key), pointer(where, key), known)


def _field_faults(below: Any, said: object, field: fields.Field[Any], where: str) -> Iterator[Fault]:
    if not isinstance(below, Mapping):
        yield from _leaf(below, said, where, expected_of(field))
    elif isinstance(field, fields.Nested):
        yield from _schema_faults(below, said, field.schema, where)
    elif isinstance(field, Tagged) and (schema := field.schema_for(said)):
        yield from _schema_faults(below, said, schema, where)
    elif isinstance(field, NumberOrList):
        yield from _field_faults(below, said, field.part_for(said), where)
    elif isinstance(field, fields.List):
        for index, deeper in below.items():
            yield from _field_faults(deeper, _member(said, index), field.inner, pointer(where, index))
    elif isinstance(field, fields.Mapping):
        for key, deeper in below.items():
            for side, inner in (("key", field.key_field), ("value", field.value_field)):
                found = key if side == "key" else _member(said, key)
                if inner is not None and isinstance(deeper, Mapping) and side in deeper:
                    yield from _field_faults(deeper[side], found, inner, pointer(where, key))
    else:
        for key, deeper in below.items():
            yield from _leaf(deeper, _member(said, key), pointer(where, key), expected_of(field))


def _leaf(messages: Any, said: object, where: str, expected: Expected) -> Iterator[Fault]:
    """Yield a fault for each expectation that a value misses.

    Fields and checks of ours raise an `Expected`. A text is one of marshmallow's own messages, which name no value:
    what the whole field takes stands for it, and for an expectation that is a part of that.
    """
    if isinstance(messages, Mapping):
        for key, below in messages.items():
            yield from _leaf(below, _member(said, key), pointer(where, key), expected)
        return
    missed: list[Expected] = []
    for message in messages if isinstance(messages, list) else [messages]:
        right = message if isinstance(message, Expected) and not _is_part(message, expected) else expected
        if right not in missed:
            missed.append(right)
    for right in missed:
        yield Fault(where, NOTHING if said is _ABSENT else shown(said), right)


def _is_part(part: Expected, whole: Expected) -> bool:
    """Return True if `whole` is this expectation, with limits or with null beside it."""
    value = whole.data.get("value")
    return part == whole or (isinstance(value, Expected) and _is_part(part, value))


def _limit(validator: object) -> Expected | None:
    match validator:
        case validate.OneOf():
            return one_of(list(validator.choices))
        case validate.Length(equal=int() as size):
            return expects("length", count=size)
        case validate.Length(min=None, max=high):
            return expects("length-at-most", most=high)
        case validate.Length(min=low, max=None):
            return expects("length-at-least", least=low)
        case validate.Length(min=low, max=high):
            return expects("length-between", least=low, most=high)
        case validate.Range(min=None, max=high):
            return expects("at-most", most=high)
        case validate.Range(min=low, max=None):
            return expects("at-least", least=low)
        case validate.Range(min=low, max=high):
            return expects("between", least=low, most=high)
        case validate.Regexp():
            return expects("matching", pattern=str(validator.regex.pattern))
        case validate.Equal():
            return expects("equal-to", value=validator.comparable)
    return None


def _key(name: str, field: fields.Field[Any]) -> str:
    return name if field.data_key is None else field.data_key


def _tree(below: Any) -> Messages:
    return below if isinstance(below, Mapping) else {SCHEMA: below}


_ABSENT: Any = object()


def _member(said: object, key: object) -> object:
    if isinstance(said, Mapping):
        return said.get(key, _ABSENT)
    if isinstance(said, list) and isinstance(key, int) and 0 <= key < len(said):
        return said[key]
    return _ABSENT
