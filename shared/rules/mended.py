"""A value of the wrong shape with something else where it is wrong, so that the rest of it can be looked at too."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import inspect

from shared.rules.shape_checks import described, fits, nearest

TRIALS = (0, 1)
"""What is put in differs from trial to trial: what holds in all of them does not come from it."""

_WORDS, _NUMBERS = ("(one)", "(other)"), (1, 99)


def mended(value: object, wanted: type, trial: int) -> tuple[Any, set[str]]:
    """The value with other ones where it does not fit the type, unknown keys left out; and where that was, as pointers.

    trial: one of TRIALS.
    """
    places: set[str] = set()
    return _mended(value, described(wanted), "", trial, places), places


def _mended(value: Any, wanted: inspect.Type, where: str, trial: int, places: set[str]) -> Any:
    match wanted:
        case inspect.StructType() if isinstance(value, dict):
            return _struct(value, wanted, where, trial, places)
        case inspect.UnionType() if isinstance(value, dict | list):
            return _union(value, wanted, where, trial, places)
        case inspect.ListType() | inspect.VarTupleType() if isinstance(value, list):
            return [
                _mended(item, wanted.item_type, f"{where}/{index}", trial, places) for index, item in enumerate(value)
            ]
        case inspect.DictType() if isinstance(value, dict):
            return {
                key: _mended(item, wanted.value_type, f"{where}/{key}", trial, places)
                for key, item in value.items()
                if fits(key, wanted.key_type)
            }
        case _ if fits(value, wanted):
            return value
    places.add(where)
    return _made(wanted, trial)


def _struct(
    value: Mapping[str, Any], wanted: inspect.StructType, where: str, trial: int, places: set[str]
) -> dict[str, Any]:
    found: dict[str, Any] = {wanted.tag_field: wanted.tag} if wanted.tag_field else {}
    for field in wanted.fields:
        name = field.encode_name
        if name in value:
            found[name] = _mended(value[name], field.type, f"{where}/{name}", trial, places)
        elif field.required:
            places.add(f"{where}/{name}")
            found[name] = _made(field.type, trial)
    return found


def _union(value: Any, wanted: inspect.UnionType, where: str, trial: int, places: set[str]) -> Any:
    structs = [item for item in wanted.types if isinstance(item, inspect.StructType)]
    if isinstance(value, dict) and structs:
        one = nearest(value, structs)
        if one.tag_field and value.get(one.tag_field) != one.tag:
            places.add(f"{where}/{one.tag_field}")
        return _struct(value, one, where, trial, places)
    kinds = (inspect.ListType, inspect.VarTupleType) if isinstance(value, list) else (inspect.DictType,)
    for item in wanted.types:
        if isinstance(item, kinds):
            return _mended(value, item, where, trial, places)
    places.add(where)
    return _made(wanted, trial)


def _made(wanted: inspect.Type, trial: int) -> Any:
    """A value of the type: lists and objects are empty in one trial, and hold something in the other."""
    match wanted:
        case inspect.StrType():
            return _WORDS[trial]
        case inspect.IntType():
            return _NUMBERS[trial]
        case inspect.BoolType():
            return bool(trial)
        case inspect.LiteralType(values=values):
            return values[-trial]
        case inspect.ListType() | inspect.VarTupleType():
            return [_made(wanted.item_type, trial)] if trial else []
        case inspect.DictType():
            return _filled(wanted) if trial else {}
        case inspect.StructType():
            return _struct({}, wanted, "", trial, set())
        case inspect.UnionType():
            return _made(wanted.types[-trial], trial)
    return None


def _filled(wanted: inspect.DictType) -> dict[Any, Any]:
    """An object with every key and every value of which there are only some, so that none is missed for want of it."""
    value = wanted.value_type
    values = value.values if isinstance(value, inspect.LiteralType) else (_made(value, TRIALS[1]),)
    if isinstance(wanted.key_type, inspect.LiteralType):
        return dict.fromkeys(wanted.key_type.values, values[0])
    return {f"{_WORDS[1]} {index}": one for index, one in enumerate(values)}
