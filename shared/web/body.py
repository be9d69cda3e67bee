"""Request bodies: JSON parsing, validation by schema, and faults.

A fault has a place (a JSON pointer), the value found there, and the expected value.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import wraps
from hashlib import sha256
from itertools import islice
from typing import Any, NoReturn, TypeVar, cast

import msgspec
import orjson
from flask import Request
from marshmallow import Schema as MarshmallowSchema
from marshmallow import ValidationError, fields, validate
from marshmallow.exceptions import SCHEMA
from werkzeug.exceptions import RequestEntityTooLarge

from shared.refusals import MAX_SHOWN_LENGTH, NOTHING, Expected, Fault, display_text, expects, one_of, to_short_json
from shared.web.refusals import DuplicateMember, InvalidRequest, MalformedJson, UnsupportedMediaType
from shared.web.request import EdgeRequest, this_request
from shared.web.schema import Deferred, NumberOrList, Tagged, convert

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
"""Expected values of marshmallow's own fields; the first match counts."""

Messages = Mapping[Any, Any]


def faults_of(messages: Any, value: object, schema: MarshmallowSchema) -> list[Fault]:
    """Return every fault. messages: from `ValidationError.messages`. value: the JSON of the request."""
    tree = messages if isinstance(messages, Mapping) else {SCHEMA: messages}
    return list(_schema_faults(tree, value, schema, ""))


def expected_of(field: fields.Field[Any]) -> Expected:
    """Return the expected value of a field, with the limits of its validators."""
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
    """Return the expected members of an object."""
    members = [
        name if field.required else expects("optional-member", name=name)
        for name, field in ((_key(name, field), field) for name, field in schema.load_fields.items())
    ]
    return expects("object-with", members=members) if members else expects("empty-object")


def with_written_value(fault: Fault, body: object) -> Fault:
    """Return the fault with the value that the request has at its place, such as a name where a decision uses an id.

    A fault about a list or an object keeps its own text, such as the number of items.
    """
    if not fault.where.startswith("/"):
        return fault
    written = body
    for part in fault.where.split("/")[1:]:
        name = part.replace("~1", "/").replace("~0", "~")
        written = _member(written, int(name) if isinstance(written, list) and name.isdecimal() else name)
    known = (
        written is _ABSENT
        or isinstance(written, dict | list)
        or fault.said in (to_short_json(written), display_text(written))
    )
    return fault if known else msgspec.structs.replace(fault, said=display_text(written))


def pointer(base: str, part: object) -> str:
    """Return a JSON pointer extended by one step (RFC 6901)."""
    return f"{base}/{str(part).replace('~', '~0').replace('/', '~1')}"


def _schema_faults(tree: Messages, value: object, schema: MarshmallowSchema, where: str) -> Iterator[Fault]:
    by_key = {_key(name, field): field for name, field in schema.load_fields.items()}
    for key, below in tree.items():
        if key == SCHEMA:
            yield from _leaf(below, value, where, expected_object(schema))
        elif key in by_key:
            yield from _field_faults(below, _member(value, key), by_key[key], pointer(where, key))
        elif isinstance(key, int) and isinstance(value, list):
            yield from _schema_faults(_tree(below), _member(value, key), schema, pointer(where, key))
        else:
            known = expects("known-member", members=list(by_key)) if by_key else expects("no-members")
            yield from _leaf(below, _member(value, key), pointer(where, key), known)


def _field_faults(below: Any, value: object, field: fields.Field[Any], where: str) -> Iterator[Fault]:
    if not isinstance(below, Mapping):
        yield from _leaf(below, value, where, expected_of(field))
    elif isinstance(field, fields.Nested):
        yield from _schema_faults(below, value, field.schema, where)
    elif isinstance(field, Tagged) and (schema := field.schema_for(value)):
        yield from _schema_faults(below, value, schema, where)
    elif isinstance(field, NumberOrList):
        yield from _field_faults(below, value, field.part_for(value), where)
    elif isinstance(field, fields.List):
        for index, deeper in below.items():
            yield from _field_faults(deeper, _member(value, index), field.inner, pointer(where, index))
    elif isinstance(field, fields.Mapping):
        for key, deeper in below.items():
            for side, inner in (("key", field.key_field), ("value", field.value_field)):
                found = key if side == "key" else _member(value, key)
                if inner is not None and isinstance(deeper, Mapping) and side in deeper:
                    yield from _field_faults(deeper[side], found, inner, pointer(where, key))
    else:
        for key, deeper in below.items():
            yield from _leaf(deeper, _member(value, key), pointer(where, key), expected_of(field))


def _leaf(messages: Any, value: object, where: str, expected: Expected) -> Iterator[Fault]:
    """Yield a fault for each unmet expectation of a value.

    The fields and checks of Muster raise an `Expected`. A string is a message of marshmallow, which names no value: it
    is replaced by the expected value of the whole field, and so is an expectation that is a part of it.
    """
    if isinstance(messages, Mapping):
        for key, below in messages.items():
            yield from _leaf(below, _member(value, key), pointer(where, key), expected)
        return
    missed: list[Expected] = []
    for message in messages if isinstance(messages, list) else [messages]:
        right = message if isinstance(message, Expected) and not _is_part(message, expected) else expected
        if right not in missed:
            missed.append(right)
    for right in missed:
        yield Fault(where, NOTHING if value is _ABSENT else to_short_json(value), right)


def _is_part(part: Expected, whole: Expected) -> bool:
    """Return True if `whole` is this expectation, possibly with limits or null added."""
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


def _member(value: object, key: object) -> object:
    if isinstance(value, Mapping):
        return value.get(key, _ABSENT)
    if isinstance(value, list) and isinstance(key, int) and 0 <= key < len(value):
        return value[key]
    return _ABSENT


View = TypeVar("View", bound=Callable[..., Any])

DEEPEST = 50
"""Deepest nesting of lists and objects, so that code may process a body recursively."""

JSON = "application/json"
UTF_8 = frozenset({"utf-8", "utf8"})
TOKEN, PREVIEW = "token", "preview"
_WITH_TOKEN, _OF_COMMANDS = frozenset((TOKEN,)), frozenset((TOKEN, PREVIEW))

MOST_NAMED = 20
"""Most duplicate members that a refusal lists."""


def read_json() -> Any:
    """Return the JSON of the current request. It is parsed once.

    Raises UnsupportedMediaType unless it is application/json in UTF-8, MalformedJson with line and column,
    DuplicateMember, and RequestEntityTooLarge.
    """
    request = this_request()
    state = request.edge
    if not state.body_read:
        if request.mimetype != JSON:
            _unsupported(request.mimetype, one_of([JSON]))
        state.body = parse_json(read_bytes())
        state.body_read = True
    return state.body


def has_body() -> bool:
    """Return True if the current request has a body."""
    request = this_request()
    return bool(request.content_length) or "HTTP_TRANSFER_ENCODING" in request.environ


def read_body() -> Any:
    """Return the JSON of the current request; for a file, its media type and digest.

    Raises the exceptions of `read_json`.
    """
    request = this_request()
    if request.edge.body_read or request.mimetype == JSON:
        return read_json()
    return {request.mimetype: sha256(read_bytes()).hexdigest()}


def read_bytes() -> bytes:
    """Return the whole body of the current request, which must be UTF-8.

    Raises UnsupportedMediaType if Content-Type names another charset, and RequestEntityTooLarge.
    """
    request = this_request()
    charset = request.mimetype_params.get("charset", "utf-8")
    if charset.lower() not in UTF_8:
        _unsupported(f"{request.mimetype}; charset={charset[:40]}", expects("type-in-utf-8", type=request.mimetype))
    text = request.get_data()
    if request.content_length is None and len(text) >= (request.max_content_length or len(text) + 1):
        # Werkzeug silently truncates a body of unknown length at the limit.
        raise RequestEntityTooLarge
    return text


def _unsupported(value: str, expected: Expected) -> NoReturn:
    detail = f"The body is {value or 'without a Content-Type'}; {expected} is expected."
    raise UnsupportedMediaType(detail, [Fault("Content-Type", value or NOTHING, expected)])


def parse_json(text: bytes) -> Any:
    """Parse JSON (RFC 8259, UTF-8).

    Raises MalformedJson with line and column (1-based), InvalidRequest if it is nested too deeply, and DuplicateMember
    with a pointer to each member that occurs twice in one object.
    """
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        _malformed(text, error)
    if text.count(b"[") + text.count(b"{") > DEEPEST and _is_deeper(value, DEEPEST):
        fault = Fault("", to_short_json(value), expects("nesting-at-most", most=DEEPEST))
        raise InvalidRequest("The body is nested too deeply.", [fault])
    try:
        _require_unique_members(text.decode())
    except _DuplicateName:
        duplicates = list(islice(_duplicates(_with_pairs(text.decode()), ""), MOST_NAMED))
        faults = [Fault(where, found, expects("each-member-once")) for where, found in duplicates]
        raise DuplicateMember(f"{duplicates[0][0]} occurs twice in one object.", faults) from None
    return value


def load(schema: MarshmallowSchema, value: Any) -> Any:
    """Validate JSON by a schema and convert it to the schema's struct. Raises InvalidRequest with every fault."""
    if not isinstance(value, dict) and not schema.many:
        fault = Fault("", to_short_json(value), expected_object(schema))
        raise InvalidRequest("The body is JSON, but not an object.", [fault])
    try:
        loaded = schema.load(value)
    except ValidationError as error:
        raise_invalid(faults_of(error.messages, value, schema))
    made = getattr(schema, "makes", None)
    return loaded if made is None else convert(loaded, made)


def raise_invalid(faults: list[Fault]) -> NoReturn:
    """Raise InvalidRequest with these faults."""
    first = faults[0].where or "the whole"
    rest = f" and {len(faults) - 1} more" if len(faults) > 1 else ""
    raise InvalidRequest(f"Not as expected: {first}{rest}.", faults)


def common_parameters(request: EdgeRequest) -> frozenset[str]:
    """Return the query parameters that every operation takes: `token`, and for commands also `preview`."""
    return _WITH_TOKEN if request.edge.preview is None else _OF_COMMANDS


def query_arguments(request: Request, schema: MarshmallowSchema) -> dict[str, object]:
    """Return the query parameters for a schema, without the common ones.

    Members of list type get a list. For other members a repeated parameter also becomes a list, which is then a fault.
    """
    lists = {f.data_key or n for n, f in schema.load_fields.items() if isinstance(f, fields.List)}
    common = common_parameters(this_request())
    return {
        name: values if name in lists or len(values) > 1 else values[0]
        for name, values in request.args.lists()
        if name not in common
    }


class ArgumentsParser:
    """The arguments parser for flask-smorest: a minimal webargs that refuses with Muster's problems."""

    DEFAULT_VALIDATION_STATUS = 422

    def use_args(
        self, deferred: Deferred, *, location: str = "json", optional: bool = False, **_: object
    ) -> Callable[[View], View]:
        """Return a decorator that passes the loaded arguments to a view, after its other arguments.

        optional: a missing body counts as an empty object.
        """
        if location not in ("json", "query"):
            raise ValueError(f"arguments come from json or query, not from {location!r}")

        def decorator(view: View) -> View:
            @wraps(view)
            def with_body(*args: Any, **kwargs: Any) -> Any:
                value = {} if optional and not has_body() else read_json()
                this_request().edge.schema = schema = deferred.schema
                return view(*args, load(schema, value), **kwargs)

            @wraps(view)
            def with_query(*args: Any, **kwargs: Any) -> Any:
                schema = deferred.schema
                return view(*args, load(schema, query_arguments(this_request(), schema)), **kwargs)

            return cast(View, with_body if location == "json" else with_query)

        return decorator


class _DuplicateName(Exception):
    """An object names a member twice."""


class _Pairs(list[tuple[str, Any]]):
    """An object that names a member twice, with all its members."""


def _refuse_duplicates(pairs: list[tuple[str, Any]]) -> None:
    if len(dict(pairs)) < len(pairs):
        raise _DuplicateName


def _pairs(pairs: list[tuple[str, Any]]) -> Any:
    kept = dict(pairs)
    return kept if len(kept) == len(pairs) else _Pairs(pairs)


class _Number(str):
    """A number as text: converting thousands of digits would take too long."""


# orjson silently keeps the last of two members; the standard library has a hook.
_require_unique_members = json.JSONDecoder(
    object_pairs_hook=_refuse_duplicates, parse_int=_Number, parse_float=_Number
).decode
_with_pairs = json.JSONDecoder(object_pairs_hook=_pairs, parse_int=_Number, parse_float=_Number).decode


def _duplicates(value: Any, where: str) -> Iterator[tuple[str, str]]:
    """Yield a pointer to every duplicate member, with its second value."""
    if isinstance(value, _Pairs):
        known: set[str] = set()
        for name, inner in value:
            if name in known:
                yield (
                    pointer(where, name),
                    inner[:MAX_SHOWN_LENGTH] if isinstance(inner, _Number) else to_short_json(inner),
                )
            known.add(name)
            yield from _duplicates(inner, pointer(where, name))
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield from _duplicates(inner, pointer(where, name))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _duplicates(inner, pointer(where, index))


def _is_deeper(value: Any, limit: int) -> bool:
    level = [value] if isinstance(value, dict | list) else []
    for _ in range(limit):
        inner = [member for outer in level for member in (outer.values() if isinstance(outer, dict) else outer)]
        level = [member for member in inner if isinstance(member, dict | list)]
        if not level:
            return False
    return True


def _rest_of_line(text: bytes, line: int, column: int) -> str:
    """Return the rest of the line where parsing stopped. line, column: 1-based."""
    lines = text.decode(errors="replace").split("\n")
    rest = lines[line - 1][column - 1 :].strip() if line <= len(lines) else ""
    return rest[:MAX_SHOWN_LENGTH] or NOTHING


def _malformed(text: bytes, error: orjson.JSONDecodeError) -> NoReturn:
    line, column, what = error.lineno, error.colno, error.msg
    try:
        text.decode()
    except UnicodeDecodeError as broken:
        before = text[: broken.start]
        line = before.count(b"\n") + 1
        column = len(before[before.rfind(b"\n") + 1 :].decode()) + 1
        what = "not UTF-8 here"
    if not text.strip():
        what = "the body is empty"
    raise MalformedJson(
        f"The body is not JSON: {what}, at line {line}, column {column}.",
        [Fault("", _rest_of_line(text, line, column), expects("json-in-utf-8"))],
        line=line,
        column=column,
    )
