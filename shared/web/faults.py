"""From what marshmallow says about a request to faults: where (a JSON pointer), what was said, what is expected."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from marshmallow import Schema as MarshmallowSchema
from marshmallow import fields, validate
from marshmallow.exceptions import SCHEMA

from shared.refusals import NOTHING, Fault, as_said, shown
from shared.web.schemas import NumberOrList, Tagged

OWN_WORDS = (
    "Missing data for",
    "Field may not be null",
    "Not a valid",
    "Invalid type",
    "Invalid input",
    "Unknown field",
    "Shorter than minimum",
    "Longer than maximum",
    "Length must be",
    "Must be ",
    "String does not match",
)
"""How marshmallow's own messages begin: they name no value, so the expectation is taken from the field instead."""

TYPES: tuple[tuple[type[fields.Field[Any]], str], ...] = (
    (fields.Boolean, "true or false"),
    (fields.Integer, "a whole number"),
    (fields.Number, "a number"),
    (fields.UUID, "a UUID"),
    (fields.Email, "an e-mail address"),
    (fields.Url, "a web address"),
    (fields.Date, "a day as YYYY-MM-DD"),
    (fields.DateTime, "a moment as RFC 3339"),
    (fields.String, "text"),
    (fields.Mapping, "an object"),
)
"""What is expected of marshmallow's own fields; the first that fits."""

Messages = Mapping[Any, Any]


def faults_of(messages: Any, said: object, schema: MarshmallowSchema) -> list[Fault]:
    """List every fault. messages: as in `ValidationError.messages`; said: the request's JSON, as it came."""
    tree = messages if isinstance(messages, Mapping) else {SCHEMA: messages}
    return list(_schema_faults(tree, said, schema, ""))


def expected_of(field: fields.Field[Any]) -> str:
    """Say in words what a field takes, with the limits of its validators."""
    own = getattr(field, "expected", None)
    if own is None:
        if isinstance(field, fields.Nested):
            own = expected_object(field.schema)
            own = f"a list, each {own}" if field.many else own
        elif isinstance(field, fields.List):
            own = f"a list, each {expected_of(field.inner)}"
        else:
            own = next((words for kind, words in TYPES if isinstance(field, kind)), "a value")
    limits = [limit for validator in field.validators if (limit := _limit(validator))]
    return ", ".join([own, *limits]) + (", or null" if field.allow_none else "")


def expected_object(schema: MarshmallowSchema) -> str:
    """Say in words which members an object takes."""
    members = [
        _key(name, field) + ("" if field.required else " (optional)") for name, field in schema.load_fields.items()
    ]
    return "an object with " + ", ".join(members) if members else "an empty object"


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
            known = "one of the known members: " + ", ".join(by_key) if by_key else "no members"
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


def _leaf(messages: Any, said: object, where: str, expected: str) -> Iterator[Fault]:
    if isinstance(messages, Mapping):
        for key, below in messages.items():
            yield from _leaf(below, _member(said, key), pointer(where, key), expected)
        return
    texts = [str(message) for message in (messages if isinstance(messages, list) else [messages])]
    wanted = dict.fromkeys(
        expected if text.startswith(OWN_WORDS) or expected.startswith(f"{text},") else text for text in texts
    )
    yield Fault(where, NOTHING if said is _ABSENT else shown(said), "; ".join(wanted))


def _limit(validator: object) -> str:
    match validator:
        case validate.OneOf():
            return "one of: " + ", ".join(str(choice) for choice in validator.choices)
        case validate.Length(equal=int() as size):
            return f"{size} long"
        case validate.Length(min=low, max=high) | validate.Range(min=low, max=high):
            unit = " long" if isinstance(validator, validate.Length) else ""
            if high is None:
                return f"at least {low}{unit}"
            return f"at most {high}{unit}" if low is None else f"{low} to {high}{unit}"
        case validate.Regexp():
            return f"matching {validator.regex.pattern!s}"
        case validate.Equal():
            return f"equal to {validator.comparable}"
    return ""


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
