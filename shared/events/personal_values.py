"""Values that never enter an event: what a shape says is personal stands as `true`. Pure."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import msgspec
from msgspec.structs import FieldInfo

from shared.shapes import Personal

KEPT_APART = "kept apart"
"""What a personal text is read as from a record, which says of it alone that it was there."""


def public_values(thing: Any) -> Any:
    """Plain values of structs, lists and objects, without members at their defaults; personal ones are `true`."""
    return _public(thing, msgspec.to_builtins(thing))


def _public(thing: Any, plain: Any) -> Any:
    if isinstance(thing, msgspec.Struct):
        for field, personal in _fields(type(thing)):
            value = getattr(thing, field.name)
            if field.encode_name not in plain:  # unset, or left out at its default by the struct itself
                continue
            if value == _default(field):
                del plain[field.encode_name]
            elif personal:
                plain[field.encode_name] = True
            elif isinstance(value, msgspec.Struct | list | tuple):
                plain[field.encode_name] = _public(value, plain[field.encode_name])
        return plain
    if isinstance(thing, list | tuple):
        return [_public(one, plain[index]) for index, one in enumerate(thing)]
    return plain


def with_stand_ins(kind: Any, plain: Any) -> Any:
    """Plain values with a text in the place of every personal `true`, so that `kind` can be made of them."""
    kind = _bare(kind)
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct) and isinstance(plain, dict):
        members = dict(plain)
        for field, personal in _fields(kind):
            if field.encode_name in members:
                value = members[field.encode_name]
                members[field.encode_name] = KEPT_APART if personal else with_stand_ins(field.type, value)
        return members
    if get_origin(kind) is list and isinstance(plain, list):
        (inner,) = get_args(kind)
        return [with_stand_ins(inner, one) for one in plain]
    return plain


@cache
def _fields(kind: type[msgspec.Struct]) -> tuple[tuple[FieldInfo, bool], ...]:
    """The fields of a struct, each with whether its value is personal."""
    hints = get_type_hints(kind, include_extras=True)
    return tuple((field, _is_personal(hints[field.name])) for field in msgspec.structs.fields(kind))


def _is_personal(hint: Any) -> bool:
    return any(isinstance(note, Personal) for note in getattr(hint, "__metadata__", ()))


def _bare(kind: Any) -> Any:
    return get_args(kind)[0] if get_origin(kind) is Annotated else kind


def _default(field: FieldInfo) -> Any:
    return field.default_factory() if field.default_factory is not msgspec.NODEFAULT else field.default
