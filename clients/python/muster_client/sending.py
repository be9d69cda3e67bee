"""Checks of requests before they are sent: every member is known, none is missing, each has its type.

The service checks lengths of texts and the rules: it reports every fault at once, with its clause.
"""

from __future__ import annotations

import threading
from functools import cache, reduce
from operator import or_
from types import UnionType
from typing import Any, Literal, Required, Union, get_args, get_origin, get_type_hints, is_typeddict
from urllib.parse import quote

import msgspec

from muster_client.errors import NotSent

BUILDING = threading.Lock()
"""Held while msgspec inspects a type for the first time."""


LONGEST_SEGMENT = 1_000
"""Characters of one part of an address; no id is nearly as long, and no server reads an address of ten of them."""


def segment(value: object) -> str:
    """Return a value as one segment of an address. Raises NotSent if it would change the address."""
    text = str(value)
    if text in ("", ".", "..") or len(text) > LONGEST_SEGMENT:
        raise NotSent(f"{text[:140]!r} names nothing in an address")
    return quote(text, safe="")


def checked(body: Any, shape: Any) -> bytes:
    """Return the JSON of a body. shape: a typed dictionary, or one of several. Raises NotSent for another shape."""
    if not is_typeddict(shape):
        shape = _chosen(body, shape)
    try:
        msgspec.convert(body, _ready(shape))
        return msgspec.json.encode(body)
    except (msgspec.ValidationError, TypeError) as error:
        raise NotSent(f"{shape.__name__}: {error}") from error


def _ready(shape: Any) -> Any:
    """Return the strict shape, fully inspected by msgspec.

    Only one thread inspects types at a time: msgspec crashes the process if two threads inspect the same type.
    """
    with BUILDING:
        return _built(shape)


@cache
def _built(shape: Any) -> Any:
    kind = _strict(shape)
    msgspec.json.Decoder(kind)
    return kind


def _chosen(body: Any, shapes: Any) -> Any:
    """Return the shape, of several, whose tag is in its first member."""
    for shape in get_args(shapes):
        tag, word = _tag(shape)
        if isinstance(body, dict) and body.get(tag) == word:
            return shape
    tag, _ = _tag(get_args(shapes)[0])
    words = ", ".join(_tag(shape)[1] for shape in get_args(shapes))
    found = body.get(tag) if isinstance(body, dict) else body
    raise NotSent(f"{tag}: {found!r} is none of {words}")


@cache
def _tag(shape: Any) -> tuple[str, str]:
    """Return the tag member of a shape and its value."""
    for name, kind in get_type_hints(shape).items():
        if get_origin(kind) is Literal and len(get_args(kind)) == 1:
            return name, get_args(kind)[0]
    raise TypeError(f"{shape.__name__} has no member that tells it from others")


@cache
def _strict(kind: Any) -> Any:
    """Return a type that msgspec checks strictly: a struct without unknown members for a typed dictionary."""
    if is_typeddict(kind):
        members: list[Any] = []
        for name, inner in get_type_hints(kind, include_extras=True).items():
            needed = get_origin(inner) is Required
            part = _strict(get_args(inner)[0] if needed else inner)
            members.append((name, part) if needed else (name, part | msgspec.UnsetType, msgspec.UNSET))
        return msgspec.defstruct(kind.__name__, members, kw_only=True, forbid_unknown_fields=True)
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        if sum(map(is_typeddict, inner)) > 1:
            return dict[str, Any]
        return reduce(or_, map(_strict, inner))
    if origin in (list, dict):
        return origin[tuple(map(_strict, inner))]
    return kind
