"""Does a JSON value have the shape of a type? Every fault at once, where a decoder would stop at the first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from hashlib import sha256
from typing import Any

from msgspec import inspect, msgpack

from shared.refusals import NOTHING, Expected, Fault, as_said, either, expects, one_of

_KEEP = 1024
_faultless: dict[tuple[bytes, type], None] = {}
"""Digest and type of the youngest values that had no fault. The same pack is read for each tournament and audit, and a
digest takes a hundredth of the time."""


def faults_of_shape(value: object, wanted: type) -> list[Fault]:
    """Everything in `value` that does not fit the type `wanted`, each at its JSON pointer. value: as JSON has them.

    Unknown and missing keys, wrong kinds of values, unknown choices and unknown pieces of a tagged union.
    """
    key = _key(value, wanted)
    if key in _faultless:
        return []
    faults = list(_faults(value, described(wanted), ""))
    if not faults and key is not None:
        if len(_faultless) >= _KEEP:
            _faultless.clear()
        _faultless[key] = None
    return faults


def _key(value: object, wanted: type) -> tuple[bytes, type] | None:
    """What no other value of JSON has; None for one that has no bytes, such as a number beyond 64 bits."""
    try:
        return sha256(msgpack.encode(value)).digest(), wanted
    except (OverflowError, UnicodeEncodeError, TypeError, ValueError, RecursionError):
        return None


@cache
def described(wanted: type) -> inspect.Type:
    """What msgspec knows of a type."""
    return inspect.type_info(wanted)


def _faults(value: object, wanted: inspect.Type, where: str) -> Iterator[Fault]:
    match wanted:
        case inspect.StructType():
            yield from _faults_of_struct(value, wanted, where)
        case inspect.UnionType():
            yield from _faults_of_union(value, wanted, where)
        case inspect.ListType() | inspect.VarTupleType():
            if isinstance(value, list):
                for index, item in enumerate(value):
                    yield from _faults(item, wanted.item_type, f"{where}/{index}")
            else:
                yield _wrong(value, wanted, where)
        case inspect.DictType():
            if isinstance(value, dict):
                for key, item in value.items():
                    yield from _faults(key, wanted.key_type, f"{where}/{key}")
                    yield from _faults(item, wanted.value_type, f"{where}/{key}")
            else:
                yield _wrong(value, wanted, where)
        case _:
            if not fits(value, wanted):
                yield _wrong(value, wanted, where)


def _faults_of_struct(value: object, wanted: inspect.StructType, where: str) -> Iterator[Fault]:
    if not isinstance(value, dict):
        yield _wrong(value, wanted, where)
        return
    fields = {field.encode_name: field for field in wanted.fields}
    for key in value:
        if key not in fields and key != wanted.tag_field:
            yield Fault(f"{where}/{key}", as_said(value[key]), expects("known-key", keys=sorted(fields)))
    for name, field in fields.items():
        if name in value:
            yield from _faults(value[name], field.type, f"{where}/{name}")
        elif field.required:
            yield Fault(f"{where}/{name}", NOTHING, _expected(field.type))


def _faults_of_union(value: object, wanted: inspect.UnionType, where: str) -> Iterator[Fault]:
    structs = {item.tag: item for item in wanted.types if isinstance(item, inspect.StructType)}
    tag_field = next((item.tag_field for item in structs.values() if item.tag_field), None)
    if tag_field and isinstance(value, dict):
        tag = value.get(tag_field)
        if isinstance(tag, str) and tag in structs:
            yield from _faults(value, structs[tag], where)
        else:
            found = as_said(tag) if tag_field in value else NOTHING
            yield Fault(f"{where}/{tag_field}", found, one_of(sorted(map(str, structs))))
            meant = nearest(value, list(structs.values()))
            fields = {field.encode_name: field.type for field in meant.fields}
            for key, item in value.items():  # of what is meant nobody can be sure, so no key is missing or unknown
                if key in fields and key != tag_field:
                    yield from _faults(item, fields[key], f"{where}/{key}")
        return
    untagged = [item for item in wanted.types if isinstance(item, inspect.StructType) and not item.tag_field]
    if isinstance(value, dict) and untagged:
        yield from _faults_of_struct(value, untagged[0], where)
        return
    lists = [item for item in wanted.types if isinstance(item, inspect.ListType)]
    objects = [item for item in wanted.types if isinstance(item, inspect.DictType)]
    if isinstance(value, list) and lists:
        yield from _faults(value, lists[0], where)
    elif isinstance(value, dict) and objects:
        yield from _faults(value, objects[0], where)
    elif not any(fits(value, item) for item in wanted.types):
        yield _wrong(value, wanted, where)


def fits(value: object, wanted: inspect.Type) -> bool:
    """Whether a plain value is of a simple type, or of one of several; never of lists and objects."""
    match wanted:
        case inspect.AnyType():
            return True
        case inspect.StrType():
            return isinstance(value, str)
        case inspect.IntType(ge=least):
            return type(value) is int and (least is None or value >= least)
        case inspect.BoolType():
            return type(value) is bool
        case inspect.NoneType():
            return value is None
        case inspect.LiteralType(values=values):
            return any(value == choice and type(value) is type(choice) for choice in values)
        case inspect.UnionType(types=types):
            return any(fits(value, item) for item in types)
    return False


def nearest(value: Mapping[str, object], structs: Sequence[inspect.StructType]) -> inspect.StructType:
    """The one of several objects that is meant: by its tag, by a tag written nearly so, or else by its keys."""
    tag_field = structs[0].tag_field
    tagged = {str(item.tag): item for item in structs}
    said = str(value.get(tag_field, "")) if tag_field else ""
    if near := get_close_matches(said, tagged, n=1):
        return tagged[near[0]]
    return max(structs, key=lambda item: len({field.encode_name for field in item.fields} & value.keys()))


def _wrong(value: object, wanted: inspect.Type, where: str) -> Fault:
    expected = _expected(wanted)
    if isinstance(wanted, inspect.StrType) and isinstance(value, list):
        single = len(value) == 1 and isinstance(value[0], str)
        expected = expects("text-not-list-such-as", text=value[0]) if single else expects("text-not-list")
    elif isinstance(wanted, inspect.ListType) and isinstance(wanted.item_type, inspect.StrType | inspect.LiteralType):
        expected = expects("list-such-as", example=f"[{value}]") if isinstance(value, str) else expected
    return Fault(where, as_said(value), expected)


_KINDS: Mapping[type[inspect.Type], Expected] = {
    inspect.StrType: expects("text"),
    inspect.IntType: expects("whole-number"),
    inspect.BoolType: expects("true-or-false"),
    inspect.NoneType: expects("nothing"),
    inspect.ListType: expects("list"),
    inspect.DictType: expects("object"),
}


def _expected(wanted: Any) -> Expected:
    """Return the expectation of a value of a type."""
    if isinstance(wanted, inspect.LiteralType):
        return one_of(list(wanted.values))
    if isinstance(wanted, inspect.IntType) and wanted.ge is not None:
        return expects("whole-number-from", least=wanted.ge)
    if isinstance(wanted, inspect.UnionType):
        return either(list(dict.fromkeys(_expected(item) for item in wanted.types)))
    if isinstance(wanted, inspect.StructType):
        needed = _needed(wanted)
        return expects("object-with", members=needed) if needed else expects("object")
    if isinstance(wanted, inspect.ListType) and isinstance(wanted.item_type, inspect.StructType):
        needed = _needed(wanted.item_type)
        return expects("objects-with", members=needed) if needed else expects("list-of-objects")
    return _KINDS.get(type(wanted), expects("another-kind"))


def _needed(wanted: inspect.StructType) -> list[str]:
    """Return the keys that an object must have."""
    tag = [wanted.tag_field] if wanted.tag_field else []
    return [*tag, *(field.encode_name for field in wanted.fields if field.required)]
